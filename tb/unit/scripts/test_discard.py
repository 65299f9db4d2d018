#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Butterflies that discard, beside make discard: pairs of networks that are none are seen, and each reset in four states.

usage: [UNIT_SHARE=1] tb/unit/scripts/test_discard.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any. Unless UNIT_SHARE is 1, it takes out some of the resets.
"""
import dataclasses
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from four_states import four_states, resets_are_missed
from suite import expect, main
from annelid.kinds import Butterfly, flits_of, pair_differs
from annelid.sources import RTL

ALL = os.environ.get("UNIT_SHARE") == "1"
BENCH = "papers/cole_maggs_sitaraman/four_state/discard.sv"

# Each reset of the network: file, text of the reset, and what stands there without it.
RESETS = [
    ("papers/cole_maggs_sitaraman/rtl/anl_discard.sv", "if (rst_i)       busy_q <= 1'b0;\n        else if", "if"),
    ("papers/cole_maggs_sitaraman/rtl/anl_discard_switch.sv", "if (rst_i) valid_q <= '0;\n      else       valid_q", "valid_q"),
    ("papers/cole_maggs_sitaraman/rtl/anl_discard_multiplexed_switch.sv", "if (rst_i)     valid_q <= '0;\n    else if", "if"),
    ("papers/cole_maggs_sitaraman/rtl/anl_discard_butterfly.sv", "      step_q <= '0;\n", ""),
    ("papers/cole_maggs_sitaraman/rtl/anl_discard_butterfly.sv", "      lane_q <= '0;\n", ""),
]


def flits(room, build, case):
    """Returns the flits of a run of the golden model."""
    path, trace = case.scenario.save(room / f"{case.name}.yaml"), room / f"{case.name}.trace"
    subprocess.run([build / "annelid", "run", "--trace", trace, path], check=True, capture_output=True)
    return flits_of(trace.read_text())


def other_pairs_are_seen(room, build):
    """Networks that take as long as the wide one, other worms, another lane, and a flit less are no multiplexed network."""
    wide, shared, *_, others = (flits(room, build, case) for case in Butterfly(3, 2, 2, runs=2).cases(None))
    other_lane = (dataclasses.replace(shared[0], lane=1 - shared[0].lane), *shared[1:])
    later = (*shared[:-1], dataclasses.replace(shared[-1], cycle=shared[-1].cycle + 2))
    expect(len(wide) > 100 and pair_differs(wide, shared, 2) is None, "a pair", len(wide))
    for what, other, lanes in (("as long as the wide one", wide, 2), ("three lanes", shared, 3), ("other worms", others, 2),
                               ("another lane", other_lane, 2), ("a flit less", shared[:-1], 2), ("a step later", later, 2)):
        expect(pair_differs(wide, other, lanes) is not None, f"a difference: {what}")


def kind(multiplexed):
    """Returns the words for the compiler that choose the kind of links."""
    return [f"-Pfour_state.Multiplexed={multiplexed}"]


def kind_of(reset):
    return kind(int("plexed" in reset[0] or "lane_q" in reset[1]))


def each_reset_is_missed_in_four_states(room, _build):
    for multiplexed in (0, 1):
        seen = four_states(room, BENCH, RTL, *kind(multiplexed))
        expect(seen.startswith("PASS 24 flits"), "all flits with all bits known", seen)
    resets_are_missed(room, BENCH, RESETS if ALL else RESETS[:1], kind_of)


TESTS = [other_pairs_are_seen, each_reset_is_missed_in_four_states]

if __name__ == "__main__":
    sys.exit(main("discard-itself", TESTS, __doc__.splitlines()[2]))
