#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sliding diagonals, beside make diagonals: fates of worms are those of the golden model, and each reset in four states.

usage: [UNIT_SHARE=1] papers/bock/unit/test_diagonals.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any. Unless UNIT_SHARE is 1, it takes out one of the resets, and leaves three dimensions in
four states out.
"""
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "tb/unit/scripts")
from four_states import four_states, resets_are_missed, resets_of
from suite import expect, main
from annelid.kinds import flits_of
from annelid.slices import kinds
from annelid.sources import RTL

OF = kinds()["diagonals"]
BENCH = "papers/bock/four_state/diagonals.sv"


def fates_are_those_of_the_model(room, build):
    """Worms that failed and worms that were delivered, of tori with both kinds of rounds, and all of their steps."""
    strayed = 0
    for torus in (OF.Torus(8, 1, 2, 2, 2, "short", runs=3), OF.Torus(8, 1, 2, 1, 4, "paper", runs=1), OF.Torus(4, 2, 1, 1, 2, "short", runs=5),
                  OF.Torus(4, 2, 1, 1, 2, "short", runs=2, d=3), OF.Torus(4, 1, 2, 1, 2, "short", runs=1, d=4)):
        for case in torus.cases(None):
            path, trace = case.scenario.save(room / f"{case.name}.yaml"), room / "trace"
            seen = subprocess.run([build / "annelid", "run", "--json", "--trace", trace, path], check=True, capture_output=True)
            said, flits = json.loads(seen.stdout), flits_of(trace.read_text())
            counts = torus.fates(flits)
            failed = sum(counts[fate] for fate in (OF.ROW_FULL, OF.RESERVOIR_FULL, OF.LEFT))
            expect(counts["delivered"] == torus.nodes() and failed == said["failed"], "the fates of the model", (said, counts))
            expect(case.traced and torus.period() == period(build, path), "the steps of a batch", torus.period())
            strayed += counts["strayed"]
    expect(strayed > 0, "worms that strayed", strayed)


def period(build, path):
    """Returns the steps of a batch, as the command says them."""
    said = subprocess.run([build / "annelid", "describe", path], check=True, capture_output=True, text=True).stdout
    return int(re.search(r"one every (\d+) cycles", said)[1])


def each_reset_is_missed_in_four_states(room, _build):
    for dimensions, flits in ((2, 16), (3, 64))[:2 if os.environ.get("UNIT_SHARE") == "1" else 1]:
        seen = four_states(room, BENCH, RTL, f"-Pfour_state.D={dimensions}")
        expect(seen.startswith(f"PASS {flits} flits"), "all flits with all bits known", seen)
    resets_are_missed(room, BENCH, resets_of(BENCH, 1))


TESTS = [fates_are_those_of_the_model, each_reset_is_missed_in_four_states]

if __name__ == "__main__":
    sys.exit(main("diagonals-itself", TESTS, __doc__.splitlines()[2]))
