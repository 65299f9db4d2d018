# SPDX-License-Identifier: Apache-2.0
"""Programs of the lock-step: the program that a scenario needs, and the result that a program prints."""

import json

from annelid.children import Wrong


def key_of(children, build, scenario, *words):
    """Returns the name of the parameter set that a scenario needs. The RTL of a graph is then in BUILD/graph."""
    return key_and_parts(children, build, scenario, *words)[0]


def key_and_parts(children, build, scenario, *words):
    """Returns the same, and the names of the parts that the network can be put together of, if it can."""
    status, output = children.output([build / "lockstep/params", *graphs(build), *words, scenario])
    if status:
        raise Wrong(output.strip())
    key, _switches, _seed, *parts = output.split()
    return key, tuple(parts)


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
