# SPDX-License-Identifier: Apache-2.0
"""Functional coverage: the situations that runs have reached, in one file that merges over runs and machines
(docs/coverage.md, "One file for all runs").

usage: scripts/run functional --into FILE [--from FILE …] [--scenario NAME --seed 1-5 --set KEY=VALUE]

Adds other files, and runs of a scenario, to a file, and prints what is reached. `make functional` calls it.
"""

import json
import pathlib

from annelid.children import Wrong
from annelid.options import JOBS, parser
from annelid.results import write_json
from annelid.runs import is_ours, scenario_path, seeds_of
from annelid.sources import digest

FORMAT = "annelid functional coverage 1"
SHOWN = 20  # points not reached that are printed


class Functional:
    """points: {name: meaning}. runs: {label: dict(digest=…, points={name: [times, first cycle]})}; the digest is that of what
    was run, so that a run that is in two files is known to be the same one."""

    def __init__(self, points, runs=None):
        self.points, self.runs = points, runs or {}

    def add(self, label, run, where):
        """Adds a run. Wrong: there is another one of this name, or it has other counts."""
        known = self.runs.setdefault(label, run)
        if known["digest"] != run["digest"]:
            raise Wrong(f"{where}: run {label!r} is another one than that of the same name: its scenario has changed")
        if known["points"] != run["points"]:
            raise Wrong(f"{where}: run {label!r} has other counts: the model that made them is another one")

    def merge(self, other, where):
        """Adds the runs of another file, whose points must be the same."""
        strange = set(self.points) ^ set(other.points)
        if strange:
            raise Wrong(f"{where}: other points than here: {', '.join(sorted(strange)[:5])}")
        for label, run in other.runs.items():
            self.add(label, run, where)

    def totals(self):
        """Returns {name: (times, "label cycle N" of the first run that reached it)}, of the points that are reached."""
        seen = {}
        for label, run in self.runs.items():
            for name, (times, cycle) in run["points"].items():
                count, first = seen.get(name, (0, f"{label} cycle {cycle}"))
                seen[name] = (count + times, first)
        return seen

    def missing(self):
        seen = self.totals()
        return [name for name in self.points if name not in seen]

    def write(self, path):
        seen = self.totals()
        sums = {name: dict(meaning=meaning, times=seen.get(name, (0,))[0]) for name, meaning in self.points.items()}
        write_json(path, dict(format=FORMAT, points=sums, runs=self.runs))


def is_run(run):
    return (isinstance(run, dict) and isinstance(run.get("digest"), str) and isinstance(run.get("points"), dict)
            and all(isinstance(one, list) and len(one) == 2 and all(isinstance(number, int) and number >= 0 for number in one)
                    for one in run["points"].values()))


def read(path):
    """Returns the Functional of a file. Wrong: it is none."""
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise Wrong(f"{path}: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise Wrong(f"{path}: expected a file with \"format\": \"{FORMAT}\"")
    points, runs = data.get("points"), data.get("runs")
    if not isinstance(points, dict) or not isinstance(runs, dict):
        raise Wrong(f"{path}: expected the objects points and runs")
    for label, run in runs.items():
        if not is_run(run) or not set(run["points"]) <= set(points):
            raise Wrong(f"{path}: run {label!r}: expected a digest and, for points of the file, how often and the first cycle")
    return Functional({name: one["meaning"] for name, one in points.items()}, runs)


# --- runs of the program points ---

def points_of(children, program):
    return Functional(dict(line.split("\t") for line in children.must([program, "--list"]).splitlines()))


def watch(children, program, path, seed, settings, effort=None):
    """Returns a run of a scenario: what add() takes."""
    words = [word for setting in settings for word in ("--set", setting)] + (["--effort", effort] if effort else [])
    said = children.must([program, "--seed", seed, *words, path])
    found = {name: [int(times), int(cycle)] for name, times, cycle in (line.split() for line in said.splitlines())}
    return dict(digest=digest(pathlib.Path(path), seed, *settings, effort or ""), points=found)


def label_of(path, seed, settings, effort=None):
    ours = is_ours(path)
    words = [pathlib.Path(path).stem if ours else str(path), *settings, "seed", str(seed)]
    return " ".join(words + (["effort", str(effort)] if effort else []))


# --- the command ---

def parse():
    one = parser(__doc__, jobs=JOBS)
    one.add_argument("--into", type=pathlib.Path, required=True, help="the file; if it exists, runs are added to it")
    one.add_argument("--from", type=pathlib.Path, nargs="*", default=[], dest="others", help="files whose runs are added")
    one.add_argument("--scenario", default="", help="run this one: name or path")
    one.add_argument("--seed", default="1", help="with these seeds, like 1,4-7")
    one.add_argument("--set", default="", help="section.key=value … for that scenario")
    return one.parse_args()


def say(found, path):
    missing = found.missing()
    for name in missing[:SHOWN]:
        print(f"not reached  {name}: {found.points[name]}")
    if len(missing) > SHOWN:
        print(f"and {len(missing) - SHOWN} more not reached: times 0 in the file")
    print(f"{len(found.points) - len(missing)} of {len(found.points)} points reached in {len(found.runs)} runs; {path}")


def main(children):
    options = parse()
    program = options.build / "coverage/points"
    found = read(options.into) if options.into.exists() else points_of(children, program)
    for other in options.others:
        found.merge(read(other), other)
    if options.scenario:
        path, settings = scenario_path(options.scenario), options.set.split()
        seeds = seeds_of(options.seed)
        with children.pool(options.jobs) as pool:
            runs = list(pool.map(lambda seed: watch(children, program, path, seed, settings), seeds))
        for seed, run in zip(seeds, runs, strict=True):
            found.add(label_of(path, seed, settings), run, options.into)
    found.write(options.into)
    say(found, options.into)
    return 0
