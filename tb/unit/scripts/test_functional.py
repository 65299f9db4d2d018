#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functional coverage in a file: runs that are added, files that are merged, and what is refused.

usage: tb/unit/scripts/test_functional.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import json
import subprocess
import sys

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import functional
from annelid.children import Wrong

POINTS = {"a": "a happens", "b": "b happens", "c": "c happens"}


def coverage(**runs):
    """Returns a Functional; each run is {point: (times, first cycle)}."""
    return functional.Functional(dict(POINTS), {name: dict(digest=f"of {name}", points={point: list(count) for point, count in run.items()})
                                                for name, run in runs.items()})


def refused(action, *arguments):
    try:
        action(*arguments)
    except Wrong as wrong:
        return str(wrong)
    raise AssertionError(f"expected {arguments} to be refused")


def call(build, *words):
    return subprocess.run([sys.executable, "scripts/run", "functional", "--build", str(build), *map(str, words)],
                          capture_output=True, text=True, check=False)


# --- tests: each gets a directory of its own and the build directory ---

def a_run_counts_once(room, _):
    """In whatever order files are merged, and however often."""
    parts = [coverage(x=dict(a=(3, 5))), coverage(x=dict(a=(3, 5)), y=dict(a=(1, 9), b=(2, 4))), coverage(z={})]
    seen = []
    for order in ((0, 1, 2), (2, 1, 0, 1, 0), (1, 2, 1)):
        whole = coverage()
        for part in order:
            whole.merge(parts[part], "part")
        path = room / f"{len(seen)}.json"
        whole.write(path)
        again = functional.read(path)
        again.merge(again, path)
        seen.append((again.totals()["a"][0], again.totals()["b"], again.missing(), sorted(again.runs)))
    expect(all(one == (4, (2, "y cycle 4"), ["c"], ["x", "y", "z"]) for one in seen), "the same sums", seen)
    file = json.loads((room / "0.json").read_text())
    expect(file["format"] == functional.FORMAT and file["points"]["a"] == dict(meaning="a happens", times=4), "as documented", file)
    expect(file["points"]["c"]["times"] == 0 and file["runs"]["x"]["points"] == dict(a=[3, 5]), "all points, each run", file)


def what_does_not_belong_together_is_refused(_room, _build):
    one = coverage(x=dict(a=(3, 5)))
    other = coverage(x=dict(a=(4, 5)))
    expect("f: run 'x' has other counts" in refused(one.merge, other, "f"), "other counts", "")
    other.runs["x"] = dict(one.runs["x"], digest="of something else")
    expect("f: run 'x' is another one" in refused(one.merge, other, "f"), "another scenario", "")
    other.points["d"] = "new"
    expect("f: other points than here: d" in refused(one.merge, other, "f"), "other points", "")


def what_is_no_such_file_is_refused(room, _):
    path = room / "f.json"
    good = dict(format=functional.FORMAT, points=dict(a=dict(meaning="a", times=0)), runs={})
    for text, said in (("{", "Expecting"), ("[]", "expected a file with"), ('{"format": "2"}', "expected a file with"),
                       (json.dumps(good | dict(runs=[])), "expected the objects points and runs"),
                       (json.dumps(good | dict(runs=dict(x=dict(digest="d", points=dict(b=[1, 1]))))), "run 'x': expected a digest"),
                       (json.dumps(good | dict(runs=dict(x=dict(digest="d", points=dict(a=[1, -1]))))), "run 'x': expected a digest"),
                       (json.dumps(good | dict(runs=dict(x=dict(points={})))), "run 'x': expected a digest")):
        path.write_text(text)
        seen = refused(functional.read, path)
        expect(said in seen and str(path) in seen, said, seen)
    expect("No such file" in refused(functional.read, room / "none.json"), "no file", "")


def runs_are_added_and_merged(room, build):
    """By the command: two machines that ran one seed each, and a third one that ran both."""
    for name, seeds in (("one", "1"), ("two", "2"), ("both", "1-2")):
        seen = call(build, "--scenario", "mesh3_complement", "--seed", seeds, "--into", room / f"{name}.json")
        expect(seen.returncode == 0 and f"points reached in {2 if name == 'both' else 1} runs" in seen.stdout, "runs", seen)
    seen = call(build, "--into", room / "one.json", "--from", room / "two.json", room / "both.json")
    expect(seen.returncode == 0 and "points reached in 2 runs" in seen.stdout, "both", seen)
    files = [json.loads((room / f"{name}.json").read_text()) for name in ("one", "both")]
    expect(files[0] == files[1], "the same file", "")
    expect("not reached  " in seen.stdout and "more not reached" in seen.stdout and files[0]["runs"]["mesh3_complement seed 1"]["points"], "what is not reached", seen.stdout)
    before = (room / "one.json").read_text()
    files[1]["runs"]["mesh3_complement seed 2"]["digest"] = "of another one"
    (room / "bad.json").write_text(json.dumps(files[1]))
    seen = call(build, "--into", room / "one.json", "--from", room / "bad.json")
    expect(seen.returncode == 2 and (room / "one.json").read_text() == before, "the file to stay as it was", seen.stderr)


TESTS = [a_run_counts_once, what_does_not_belong_together_is_refused, what_is_no_such_file_is_refused, runs_are_added_and_merged]


if __name__ == "__main__":
    sys.exit(main("functional", TESTS, __doc__.splitlines()[2]))
