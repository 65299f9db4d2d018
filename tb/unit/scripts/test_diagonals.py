#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sliding diagonals: RTL, model and referee agree on every register, and faults in the RTL show when and where they must.

usage: PROGRAMS="8.2.2.2.2.short …" [UNIT_SHARE=1] tb/unit/scripts/test_diagonals.py BUILD JUNIT_FILE

A program is <n>.<L>.<a>.<b>.<c>.short or .paper. Prints a line for each, and failures; exit status 1 if any. Unless
UNIT_SHARE is 1, it runs a sample.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from four_states import four_states, resets_are_missed
from suite import expect, main
from annelid.sources import RTL, changed, needed, rtl_with

PROGRAMS = os.environ.get("PROGRAMS", "").split()
ALL = os.environ.get("UNIT_SHARE") == "1"
RUNS = 12 if ALL else 60
LEAST = 1000000 if ALL else 20000  # flit events of all programs
FATES = ("delivered", "reservoir", "left", "strayed", "clean")

# One worm, source (5,0) and destination (6,3), whose way papers/bock/diagonals.md follows, and one that meets it at (6,2).
SMALL = "8.1.2.2.2.short"
ONE = "5,30,0\n"
TWO = ONE + "19,30,0\n"

# For each fault its name, old and new text in the node, the worms, and by hand from the table of the page the first
# difference, and what the referee alone says (None: a mark is no flit).
FAULTS = [
    ("heads pass slots", "(Slot != 0 || (", "((", ONE, "step 4 at (4,0) +x: valid",
     "distribution in step 4 at (5,0) +x"),
    ("any node is a turn node", "distributing && turn_i && !taken_q", "distributing && !taken_q", ONE,
     "step 2 at (3,0) -x: valid",
     "distribution in step 2 at (5,0) +x"),
    ("turn node is not taken", "(taken_q || takes_slot)", "taken_q", ONE, "step 3 at (3,0) -x: taken",
     None),
    ("turns before its block", "32'(in_x) < C)", "32'(in_x) < 2 * C)", ONE, "step 10 at (5,0) +x: valid",
     "phase_1 in step 10 at (4,1) +y"),
    ("does not let +y go first", "assign turns = !(valid[YPlus] && head[YPlus])\n                 && (", "assign turns = (", TWO,
     "step 14 at (7,2) +x: valid",
     "phase_1 in step 14 at (6,3) +y"),
    ("climbs on in reorder", "y_plus  = ToXMinus;", "y_plus  = ToYPlus;", ONE, "step 28 at (5,0) -x: valid",
     "reorder in step 28 at (6,1) +y"),
    ("falls through the bottom", "(Bottom != 0 || ahead_y_i)", "(Bottom == 0 || ahead_y_i)", ONE, "step 36 at (6,0) -y: valid",
     "reservoir in step 36 at (6,7) -y"),
    ("leaves in any other row", "home = to_y ==", "home = to_y !=", ONE, "step 111 at (6,0) -y: exit",
     "delivery in step 111 at (6,0) -y"),
]

BENCH = "tb/diagonals/four_state.sv"

# Each reset of what is not storage: file, text, and what stands there without it.
NODE, CLOCK = "papers/bock/rtl/anl_diagonals.sv", "papers/bock/rtl/anl_diagonals_clock.sv"
RESETS = [(NODE, "        valid_q <= 1'b0;\n", ""), (NODE, "        latch_q <= '0;\n", ""), (NODE, "      taken_q <= 1'b0;\n", ""),
          (NODE, "      fault_q <= 1'b0;\n", ""), (CLOCK, "      phase_q <= '0;\n", ""), (CLOCK, "      u_q     <= '0;\n", "")]


def replay(program, room, worms, *options):
    path = Path(room) / "worms.csv"
    path.write_text(worms)
    return subprocess.run([program, *options, path], capture_output=True, text=True, check=False)


