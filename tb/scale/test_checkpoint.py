#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checkpoints: runs that are killed again and again, over other numbers of ranks each time, end as one that never was.

usage: tb/scale/test_checkpoint.py BUILD JUNIT_FILE

With FULL=1 in the environment all scenarios are killed, else a sample. Prints failures only; exit status 1 if any. Without
MPI all runs are of one process, and a case says that it is skipped.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, "tb/unit/scripts")
from suite import expect, main, until

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
ALL = os.environ.get("FULL") == "1"
SCENARIOS = Path("sim/scenarios")
# Scenario, ranks of the runs that follow each other: a cube, a stall, messages that wait, requests that are refused, chained
# space, links of several cycles.
SAMPLE = [("mesh4_uniform", (1, 3, 2)), ("deadlock_ring5", (1, 1)), ("mesh4_waiting", (1, 1)), ("cube_requests", (2, 1)),
          ("fattree16_cut_chained", (2, 1)), ("slices_mesh3", (1, 2))]
AT_ONCE = 4  # scenarios, most of whose time is waiting for the disk and for the start of ranks
CANNOT = ("the network cannot be cut", "and each rank needs one at least")  # refusals
MPI = False  # set when it is known whether it is there


def ranks(build, number):
    if number == 1 or not MPI:
        return [build / "annelid", "run"]
    return ["mpirun", "--oversubscribe", "-n", number, build / "annelid-mpi", "run"]


