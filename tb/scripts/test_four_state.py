#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A reset taken out of the RTL, one at a time, is found by the network in four states (tb/unit/rtl/four_state.sv).

usage: tb/scripts/test_four_state.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from sources import RTL, rtl_with

# File, kind and scan of the network that is to find it (a hypercube's switches have the fewest ports). Every
# `if (rst_i) x <= …; else` of a file is taken out.
RESETS = [
    ("rtl/common/anl_counter.sv", 3, 0), ("rtl/common/anl_pointer.sv", 3, 0), ("rtl/common/anl_prng.sv", 3, 2),
    ("rtl/switch/anl_binding.sv", 3, 0), ("rtl/switch/anl_choose.sv", 3, 1), ("rtl/switch/anl_owners.sv", 3, 0),
    ("rtl/terminal/anl_terminal.sv", 3, 0),
]
RESET = re.compile(r"if \(rst_i\)\s+\w+ <= [^;]*;\s*else ")


def verdict(file, kind, scan, room, change):
    """The last line that the network prints, file changed or not."""
    sources = RTL
    if change:
        text = RESET.sub("", Path(file).read_text())
        expect(text != Path(file).read_text(), f"a reset in {file}")
        sources = rtl_with(file, text, room)
    program = Path(room) / f"{Path(file).stem}-{change}.vvp"
    subprocess.run(["iverilog", "-g2012", "-Irtl/include", "-s", "four_state", f"-DKIND={kind}", f"-DSCAN={scan}",
                    "-o", str(program), *sources, "tb/unit/rtl/four_state.sv"], check=True, capture_output=True)
    seen = subprocess.run(["timeout", "300", "vvp", "-n", str(program)], capture_output=True, text=True, check=False)
    return ([line for line in seen.stdout.splitlines() if re.match("PASS|FAIL", line)] or ["no end"])[-1]


def each_reset_is_missed(room, build):
    del build  # Icarus builds nothing there
    with ThreadPoolExecutor() as pool:
        seen = list(pool.map(lambda reset: verdict(*reset, room, True), RESETS))
    for (file, _, _), words in zip(RESETS, seen):
        expect(not words.startswith("PASS"), f"no pass without the reset of {file}", words)


def nothing_is_missed_with_all(room, build):
    del build
    for scan in sorted({scan for _, _, scan in RESETS}):
        words = verdict(RESETS[0][0], 3, scan, room, False)
        expect(words.startswith("PASS"), "a pass with all resets", words)


TESTS = [each_reset_is_missed, nothing_is_missed_with_all]

if __name__ == "__main__":
    sys.exit(main("four-state", TESTS, __doc__.splitlines()[2]))
