# SPDX-License-Identifier: Apache-2.0
"""The ways that heads have taken in the runs of a suite (docs/lockstep.md, "Ways"), of those that they can take."""

import itertools

COVERED = ("default", "standard", "networks")  # suites whose runs must take every way
NAMED = 5  # ways of a kind that are named


def kind_of(run, kind, own):
    """Returns the name of a kind of networks: a table of ways is that of one scenario."""
    return f"{kind} of {run.scenario.stem}" if own else kind


def ways_of(runs):
    """Returns {kind: {way: how many heads took it}}. Networks that are drawn are too many to take all, and of a run that ends in
    a deadlock nothing is asked."""
    taken = {}
    for run in runs:
        for kind, said in run.result.get("ways", {}).items():
            times = taken.setdefault(kind_of(run, kind, said["own"]), {})
            for way, count in said["times"].items():
                if not run.drawn and (count or not run.end):
                    times[way] = times.get(way, 0) + count
    return {kind: times for kind, times in taken.items() if times}


def missing(times):
    return sorted(way for way, count in times.items() if not count)


def sums_of(taken):
    """Returns {kind: (how many ways were taken, how many there are)}."""
    return {kind: (len(times) - len(missing(times)), len(times)) for kind, times in sorted(taken.items())}


def said_of(taken):
    """Says, for each routing, how many ways of how many were taken."""
    routings = {}
    for kind, (seen, count) in sums_of(taken).items():
        sums = routings.setdefault(kind.partition(" of ")[0].rpartition(" ")[2], [0, 0])
        sums[0] += seen
        sums[1] += count
    return "ways taken: " + ", ".join(f"{routing} {seen} of {count}" for routing, (seen, count) in sorted(routings.items()))


def lines_of(taken):
    """Yields what is said of the ways of a suite: a sum, and the ways that no head took."""
    if taken:
        yield said_of(taken)
    for kind, times in sorted(taken.items()):
        if ways := missing(times):
            more = [f"and {len(ways) - NAMED} more"] if len(ways) > NAMED else []
            yield f"not taken in {kind}, {len(ways)} of {len(times)}: {'; '.join(itertools.chain(ways[:NAMED], more))}"


def judge(suite, taken):
    """Adds a case for each kind of networks to the results of a suite that must take every way."""
    for kind, times in sorted(taken.items()):
        ways = missing(times)
        suite.case("ways", kind, f"no head took {ways[0]}" if ways else None, "\n".join(ways))
