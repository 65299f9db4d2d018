#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One network over the ranks of an MPI program: what they print and write is what one process does.

usage: tb/scale/test_ranks.py BUILD JUNIT_FILE

With FULL=1 in the environment all scenarios are tried that one rank runs, else a sample. Prints failures only; exit status
1 if any. Without MPI the one case is skipped.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, "tb/unit/scripts")
from suite import expect, main

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
ALL = os.environ.get("FULL") == "1"
SCENARIOS = Path("sim/scenarios")
# Scenario, ranks: a cube, a tree, a graph with a route in each message, messages and requests that wait, wide links, stalls,
# credit bypass, links of several cycles.
SAMPLE = [("mesh8_uniform", 2), ("torus444_uniform", 2), ("fattree64_fixed_farthest", 2), ("graph_source_messages", 2),
          ("mesh4_waiting", 2), ("cube_requests", 2), ("wide_mesh3", 3), ("mesh3_idle", 2),
          ("fattree16_cut_chained", 3), ("wide_mesh3_chained", 2), ("slices_torus3", 3)]
WHOLE = [("deadlock_ring5", 2), ("mesh3_cut_requests", 2), ("mesh4_bursty", 2)]  # to their ends: a stall, the last delivery
AT_ONCE = 3  # runs, most of whose time is the start of their ranks
CANNOT = ("the network cannot be cut", "and each rank needs one at least")  # refusals


