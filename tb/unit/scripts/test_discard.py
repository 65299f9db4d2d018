#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The butterfly that discards: RTL, model and referee agree, and faults put into the RTL show when and where they must.

usage: PROGRAMS="3.2.2.wide …" [UNIT_SHARE=1] tb/unit/scripts/test_discard.py BUILD JUNIT_FILE

A program is <levels>.<passes>.<lanes>.wide or .multiplexed. Prints a line for each, and failures; exit status 1 if any.
Unless UNIT_SHARE is 1, it runs a sample.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from four_states import four_states, resets_are_missed
from suite import expect, main
from annelid.sources import RTL, changed, rtl_with

PROGRAMS = os.environ.get("PROGRAMS", "").split()
ALL = os.environ.get("UNIT_SHARE") == "1"
RUNS = 300 if ALL else 60
LEAST = 10000000 if ALL else 100000  # flit events of all programs

# The worms of papers/cole_maggs_sitaraman/discard.md, with 3 flits each, in a butterfly with two levels and one pass.
THREE = "0,0,3,1\n2,0,3,2\n0,0,3,4\n"
# Two worms of two columns that meet at (1,1).0 in step 2, that of column 1 on input link 0, and one behind the first.
MEET = "1,0,0,1\n3,0,0,1\n"

# For each fault its name, file, old and new text, the program, the worms, and by hand from the tables of the page: the
# first difference of the lock-step, and what the referee alone says.
FAULTS = [
    # The tail of a crosses (0,0).1 in 3; the lane keeps its owner in 4. There c comes in the injection lane of a, and so
    # goes on all the same; but behind its tail the lane has an owner and no flit.
    ("tail keeps the lane", "papers/cole_maggs_sitaraman/rtl/anl_discard.sv", "busy_d = valid_o[O] ? !tail : busy_q;",
     "busy_d = valid_o[O] || busy_q;", "2.1.1.wide", THREE,
     "step 4 at (0,0).1 lane 0: busy", "assertion AssumeWormsHaveNoGap at"),
    # With two lanes a and b are in lanes 0 and 1 of (2,1).1. The head of b comes in 3 and takes the lane of a.
    ("busy lane is taken", "papers/cole_maggs_sitaraman/rtl/anl_discard.sv", "lowest = busy[l*NumVcs + v] ? '0 : heads", "lowest = heads",
     "2.1.2.wide", THREE, "step 3 at (2,1).1 lane 1: flit", "referee: full in step 3 at (2,1).1 lane 0"),
    # a needs link 1 of (0,0) in 1, and takes link 0.
    ("links swapped", "papers/cole_maggs_sitaraman/rtl/anl_discard.sv", "(l == 0 ? ~link_i : link_i)", "(l == 0 ? link_i : ~link_i)", "2.1.1.wide",
     THREE, "step 1 at (0,0).0 lane 0: flit", "referee: path in step 1 at (0,0).0 lane 0"),
    # What comes over (0,0).1 in 1 does not stand in (2,1) in 2.
    ("dead link register", "papers/cole_maggs_sitaraman/rtl/anl_discard_butterfly.sv", ".rst_i, .valid_i(in_valid),",
     ".rst_i, .valid_i(i == 1 && w == 2 ? '0 : in_valid),", "2.1.1.wide", THREE, "step 2 at (0,0).1 lane 0: link register", "referee: full in step 2 at (2,1).1 lane 0"),
    # The upper input comes first: of two heads that come to (1,1) in 2, that of column 3 takes lane 0. No rule of the game
    # says in which lane a worm is.
    ("order of inputs", "papers/cole_maggs_sitaraman/rtl/anl_discard.sv", "heads & (~heads + 1'b1);",
     "(heads & (heads - 1'b1)) != '0 ? heads & (heads - 1'b1) : heads;", "2.1.2.wide", MEET,
     "step 2 at (1,1).0 lane 0: flit", "agree, 12 flit events"),
    # The two lanes of a link own each other's cycles. So a is in lane 1 of its links, which breaks no rule of the game.
    ("lanes of a link swapped", "papers/cole_maggs_sitaraman/rtl/anl_discard_multiplexed_switch.sv", ".way_i(lane_i), .data_i(lanes)",
     ".way_i(~lane_i), .data_i(lanes)", "2.1.2.multiplexed", THREE,
     "step 1 at (0,0).1 lane 0: flit", "agree, 18 flit events"),
    # Owners change in each cycle: a, of two lanes, takes another lane of (0,0).1 in the second cycle of step 1, too.
    ("owners change too early", "papers/cole_maggs_sitaraman/rtl/anl_discard_multiplexed_switch.sv", ".step_i(last)", ".step_i(1'b1)",
     "2.1.2.multiplexed", THREE, "step 1 at (0,0).1 lane 0: busy", "referee: from_nowhere in step 1 at (0,0).1 lane 1"),
    # A step is one cycle, always that of lane 0. Lanes are counted before step 1, too, where the second cycle is that of lane
    # 1. Nodes read their inputs in this cycle, which never comes, and so a crosses nothing in 1.
    ("a step is one cycle", "papers/cole_maggs_sitaraman/rtl/anl_discard_butterfly.sv", "lane_q == VcW'(NumVcs - 1);", "lane_q == '0;",
     "2.1.2.multiplexed", THREE, "step 0 at (0,0).0 lane 0: number of the lane", "referee: full in step 1 at (0,0).1 lane 0"),
]

