#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The mesh without buffers, beside make bufferless: starts at which no worms meet, and each reset in four states.

usage: [UNIT_SHARE=1] papers/roberts_symvonis/unit/test_bufferless.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any. Unless UNIT_SHARE is 1, it takes out some of the resets.
"""
import json
import random
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, "tb/unit/scripts")
from four_states import four_states, resets_are_missed, resets_of
from suite import expect, main
from annelid.slices import kinds
from annelid.sources import RTL

takes = kinds()["bufferless"].takes
BENCH = "papers/roberts_symvonis/four_state/bufferless.sv"


def first_good_starts_are_right(room, build):
    """annelid worms names the least start at which a worm meets no other one: all before it are tried here."""
    rng, named = random.Random(1), 0
    for trial in range(20):
        sources = rng.sample(range(16), 7)
        worms = sorted((rng.randint(1, 4), source, rng.choice([node for node in range(16) if node != source]), rng.randint(1, 6))
                       for source in sources)
        path = Path(room) / "worms.yaml"
        path.with_suffix(".txt").write_text("".join("%d %d %d %d\n" % worm for worm in worms))
        path.write_text("network: {topology: mesh, k: 4, n: 2}\nswitch: {kind: bufferless}\n"
                        "traffic: {process: replay, messages: worms.txt}\n")
        said = subprocess.run([build / "annelid", "worms", "--json", path], capture_output=True, text=True, check=False).stdout
        for lost in json.loads(said)["lost"]:
            worm = worms[lost["worm"]]
            others = set().union(*(takes(4, other[1:], other[0]) for other in worms if other != worm))
            good = next(start for start in range(worm[0], 100) if not takes(4, worm[1:], start) & others)
            expect(lost["first_good_start"] == good, f"trial {trial}, worm {lost['worm']}: {good}", (worms, lost))
            named += 1
    expect(named >= 20, "faults enough", named)


def each_reset_is_missed_in_four_states(room, _build):
    seen = four_states(room, BENCH, RTL)
    expect(seen.startswith("PASS 12 flits"), "all flits with all bits known", seen)
    resets_are_missed(room, BENCH, resets_of(BENCH, 2))


TESTS = [first_good_starts_are_right, each_reset_is_missed_in_four_states]

if __name__ == "__main__":
    sys.exit(main("bufferless-itself", TESTS, __doc__.splitlines()[2]))
