#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links between two clocks (docs/clocks.md) in simulators with time: tb/rtl/two_clocks.sv, and faults that it must find.

usage: tb/unit/scripts/test_clocks.py BUILD JUNIT_FILE

FULL=1: 200 pairs of clocks in Icarus, 200 pairs and two million flits in Verilator, and each fault in both. Prints
failures only, and with FULL=1 what the benches say; exit status 1 if any.
"""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import planted
from annelid.sources import needed, RTL

BENCH = "tb/rtl/two_clocks.sv"
FULL = os.environ.get("FULL") == "1"
# Lanes, depth and stages of the synchronizers; that of the first row is the size at which faults are planted.
SIZES = [(2, 4, 2), (1, 1, 2), (3, 10, 3), (8, 3, 2), (1, 16, 4)]
PLANTED = dict(NUM_VCS=2, DEPTH=4, SYNC_STAGES=2)
SETTLE = "ANL_RANDOM_SETTLE"


def compile_icarus(room, files, words):
    program = f"{room}/two_clocks.vvp"
    return program, ["iverilog", "-g2012", *words, "-Irtl/include", *files, BENCH, "-s", "two_clocks", "-o", program], ["vvp", "-n", program]


def compile_verilator(room, files, words):
    return (f"{room}/Vtwo_clocks", ["verilator", "--binary", "--timing", "--assert", "-fno-table", "-Wno-fatal", "-Wno-lint", "-Wno-style",
                                    "-O3", "-CFLAGS", "-O1", *words, "+incdir+rtl/include", *files, BENCH, "--top-module", "two_clocks",
                                    "--Mdir", str(room)], [f"{room}/Vtwo_clocks"])


def run(simulator, room, files, macros):
    """Returns what the bench says, with these files of the RTL."""
    room.mkdir(exist_ok=True)
    words = [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in macros.items()]
    _, compiling, running = simulator(room, [str(path) for path in needed("anl_link_cdc anl_reset_synchronizer", files)], words)
    made = subprocess.run(compiling, capture_output=True, text=True, check=False)
    expect(made.returncode == 0, "a bench that compiles", made.stdout + made.stderr)
    return subprocess.run(running, capture_output=True, text=True, check=False, timeout=3600).stdout


def passes(simulator, room, pairs, flits):
    """Runs some pairs of clocks with each size."""
    for number, (lanes, depth, stages) in enumerate(SIZES):
        macros = {"NUM_VCS": lanes, "DEPTH": depth, "SYNC_STAGES": stages, "PAIRS": pairs, "FLITS": flits, "SEED": number, SETTLE: None}
        said = run(simulator, room / f"{lanes}-{depth}-{stages}", RTL, macros)
        expect(re.search(r"^PASS", said, re.MULTILINE) and "ERROR" not in said and "Error" not in said, f"PASS with {macros}", said[-2000:])
        if FULL:
            print(f"{simulator.__name__.split('_')[1]}, {lanes} lanes of {depth}, {stages} stages: {said.splitlines()[0]}")


def flits_cross_in_icarus(room, _build):
    passes(compile_icarus, room, *((40, 1000) if FULL else (4, 200)))


def flits_cross_in_verilator(room, _build):
    passes(compile_verilator, room, 40, 10_000)


def each_fault_is_seen(simulator, room, says):
    """By the bench itself: the assertions of our modules are off."""
    for fault in planted.of_scripts("crossing"):
        own = room / fault["name"]
        own.mkdir()
        said = run(simulator, own, planted.rtl([fault], own), PLANTED | {SETTLE: None, "SYNTHESIS": None, "PAIRS": 60})
        expect("FAIL" in said and (not says or fault["says"] in said), f"FAIL {fault['says']} with {fault['name']}", said[-2000:])


def faults_are_seen_in_icarus(room, _build):
    each_fault_is_seen(compile_icarus, room, True)


def undecided_stages_are_seen_in_verilator(room, _build):
    """It has no x, so the assertions find what is undecided."""
    for fault in planted.of_scripts("crossing"):
        own = room / fault["name"]
        own.mkdir()
        said = run(compile_verilator, own, planted.rtl([fault], own), PLANTED | {SETTLE: None, "PAIRS": 60})
        expect("FAIL" in said or "Assertion failed" in said, f"a failure with {fault['name']}", said[-2000:])


TESTS = [flits_cross_in_icarus, faults_are_seen_in_icarus] + [flits_cross_in_verilator, undecided_stages_are_seen_in_verilator] * FULL

if __name__ == "__main__":
    sys.exit(main("clocks", TESTS, __doc__.splitlines()[2]))