BENCH = "tb/discard/four_state.sv"

# Each reset of the network: file, text of the reset, and what stands there without it.
RESETS = [
    ("papers/cole_maggs_sitaraman/rtl/anl_discard.sv", "if (rst_i)       busy_q <= 1'b0;\n        else if", "if"),
    ("papers/cole_maggs_sitaraman/rtl/anl_discard_switch.sv", "if (rst_i) valid_q <= '0;\n      else       valid_q", "valid_q"),
    ("papers/cole_maggs_sitaraman/rtl/anl_discard_multiplexed_switch.sv", "if (rst_i)     valid_q <= '0;\n    else if", "if"),
    ("papers/cole_maggs_sitaraman/rtl/anl_discard_butterfly.sv", "      step_q <= '0;\n", ""),
    ("papers/cole_maggs_sitaraman/rtl/anl_discard_butterfly.sv", "      lane_q <= '0;\n", ""),
]


def replay(program, room, worms, *options):
    path = Path(room) / "worms.csv"
    path.write_text(worms)
    return subprocess.run([program, *options, path, "3"], capture_output=True, text=True, check=False)


def program_with(room, name, fault=None):
    """Returns the program of a name with a fault in the RTL, or without."""
    command = ["make", "-s", f"DISCARD={room}", f"{room}/{name}/discard"]
    if fault:
        files = rtl_with(fault[1], changed(*fault[1:4]), Path(room))
        command.append("DISCARD_RTL=" + " ".join(map(str, files)))
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    expect(made.returncode == 0, "a program", made.stdout + made.stderr)
    return f"{room}/{name}/discard"


def run_program(build, name, runs=RUNS, seed=1):
    """Returns the numbers and the digest of the line that a program prints."""
    command = [build / f"discard/{name}/discard", str(runs), str(seed)]
    seen = subprocess.run(command, capture_output=True, text=True, check=False)
    print(seen.stdout.splitlines()[0] if seen.stdout else seen.stderr)
    expect(seen.returncode == 0 and f"\n{runs} passed, 0 failed\n" in seen.stdout, "all runs agree", seen)
    found = re.search(r"worms (?P<delivered>\d+) delivered, (?P<discarded>\d+) discarded, (?P<steps>\d+) steps, "
                      r"(?P<cycles>\d+) cycles, (?P<flits>\d+) flit events, digest (?P<digest>[0-9a-f]{16})", seen.stdout)
    return {key: value if key == "digest" else int(value) for key, value in found.groupdict().items()}


def pair_differs(wide, multiplexed, lanes):
    """Returns what a multiplexed network does otherwise than the wide one, or otherwise than in as many times more cycles as
    there are lanes; None if nothing."""
    if wide["cycles"] != wide["steps"] or multiplexed["cycles"] != lanes * wide["cycles"]:
        return "cycles"
    return next((key for key in ("delivered", "discarded", "steps", "flits", "digest") if wide[key] != multiplexed[key]), None)


