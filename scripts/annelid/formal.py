# SPDX-License-Identifier: Apache-2.0
"""Reads what is to be proved: tb/formal/*.toml, the harnesses beside them, and the properties in their text."""

import collections
import dataclasses
import itertools
import pathlib
import re

from annelid import planted
from annelid.children import Wrong
from annelid.corners import each, with_numbers, word
from annelid.results import markdown
from annelid.slices import beside
from annelid.sources import RTL, read_toml

ROOM = pathlib.Path("tb/formal")
INCLUDE = ["rtl/include", str(ROOM / "include")]
MACRO = re.compile(r"^ *`(PROVE|PROVE_IN_RESET|ANL_ASSERT|COVER)\((\w+)", re.MULTILINE)
INCLUDED = re.compile(r"^ *`include \"(\w+\.svh)\"", re.MULTILINE)
TWO_CLOCKS, TICKS = "two_clocks.svh", ROOM / "ticks.v"  # what a harness of two clocks includes; what makes steps of its clocks
ENGINES = ("pdr", "bmc3")
PAGE = pathlib.Path("docs/properties.md")  # written by scripts/run prove --list


@dataclasses.dataclass(frozen=True)
class Property:
    """A PROVE or COVER of a harness, or an ANL_ASSERT of a module, with its file and line."""
    macro: str
    module: str
    name: str
    path: pathlib.Path
    lines: range

    def __str__(self):
        return f"{self.module}.{self.name}"


@dataclasses.dataclass(frozen=True)
class Job:
    """One proof at one corner of the parameters; or a mutant at the corner, which must break the proof; or the covers
    of the harness at the corner, each of which must be reached."""
    kind: str
    proof: str
    harness: pathlib.Path
    settings: tuple   # of the corner, as the table has them
    parameters: dict  # the numbers of the harness that they stand for
    engine: str
    depth: int
    sample: bool
    mutant: dict = None

    @property
    def name(self):
        corner = "-".join(word(key, value) for key, value in self.settings) or "-"
        last = {"proof": corner, "cover": f"covers:{corner}"}
        return "/".join((self.proof, self.mutant["name"] if self.mutant else last[self.kind]))


