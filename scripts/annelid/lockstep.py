# SPDX-License-Identifier: Apache-2.0
"""Programs of the lock-step: the program that a scenario needs, and the result that a program prints."""

import json
from dataclasses import dataclass

from annelid.children import Wrong


def key_of(children, build, scenario, *words):
    """Returns the name of the parameter set that a scenario needs. The RTL of a graph is then in BUILD/graph."""
    return key_and_parts(children, build, scenario, *words)[0]


def key_and_parts(children, build, scenario, *words):
    """Returns the same, and the names of the parts that the network can be put together of, if it can."""
    status, output = children.output([build / "lockstep/params", *graphs(build), *words, scenario])
    if status:
        raise Wrong(output.strip())
    key, _switches, _seed, _evaluations, *parts = output.split()
    return key, tuple(parts)


@dataclass(frozen=True)
class Network:
    """The RTL of a scenario as it is built in a build directory: by switches if it has parts, else whole."""
    key: str
    parts: tuple = ()
    mode: str = "exact"

    @property
    def folders(self):
        """Returns the folders of what is built, below rtl."""
        return [f"parts/{part}" for part in self.parts] or [self.program.removesuffix("/lockstep")]

    @property
    def program(self):
        """Returns the path of the program, below rtl."""
        suffix = "" if self.mode == "exact" else f"-{self.mode}"
        return "parts/lockstep" if self.parts else f"{self.key}{suffix}/lockstep"

    @property
    def words(self):
        """Returns the options of the program."""
        return ["--mode", self.mode] if self.parts else []

    def targets(self, rtl):
        """Returns what make is to build, in the folder rtl of a build directory."""
        return [f"{rtl}/{self.program}", *(f"{rtl}/{folder}/part.so" for folder in self.folders if self.parts)]


def network_of(children, build, scenario, mode="exact", whole=False):
    """Returns the network of a scenario. The RTL of a graph is then in BUILD/graph."""
    key, parts = key_and_parts(children, build, scenario, *(["--rules"] if mode == "rules" else []))
    return Network(key, () if whole else parts, mode)


def graphs(build):
    """Returns the arguments that tell the program params where tb.mk looks for the RTL of graphs."""
    return ["--graphs", str(build / "graph")]


def json_object(line):
    """Returns the JSON object in a line; {} if there is none."""
    try:
        result = json.loads(line)
    except ValueError:
        return {}
    return result if isinstance(result, dict) else {}


def result_of(status, output):
    """Returns the result that a program printed last. Wrong: it printed none."""
    result = json_object(output.rstrip().rpartition("\n")[2])
    if not result:
        raise Wrong(f"lock-step ends with {status}: {output[-1500:]}")
    return result


def difference(result):
    """Returns in words the difference that a lock-step has found."""
    if "cycle" in result:
        return f"cycle {result['cycle']}: {result['what']} at {result['place']}"
    return result["reason"]
