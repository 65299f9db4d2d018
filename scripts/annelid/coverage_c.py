# SPDX-License-Identifier: Apache-2.0
"""Counts, with gcov, the lines and branches of the C engine that its tests reach."""

import gzip
import json
import pathlib
import shutil
import tempfile

from annelid.children import Wrong
from annelid.coverage_waivers import Point
from annelid.sources import write

# No function is inlined: one that is inlined for each number of lanes would have its branches counted for each.
FLAGS = "-O0 -g --coverage -Dalways_inline=noinline -Wno-attributes"


def run_tests(build, junit, without, make):
    """Sets all counts to 0 and runs the C unit tests."""
    there = build / "coverage" / "c"
    flags = there / "flags"
    if not flags.exists() or flags.read_text() != FLAGS:
        shutil.rmtree(there, ignore_errors=True)
        write(flags, FLAGS)
    for old in there.glob("**/*.gcda"):
        old.unlink()
    tests = [str(path) for path in sorted(pathlib.Path("tb/unit").glob("*/test_*.c"))
             if path.stem not in without and path.parent.name != "lockstep"]
    make("test-c", "c", [f"BUILD={there}", f"JUNIT={junit}", f"CFLAGS={FLAGS}", "SHARE=1", f"C_TEST_SRC={' '.join(tests)}"])


def read_gcov(path, points):
    """Adds the counts of one object to points: (file, line) -> [count, branch counts]."""
    with gzip.open(path) as file:
        results = json.load(file)
    for source in results["files"]:
        if not source["file"].startswith("cmodel/src/"):
            continue
        for line in source["lines"]:
            seen = points.setdefault((source["file"], line["line_number"]), [0, []])
            seen[0] += line["count"]
            branches = [branch["count"] for branch in line["branches"]]
            seen[1] = [a + b for a, b in zip(seen[1], branches)] if seen[1] else branches


def measure(build, run):
    built = build / "coverage" / "c" / "cmodel"
    objects = sorted(path for path in built.glob("*/*.gcno")
                     if (pathlib.Path("cmodel/src") / path.relative_to(built).with_suffix(".c")).exists())
    if not objects:
        raise Wrong("no object of the engine was built for coverage")
    seen = {}
    with tempfile.TemporaryDirectory(prefix="annelid-") as room:
        run(["gcov", "--json-format", "--branch-probabilities", "--hash-filenames", *(path.resolve() for path in objects)], "gcov", {}, room)
        for path in pathlib.Path(room).glob("*.json.gz"):
            read_gcov(path, seen)
    points = []
    for (file, line), (count, branches) in seen.items():
        points.append(Point(file, line, "line", "line", "", count))
        points += [Point(file, line, "branch", f"branch {number}", "", taken)
                   for number, taken in enumerate(branches)]
    return points