def program_with(room, fault):
    """Returns the program of the small torus with a fault in the node."""
    files = rtl_with(NODE, changed(NODE, *fault[1:3]), Path(room))
    names = {Path(path).name for path in needed("anl_diagonals_torus")}
    files = [path for path in map(str, files) if Path(path).name in names]
    made = subprocess.run(["make", "-s", f"DIAGONALS={room}", f"{room}/{SMALL}/diagonals", "DIAGONALS_RTL=" + " ".join(files)],
                          capture_output=True, text=True, check=False)
    expect(made.returncode == 0, "a program", made.stdout + made.stderr)
    return f"{room}/{SMALL}/diagonals"


def all_programs_agree(_room, build):
    sums = dict.fromkeys(FATES + ("flits",), 0)
    for name in PROGRAMS:
        seen = subprocess.run([build / f"diagonals/{name}/diagonals", str(RUNS)], capture_output=True, text=True, check=False)
        print(seen.stdout.splitlines()[0] if seen.stdout else seen.stderr)
        expect(seen.returncode == 0 and f"\n{RUNS} passed, 0 failed\n" in seen.stdout, "all runs agree", seen)
        found = re.search(r"worms (?P<delivered>\d+) delivered, \d+ row full, (?P<reservoir>\d+) reservoir full, (?P<left>\d+) left, "
                          r"(?P<strayed>\d+) strayed, batches \d+, clean-up (?P<clean>\d+), \d+ cycles, (?P<flits>\d+) flit events",
                          seen.stdout)
        side = int(name.split(".")[0])
        expect(int(found["delivered"]) == RUNS * side * side, "every worm arrives", seen)
        for key in sums:
            sums[key] += int(found[key])
    expect(sums["flits"] >= LEAST, f"{LEAST} flit events", sums)
    expect(min(sums[key] for key in FATES) >= RUNS // 6, "worms of all fates, and clean-up", sums)


def bad_worms_are_refused(room, build):
    program = build / "diagonals" / PROGRAMS[0] / "diagonals"
    for worms, says in (("9999,0,0\n", "worms.csv:1: expected"), ("0,0,0\n0,0\n", "worms.csv:2: expected"),
                        ("x\n", "worms.csv:1: expected"), ("0,0,0\n0,1,0\n", "at least")):
        seen = replay(program, room, worms)
        expect(seen.returncode == 2 and says in seen.stderr, "an error", seen)
    for words in ((), ("0",), ("1", "x"), ("absent.csv",), ("--rules", "absent.csv")):
        seen = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        expect(seen.returncode == 2 and seen.stderr, "an error", seen)


def each_reset_is_missed_in_four_states(room, _build):
    seen = four_states(room, BENCH, RTL)
    expect(seen.startswith("PASS 16 flits"), "all flits with all bits known", seen)
    resets_are_missed(room, BENCH, RESETS if ALL else RESETS[:1])


def faults_show(room, build):
    for worms, says in ((ONE, "agree, 35 flit events, 121 cycles, delivered 1\n"),
                        (TWO, "agree, 66 flit events, 121 cycles, delivered 2\n")):
        for options in ((), ("--rules",)):
            seen = replay(build / "diagonals" / SMALL / "diagonals", room, worms, *options)
            expect(seen.returncode == 0 and seen.stdout == says, says, seen)
    for number, fault in enumerate(FAULTS):
        name, *_, worms, difference, rule = fault
        directory = Path(room) / str(number)
        directory.mkdir()
        program = program_with(directory, fault)
        seen = replay(program, room, worms)
        expect(seen.returncode == 1 and f" in {difference}, expected" in seen.stdout, f"{name}: {difference}", seen)
        seen = replay(program, room, worms, "--rules")
        expect(seen.returncode == bool(rule) and seen.stdout.startswith(f"referee: {rule}\n" if rule else "agree"), f"{name}: {rule}", seen)


TESTS = [all_programs_agree, bad_worms_are_refused, each_reset_is_missed_in_four_states] + [faults_show] * ALL

if __name__ == "__main__":
    sys.exit(main("diagonals", TESTS, __doc__.splitlines()[2]))
