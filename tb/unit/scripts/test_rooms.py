#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Includes and calls point from a room to those below it, as cmodel/rooms.toml says.

usage: tb/unit/scripts/test_rooms.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import re
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main

TABLE = Path("cmodel/rooms.toml")
PUBLIC = Path("cmodel/include/annelid")
ROOTS = (".", "cmodel/src", "cmodel", "cmodel/cli", "tb/lockstep")  # of includes in quotes
INCLUDE = re.compile(r'^#include (?:<annelid/(\w+)\.h>|"([\w./]+)")', re.MULTILINE)
TREES = ("cmodel", "papers", "tb/lockstep")


def is_library(folder):
    return folder.startswith("cmodel/src/") or "/lib/" in folder


def tables_of_slices():
    """What papers share comes before what they have of their own."""
    return [Path("papers/common/rooms.toml"), *sorted(path for path in Path().glob("papers/*/rooms.toml") if path.parent.name != "common")]


class House:
    def __init__(self, top):
        self.top = top
        self.rooms = {name: room for path in (TABLE, *tables_of_slices()) for name, room in tomllib.loads((top / path).read_text()).items()}
        self.by_folder = {room["folder"]: name for name, room in self.rooms.items() if "folder" in room}

    def files(self, name):
        """The files of a room: its folder and its public header."""
        folder = self.top / self.rooms[name].get("folder", "-")
        yield from sorted(path for kind in ("*.c", "*.h", "*.inc", "*.cpp") for path in folder.glob(kind))
        yield from (header for folder in (self.top / PUBLIC, *self.top.glob("papers/*/include/annelid"))
                    if (header := folder / f"{name}.h").exists())

    def included(self, path):
        """(room, it is a private header, text) of each include of one of our files."""
        for public, quoted in INCLUDE.findall(path.read_text()):
            if public:
                yield public, False, f"annelid/{public}.h"
                continue
            roots = (path.parent, *(self.top / root for root in ROOTS))
            found = next((root / quoted for root in roots if (root / quoted).is_file()), None)
            folder = str(found.parent.resolve().relative_to(self.top.resolve())) if found else None
            if folder in self.by_folder:
                yield self.by_folder[folder], is_library(folder), quoted

    def wrong_includes(self):
        for name, room in self.rooms.items():
            for path in self.files(name):
                for other, private, text in self.included(path):
                    public = "annelid" in room["includes"] and other in self.rooms["annelid"]["includes"] + ["annelid", "machine"]
                    allowed = room.get("private", ()) if private else (*room["includes"], "records")
                    if public or other in allowed:
                        continue
                    if other != name:
                        yield f"{path.relative_to(self.top)} includes {text}: {name} may not include {other}"

    def wrong_table(self):
        seen = set()
        for name, room in self.rooms.items():
            seen.add(name)
            for other in {*room["includes"], *room.get("private", ())} - seen:
                yield f"{TABLE}: {name} includes {other}, which does not come before it"
            headers = [path for path in self.files(name) if path.suffix == ".h" and path.parent.name != "annelid"
                       and f'#include "{name}.h"' not in path.read_text()]
            if is_library(room.get("folder", "")) and len(headers) > 1:
                yield f"{name} has {len(headers)} private headers, expected one, and others that include it"
        sources = [path for top in TREES for path in (self.top / top).rglob("*.c") if path.parent.name not in ("bench", "supernodes", "unit")]
        for folder in sorted({str(path.parent.relative_to(self.top)) for path in sources} - self.by_folder.keys()):
            yield f"{folder}: a room that {TABLE} does not have"

    def wrong_calls(self, build):
        """By the symbols of the library's objects."""
        defined, used = {}, defaultdict(set)
        for name, room in self.rooms.items():
            folder = room.get("folder", "")
            objects = [build / "cmodel" / folder.removeprefix("cmodel/src/") / f"{path.stem}.o" for path in self.files(name)
                       if is_library(folder) and path.suffix == ".c"]
            said = subprocess.run(["nm", *objects], capture_output=True, text=True, check=True).stdout if objects else ""
            for kind, symbol in re.findall(r" ([A-Zu]) (\w+)$", said, re.MULTILINE):
                if kind == "U":
                    used[name].add(symbol)
                else:
                    defined[symbol] = name
        parts = "".join(path.read_text() for path in self.top.glob("papers/*/parts.inc"))
        rows = {f"anl_machine_{kind}" for kind in re.findall(r"^MACHINE\(\w+, (\w+)\)", parts, re.MULTILINE)}
        for name, symbols in used.items():
            room = self.rooms[name]
            for symbol in sorted(symbols & defined.keys() - rows):
                other = defined[symbol]
                known = other in room["includes"] and (other == "base" or symbol in room.get("calls", [symbol]))
                if other != name and not known:
                    yield f"{name} calls {symbol}: it may not call {other}"