def all_programs_agree(_room, build):
    """A multiplexed network does exactly what the wide one does, as many times slower as there are lanes (I11)."""
    flits = 0
    for name in PROGRAMS:
        if not name.endswith(".wide"):
            continue
        wide, multiplexed = run_program(build, name), run_program(build, name.replace("wide", "multiplexed"))
        flits += wide["flits"] + multiplexed["flits"]
        seen = pair_differs(wide, multiplexed, int(name.split(".")[2]))
        expect(seen is None, "both do the same", (seen, wide, multiplexed))
        expect(min(wide["discarded"], wide["delivered"]) > RUNS, "worms of both fates", wide)
    expect(flits >= LEAST, f"{LEAST} flit events", flits)


def other_pairs_are_seen(_room, build):
    """A network that takes as long as the wide one, other worms, and another lane are no multiplexed network."""
    wide, multiplexed = (run_program(build, f"3.2.2.{kind}", runs=3) for kind in ("wide", "multiplexed"))
    others = run_program(build, "3.2.2.multiplexed", runs=3, seed=2)
    expect(pair_differs(wide, multiplexed, 2) is None, "a pair", multiplexed)
    for other, lanes, says in ((wide, 2, "cycles"), (multiplexed, 3, "cycles"), (others, 2, "cycles"),
                               (others | {"cycles": multiplexed["cycles"]}, 2, "delivered"),
                               (multiplexed | {"digest": others["digest"]}, 2, "digest")):
        seen = pair_differs(wide, other, lanes)
        expect(seen == says, f"another number of {says}", (seen, other))


def the_page_is_right(room, _build):
    for name, says in (("2.1.1.wide", "15 flit events, 7 cycles, worms 2 delivered, 1 discarded"),
                       ("2.1.2.wide", "18 flit events, 7 cycles, worms 3 delivered, 0 discarded"),
                       ("2.1.2.multiplexed", "18 flit events, 14 cycles, worms 3 delivered, 0 discarded")):
        program = program_with(room, name)
        for options in ((), ("--rules",)):
            seen = replay(program, room, THREE, *options)
            expect(seen.returncode == 0 and seen.stdout == f"agree, {says}\n", says, seen)


def bad_worms_are_refused(room, build):
    program = build / "discard" / PROGRAMS[0] / "discard"
    for worms, says in (("0,0,99,1\n", "cannot be"), ("0,0,1,0\n", "cannot be"), ("0,0,1,4095\n", "cannot be"),
                        ("0,0,1,2\n0,0,1,1\n", "cannot be"), ("x\n", "expected"), ("0,0,1,1\n" * 5, "injection lane")):
        seen = replay(program, room, worms)
        expect(seen.returncode == 2 and says in seen.stderr, "an error", seen)


def kind(multiplexed):
    """Returns the words for the compiler that choose the kind of links."""
    return [f"-Pfour_state.Multiplexed={multiplexed}"]


def kind_of(reset):
    return kind(int("plexed" in reset[0] or "lane_q" in reset[1]))


def each_reset_is_missed_in_four_states(room, _build):
    for multiplexed in (0, 1):
        seen = four_states(room, BENCH, RTL, *kind(multiplexed))
        expect(seen.startswith("PASS 12 flits"), "all flits with all bits known", seen)
    resets_are_missed(room, BENCH, RESETS if ALL else RESETS[:1], kind_of)


def faults_show(room, _build):
    for number, fault in enumerate(FAULTS if ALL else FAULTS[:1]):
        name, *_, program, worms, difference, alone = fault
        directory = Path(room) / str(number)
        directory.mkdir()
        program = program_with(directory, program, fault)
        seen = replay(program, room, worms)
        expect(seen.returncode == 1 and f"FIRST DIFFERENCE in {difference}\n" in seen.stdout, f"{name}: {difference}", seen)
        seen = replay(program, room, worms, "--rules")
        expect(alone in seen.stdout, f"{name}: {alone}", seen)


TESTS = [all_programs_agree, other_pairs_are_seen, bad_worms_are_refused, faults_show,
         each_reset_is_missed_in_four_states] + [the_page_is_right] * ALL

if __name__ == "__main__":
    sys.exit(main("discard", TESTS, __doc__.splitlines()[2]))
