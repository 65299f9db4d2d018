# SPDX-License-Identifier: Apache-2.0
"""Counts functional points in runs of the golden model (tb/campaigns/coverage)."""

import pathlib
import re

from annelid.children import Wrong


def runs_of(lists):
    """Returns (scenario, seed, settings) of each line of the lists, with its first seed."""
    runs = []
    for name in lists:
        path = pathlib.Path(f"sim/regress/{name}.list")
        for number, line in enumerate(path.read_text().splitlines(), 1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            match = re.match(r"\d+", words[1]) if len(words) > 1 else None
            if not match:
                raise Wrong(f"{path}:{number}: expected: scenario seeds [stalls] [key=value …]")
            runs.append((words[0], match[0], [word for word in words[2:] if word != "stalls"]))
    return runs


def listed(program, ask):
    """Returns {name: meaning} of all points."""
    return dict(line.split("\t") for line in ask([program, "--list"]).splitlines())


def watch(program, effort, ask, pool, runs):
    """Returns {name: (how often, "scenario seed N cycle N" of the first run of the lists that reaches the point)}."""
    def one(run):
        name, seed, settings = run
        words = [word for setting in settings for word in ("--set", setting)]
        said = ask([program, "--effort", effort, "--seed", seed, *words, f"sim/scenarios/{name}.yaml"])
        return " ".join([name, *settings, "seed", seed]), [line.split() for line in said.splitlines()]

    seen = {}
    for label, lines in pool.map(one, runs):
        for name, times, cycle in lines:
            count, first = seen.get(name, (0, f"{label} cycle {cycle}"))
            seen[name] = (count + int(times), first)
    return seen
