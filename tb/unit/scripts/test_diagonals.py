#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sliding diagonals, beside make diagonals: fates of worms are those of the golden model, and each reset in four states.

usage: [UNIT_SHARE=1] tb/unit/scripts/test_diagonals.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any. Unless UNIT_SHARE is 1, it takes out one of the resets.
"""
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from four_states import four_states, resets_are_missed
from suite import expect, main
from annelid.kinds import FATES, Y_MINUS, Torus, flits_of
from annelid.sources import RTL

ALL = os.environ.get("UNIT_SHARE") == "1"
BENCH = "papers/bock/four_state/diagonals.sv"

# Each reset of what is not storage: file, text, and what stands there without it.
NODE, CLOCK = "papers/bock/rtl/anl_diagonals.sv", "papers/bock/rtl/anl_diagonals_clock.sv"
RESETS = [(NODE, "        valid_q <= 1'b0;\n", ""), (NODE, "        latch_q <= '0;\n", ""), (NODE, "      taken_q <= 1'b0;\n", ""),
          (NODE, "      fault_q <= 1'b0;\n", ""), (CLOCK, "      phase_q <= '0;\n", ""), (CLOCK, "      u_q     <= '0;\n", "")]


def fates_are_those_of_the_model(room, build):
    """Worms that failed and worms that were delivered, of tori with both kinds of rounds, and all of their steps."""
    strayed = 0
    for torus in (Torus(8, 1, 2, 2, 2, "short", runs=3), Torus(8, 1, 2, 1, 4, "paper", runs=1), Torus(4, 2, 1, 1, 2, "short", runs=5)):
        for case in torus.cases(None):
            path, trace = case.scenario.save(room / f"{case.name}.yaml"), room / "trace"
            seen = subprocess.run([build / "annelid", "run", "--json", "--trace", trace, path], check=True, capture_output=True)
            said, flits = json.loads(seen.stdout), flits_of(trace.read_text())
            counts = torus.fates(flits)
            failed = sum(counts[fate] for side, fate in FATES.items() if side != Y_MINUS)
            expect(counts["delivered"] == torus.n**2 and failed == said["failed"], "the fates of the model", (said, counts))
            expect(case.traced and torus.period() == period(build, path), "the steps of a batch", torus.period())
            strayed += counts["strayed"]
    expect(strayed > 0, "worms that strayed", strayed)


def period(build, path):
    """Returns the steps of a batch, as the command says them."""
    said = subprocess.run([build / "annelid", "describe", path], check=True, capture_output=True, text=True).stdout
    return int(re.search(r"one every (\d+) cycles", said)[1])


def each_reset_is_missed_in_four_states(room, _build):
    seen = four_states(room, BENCH, RTL)
    expect(seen.startswith("PASS 16 flits"), "all flits with all bits known", seen)
    resets_are_missed(room, BENCH, RESETS if ALL else RESETS[:1])


TESTS = [fates_are_those_of_the_model, each_reset_is_missed_in_four_states]

if __name__ == "__main__":
    sys.exit(main("diagonals-itself", TESTS, __doc__.splitlines()[2]))
