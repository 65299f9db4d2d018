#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Supernodes: RTL, model and referee agree, and faults put into the RTL show when and where they must.

usage: [UNIT_SHARE=1] tb/unit/scripts/test_snakes.py BUILD JUNIT_FILE

Prints a line for each run, and failures; exit status 1 if any. Unless UNIT_SHARE is 1, it runs a sample.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from four_states import four_states, resets_are_missed
from suite import expect, main
from annelid.sources import RTL

ALL = os.environ.get("UNIT_SHARE") == "1"
# Supernodes of a row, rounds, and the flit events that there must be.
MESHES = [(1, 100, 100000), (2, 324, 1000000)] if ALL else [(1, 30, 30000)]

# Worms of a round (tb/snakes/main.c). ONE is born in B of supernode 0, in step 57: its time is 58, when slot 0 of the left
# train is there. It goes to supernode 1, whose time is the number of the step: tau of the extraction is 142, X is 169. Six
# worms are in the left train of supernode 0 and stay there: slots 0 and 1 are exchanged. Of two worms that want to go east
# the one with the lower name is in slot 0.
ONE = "born 0 49 1 0\n"
LEFT = "".join(f"train 0 0 {slot} 0 {slot + 1}\n" for slot in range(6))
TWO = "train 0 0 0 1 5\ntrain 0 0 1 1 6\n"

# For each fault its name, file, old and new text, the worms; by hand from papers/roberts_symvonis/supernodes.md the first difference of the
# lock-step; and what referee and fault lines alone say: "agree" if no rule of the game is broken, as when a worm takes
# another slot.
FAULTS = [
    # The head stands in T in step 59. The cell north of it is (2,4), cell 22; its map leads from south to north.
    ("wrong entry of the map", "papers/roberts_symvonis/rtl/anl_supernode.sv", ".map_i(anl_layout_pkg::Map[c*MapW +: MapW])",
     ".map_i(c == 22 && FAULT ? MapW'(12'o2177) : anl_layout_pkg::Map[c*MapW +: MapW])", ONE,
     "step 61 at (2,4).W: link register",
     "referee: no_idle in step 62 at (2,4).W"),
    # The head leaves the terminal of B in 57.
    ("latch not written", "papers/roberts_symvonis/rtl/anl_bufferless.sv", "latch_d = (valid && !tail) ? way : '0;",
     "latch_d = (valid && !tail && !FAULT) ? way : '0;", ONE, "step 58 at (5,4).T: latch",
     "referee: contiguous in step 59 at (5,4).N"),
    # Slot 0 of the left train is in C at the time 101, in step 100, and should go back to the south.
    ("no exchange", "papers/roberts_symvonis/rtl/anl_choose_centre.sv", "&& exchange_i);", "&& exchange_i && !FAULT);", LEFT,
     "step 101 at (4,4).S: link register",
     "agree"),
    # The head leaves B for the entry at the bottom right at the time 142, and is in the entry in step 142; it should go to
    # the arm.
    ("no delay in extraction", "papers/roberts_symvonis/rtl/anl_choose_entry.sv", "= waits ? P'(1 << Arm)", "= waits && !FAULT ? P'(1 << Arm)", ONE,
     "step 143 at (5,5).E: link register",
     "referee: on_time in step 368 at (0,9).T"),
    # It leaves the entry at the time 169, in step 168, for the arm.
    ("transmission a step late", "papers/roberts_symvonis/rtl/anl_snakes_clock.sv", "extract && 32'(step_q) == Leave + 1;",
     "extract && 32'(step_q) == Leave + (FAULT ? 2 : 1);", ONE, "step 169 at (5,5).E: link register",
     "referee: on_time in step 368 at (0,9).T"),
    # Eight links farther, in step 176, it is in the arm of supernode 1, and should go on to its centre.
    ("odd supernodes do not wait", "papers/roberts_symvonis/rtl/anl_snakes_clock.sv", "32'(step_q) == Leave + S && !even_i;",
     "32'(step_q) == Leave + S && !even_i && !FAULT;", ONE, "step 177 at (4,12).E: link register",
     "referee: no_idle in step 177 at (4,11).E"),
    # Nobody is ahead: in step 59 the head is in T, and the time there is 59, at which no slot is second.
    ("even supernodes are not ahead", "papers/roberts_symvonis/rtl/anl_supernode.sv", ".even_i(here_i[PlaceW] == here_i[0])",
     ".even_i(here_i[PlaceW] == here_i[0] && !FAULT)", ONE, "step 60 at (3,4).N: link register",
     "referee: no_idle in step 60 at (4,4).N"),
    # In supernode 1 the worm is for slot 0 of the left train: it leaves the entry at 184 - 1 for B.
    ("gap wrong by one slot", "papers/roberts_symvonis/rtl/anl_choose_entry.sv", "slot_i + 1'b1 == gap_i;",
     "slot_i + 1'b1 == gap_i + SlotW'(FAULT ? 1 : 0);", ONE, "step 184 at (5,12).E: link register",
     "agree"),
    # The worm of slot 0 is at B at the time 142, in step 141, and should go east.
    ("the higher name wins", "papers/roberts_symvonis/rtl/anl_command.sv", "            name < name_q", "            FAULT ^ name < name_q", TWO,
     "step 142 at (5,4).E: link register",
     "agree"),
    # The head of slot 0 is in (m, s - 1) of supernode 1 at the time 58 + 4 P - (m - 2) = 224, when worms are consumed, and
    # should go straight on.
    ("no joined cycle", "papers/roberts_symvonis/rtl/anl_choose_start.sv", "chosen_o[Comes]        = consumes;",
     "chosen_o[Comes]        = consumes && !FAULT;", ONE, "step 225 at (7,13).E: link register",
     "agree"),
]


