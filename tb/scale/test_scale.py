#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Regressions on a queue: a Slurm of this machine, started here, and GNU parallel.

usage: tb/scale/test_scale.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import os
import re
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "tb/unit/scripts")
from slurm import slurm
from suite import expect, main, until

SRUN = "LAUNCH=srun -n1 -c1 --"
SHORT = ["SCENARIO=pair_saturated", "SEED=1-6"]
LONG = ["SCENARIO=mesh8_uniform", "SET=run.cycles=60000", "SEED=1-6", "JOBS=6"]  # runs of many seconds


def regression(build, words, environment=None):
    """Begins a regression in a process group of its own."""
    return subprocess.Popen(["make", "--no-print-directory", f"BUILD={build}", "regress", *words], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})}, start_new_session=True)


def results(build, words, environment=None):
    """Returns the lines of the runs, without their speed and in the order of their seeds, and the last line."""
    *lines, last = regression(build, words, environment).communicate()[0].splitlines()
    runs = sorted(re.sub("model .*?/s RTL .*?/s", "", line) for line in lines if line.startswith(("PASS", "FAIL")))
    return runs, last


def build_program(build):
    """Builds the program of LONG, and makes a short run."""
    last = results(build, [LONG[0], "SEED=1"])[1]
    expect(last == "1 passed, 0 failed", "a program that runs", last)


def jobs(environment, state):
    """Returns the numbers of the jobs of a Slurm that are running or pending."""
    said = subprocess.run(["squeue", "-h", "-t", state, "-o", "%i"], env=environment, capture_output=True, text=True, check=True)
    return said.stdout.split()


# --- tests: each gets a directory of its own and the build directory ---

def slurm_gives_the_same_results(room, build):
    room.chmod(0o755)
    with slurm(room) as environment:
        here, there = results(build, SHORT), results(build, [*SHORT, "JOBS=6", SRUN], environment)
    expect(here == there and here[1] == "6 passed, 0 failed", "the same results", (here, there))


def slurm_builds_the_programs(room, build):
    """A program that is not there is built by a job, too, and once."""
    room.chmod(0o755)
    program = build / "rtl/cube_K2_N1_Topology0_Routing0_NumVcs3_Depth5_FlitW8_Arbiter0"
    subprocess.run(["rm", "-rf", program], check=True)
    with slurm(room) as environment:
        runs, last = results(build, [*SHORT, "SET=switch.num_vcs=3 switch.depth=5", SRUN], environment)
    expect(last == "6 passed, 0 failed" and (program / "lockstep").exists(), "six runs of a new program", (runs, last))
    made = (build / f"regress/build-{program.name}.sh").read_text()
    expect(f"{program.name}/lockstep" in made, "a job that builds it", made)


def a_cancelled_job_is_launched_again(room, build):
    room.chmod(0o755)
    build_program(build)
    script = build / "regress/mesh8_uniform_run.cycles=60000-1.sh"
    script.unlink(missing_ok=True)
    with slurm(room) as environment:
        test = regression(build, [*LONG[:2], "SEED=1", SRUN], environment)
        until(lambda: script.exists() and jobs(environment, "R"), "a job that runs")
        subprocess.run(["scancel", *jobs(environment, "R")], env=environment, check=True)
        lines = test.communicate()[0].splitlines()
    expect(lines[-1] == "1 passed, 0 failed", "a run that passes", lines)
    expect(any(line.startswith("1 job was lost and launched again: mesh8_uniform") for line in lines), "a remark", lines)


def an_interrupt_cancels_what_is_queued(room, build):
    room.chmod(0o755)
    build_program(build)
    with slurm(room) as environment:
        test = regression(build, [*LONG, SRUN], environment)
        until(lambda: len(jobs(environment, "R")) == 2 and len(jobs(environment, "PD")) == 4, "two jobs that run, four that wait")
        os.killpg(test.pid, signal.SIGINT)
        said = test.communicate()[0]
        until(lambda: not jobs(environment, "R,PD,CG"), "an empty queue")
    expect(test.returncode and "regress: interrupted" in said, "words on the interrupt", said)


def parallel_gives_the_same_results(_room, build):
    launch = "LAUNCH=parallel --will-cite --sshlogin : :::"
    here, there = results(build, SHORT), results(build, [*SHORT, launch])
    expect(here == there and here[1] == "6 passed, 0 failed", "the same results", (here, there))


TESTS = [slurm_gives_the_same_results, slurm_builds_the_programs, a_cancelled_job_is_launched_again,
         an_interrupt_cancels_what_is_queued, parallel_gives_the_same_results]

if __name__ == "__main__":
    sys.exit(main("scale", TESTS, __doc__.splitlines()[2]))
