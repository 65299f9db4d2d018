#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps over the ranks of an MPI program: the files of one core, a rank that is killed, ranks that do not agree.

usage: tb/scale/test_mpi.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import os
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "tb/unit/scripts")
from suite import expect, main, until

SCENARIO = "sim/sweeps/mesh8_lanes.yaml"
SWEEP = ["--cycles", "1000", "--loads", "0.05:0.20:0.05", "--seeds", "5", "--vary", "switch.num_vcs=1,2", "--digest", SCENARIO]
MANY = ["--cycles", "200", "--find-saturation", "--points", "12", "--seeds", "10", "--vary", "switch.num_vcs=1,2,4,8", SCENARIO]
SEARCH = ["--cycles", "1000", "--find-saturation", "--tolerance", "0.1", "--points", "3", "--seeds", "3", SCENARIO]
LONG = ["--cycles", "20000", "--loads", "0.05:0.20:0.0375", "--seeds", "20", "--vary", "switch.num_vcs=1,2", SCENARIO]  # 200 runs
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def ranks(number):
    return ["mpirun", "--oversubscribe", "-n", str(number)]


def begin(words):
    return subprocess.Popen([str(word) for word in words], env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)


def end(words, status=0):
    """Runs a program. Returns its output."""
    process = begin(words)
    said = process.communicate(timeout=1200)[0]  # against a sweep that hangs
    expect(process.returncode == status, f"exit status {status}", (process.returncode, said))
    return said


def same(room, build, words, numbers):
    """Compares files and output of one process with those of so many ranks."""
    here = end([build / "annelid", "sweep", *words, "-o", room / "here.csv"])
    for number in numbers:
        there = end([*ranks(number), build / "annelid-mpi", "sweep", *words, "-o", room / "there.csv"])
        expect(here.replace("here.csv", "") == there.replace("there.csv", ""), "the same output", there)
        for suffix in (".csv", ".saturation.csv"):
            one, other = ((room / name).with_suffix(suffix) for name in ("here", "there"))
            expect(one.exists() == other.exists(), "the same files", other)
            expect(not one.exists() or one.read_bytes() == other.read_bytes(), f"the same {suffix} of {number} ranks")


def keys(journal):
    """Returns the names of the runs that a journal has, which come first in its lines."""
    return [line.split(" ")[1] for line in journal.read_text().splitlines()[1:]]


# --- tests: each gets a directory of its own and the build directory ---

def ranks_make_the_files_of_one_core(room, build):
    same(room, build, SWEEP, (1, 2, 3, 5))


def ranks_make_runs_side_by_side(room, build):
    """Runs of two networks in the slots of ranks, beside runs that no batch can make and that have a rank alone."""
    for engine in ("batch", "scalar"):
        same(room, build, [*SWEEP, "--engine", engine, "--vary", "switch.routing=dimension_order,west_first"], (2, 3))


def the_search_for_saturation_is_the_same(room, build):
    same(room, build, SEARCH, (2,))
    same(room, build, [*SEARCH, "--engine", "batch", "--seeds", "9"], (3,))


def no_message_of_many_is_lost(room, build):
    """In short runs a task may come before the slot that had the last one asks for the next."""
    same(room, build, MANY, (2,))


def a_killed_rank_loses_only_what_was_under_way(room, build):
    """A rank is killed; then the leader; then another number of ranks makes the rest."""
    here, there = room / "here.csv", room / "there.csv"
    journal = room / "there.csv.partial"
    end([build / "annelid", "sweep", *LONG, "-o", here])
    before = []
    for number, victim in ((3, 2), (2, 0)):
        job = begin([*ranks(number), build / "annelid-mpi", "sweep", *LONG, "-o", there])
        enough = len(before) + 30
        until(lambda enough=enough: journal.exists() and len(journal.read_text().splitlines()) > enough, f"{enough} runs")
        processes = sorted(map(int, subprocess.run(["pgrep", "-P", str(job.pid)], capture_output=True, text=True,
                                                   check=True).stdout.split()))
        os.kill(processes[victim], signal.SIGKILL)
        job.communicate()
        expect(job.returncode and not there.exists(), "no file after the end of a rank", job.returncode)
        now = keys(journal)
        expect(len(set(now)) == len(now) and now[:len(before)] == before, "each run once, and those that were there", now)
        before = now
    said = end([*ranks(4), build / "annelid-mpi", "sweep", *LONG, "-o", there])
    expect(here.read_bytes() == there.read_bytes() and not journal.exists(), "the file of one core", said)


def ranks_that_see_other_files_are_told(room, build):
    one, other = ([build / "annelid-mpi", "sweep", "--seeds", "2", "--cycles", cycles, "-o", room / "x.csv", SCENARIO]
                  for cycles in ("1000", "2000"))
    said = end([*ranks(1), *one, ":", "-n", "1", *other], status=2)
    expect("rank 1 has other files or another program than rank 0" in said, "who differs", said)
    missing = [*one[:-1], room / "no.yaml"]
    said = end([*ranks(1), *one, ":", "-n", "1", *missing], status=2)
    expect("rank 1 cannot read the scenario" in said, "who cannot read it", said)
    said = end([*ranks(2), *missing], status=2)
    expect(said.count("no.yaml") == 1, "one message about the file", said)


TESTS = [ranks_make_the_files_of_one_core, ranks_make_runs_side_by_side, the_search_for_saturation_is_the_same,
         no_message_of_many_is_lost, a_killed_rank_loses_only_what_was_under_way, ranks_that_see_other_files_are_told]

if __name__ == "__main__":
    sys.exit(main("mpi", TESTS, __doc__.splitlines()[2]))
