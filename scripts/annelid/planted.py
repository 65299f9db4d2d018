# SPDX-License-Identifier: Apache-2.0
"""Deliberate faults: reads the tables of all campaigns, and plants the faults (docs/faults.md, "One format").

A fault replaces texts, each of which occurs once in its file. It is planted into a copy; the sources stay as they are.
"""

import dataclasses
import pathlib
import re

from annelid.children import Wrong
from annelid.slices import beside
from annelid.sources import read_toml, replaced, rtl_with_all

ROOM = pathlib.Path("tb/campaigns/faults")
SCRIPTS = pathlib.Path("tb/unit/scripts/faults.toml")
FUZZ = pathlib.Path("tb/campaigns/fuzz/lockstep/planted.toml")
FORMAL, DATA = pathlib.Path("tb/formal"), pathlib.Path("tb/formal/data.toml")
IDLE = FORMAL / "idle.toml"
DUTS = FORMAL / "dut/mutants.toml"
COCOTB = pathlib.Path("tb/campaigns/cocotb/bugs.toml")
AWAKE = "FAULT"  # in new texts of faults that stand in one copy: the condition under which the fault acts
# The fields of a fault by its kind, besides its name and edits. Those with ? may be absent.
KINDS = {
    "rtl": "why scenario expect rules asserted? prelude? unit? whole?",
    "model": "why scenario expect prelude? unit? whole?",
    "shared": "why scenario unit",
    "table": "why cells",
    "harness": "scenario tamper expect",
    "mutant": "proof breaks at? depth?",
    "data": "design width fields? says",
    "idle": "design",
    "fuzz": "why network limit short?",
    "cdg": "scenario says written?",
    "bench": "scenario written?",
    "watch": "plusargs? says",
    "judge": "says",
    "snakes": "why worms expect rules",
    "reset": "",
    "lint": "options says",
    "checker": "bench",
    "crossing": "says",
    "domains": "part says",
    "dut": "breaks corner? sample?",
    "cocotb": "why style expect sample?",
}
OF_SCRIPTS = ("cdg", "bench", "watch", "judge", "snakes", "reset", "lint", "checker", "crossing", "domains")
WITHOUT_EDITS = ("harness",)
SEEN = {"cycle", "step", "place", "what", "says"}  # the fields of `expect`, `rules` and `asserted`
OTHERS = ("scenarios", "messages", "matrices", "ends", "design")  # what a table may have besides faults
HEAD = re.compile(r"^\[\[(\w+)\]\]", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Edit:
    file: str
    old: str
    new: str


def tables():
    """Returns the tables of all campaigns."""
    return [*lockstep(), *mutants(), DATA, IDLE, DUTS, COCOTB, FUZZ, SCRIPTS, *resets()]


def lockstep():
    return [path for room in beside(ROOM, "faults") for path in sorted(room.glob("*.toml"))]


def mutants():
    return [path for room in beside(FORMAL, "proofs") for path in sorted(room.glob("mutants*.toml"))]


def resets():
    """Returns the tables of resets of the networks of papers, each beside the network in four states."""
    return [path for room in beside(ROOM, "four_state") for path in sorted(room.glob("resets.toml"))]


def lines_of(path):
    """Returns {kind: the lines in which its faults begin} of a table."""
    text, found = path.read_text(), {}
    for head in HEAD.finditer(text):
        found.setdefault(head[1], []).append(text.count("\n", 0, head.start()) + 1)
    return found


def edits_of(row, where):
    """Takes the edits out of a row: a list of them, or one whose fields are the row's."""
    listed = row.pop("edits", None) or [{key: row.pop(key) for key in ("file", "old", "new") if key in row}]
    for edit in listed:
        if {key: type(value) for key, value in edit.items()} != dict(file=str, old=str, new=str):
            raise Wrong(f"{where}: expected file, old and new; there is {', '.join(edit) or 'none of them'}")
        if edit["old"] == edit["new"]:
            raise Wrong(f"{where}: new is the same as old, so nothing is planted")
    return [Edit(**edit) for edit in listed]


def check_fields(kind, row, where):
    """Wrong: the row lacks a field of its kind, or has one that the kind does not know."""
    words = ["name", *KINDS[kind].split()]
    missing = {word for word in words if word[-1] != "?"} - row.keys()
    strange = row.keys() - {word.rstrip("?") for word in words}
    if missing or strange:
        raise Wrong(f"{where}: a fault of kind {kind} needs {', '.join(sorted(missing)) or 'nothing more'}, "
                    f"and does not know {', '.join(sorted(strange)) or 'anything else'}")
    for key in {"expect", "rules", "asserted"} & row.keys():
        seen = row[key]
        whole = (isinstance(seen, dict) and {"place", "what"} <= seen.keys() <= SEEN
                 and ("cycle" in seen) + ("step" in seen) == 1)
        if not whole and (key, seen) != ("rules", "silent"):
            raise Wrong(f"{where}: {key} is {seen!r}, not a table of {', '.join(sorted(SEEN))}")


def fault_of(kind, row, where):
    fault = dict(row)
    edits = [] if kind in WITHOUT_EDITS else edits_of(fault, where)
    check_fields(kind, fault, where)
    return fault | dict(kind=kind, where=where, edits=edits)


def faults_in(path):
    """Yields the faults of a table: {field: value}, with their kind, their edits, and where they stand. Wrong: a row is
    no fault."""
    path = pathlib.Path(path)
    lines = lines_of(path)
    for kind, rows in read_toml(path).items():
        if kind in OTHERS:
            continue
        if kind not in KINDS:
            raise Wrong(f"{path}: no kind of fault: {kind}")
        if len(rows) != len(lines.get(kind, ())):
            raise Wrong(f"{path}: each fault of kind {kind} begins with a line [[{kind}]]")
        for row, line in zip(rows, lines[kind]):
            yield fault_of(kind, row, f"{path}:{line}")


def read(paths, *kinds):
    """Returns the faults of tables, which are all of these kinds, in the order of the kinds. Two faults of a kind, or
    of a proof, have two names."""
    found, places = [fault for path in paths for fault in faults_in(path)], {}
    for fault in found:
        if fault["kind"] not in kinds:
            raise Wrong(f"{fault['where']}: a fault of kind {fault['kind']}, where there are {', '.join(kinds)}")
        key = fault["kind"], fault.get("proof"), fault["name"]
        if key in places:
            raise Wrong(f"{fault['where']}: a fault of kind {fault['kind']} is named {fault['name']}, and so is that "
                        f"of {places[key]}")
        places[key] = fault["where"]
    return sorted(found, key=lambda fault: kinds.index(fault["kind"]))


def of_scripts(kind):
    """Returns the faults of a kind that tests of tb/unit/scripts plant."""
    return [fault for fault in read([SCRIPTS], *OF_SCRIPTS) if fault["kind"] == kind]


def texts(faults, place=pathlib.Path, awake=None):
    """Returns {file: its text with all these faults}. place() says where a file stands that a table names. If faults
    are to act one at a time, awake() has the condition under which the fault of a number, from 1 on, acts: it stands
    for FAULT."""
    changed = {}
    for number, fault in enumerate(faults, 1):
        if awake and not any(AWAKE in edit.new for edit in fault["edits"]):
            raise Wrong(f"{fault['where']}: no {AWAKE} in a new text, so the fault would act always")
        for edit in fault["edits"]:
            path = place(edit.file)
            try:
                before = changed[edit.file] if edit.file in changed else path.read_text()
            except OSError as error:
                raise Wrong(f"{fault['where']}: {error}") from error
            new = edit.new.replace(AWAKE, awake(number)) if awake else edit.new
            changed[edit.file] = replaced(before, edit.old, new, f"{fault['where']}: {path}")
    return changed


def plant(faults, place, awake=None):
    """Writes these faults into copies of files, which are where place() says."""
    for file, text in texts(faults, place, awake).items():
        place(file).write_text(text)


def rtl(faults, directory, awake=None):
    """Writes the files of the RTL that have these faults to directory. Returns all files of the RTL, with them for the
    originals."""
    return rtl_with_all(texts(faults, awake=awake), directory)
