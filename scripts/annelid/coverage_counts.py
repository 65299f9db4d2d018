# SPDX-License-Identifier: Apache-2.0
"""Counts of coverage: lines and toggles of the RTL, with programs of the lock-step and benches of modules; lines and
branches of the C engine, with gcov and its unit tests."""

import dataclasses
import gzip
import json
import pathlib
import re
import shutil
import tempfile

from annelid.children import Wrong
from annelid.coverage_report import Point
from annelid.runs import scenario_path
from annelid.sources import write

# --- RTL ---

KINDS = {"v_line": "line", "v_branch": "line", "v_toggle": "toggle"}
# The instances of these modules share their code (tb/lockstep/probes/lockstep.vlt). Verilator counts all of them at the
# first one, and gives 0 for the others.
SHARED = re.compile(r"^(.*\.(?:u_switch|u_node))(?:\.|$)")
# Newer versions of Verilator count both directions of a toggle, and both values of `?:`, which are no lines here.
DIRECTION = re.compile(r":(0->1|1->0)$")
VALUES = ("cond_then", "cond_else")
OF_RTL = re.compile("rtl/|papers/[^/]*/rtl/")


def read_counts(path):
    """Returns {(file, line, kind, what, instance): count} of a file that Verilator wrote."""
    counts = {}
    for line in path.read_bytes().splitlines():
        match = re.fullmatch(rb"C '(.*)' (\d+)", line)
        if not match:
            continue
        fields = dict(item.split(b"\2", 1) for item in match[1].split(b"\1") if item)
        name, kind = fields[b"f"].decode(), KINDS.get(fields[b"page"].split(b"/")[0].decode())
        what = fields[b"o"].decode()
        if kind and what not in VALUES and OF_RTL.match(name):
            key = (name, int(fields[b"l"]), kind, what, fields[b"h"].decode())
            counts[key] = counts.get(key, 0) + int(match[2])
    if not counts:
        raise Wrong(f"{path}: holds no counts of the RTL")
    return counts


def counted(counts):
    """Returns the counts without the instances that share another's code, for which nothing was counted."""
    totals = {}
    for key, count in counts.items():
        if shared := SHARED.match(key[4]):
            totals[shared[1]] = totals.get(shared[1], 0) + count
    return {key: count for key, count in counts.items()
            if not (shared := SHARED.match(key[4])) or totals[shared[1]]}


def points_of(program, counts):
    """Returns the points of a program. Versions of Verilator that count directions give a bit that is constant the counter
    of one that is not, so that it seems to be reached."""
    points = {}
    for (file, line, kind, what, instance), count in counted(counts).items():
        bit = DIRECTION.sub("", what)
        made = Point(file, line, kind, bit, f"{program} {instance}", 0, doubtful=bit != what)
        points.setdefault((file, line, kind, bit, instance), made).count += count
    return list(points.values())


def lines_once(points):
    """Merges lines, which are reached if any instance in any program reaches them. Toggles are kept by instance."""
    lines, others = {}, []
    for point in points:
        key = (point.file, point.line, point.what, point.waived)
        if point.kind != "line":
            others.append(point)
        elif key in lines:
            lines[key].count += point.count
        else:
            lines[key] = dataclasses.replace(point, where="")
    reached = {key[:3] for key in lines if not key[3]}
    return others + [point for key, point in lines.items() if not key[3] or key[:3] not in reached]


class Network:
    """A scenario that runs on a program which counts."""

    def __init__(self, build, item, keys):
        self.settings = [word for setting in item.get("set", []) for word in ("--set", setting)]
        self.path = str(scenario_path(item["scenario"]))
        self.cycles = item["cycles"]
        self.toggles = item.get("toggles")  # instances whose toggles count
        self.key = keys([self.path, *self.settings]) + ("" if self.toggles else "-lines")
        self.directory = build / "coverage" / "rtl" / self.key
        self.target = self.directory / "lockstep"
        self.command = [self.target, "--max-cycles", self.cycles, *self.settings, self.path]


