# SPDX-License-Identifier: Apache-2.0
"""What is to be proved: tb/formal/*.toml, the harnesses beside them, and the properties in their text."""

import dataclasses
import itertools
import pathlib
import re
import tomllib

ROOM = pathlib.Path("tb/formal")
RTL = [pathlib.Path(line) for line in pathlib.Path("rtl/annelid.f").read_text().split()
       if not line.startswith("+")]
INCLUDE = ["rtl/include", str(ROOM / "include")]
MACRO = re.compile(r"^ *`(PROVE|ANL_ASSERT)\((\w+)", re.MULTILINE)
INCLUDED = re.compile(r"^ *`include \"(\w+\.svh)\"", re.MULTILINE)
ENGINES = ("pdr", "bmc3")


class Wrong(Exception):
    """The data do not fit together, or a proof did not come out; the text says how."""


@dataclasses.dataclass(frozen=True)
class Property:
    """A PROVE of a harness, or an ANL_ASSERT of a module: its place in the text."""
    module: str
    name: str
    path: pathlib.Path
    lines: range

    def __str__(self):
        return f"{self.module}.{self.name}"


@dataclasses.dataclass(frozen=True)
class Job:
    """One proof at one corner of the parameters, or the same of a mutant, which must fail."""
    proof: str
    parameters: tuple
    engine: str
    depth: int
    long: bool
    mutant: dict = None

    @property
    def name(self):
        corner = "-".join(f"{key}{value}" for key, value in self.parameters)
        return "/".join((self.proof, self.mutant["name"] if self.mutant else corner or "-"))


def properties_of(path, module=None):
    """All that the text of a module or harness says of it, and what it includes, in their order."""
    text, module = path.read_text(), module or path.stem
    found = list(MACRO.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    line = [text.count("\n", 0, match.start(1)) + 1 for match in found]
    last = [text.count("\n", 0, end) + 1 for end in ends]
    own = [Property(module, match[2], path, range(first, stop))
           for match, first, stop in zip(found, line, last)]
    parts = [ROOM / "include" / match[1] for match in INCLUDED.finditer(text)]
    return own + [item for part in parts if part.exists() for item in properties_of(part, module)]


def harness(proof):
    return ROOM / f"prove_{proof}.sv"


def corners(data):
    """Every choice of one value for each parameter; a table for each list of tables."""
    for table in data:
        lists = [value if isinstance(value, list) else [value] for value in table.values()]
        for values in itertools.product(*lists):
            yield tuple(zip(table, values))


def load():
    """(proofs as in proofs.toml, jobs). Wrong: something does not fit."""
    proofs = tomllib.loads((ROOM / "proofs.toml").read_text())
    mutants = [mutant for path in sorted(ROOM.glob("mutants*.toml"))
               for mutant in tomllib.loads(path.read_text())["mutant"]]
    jobs = []
    for name, proof in proofs.items():
        engine, depth = proof.get("engine", "pdr"), proof.get("depth", 0)
        if not harness(name).exists() or engine not in ENGINES:
            raise Wrong(f"proof {name}: no {harness(name)}, or no engine {engine}")
        jobs += [Job(name, corner, engine, depth, False) for corner in corners(proof["corners"])]
        jobs += [Job(name, corner, engine, depth, True) for corner in corners(proof.get("long", []))]
    for mutant in mutants:
        if mutant["proof"] not in proofs:
            raise Wrong(f"mutant {mutant['name']}: no proof {mutant['proof']}")
        proof = proofs[mutant["proof"]]
        corner = tuple(mutant.get("at", dict(next(corners(proof["corners"])))).items())
        depth = mutant.get("depth", proof.get("depth", 30))
        jobs.append(Job(mutant["proof"], corner, "bmc3", depth, mutant.get("long", False), mutant))
    twice = {job.name for job in jobs if sum(other.name == job.name for other in jobs) > 1}
    if twice:
        raise Wrong(f"twice the same: {', '.join(sorted(twice))}")
    return proofs, jobs


def property_of(mutant):
    """The property that a mutant must break; by its name in the harness, or module.name of the RTL."""
    module, _, name = mutant["breaks"].rpartition(".")
    paths = [path for path in RTL if path.stem == module] if module else [harness(mutant["proof"])]
    found = [item for path in paths for item in properties_of(path) if item.name == name]
    if len(found) != 1:
        raise Wrong(f"mutant {mutant['name']}: {len(found)} properties {mutant['breaks']}")
    return found[0]


def mutate(mutant, directory):
    """Writes the mutant's file to directory; returns the list of all RTL files with it in its place."""
    path = pathlib.Path(mutant["file"])
    text = path.read_text()
    if path not in RTL or text.count(mutant["old"]) != 1:
        raise Wrong(f"{path} holds the text to be changed {text.count(mutant['old'])} times, not once")
    changed = directory / path.name
    changed.write_text(text.replace(mutant["old"], mutant["new"]))
    return [changed if item == path else item for item in RTL]