def run(words):
    """Two launchers that begin at once may both make their directory in the same place, and one fails: each has its own."""
    with tempfile.TemporaryDirectory(prefix="annelid-") as room:
        done = subprocess.run([str(word) for word in words], env=ENVIRONMENT | {"TMPDIR": room}, text=True, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def short(build, name):
    """Returns the words that make a scenario a short one: of an open loop fewer cycles, of a batch the cycle in which it is given
    up; messages are sent as they are."""
    path = SCENARIOS / f"{name}.yaml"
    ways = ["--set", "run.cycles=300", "--set", "run.warmup_cycles=50", path], ["--set", "run.max_cycles=400", path], [path]
    return next(words for words in ways if run([build / "annelid", "run", *words])[0] != 2)


def ranks(number):
    return ["mpirun", "--oversubscribe", "-n", number]


def lines(said):
    """Returns what a run says of its result: all but its speed, and what mpirun says of an exit status that is not 0."""
    words = ("end", "worms", "load", "latency", "class", "saturated", "digest", "referee", "why", "rates", "fault")
    return [line for line in said.splitlines() if line.split(" ")[0] in words or line.startswith("  class")]


def same(build, number, words):
    """Returns whether ranks say what one process says; False if the network cannot be cut into so many parts."""
    here, there = run([build / "annelid", "run", *words]), run([*ranks(number), build / "annelid-mpi", "run", *words])
    if there[0] == 2 and any(reason in there[2] for reason in CANNOT):
        return False
    expect(there[0] == here[0], f"exit status {here[0]} of {words}", there)
    expect(lines(here[1]) and lines(there[1]) == lines(here[1]), f"of {number} ranks {lines(here[1])}", there[1:])
    return True


def refused(build, number, words, reason, command="run"):
    status, _, said = run([*ranks(number), build / "annelid-mpi", command, *words])
    expect(status == 2 and said.count(reason) == 1, f"once '{reason}'", (status, said))


def rows(path):
    """Returns the rows of a file of worms, without the comments about how it was made."""
    return [line for line in path.read_text().splitlines() if not line.startswith("#")]


# --- tests: each gets a directory of its own and the build directory ---

def ranks_say_what_one_process_says(_room, build):
    cut = [(number, short(build, name)) for name, number in SAMPLE]
    cut += [(number, [SCENARIOS / f"{name}.yaml"]) for name, number in WHOLE]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        tried = sum(pool.map(lambda one: same(build, one[0], ["--digest", "--referee", *one[1]]), cut))
        expect(tried == len(cut), "networks that can be cut", (tried, len(cut)))
        if ALL:
            tried = list(pool.map(lambda path: by_all_numbers(build, path), sorted(SCENARIOS.glob("*.yaml"))))
            print(f"{sum(tried)} runs of ranks for {len(tried)} scenarios")
            expect(sum(tried) > 3 * len(tried), "most networks can be cut", tried)


def by_all_numbers(build, path):
    """Runs a scenario over 2 ranks to its end and, if it has 8 switches, a short form over other numbers; returns how many runs
    there were."""
    words = ["--digest", "--referee", *short(build, path.stem)]
    tried = [same(build, 2, ["--digest", "--referee", path])]
    tried += [same(build, 8, words)] if tried[0] else []
    tried += [same(build, number, words) for number in (1, 3, 4, 7) if tried[-1]]
    return sum(tried)


def replies_are_numbered_in_one_order(room, build):
    """The terminals of the first part have the highest numbers."""
    (room / "graph.yaml").write_text("""network: {topology: graph}
switch: {num_vcs: 2, classes: 2}
traffic: {process: request_reply, worms_per_terminal: 20, window: 3, length: 2, reply_length: 3}
graph: {switches: [a, b, c, d], terminals: [d, d, c, b, a, a], links: [[a, b], [b, c], [c, d]]}
""")
    expect(same(build, 2, ["--digest", "--referee", room / "graph.yaml"]), "a graph that can be cut")


def ranks_leave_the_same_trace(room, build):
    for name, number in (("mesh4_uniform", 2), ("classes_requests", 2)):
        words = short(build, name)
        run([build / "annelid", "run", "-t", room / "here.txt", *words])
        run([*ranks(number), build / "annelid-mpi", "run", "-t", room / "there.txt", *words])
        expect((room / "here.txt").read_bytes() == (room / "there.txt").read_bytes(), f"the same trace of {number} ranks")


def ranks_explain_worms_as_one_process_does(room, build):
    """A deadlock is proved, the analysis stops in a cycle, and each worm has its row."""
    for name, words in (("deadlock_ring5", []), ("mesh8_uniform", ["--at", "100", "--json"]), ("mesh3_idle", ["--stalls", "-"])):
        here = run([build / "annelid", "worms", *words, SCENARIOS / f"{name}.yaml"])
        there = run([*ranks(2), build / "annelid-mpi", "worms", *words, SCENARIOS / f"{name}.yaml"])
        expect(here[0] != 2 and there[:1] == here[:1] and there[1].startswith(here[1]), f"of {name} {here}", there)
    words = ["--worms", room / "here.csv"], ["--worms", room / "there.csv"]
    run([build / "annelid", "run", *words[0], *short(build, "mesh4_uniform")])
    run([*ranks(3), build / "annelid-mpi", "run", *words[1], *short(build, "mesh4_uniform")])
    here, there = (rows(room / name) for name in ("here.csv", "there.csv"))
    expect(here and here == there, "the same rows", (here[:3], there[:3]))


def what_ranks_cannot_do_is_refused(room, build):
    mesh = SCENARIOS / "mesh3_complement.yaml"
    refused(build, 2, [Path("papers/roberts_symvonis/scenarios/bufferless4_early.yaml")], "another kind than buffered")
    refused(build, 3, [SCENARIOS / "pair_saturated.yaml"], "each rank needs one at least")
    run([build / "annelid", "run", "-t", room / "trace.txt", mesh])
    refused(build, 2, [room / "trace.txt"], "is a trace, which one process reads", "worms")
    refused(build, 2, [room / "no.yaml"], "no.yaml", "worms")
    refused(build, 2, [room / "no.yaml"], "no.yaml")
    # An mpirun of Open MPI 5 crashes if ranks are given different commands.
    cycles = "run.cycles=10${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
    status, _, said = run([*ranks(2), "sh", "-c", f'exec {build}/annelid-mpi run --set "{cycles}" {mesh}'])
    expect(status == 2 and "rank 1 has other files" in said, "who differs", said)


TESTS = [ranks_say_what_one_process_says, replies_are_numbered_in_one_order, ranks_leave_the_same_trace,
         ranks_explain_worms_as_one_process_does, what_ranks_cannot_do_is_refused]

if __name__ == "__main__":
    there = shutil.which("mpirun") and Path(sys.argv[1], "annelid-mpi").exists()
    without = [("one network over ranks", "no MPI (scripts/setup --mpi)")]
    sys.exit(main("ranks", TESTS if there else [], __doc__.splitlines()[2], [] if there else without))