class Bench:
    """The bench of a module, which counts no toggles."""

    def __init__(self, build, item):
        self.key, self.toggles = item["module"], None
        self.directory = build / "coverage" / "bench" / self.key
        self.target = self.directory / "test"
        self.command = [self.target]


def measure_program(program, make, run):
    """Builds and runs a program. Returns its points."""
    make(program.target, f"rtl-{program.key}")
    for old in program.directory.glob("counts.dat*"):
        old.unlink()
    run(program.command, f"run-{program.key}", environment={"ANNELID_COVERAGE": str(program.directory / "counts.dat")})
    total = {}
    for path in program.directory.glob("counts.dat*"):
        start = path.name.endswith(".start")  # counts that a line exists; its toggles are random
        for key, count in read_counts(path).items():
            total[key] = total.get(key, 0) + (0 if start and key[2] == "toggle" else count)
        path.unlink()
    if not total:
        raise Wrong(f"{program.target}: has written no counts")
    return [point for point in points_of(program.key, total)
            if point.kind != "toggle" or re.search(program.toggles, point.where)]


# --- C engine ---

# No function is inlined: one that is inlined for each number of lanes would have its branches counted for each.
FLAGS = "-O0 -g --coverage -Dalways_inline=noinline -Wno-attributes"


def run_tests(build, junit, wanted, make):
    """Sets all counts to 0 and runs the C unit tests, of those that take long a sample."""
    there = build / "coverage" / "c"
    flags = there / "flags"
    if not flags.exists() or flags.read_text() != FLAGS:
        shutil.rmtree(there, ignore_errors=True)
        write(flags, FLAGS)
    for old in there.glob("**/*.gcda"):
        old.unlink()
    shares = {}
    for path in sorted([*pathlib.Path("tb/unit").glob("*/test_*.c"), *pathlib.Path("papers").glob("*/unit/test_*.c")]):
        if path.stem not in wanted["without"] and path.parent.name != "lockstep":
            shares.setdefault(wanted["sampled"].get(path.stem, 1), []).append(str(path))
    for share, tests in shares.items():
        make("test-c", f"c-{share}", [f"BUILD={there}", f"JUNIT={junit}", f"CFLAGS={FLAGS}", f"C_TEST_SRC={' '.join(tests)}"],
             [f"UNIT_SHARE={share}"])


def read_gcov(path, points):
    """Adds the counts of one object to points: (file, line) -> [count, branch counts]."""
    with gzip.open(path) as file:
        results = json.load(file)
    for source in results["files"]:
        if not (source["file"].startswith("cmodel/src/") or source["file"].startswith("papers/")):
            continue
        for line in source["lines"]:
            seen = points.setdefault((source["file"], line["line_number"]), [0, []])
            seen[0] += line["count"]
            branches = [branch["count"] for branch in line["branches"]]
            seen[1] = [a + b for a, b in zip(seen[1], branches)] if seen[1] else branches


def measure_engine(build, run):
    built = build / "coverage" / "c" / "cmodel"
    objects = sorted(path for path in built.rglob("*.gcno")
                     if any((top / path.relative_to(built).with_suffix(".c")).exists() for top in map(pathlib.Path, ("cmodel/src", "."))))
    if not objects:
        raise Wrong("no object of the engine was built for coverage")
    seen = {}
    with tempfile.TemporaryDirectory(prefix="annelid-") as room:
        run(["gcov", "--json-format", "--branch-probabilities", "--hash-filenames", *(path.resolve() for path in objects)],
            "gcov", cwd=room)
        for path in pathlib.Path(room).glob("*.json.gz"):
            read_gcov(path, seen)
    points = []
    for (file, line), (count, branches) in seen.items():
        points.append(Point(file, line, "line", "line", "", count))
        points += [Point(file, line, "branch", f"branch {number}", "", taken)
                   for number, taken in enumerate(branches)]
    return points
