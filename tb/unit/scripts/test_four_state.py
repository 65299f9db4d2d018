#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A reset taken out of the RTL, one at a time, is found by the network in four states (tb/rtl/four_state.sv).

usage: tb/unit/scripts/test_four_state.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid.sources import rtl_with

# For each `if (rst_i) x <= …; else` of a file, in its order: the network that is to find it, as macros of the bench. (A
# hypercube's switches have the fewest ports.) With all resets each of these networks passes in make test-four-state.
CUBE = {"KIND": 3, "SCAN": 0, "ADMISSION": 0, "CHAINED": 0}
DEEP = {"KIND": 0, "SCAN": 1, "ADMISSION": 0, "CHAINED": 0, "LANES": 1, "DEPTH": 5}
CLASSES = CUBE | {"SCAN": 131072}  # two classes of messages
RESETS = {
    "rtl/common/anl_counter.sv": [CUBE, DEEP], "rtl/common/anl_pointer.sv": [CUBE], "rtl/common/anl_prng.sv": [CUBE | {"SCAN": 2, "ADMISSION": 1}],
    "rtl/switch/anl_binding.sv": [CUBE], "rtl/switch/anl_arbiter.sv": [CUBE | {"SCAN": 1}], "rtl/switch/anl_owners.sv": [CUBE],
    "rtl/common/anl_arb_matrix.sv": [CUBE | {"SCAN": 5}], "rtl/switch/anl_favour.sv": [CUBE | {"SCAN": 6}],
    "rtl/switch/anl_class_scan.sv": [CLASSES, CLASSES], "rtl/switch/anl_wide_grant.sv": [CUBE | {"SCAN": 1048577, "ADMISSION": 1}],  # wide, rotating
    "rtl/terminal/anl_terminal.sv": [CUBE, CUBE],
}
RESET = re.compile(r"if \(rst_i\)\s+\w+ <= [^;]*;\s*else ")


def verdict(room, network, name, sources):
    """The last line that the network prints."""
    program = Path(room) / f"{name}.vvp"
    subprocess.run(["iverilog", "-g2012", "-Irtl/include", "-s", "four_state",
                    *(f"-D{macro}={value}" for macro, value in network.items()), "-o", str(program), *sources,
                    "tb/rtl/four_state.sv"], check=True, capture_output=True)
    seen = subprocess.run(["timeout", "1200", "vvp", "-n", str(program)], capture_output=True, text=True, check=False)
    return ([line for line in seen.stdout.splitlines() if re.match("PASS|FAIL", line)] or ["no end"])[-1]


def without(file, number, network, room):
    """What the network prints without that reset of the file."""
    text = Path(file).read_text()
    reset = list(RESET.finditer(text))[number]
    name = f"{Path(file).stem}-{number}"
    own = Path(room) / name
    own.mkdir()
    return verdict(room, network, name, rtl_with(file, text[:reset.start()] + text[reset.end():], own))


def each_reset_is_missed(room, build):
    del build  # Icarus builds nothing there
    trials = [(file, number, network) for file, networks in RESETS.items() for number, network in enumerate(networks)]
    for file, networks in RESETS.items():
        found = len(RESET.findall(Path(file).read_text()))
        expect(found == len(networks), f"{len(networks)} resets in {file}", str(found))
    with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        seen = list(pool.map(lambda trial: without(*trial, room), trials))
    for (file, number, _), words in zip(trials, seen):
        expect(words.startswith("FAIL"), f"a failure without reset {number} of {file}", words)


def nothing_is_missed_with_all(_room, build):
    for network in (network for networks in RESETS.values() for network in networks):
        log = build / f"rtl-test/four_state-{'.'.join(map(str, network.values()))}.done"
        words = log.read_text() if log.exists() else "it was not run"
        expect("PASS" in words, f"a pass with all resets, {network}", words)


TESTS = [each_reset_is_missed, nothing_is_missed_with_all]

if __name__ == "__main__":
    sys.exit(main("four-state", TESTS, __doc__.splitlines()[2]))