BENCH = "tb/snakes/four_state.sv"

# Resets of what no lock-step compares: without them bits stay unknown.
RESETS = [
    ("papers/roberts_symvonis/rtl/anl_snakes_clock.sv", "if (rst_i) stage_q <= Idle;\n    else       stage_q", "stage_q"),
    ("papers/roberts_symvonis/rtl/anl_command.sv", "if (rst_i) overflow_q <= 1'b0;\n    else       overflow_q", "overflow_q"),
]


def program_with(room, faults):
    """Returns the program for 2 x 2 supernodes with all faults in one RTL, each behind a question for its number."""
    texts = {}
    for number, (_, path, old, new, *_) in enumerate(faults, 1):
        text = texts.get(path, Path(path).read_text())
        expect(text.count(old) == 1, f"{old!r} in {path} once", text.count(old))
        texts[path] = text.replace(old, new.replace("FAULT", f"(snakes_top.fault_number == {number})"))
    for path, text in texts.items():
        (room / Path(path).name).write_text(text)
    files = [room / path.name if str(path) in texts else path for path in RTL]
    made = subprocess.run(["make", "-s", f"SNAKES={room}", f"{room}/n2/snakes", "SNAKES_RTL=" + " ".join(map(str, files))],
                          capture_output=True, text=True, check=False)
    expect(made.returncode == 0, "a program", made.stdout + made.stderr)
    return f"{room}/n2/snakes"


def play(program, room, worms, *options, fault=0):
    path = Path(room) / "worms"
    path.write_text(worms)
    return subprocess.run([program, *options, path], capture_output=True, text=True, check=False,
                          env={**os.environ, "SNAKES_FAULT": str(fault)})


def rounds_agree(_room, build):
    for side, count, least in MESHES:
        seen = subprocess.run([build / f"snakes/n{side}/snakes", str(count)], capture_output=True, text=True, check=False)
        print(seen.stdout.splitlines()[0] if seen.stdout else seen.stderr)
        expect(seen.returncode == 0, "all rounds agree", seen.stdout)
        numbers = {word: int(number) for number, word in re.findall(r" (\d+) (\w+)", seen.stdout)}
        expect(numbers["flit"] >= least and numbers["exchanges"] > 0, f"{least} flit events", seen.stdout)


def the_layout_is_that_of_the_model(_room, build):
    """The package of the RTL is what the layout code writes."""
    seen = subprocess.run([build / "snakes/layout", "12", "4"], capture_output=True, text=True, check=True)
    expect(seen.stdout == Path("papers/roberts_symvonis/rtl/anl_layout_pkg.sv").read_text(), "the text of anl_layout_pkg.sv", seen.stdout)
    seen = subprocess.run([build / "snakes/layout", "12", "5"], capture_output=True, text=True, check=False)
    expect(seen.returncode == 2 and "expected f + 4" in seen.stderr, "an error", seen)


def bad_worms_are_refused(room, build):
    for worms, what in (("born 0 0 9 0\n", "worms:1: expected born"), ("train 0 0 0 0 1\nborn 0\n", "worms:2: expected born"),
                        ("born 0 7 0 7\n", "a worm cannot be")):
        seen = play(build / "snakes/n1/snakes", room, worms)
        expect(seen.returncode == 2 and what in seen.stderr, what, seen)


def faults_show(room, _build):
    program = program_with(room, FAULTS)
    for worms in (ONE, LEFT, TWO):
        for options in ((), ("--rules",)):
            seen = play(program, room, worms, *options)
            expect(seen.returncode == 0 and seen.stdout.startswith("agree"), "no fault", seen)
    for number, (name, _, _, _, worms, difference, alone) in enumerate(FAULTS, 1):
        seen = play(program, room, worms, fault=number)
        expect(seen.returncode == 1 and f"FIRST DIFFERENCE in {difference}\n" in seen.stdout, f"{name}: {difference}", seen)
        seen = play(program, room, worms, "--rules", fault=number)
        expect(seen.returncode == (alone != "agree") and seen.stdout.startswith(alone), f"{name}: {alone}", seen)


def each_reset_is_missed_in_four_states(room, _build):
    seen = four_states(room, BENCH, RTL)
    expect(seen.startswith("PASS 4 flits"), "all flits with all bits known", seen)
    resets_are_missed(room, BENCH, RESETS)


TESTS = [rounds_agree, the_layout_is_that_of_the_model, bad_worms_are_refused] + [faults_show, each_reset_is_missed_in_four_states] * ALL

if __name__ == "__main__":
    sys.exit(main("snakes", TESTS, __doc__.splitlines()[3]))