def run(words):
    """Two launchers that begin at once may both make their directory in the same place, and one fails: each has its own."""
    with tempfile.TemporaryDirectory(prefix="annelid-") as room:
        done = subprocess.run([str(word) for word in words], env=ENVIRONMENT | {"TMPDIR": room}, text=True, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def short(build, name):
    """Returns the words that make a scenario a short one, if it can be."""
    path = SCENARIOS / f"{name}.yaml"
    ways = ["--set", "run.cycles=3000", "--set", "run.warmup_cycles=50", path], ["--set", "run.max_cycles=4000", path], [path]
    return next(words for words in ways if run([build / "annelid", "run", *words])[0] != 2)


def lines(said):
    """Returns what a run says of its result: all but its speed."""
    words = ("end", "worms", "load", "latency", "class", "saturated", "digest", "referee", "why", "rates")
    return [line for line in said.splitlines() if line.split(" ")[0] in words or line.startswith("  class")]


def written(path):
    """Returns what tells a file from the one before it at the path; None if there is none."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return None
    return there.st_ino, there.st_mtime_ns


def kill_after(words, checkpoint, count):
    """Kills a run, all its processes at once, when it has written so many checkpoints. Returns False if it ended before."""
    job = subprocess.Popen([str(word) for word in words], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           start_new_session=True)
    seen = written(checkpoint)
    for _ in range(count):
        def is_new(seen=seen):
            return job.poll() is not None or written(checkpoint) not in (seen, None)
        until(is_new, "a checkpoint")
        seen = written(checkpoint)
    ranks_of_it = subprocess.run(["pgrep", "-P", str(job.pid)], capture_output=True, text=True, check=False).stdout.split()
    for process in [job.pid, *map(int, ranks_of_it)]:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return job.wait() == -signal.SIGKILL


def killed(room, build, words, sequence, form):
    """Kills a run once for each number of ranks but the last one, and returns how often it was killed, and what differs."""
    trace, checkpoint = room / f"kept.{form}", room / "kept.ckpt"
    kept = ["--digest", "--referee", "--trace", trace, *words, "--checkpoint", checkpoint, "--every"]
    kills = sum(kill_after([*ranks(build, number), *kept, 1], checkpoint, 3) for number in sequence[:-1])
    one = run([build / "annelid", "run", "--digest", "--referee", "--trace", room / f"one.{form}", *words])
    last = run([*ranks(build, sequence[-1]), *kept, 5000])
    expect(last[0] == one[0] and lines(one[1]) and lines(last[1]) == lines(one[1]), f"of {words} {lines(one[1])}", last)
    expect(trace.read_bytes() == (room / f"one.{form}").read_bytes(), f"the trace of one run of {words}")
    left = [path.name for path in room.iterdir() if path.name.startswith("kept.") and path != trace and path.suffix != ".tmp"]
    expect(not left, "no checkpoint after the end", left)
    return kills


# --- tests: each gets a directory of its own and the build directory ---

def sequence_of(build, path):
    """Returns the ranks of the runs of a scenario that follow each other; none if its switches are not buffered."""
    _, _, said = run([build / "annelid", "run", "--checkpoint", "/nowhere/x", "--every", 1, path])
    if "another kind than buffered" in said:
        return ()
    _, _, said = run([*ranks(build, 3), *short(build, path.stem)])
    return (1, 1) if any(reason in said for reason in CANNOT) else (1, 3, 2)


def killed_runs_go_on(room, build):
    def kill(i, name, sequence):
        (room / name).mkdir()
        return killed(room / name, build, short(build, name), sequence, ("txt", "anlt")[i % 2])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        paths = [*sorted(SCENARIOS.glob("*.yaml")), *sorted(Path("papers").glob("*/scenarios/*.yaml"))] if ALL else []
        found = zip([path.stem for path in paths], pool.map(lambda path: sequence_of(build, path), paths))
        runs = [one for one in found if one[1]] if ALL else SAMPLE
        kills = sum(pool.map(lambda i: kill(i, *runs[i]), range(len(runs))))
    if ALL:
        print(f"{len(runs)} scenarios, {kills} kills")
    expect(kills >= len(runs), "most runs killed", kills)


def an_interrupted_run_goes_on(room, build):
    """Ctrl-C leaves a checkpoint of the cycle in which the run stopped."""
    checkpoint = room / "run.ckpt"
    words = [build / "annelid", "run", "--digest", "--checkpoint", checkpoint, "--every", 1, SCENARIOS / "mesh16_uniform.yaml"]
    job = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until(checkpoint.exists, "a checkpoint")
    job.send_signal(signal.SIGTERM)
    said = job.communicate()[1]
    expect(job.returncode == 2 and "; the same command goes on from there" in said, "an interrupted run", (job.returncode, said))
    words[words.index(1)] = 5000
    status, said, _ = run(words)
    expect(status == 0 and lines(said) == lines(run([*words[:3], words[-1]])[1]), "the result of one run", said)
    expect(not checkpoint.exists(), "no checkpoint after the end")


def what_is_no_checkpoint_of_the_run_is_refused(room, build):
    checkpoint, mesh = room / "run.ckpt", SCENARIOS / "mesh3_complement.yaml"
    kept = [build / "annelid", "run", "--checkpoint", checkpoint, "--every", 1]
    expect(kill_after([*kept, SCENARIOS / "mesh16_uniform.yaml"], checkpoint, 2), "a killed run")
    for words, reason in (([*kept, mesh], "of another scenario, sim/scenarios/mesh16_uniform.yaml"),
                          ([*kept, "--digest", SCENARIOS / "mesh16_uniform.yaml"], "--digest was or was not among them"),
                          ([*kept, Path("papers/roberts_symvonis/scenarios/bufferless4_early.yaml")], "another kind than buffered"),
                          ([*kept[:-2], mesh], "--checkpoint FILE needs --every N"),
                          ([*kept[:2], "--restart", mesh], "has no effect without --checkpoint"),
                          ([*kept, "--worms", room / "worms.csv", mesh], "--worms is not there with --checkpoint")):
        status, _, said = run(words)
        expect(status == 2 and said.count(reason) == 1, f"once '{reason}'", (status, said))
    expect(run([*kept[:-1], 5000, "--restart", mesh])[0] == 0 and not checkpoint.exists(), "a run that begins anew")


TESTS = [killed_runs_go_on, an_interrupted_run_goes_on, what_is_no_checkpoint_of_the_run_is_refused]

if __name__ == "__main__":
    MPI = shutil.which("mpirun") is not None and Path(sys.argv[1], "annelid-mpi").exists()
    without = [("checkpoints over ranks", "no MPI (scripts/setup --mpi)")]
    sys.exit(main("checkpoint", TESTS, __doc__.splitlines()[2], [] if MPI else without))