def macros_of(path, module=None):
    """Returns all properties in the text of a module or harness and of the files that it includes, in their order."""
    text, module = path.read_text(), module or path.stem
    found = list(MACRO.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    line = [text.count("\n", 0, match.start(1)) + 1 for match in found]
    last = [text.count("\n", 0, end) + 1 for end in ends]
    own = [Property(match[1], module, match[2], path, range(first, stop))
           for match, first, stop in zip(found, line, last)]
    parts = [ROOM / "include" / match[1] for match in INCLUDED.finditer(text)]
    return own + [item for part in parts if part.exists() for item in macros_of(part, module)]


def text_of(path):
    """Of a harness, and of all that it includes."""
    text = path.read_text()
    parts = [ROOM / "include" / match[1] for match in INCLUDED.finditer(text)]
    return text + "".join(text_of(part) for part in parts if part.exists())


def properties_of(path):
    """Returns the properties that a module or harness asserts."""
    return [item for item in macros_of(path) if item.macro != "COVER"]


def covers_of(path):
    """Returns the covers of a harness, that is, what must occur."""
    return [item for item in macros_of(path) if item.macro == "COVER"]


def corners(data):
    """Yields every choice of one value for each parameter, and of one table of each list of tables."""
    for table in data:
        lists = [value if isinstance(value, list) else each(key, value) for key, value in table.items()]
        for values in itertools.product(*lists):
            yield tuple(zip(table, values))


def harness(name, proof):
    found = [room / f"prove_{proof.get('harness', name)}.sv" for room in beside(ROOM, "proofs")]
    return next((path for path in found if path.exists()), found[0])


def tables():
    """Returns the proofs of all tables: that of the product, and those of papers."""
    proofs = {}
    for room in beside(ROOM, "proofs"):
        more = read_toml(room / "proofs.toml")
        if twice := proofs.keys() & more.keys():
            raise Wrong(f"{room}/proofs.toml: {min(twice)} is in another table, too")
        proofs |= more
    return proofs


def jobs_of(name, proof):
    engine, path, sample = proof.get("engine", "pdr"), harness(name, proof), list(corners(proof.get("sample", [])))
    def numbers(corner):
        return with_numbers(f"proof {name}", dict(module=path.stem, parameters=dict(corner)), path)["parameters"]
    if not path.exists() or engine not in ENGINES or (engine == "bmc3" and "depth" not in proof):
        raise Wrong(f"proof {name}: no {path}, no engine {engine}, or no depth")
    own = [Job("proof", name, path, corner, numbers(corner), engine, proof.get("depth", 0), corner in sample)
           for corner in corners(proof["corners"])]
    strange = set(sample) - {job.settings for job in own}
    if strange:
        raise Wrong(f"proof {name}: no corner is {dict(min(strange))}, which the sample names")
    return own + [Job("cover", name, path, corner, numbers(corner), "bmc3", proof.get("reach", 20), False)
                  for corner in corners(proof.get("covers", []))]


def mutant_of(mutant, jobs):
    """Returns a job for the mutant at the first proved corner that has the values of `at`."""
    at = mutant.get("at", {}).items()
    proof = next((job for job in jobs if job.kind == "proof" and job.proof == mutant["proof"]
                  and at <= dict(job.settings).items()), None)
    if not proof:
        raise Wrong(f"mutant {mutant['name']}: {mutant['proof']} is not proved at {dict(at)}")
    return dataclasses.replace(proof, kind="mutant", engine="bmc3", depth=mutant.get("depth", 30), sample=False, mutant=mutant)


def load():
    """Returns (proofs as in proofs.toml, jobs). Wrong: the files contradict each other."""
    proofs = tables()
    mutants = planted.read(planted.mutants(), "mutant")
    jobs = [job for name, proof in proofs.items() for job in jobs_of(name, proof)]
    jobs += [mutant_of(mutant, jobs) for mutant in mutants]
    twice = [name for name, n in collections.Counter(job.name for job in jobs).items() if n > 1]
    if twice:
        raise Wrong(f"twice the same: {', '.join(sorted(twice))}")
    return proofs, jobs


def property_of(job):
    """Returns the property that a mutant must break, by its name in the harness or its module.name in the RTL."""
    mutant = job.mutant
    module, _, name = mutant["breaks"].rpartition(".")
    paths = [path for path in RTL if path.stem == module] if module else [job.harness]
    found = [item for path in paths for item in properties_of(path) if item.name == name]
    if len(found) != 1:
        raise Wrong(f"mutant {mutant['name']}: {len(found)} properties {mutant['breaks']}")
    return found[0]


def sentence(path):
    """Returns the first sentence of a harness's head, which says what it proves."""
    lines = [line[2:].strip() for line in path.read_text().splitlines() if line.startswith("//")]
    return re.match(r".*?[.](?= |$)", " ".join(lines[2:]))[0]


def page():
    """Returns docs/properties.md: the proofs with their corners, the properties with their mutants."""
    proofs, jobs = load()
    rows, broken = [], {}
    for name, proof in proofs.items():
        values = [" ".join(f"{key} {value}" for key, value in table.items()).replace("'", "") or "–" for table in proof["corners"]]
        how = f"bmc3, {proof['depth']} cycles" if proof.get("engine") == "bmc3" else "pdr, all cycles"
        rows.append([name, sentence(harness(name, proof)), "; ".join(values), how])
    for job in jobs:
        if job.mutant:
            place = pathlib.Path(job.mutant["edits"][0].file).stem
            broken.setdefault(f"{job.proof}: {job.mutant['breaks']}", []).append(
                f"{job.mutant['name']} ({place})")
    properties = [[key, ", ".join(names)] for key, names in broken.items()]
    return ("# What is proved\n\nWritten by `scripts/run prove --list` from the harnesses and tables of `tb/formal/`; "
            "[proofs.md](proofs.md) says how.\n\n"
            + markdown(["proof", "what is proved", "corners of the parameters", "how"], rows) + "\n"
            + markdown(["property", "mutant that breaks it"], properties))