# --- tests: each gets a directory of its own and the build directory ---

def includes_point_down(_room, _build):
    house = House(Path("."))
    wrong = [*house.wrong_table(), *house.wrong_includes()]
    expect(not wrong, "includes as the table allows", "\n  ".join(["", *wrong]))


def calls_point_down(_room, build):
    wrong = list(House(Path(".")).wrong_calls(build))
    expect(not wrong, "calls as the table allows", "\n  ".join(["", *wrong]))


def copied(room):
    """The house in a directory where it may be spoiled."""
    for folder in TREES:
        shutil.copytree(folder, room / folder)
    return House(room)


def what_is_wrong_is_found(room, _build):
    house = copied(room)
    for path, line, said in (
            ("cmodel/src/base/random.c", "#include <annelid/network.h>", "base may not include network"),
            ("cmodel/src/engine/enqueue.c", "#include <annelid/workload.h>", "engine may not include workload"),
            ("cmodel/src/referee/rules.c", '#include "network/network.h"', "referee may not include network"),
            ("cmodel/include/annelid/trace.h", "#include <annelid/scenario.h>", "trace may not include scenario"),
            ("cmodel/cli/cmd_run.c", '#include "papers/common/program/paper.h"', "cli may not include papers"),
            ("papers/greenberg_oh/program/area.c", '#include "cli/shared/cli.h"', "greenberg_oh may not include shared"),
            ("cmodel/cli/draw/svg.c", '#include "cli/plot/plot.h"', "draw may not include plot"),
            ("tb/lockstep/compare/question.c", '#include "run/lockstep.h"', "compare may not include lockstep_run")):
        text = (room / path).read_text()
        (room / path).write_text(f"{line}\n{text}")
        seen = list(house.wrong_includes())
        expect(len(seen) == 1 and seen[0].startswith(path) and seen[0].endswith(said), said, seen)
        (room / path).write_text(text)
    (room / "cmodel/src/base/more.h").write_text("")
    (room / "cmodel/src/attic").mkdir()
    (room / "cmodel/src/attic/old.c").write_text("")
    house.rooms["base"]["includes"] = ["engine"]
    seen = list(house.wrong_table())
    expect([line.split(":")[0] for line in seen] == [str(TABLE), "base has 2 private headers, expected one, and others that include it",
                                                       "cmodel/src/attic"],
           "a circle, a second private header and an unknown room", seen)


def a_wrong_call_is_found(room, build):
    house = copied(room)
    house.rooms["run"]["includes"].remove("referee")
    house.rooms["referee"]["calls"] = []
    seen = {line.split(":")[0] for line in house.wrong_calls(build.resolve())}
    expect({"run calls anl_referee_create", "referee calls anl_config_check"} <= seen, "both calls", seen)


TESTS = [includes_point_down, calls_point_down, what_is_wrong_is_found, a_wrong_call_is_found]

if __name__ == "__main__":
    sys.exit(main("rooms", TESTS, __doc__.splitlines()[2]))
