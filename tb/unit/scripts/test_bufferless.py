#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The mesh without buffers: RTL, model and referee agree, and faults put into the RTL show when and where they must.

usage: [UNIT_SHARE=1] tb/unit/scripts/test_bufferless.py BUILD JUNIT_FILE

Prints a line for each mesh, and failures; exit status 1 if any. Unless UNIT_SHARE is 1, it runs a sample.
"""
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from four_states import four_states, resets_are_missed
from suite import expect, main
from annelid.sources import RTL, changed, rtl_with

ALL = os.environ.get("UNIT_SHARE") == "1"
# Side of the mesh, permutations, and how many flit events there must be.
MESHES = [(4, 1000, 1000000), (8, 100, 1000000)] if ALL else [(4, 100, 100000)]

# The worms a and b of papers/roberts_symvonis/bufferless.md, in a 3 x 3 mesh, with 3 flits each; and b one step too early.
GOOD = "0,2,1\n1,5,5\n"
EARLY = "0,2,1\n1,5,4\n"
LATER = "0,2,2\n1,5,6\n"  # both a step later

# For each fault its name, file, old and new text, the worms, and by hand from the tables of the page: the first
# difference of the lock-step, and what referee and fault lines alone say.
FAULTS = [
    # a0 leaves (0,0).T in 1, so in 2 the latch should hold E, and without it a1 has no way. In 3 no flit follows a0 on (0,0).E.
    ("latch not written", "papers/roberts_symvonis/rtl/anl_bufferless.sv", "latch_d = (valid && !tail) ? way : '0;", "latch_d = '0;", GOOD,
     "step 2 at (0,0).T: latch", "referee: contiguous in step 3 at (0,0).E"),
    # (0,2) becomes (2,0): a0 goes south in 1.
    ("XY swapped", "papers/roberts_symvonis/rtl/anl_one_bend_switch.sv", "assign dst = front[p*LinkW +: DstW];",
     "assign dst = {front[p*LinkW +: DstW/2], front[p*LinkW + DstW/2 +: DstW/2]};", GOOD,
     "step 2 at (0,0).E: link register", "referee: one_bend in step 2 at (0,0).S"),
    # a begins in step 1, so a0 stands at the end of its first link at the start of 2.
    ("inject one early", "papers/common/rtl/anl_replay.sv", "begins        = held_q && !sending_q && step_i == start_q",
     "begins        = held_q && !sending_q && step_i + 1'b1 == start_q", LATER,
     "step 2 at (0,0).E: link register", "referee: no_idle in step 2 at (0,0).E"),
    # What comes to (0,2) from the west is lost: a0 crosses (0,1).E in 2. It stood at the end of (0,0).E before.
    ("dead link register", "papers/roberts_symvonis/rtl/anl_bufferless_mesh.sv", ".valid_i(in_valid), .flit_i(in_flit)",
     ".valid_i(s == 2 ? in_valid & ~T'(2) : in_valid), .flit_i(in_flit)", GOOD,
     "step 3 at (0,1).E: link register", "referee: no_idle in step 3 at (0,0).E"),
    # a2 and b0 collide in 4; the line of (0,1) should be 1 from 5 on. a2 stood at the end of (0,0).E.
    ("fault line tied low", "papers/roberts_symvonis/rtl/anl_bufferless.sv", "assign fault_o = fault_q;", "assign fault_o = 1'b0;", EARLY,
     "step 5 at (0,1).T: fault", "referee: no_idle in step 5 at (0,0).E"),
    # The tail a2 leaves (0,0).T in 3; at the start of 4 the latch still holds E. In 4 nothing follows: a broken worm,
    # whose line is seen in 5. No flit is where it should not be.
    ("wrong tail", "papers/roberts_symvonis/rtl/anl_bufferless.sv", "latch_d = (valid && !tail) ?", "latch_d = valid ?", GOOD,
     "step 4 at (0,0).T: latch", "fault line in step 5 at (0,0).T: fault"),
]


BENCH = "tb/bufferless/four_state.sv"

# Each reset of the mesh: file, text of the reset, and what stands there without it.
RESETS = [
    ("papers/roberts_symvonis/rtl/anl_bufferless.sv", "if (rst_i) latch_q <= '0;\n      else       latch_q", "latch_q"),
    ("papers/roberts_symvonis/rtl/anl_bufferless.sv", "if (rst_i) valid_q <= 1'b0;\n        else       valid_q", "valid_q"),
    ("papers/roberts_symvonis/rtl/anl_bufferless.sv", "if (rst_i) fault_q <= 1'b0;\n    else       fault_q", "fault_q"),
    ("papers/common/rtl/anl_replay.sv", "      held_q    <= 1'b0;\n", ""),
    ("papers/common/rtl/anl_replay.sv", "      sending_q <= 1'b0;\n", ""),
    ("papers/common/rtl/anl_steps.sv", "if (rst_i) step_q <= '0;\n    else       step_q", "step_q"),
]


def replay(program, room, worms, *options):
    path = Path(room) / "worms.csv"
    path.write_text(worms)
    return subprocess.run([program, *options, path, "3"], capture_output=True, text=True, check=False)


def program_with(room, fault=None):
    """Returns the program for n = 3 with a fault in the RTL, or without."""
    command = ["make", "-s", f"BUFFERLESS={room}", f"{room}/n3/bufferless"]
    if fault:
        files = rtl_with(fault[1], changed(*fault[1:4]), Path(room))
        command.append("BUFFERLESS_RTL=" + " ".join(map(str, files)))
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    expect(made.returncode == 0, "a program", made.stdout + made.stderr)
    return f"{room}/n3/bufferless"


def permutations_agree(_room, build):
    for side, count, least in MESHES:
        seen = subprocess.run([build / f"bufferless/n{side}/bufferless", str(count)], capture_output=True, text=True,
                              check=False)
        print(seen.stdout.splitlines()[0] if seen.stdout else seen.stderr)
        flits = re.search(r" (\d+) flit events", seen.stdout)
        early = re.search(r" (\d+) of them with a fault line", seen.stdout)
        expect(seen.returncode == 0 and " 0 failed" in seen.stdout, "all of them agree", seen.stdout)
        expect(int(flits[1]) >= least and int(early[1]) >= count, f"{least} flit events", seen.stdout)


def the_page_is_right(room, _build):
    program = program_with(room)
    for options in ((), ("--rules",)):
        seen = replay(program, room, GOOD, *options)
        expect(seen.returncode == 0 and "agree, 18 flit events" in seen.stdout, "two worms", seen)
    seen = replay(program, room, EARLY)
    expect(seen.returncode == 1 and "DIFFERENCE" not in seen.stdout, "agreement in spite of the fault", seen)
    seen = replay(program, room, EARLY, "--rules")
    expect("referee: no_idle in step 5 at (0,0).E" in seen.stdout, "a flit that is lost in 4", seen)


def bad_worms_are_refused(room, build):
    for worms in ("0,0,1\n", "0,99,1\n", "0,1,0\n", "0,1,4095\n", "0,1,1\n0,2,2\n"):
        seen = replay(build / "bufferless/n4/bufferless", room, worms)
        expect(seen.returncode == 2 and "cannot be" in seen.stderr, "an error", seen)


def faults_show(room, _build):
    for number, fault in enumerate(FAULTS if ALL else FAULTS[-1:]):
        name, *_, worms, difference, alone = fault
        directory = Path(room) / str(number)
        directory.mkdir()
        program = program_with(directory, fault)
        seen = replay(program, room, worms)
        expect(seen.returncode == 1 and f"FIRST DIFFERENCE in {difference}\n" in seen.stdout, f"{name}: {difference}", seen)
        seen = replay(program, room, worms, "--rules")
        expect(seen.returncode == 1 and alone in seen.stdout, f"{name}: {alone}", seen)


def path_of(side, source, destination):
    """The links of a one-bend path, each as (node, way); the last one leads to the terminal."""
    links, node = [], source
    while node != destination:
        across, down = destination % side - node % side, destination // side - node // side
        step = (across > 0) - (across < 0) or side * ((down > 0) - (down < 0))
        links.append((node, step))
        node += step
    return [*links, (node, 0)]


def crossings(side, worm, start):
    """All (link, step) of a worm from a start on, and those in which its source sends."""
    _, source, destination, length = worm
    links = enumerate([(source, "source"), *path_of(side, source, destination)])
    return {(link, start + max(at - 1, 0) + flit) for at, link in links for flit in range(length)}


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
            others = set().union(*(crossings(4, other, other[0]) for other in worms if other != worm))
            good = next(start for start in range(worm[0], 100) if not crossings(4, worm, start) & others)
            expect(lost["first_good_start"] == good, f"trial {trial}, worm {lost['worm']}: {good}", (worms, lost))
            named += 1
    expect(named >= 20, "faults enough", named)


def each_reset_is_missed_in_four_states(room, _build):
    seen = four_states(room, BENCH, RTL)
    expect(seen.startswith("PASS 12 flits"), "all flits with all bits known", seen)
    resets_are_missed(room, BENCH, RESETS if ALL else RESETS[:2])


TESTS = [permutations_agree, bad_worms_are_refused, first_good_starts_are_right, faults_show, each_reset_is_missed_in_four_states] + [the_page_is_right] * ALL

if __name__ == "__main__":
    sys.exit(main("bufferless", TESTS, __doc__.splitlines()[3]))
