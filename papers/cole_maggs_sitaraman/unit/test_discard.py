#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Butterflies that discard, beside make discard: pairs of networks that are none are seen, and each reset in four states.

usage: [UNIT_SHARE=1] papers/cole_maggs_sitaraman/unit/test_discard.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any. Unless UNIT_SHARE is 1, it takes out some of the resets.
"""
import collections
import dataclasses
import random
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "tb/unit/scripts")
from four_states import four_states, resets_are_missed, resets_of
from suite import expect, main
from annelid.kinds import flits_of
from annelid.slices import kinds
from annelid.sources import RTL

OF = kinds()["discard"]
BENCH = "papers/cole_maggs_sitaraman/four_state/discard.sv"


def flits(room, build, case):
    """Returns the flits of a run of the golden model."""
    path, trace = case.scenario.save(room / f"{case.name}.yaml"), room / f"{case.name}.trace"
    subprocess.run([build / "annelid", "run", "--trace", trace, path], check=True, capture_output=True)
    return flits_of(trace.read_text())


def other_pairs_are_seen(room, build):
    """Networks that take as long as the wide one, other worms, another lane, and a flit less are no multiplexed network."""
    wide, shared, *_, others = (flits(room, build, case) for case in OF.Butterfly(3, 2, 2, runs=2).cases(None))
    other_lane = (dataclasses.replace(shared[0], lane=1 - shared[0].lane), *shared[1:])
    later = (*shared[:-1], dataclasses.replace(shared[-1], cycle=shared[-1].cycle + 2))
    expect(len(wide) > 100 and OF.pair_differs(wide, shared, 2) is None, "a pair", len(wide))
    for what, other, lanes in (("as long as the wide one", wide, 2), ("three lanes", shared, 3), ("other worms", others, 2),
                               ("another lane", other_lane, 2), ("a flit less", shared[:-1], 2), ("a step later", later, 2)):
        expect(OF.pair_differs(wide, other, lanes) is not None, f"a difference: {what}")


def most_at_once(scenario):
    """Returns how many worms of a column are on their way at once, at most; each starts with a step."""
    step, under_way, most = scenario.switch["num_vcs"] if scenario.switch["link"] == "shared" else 1, collections.defaultdict(list), 0
    for cycle, source, _, length in scenario.messages:
        start = -(-cycle // step) * step
        ends = [end for end in under_way[source // 2] if end > start] + [start + length * step]
        under_way[source // 2] = ends
        most = max(most, len(ends))
    return most


def draws_fit_the_lanes_of_the_lock_step(_room, _build):
    most = [most_at_once(scenario) for seed in range(600) for scenario in OF.draw(random.Random(seed)).scenarios if scenario.messages]
    expect(max(most) == OF.INJECTIONS, f"at most {OF.INJECTIONS} worms at once, and as many", max(most))


def kind(multiplexed):
    """Returns the words for the compiler that choose the kind of links."""
    return [f"-Pfour_state.Multiplexed={multiplexed}"]


def kind_of(fault):
    return kind(int(fault["name"] in ("discard_landed_not_reset", "discard_lane_not_reset")))


def each_reset_is_missed_in_four_states(room, _build):
    for multiplexed in (0, 1):
        seen = four_states(room, BENCH, RTL, *kind(multiplexed))
        expect(seen.startswith("PASS 24 flits"), "all flits with all bits known", seen)
    resets_are_missed(room, BENCH, resets_of(BENCH, 1), kind_of)


TESTS = [other_pairs_are_seen, draws_fit_the_lanes_of_the_lock_step, each_reset_is_missed_in_four_states]

if __name__ == "__main__":
    sys.exit(main("discard-itself", TESTS, __doc__.splitlines()[2]))
