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
from annelid import planted
from annelid.sources import RTL

ALL = os.environ.get("UNIT_SHARE") == "1"
# Supernodes of a row, rounds, and the flit events that there must be.
MESHES = [(1, 100, 100000), (2, 324, 1000000)] if ALL else [(1, 30, 30000)]

# Worms of a round (papers/roberts_symvonis/supernodes/main.c). ONE is born in B of supernode 0, in step 57: its time is 58, when slot 0 of the left
# train is there. It goes to supernode 1, whose time is the number of the step: tau of the extraction is 142, X is 169. Six
# worms are in the left train of supernode 0 and stay there: slots 0 and 1 are exchanged. Of two worms that want to go east
# the one with the lower name is in slot 0.
ONE = "born 0 49 1 0\n"
LEFT = "".join(f"train 0 0 {slot} 0 {slot + 1}\n" for slot in range(6))
TWO = "train 0 0 0 1 5\ntrain 0 0 1 1 6\n"
WORMS = {"one": ONE, "left": LEFT, "two": TWO}

BENCH = "papers/roberts_symvonis/four_state/supernodes.sv"


def program_with(room, faults):
    """Returns the program for 2 x 2 supernodes with all faults in one RTL, each behind a question for its number."""
    files = planted.rtl(faults, room, lambda number: f"(snakes_top.fault_number == {number})")
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
    faults = planted.of_scripts("snakes")
    program = program_with(room, faults)
    for worms in WORMS.values():
        for options in ((), ("--rules",)):
            seen = play(program, room, worms, *options)
            expect(seen.returncode == 0 and seen.stdout.startswith("agree"), "no fault", seen)
    for number, fault in enumerate(faults, 1):
        worms, name, rules = WORMS[fault["worms"]], fault["name"], fault["rules"]
        difference = "step {step} at {place}: {what}".format(**fault["expect"])
        seen = play(program, room, worms, fault=number)
        expect(seen.returncode == 1 and f"FIRST DIFFERENCE in {difference}\n" in seen.stdout, f"{name}: {difference}", seen)
        alone = "agree" if rules == "silent" else "{what} in step {step} at {place}".format(**rules)
        seen = play(program, room, worms, "--rules", fault=number)
        expect(seen.returncode == (rules != "silent") and seen.stdout.startswith(alone), f"{name}: {alone}", seen)


def each_reset_is_missed_in_four_states(room, _build):
    seen = four_states(room, BENCH, RTL)
    expect(seen.startswith("PASS 4 flits"), "all flits with all bits known", seen)
    resets = planted.of_scripts("reset")
    expect(resets, "resets of what no lock-step compares")
    resets_are_missed(room, BENCH, resets)


TESTS = [rounds_agree, the_layout_is_that_of_the_model, bad_worms_are_refused] + [faults_show, each_reset_is_missed_in_four_states] * ALL

if __name__ == "__main__":
    sys.exit(main("snakes", TESTS, __doc__.splitlines()[3]))
