#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Regressions: the order of builds and runs, what is said meanwhile, names of logs and
results, the default suite, and golden digests.

usage: tb/unit/scripts/test_regress.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as xml
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True
from suite import expect, main, until
from annelid import golden, large, regress, regress_queue, ways
from annelid.children import Children, Wrong
from annelid.manuals import read_keys
from annelid.regress_page import page_of
from annelid.regress_queue import Lines, Queue, do_all
from annelid.results import Screen, Suite
from annelid.arbiters import ARBITERS
from annelid.slices import suite_names, parts_of, scenarios
from annelid.sources import changed
from annelid.waves import changes_of

COSTS = {"large": 90, "small": 1, "middle": 9, "larger": 100}


@dataclass
class Run:
    key: str
    name: str = ""
    parts: tuple = ()

    @property
    def builds(self):
        return self.parts or (self.key,)


def lines(out, builds=4, runs=9):
    return Lines(builds, runs, Screen(out))


def call(build, *words):
    """Returns (exit status, lines) of the script."""
    seen = subprocess.run([sys.executable, "scripts/run", "regress", "--build", str(build), *words], capture_output=True, text=True,
                          check=False)
    return seen.returncode, (seen.stdout + seen.stderr).splitlines()


# --- tests: each gets a directory of its own and the build directory ---

def the_smallest_comes_first_and_then_the_largest(_room, _build):
    done, out = [], io.StringIO()
    runs = [Run(key, f"{key} {number}") for number in (1, 2) for key in COSTS]
    with Children().pool(1) as pool, lines(out) as said:
        do_all(pool, 1, Queue(COSTS, runs), said, done.append, lambda run: done.append(run.name) or run.name)
    order = ["small", "larger", "large", "middle"]
    expect(done == [step for key in order for step in (key, f"{key} 1", f"{key} 2")], "runs behind each build", done)


SOME_WAYS = ("slices_mesh3", "class_routing_graph")
MORE_WAYS = ("fattree16_store_registered", "deadlock_ring5", "wide_one_lane", "graph_petersen", "stages_mesh3", "hypercube4_uniform", "wide_pair4")
FULL = os.environ.get("UNIT_SHARE") == "1"
BOTH_WAYS = (*SOME_WAYS, *MORE_WAYS) if FULL else SOME_WAYS


def both_ways(build, names, *words):
    """Runs scenarios by switches and whole: the same cycles, flits, worms and digests. A suite would build its smallest networks
    whole in any case."""
    for name in names:
        seen = []
        for way in ([], ["--whole"]):
            status, said = call(build, "--scenario", name, *words, *way)
            expect(status == 0 and said[0].startswith("1 build ") == bool(way), "a run by switches, or whole", said)
            seen.append([[word for word in line.split() if not word.endswith("/s")] for line in said if line.startswith("PASS ")])
        expect(seen[0] == seen[1] and len(seen[0]) == 1, f"{name} the same both ways", seen)


def a_network_by_switches_is_the_whole_one(room, build):
    """So it is if idle switches are evaluated, too; and what is missing is named."""
    both_ways(build, BOTH_WAYS)
    program, scenario = build / "rtl/parts/lockstep", "sim/scenarios/slices_mesh3.yaml"
    results = [json.loads(subprocess.run([program, "--json", *words, scenario], capture_output=True, check=True).stdout)
               for words in ([], ["--awake"], ["--threads", "3"], ["--threads", "2", "--awake"])]
    digests = [(result["cycles"], result["flits"], result["rtl_digest"]) for result in results]
    expect(len(set(digests)) == 1, "the same with all switches awake, and with threads", digests)
    missing = subprocess.run([program, "--set", "switch.flit_width_bits=61", scenario], capture_output=True, text=True, check=False)
    expect(missing.returncode == 2 and "_FlitW61_" in missing.stderr and "cannot be loaded" in missing.stderr, "what is missing", missing)


def every_mode_is_the_same_both_ways(room, build):
    """Also with a switch whose outputs follow its inputs at once, in a network where that breaks a rule, and with one that does
    something when it has been idle for a while."""
    chained = room / "chained.sv"
    text = changed("rtl/switch/anl_butterfly_switch.sv", "(CreditBypass != 0) ? -1 : 0", "-1")
    chained.write_text(text.replace("{NumLanes{CreditBypass != 0}}", "{NumLanes{1'b1}}"))
    for mode, name in (("rules", "wide_pair4"), ("links", "slices_mesh3"))[:None if FULL else 1]:
        both_ways(build, (name,), "--mode", mode)
    ticking, count = room / "ticking.sv", ("  logic [7:0] age;\n  logic [NumLanes-1:0] credit;\n"
        "  always_ff @(posedge clk_i) age <= rst_i || |valid_i ? '0 : age + 8'(age != 255);\n"
        "  assign credit_o = credit | NumLanes'(age == 20);\n")
    text = changed("rtl/switch/anl_cube_switch.sv", ".flit_i, .credit_o, .valid_o", ".flit_i, .credit_o(credit), .valid_o")
    ticking.write_text(text.replace("\nendmodule", f"\n{count}endmodule"))
    broken = [("pair_replay", ticking, " referee: early_credit"), ("butterfly8_uniform", chained, " referee: overflow")]
    for scenario, dut, says in broken[:None if FULL else 1]:
        words = ("--scenario", scenario, "--mode", "rules", "--dut", str(dut))
        seen = [[line for line in call(build, *words, *way)[1] if line.startswith(("FIRST ", "  "))] for way in ([], ["--whole"])]
        expect(seen[0] == seen[1] and says in seen[0][0], "the same report", seen)


def links_that_never_come_to_rest_are_named(room, build):
    restless, credit = room / "restless.sv", "  logic [NumLanes-1:0] credit;\n  assign credit_o = credit ^ {NumLanes{!credit_i[0]}};\n"
    text = changed("rtl/switch/anl_cube_switch.sv", ".flit_i, .credit_o, .valid_o", ".flit_i, .credit_o(credit), .valid_o")
    restless.write_text(text.replace("\nendmodule", f"\n{credit}endmodule"))
    status, said = call(build, "--scenario", "deadlock_ring5", "--mode", "rules", "--dut", str(restless))
    expect(status == 1 and any("the values on links never come to rest" in line for line in said), "what is wrong", said)


NEAR = re.compile(r"\.u_switch\.(u_core\.)?(valid_[io]|credit(_[io])?|count|bound|owned|clk_i|rst_i)(\[|$)")


def waves_are_the_same_both_ways(_room, build):
    """Words, view, and the ports and counts of the switches; not what begins with random bits and means nothing."""
    words, seen = ("--waves", "--scenario", "deadlock_ring5"), []
    for way in ([], ["--whole"]):
        status, said = call(build, *words, *way)
        expect(status == 0, "waves", said)
        view = Path(said[-1].removeprefix("gtkwave "))
        near = {name: values for name, values in changes_of(view, "TOP").items() if NEAR.search(name)}
        seen.append((view.read_text(), view.with_suffix(".txt").read_text(), near))
    expect(seen[0] == seen[1] and len(seen[0][2]) > 20, "the same view, words and signals", [len(one[2]) for one in seen])


def large_networks_are_put_together(room, build):
    """Each has at least 250 switches, and a million flit events in the golden model; none is built whole."""
    paths = [path for _, path in large.in_lockstep(room)]
    said = subprocess.run([build / "lockstep/params", *paths], capture_output=True, text=True, check=True).stdout.splitlines()
    switches = {line.split()[0]: int(line.split()[1]) for line in said}
    expect(len(paths) == len(said) == 8 and min(switches.values()) > 250, "eight large networks", switches)
    expect(all(" switch/" in line and " terminal/" in line for line in said), "parts", said)
    expect(regress.wholes(switches) == set(), "no whole network", regress.wholes(switches))
    expect(len(regress.wholes(switches | {"cube_K3_N2_Topology0": 9, "cube_K4_N2_Topology0": 16})) == 1, "the smaller one", "")
    flits = [json.loads(subprocess.run([build / "annelid", "run", "--json", path], capture_output=True, check=True).stdout)["flit_hops"]
             for path in paths]
    expect(min(flits) >= 10**6, "a million flit events each", flits)


def a_run_waits_for_all_its_parts(_room, _build):
    """Those of the dearest part come with the others that its runs need, behind the cheapest run."""
    costs, done = {"a": 1, "b": 1, "c": 50, "d": 3}, []
    runs = [Run("", "ac", ("a", "c")), Run("", "ab", ("a", "b")), Run("d", "d")]
    with Children().pool(1) as pool, lines(io.StringIO()) as said:
        do_all(pool, 1, Queue(costs, runs), said, done.append, lambda run: done.append(run.name) or run.name)
    expect(done == ["a", "b", "ab", "c", "ac", "d", "d"], "each behind its builds", done)


def a_program_runs_while_others_are_built(_room, _build):
    """The build of the largest goes on until a run of the smallest has ended, and a worker without work waits for it."""
    ran, done, out = threading.Event(), [], io.StringIO()

    def build(key):
        if key == "larger":
            expect(ran.wait(600), "a run before all builds have ended")
        done.append(key)

    def execute(run):
        done.append(run.name)
        ran.set()
        return run.name

    costs = {"small": 1, "larger": 100}
    with Children().pool(3) as pool, lines(out) as said:
        do_all(pool, 3, Queue(costs, [Run(key, f"{key} runs") for key in costs]), said, build, execute)
    expect(done == ["small", "small runs", "larger", "larger runs"], "everything, in this order", done)


def a_build_that_fails_ends_all_workers(_room, _build):
    begun = threading.Barrier(2, timeout=600)

    def build(key):
        begun.wait()
        if key == "larger":
            raise Wrong("no such module")
        expect(False, "nothing of the other one", key)

    try:
        with Children().pool(4) as pool, lines(io.StringIO()) as said:
            do_all(pool, 4, Queue({"small": 1, "larger": 100}, []), said, build, str)
        expect(False, "an error")
    except (Wrong, AssertionError) as wrong:
        expect("no such module" in str(wrong) or "nothing of the other" in str(wrong), "its error", wrong)


def what_is_built_is_said_while_nothing_else_is(_room, _build):
    """Without a terminal: once QUIET has passed, and each time later than the time before."""
    out, before = io.StringIO(), regress_queue.QUIET
    regress_queue.QUIET = 0.01
    try:
        with lines(out, 2, 5) as said:
            said.begin("k2_n9")
            until(lambda: "k2_n9" in out.getvalue(), "a line")
            expect("builds k2_n9 since " in out.getvalue(), "what is built", out.getvalue())
            expect("2 builds and 5 runs to come\n" in out.getvalue(), "what is left", out.getvalue())
            expect(said.wait > regress_queue.QUIET, "the next line to come later", said.wait)
            said.building["k2_n9"] -= 30
            said.built("k2_n9")
            expect("built k2_n9 in 30 s, 1 build left\n" in out.getvalue(), "how many are left", out.getvalue())
            said.ran("PASS")
            expect(said.wait == regress_queue.QUIET, "a new measure of patience", said.wait)
    finally:
        regress_queue.QUIET = before


def logs_and_results_are_named_for_what_ran(_room, build):
    """A run without SEED= has the seed of its scenario, and the results of another call stay."""
    logs = build / "regress"
    wanted = [logs / name for name in ("deadlock_ring5-1.log", "junit-deadlock_ring5.xml", "deadlock_ring5_traffic.length=1-1.log",
                                       "junit-deadlock_ring5_traffic.length=1.xml", "deadlock_ring5-rules-1.log",
                                       "junit-deadlock_ring5-rules.xml")]
    for path in [*wanted, logs / "junit.xml", *logs.glob("*-None.log")]:
        path.unlink(missing_ok=True)
    for words in ([], ["--mode", "rules"], ["--set", "traffic.length=1"]):
        _, said = call(build, "--scenario", "deadlock_ring5", *words)
        expect(said[0].startswith("2 builds and 1 run in "), "what will be done", said)
    expect(all(path.exists() for path in wanted), "all logs and results", [str(path) for path in wanted if not path.exists()])
    expect(not [*logs.glob("*-None.log"), *logs.glob("junit.xml")], "no log without a seed", "")
    names = [case.get("name") for case in xml.parse(wanted[1]).iter("testcase")]
    expect(names == ["deadlock_ring5 seed 1"], "the seed that it had", names)


def logs_of_other_calls_stay(_room, _build):
    """Mode, DUT= and `make waves` are in the name of a log, in the order in which they are in that of the page."""
    run = regress.Run(Path("sim/scenarios/ring.yaml"), 3, settings=("network.k=4",))
    switch = "rtl/switch/anl_cube_switch.sv"
    for mode, replaced, waves, name in (("exact", "", False, "ring_network.k=4-3"), ("rules", "", False, "ring_network.k=4-rules-3"),
                                        ("exact", switch, False, "ring_network.k=4-anl_cube_switch-3"),
                                        ("links", switch, True, "ring_network.k=4-links-anl_cube_switch-3-waves"),
                                        ("exact", "", True, "ring_network.k=4-3-waves")):
        options = SimpleNamespace(logs=Path("b"), mode=mode, dut=replaced, waves=waves)
        log = regress.log_of(options, run)
        expect(log == Path(f"b/{name}.log"), name, log)


def a_run_ends_alike_alone_and_in_its_suite(_room, _build):
    """The command that replays a run names its scenario and settings, but not the suite that says how it must end."""
    listed = [run for name in suite_names() for run in regress.read_suite(name)]
    ends = {(run.scenario, run.settings): run.end for run in listed if run.end}
    expect(len(ends) > 10, "runs that do not end whole", ends)
    for (scenario, settings), end in [*ends.items(), ((listed[0].scenario, ("run.cycles=7",)), "")]:
        options = SimpleNamespace(set=" ".join(settings), scenario=str(scenario), seed="", time=None, golden=False)
        alone = regress.choose_runs(options)[0]
        expect(alone.end == end, f"{scenario} {settings}: {end}", alone)


def refused(name, words):
    """Expects that there is no such suite, for a reason with these words."""
    try:
        runs = regress.read_suite(name)
    except Wrong as wrong:
        expect(words in str(wrong), words, wrong)
    else:
        raise AssertionError(f"{name}: found {runs}, expected a refusal with {words}")


def suites_may_be_anywhere(room, _build):
    """A suite at a path names scenarios of ours, and others from where make runs or from its own folder."""
    folder = Path(room) / "mine"
    folder.mkdir(parents=True)
    (folder / "net.yaml").write_text("network: {topology: mesh, k: 2, n: 1}\n")
    ours = next(scenarios())
    listed = folder / "nightly.suite"
    listed.write_text(f"\ufeff{ours.stem} 1-2  # ours\nnet.yaml 3 stalls switch.depth=2\n{ours} 4\n")
    runs = [(run.scenario, run.seed, run.end, run.settings) for run in regress.read_suite(str(listed))]
    wanted = [(ours, 1, "", ()), (ours, 2, "", ()), (folder / "net.yaml", 3, "stalls", ("switch.depth=2",)), (ours, 4, "", ())]
    expect(runs == wanted, wanted, runs)
    listed.write_text("net.yaml 1-2 switch.depth=2 switch.arbiter=each\n")
    runs = [(run.seed, run.settings) for run in regress.read_suite(str(listed))]
    wanted = [(seed, ("switch.depth=2", f"switch.arbiter={arbiter}")) for arbiter in ARBITERS for seed in (1, 2)]
    expect(runs == wanted, wanted, runs)
    for text, said in (("# none\nnothing.yaml 1\n", f"{listed}:2: SCENARIO=nothing.yaml"),
                       ("net.yaml 3-1\n", f"{listed}:1: seeds '3-1'"), ("net.yaml\n", f"{listed}:1: expected"), ("# none\n", "names no scenario")):
        listed.write_text(text)
        refused(str(listed), said)
    refused("mine/nightly", "or a path")


def names_may_have_blanks(_room, build):
    """In what is given to make, as in DUT=: a program gets it as one word."""
    for target, variable, option in (("regress", "SCENARIO", "--scenario "), ("regress", "REGRESS", "--regress "), ("regress", "SET", "--set="),
                                     ("functional", "SCENARIO", "--scenario "), ("fpga-image", "SCENARIO", "--scenario ")):
        said = subprocess.run(["make", "-n", "--no-print-directory", f"BUILD={build}", target, f"{variable}=my nets/it's.yaml"],
                              capture_output=True, text=True, check=False).stdout
        expect(f"{option}'my nets/it'\\''s.yaml'" in said, f"{variable}= of make {target} as a word", said[-600:])


def what_the_rtl_prints_is_in_the_log(_room, _build):
    """Between the verdict and the report nothing stands, and the report says where it is."""
    report = "FIRST DIFFERENCE in cycle 2 at link 0(0).T: flit\n  expected  a\n  seen      b\n            c\n  replay    make regress\n"
    said, after = "".join(f"  t={n} grant\n" for n in range(80)), "final: 3 flits\n"
    for text, wanted in ((report, report), (said + report + after, f"{report}  output    81 lines of other output in x.log\n"),
                         (report + "one\n", f"{report}  output    1 line of other output in x.log\n"), ("", "")):
        seen = regress.report_in(text + '{"pass": false}\n', "x.log")
        expect(seen == wanted, wanted, seen)
    seen = regress.report_in(said + "Segmentation fault\n", "x.log")
    expect(seen.startswith("  t=60 grant\n") and seen.endswith("  t=79 grant\n  output    60 lines of other output in x.log\n"),
           "the last lines of a run that leaves no report", seen)


def registers_are_counted_where_they_are_watched(_room, _build):
    """Of lanes it is said that they were full, or bound, only if registers are compared, which say so."""
    def run(**more):
        return SimpleNamespace(result={"lanes": 8, **more})
    said = regress.coverage_of([run(lanes_full=4, lanes_bound=2)])
    expect(said == "8 lanes used: 50 % were full at some time, 25 % were bound at some time", "shares", said)
    expect(regress.coverage_of([run(), run()]) == "16 lanes used", "the number alone", regress.coverage_of([run(), run()]))


def run_with(scenario, kind, times, own=False, **more):
    return regress.Run(Path(f"{scenario}.yaml"), 1, result={"ways": {kind: {"own": own, "times": times}}}, **more)


def ways_that_no_head_takes_are_named(_room, _build):
    """Those of a kind of networks are added up, a table stands alone, drawn networks do not count, and of a run that ends in a
    deadlock nothing is asked."""
    mesh, table = "mesh n=2 west_first", "graph table"
    taken = ways.ways_of([run_with("a", mesh, {"-0 -1 by -0": 0, "+0 by +0": 2}), run_with("b", mesh, {"+0 by +0": 1}),
                          run_with("c", table, {"0 for T1 by 2": 0}, True), run_with("d", table, {"0 for T1 by 2": 3}, True),
                          run_with("e", mesh, {"-1 by -1": 0, "+1 by +1": 5}, end="stalls"),
                          run_with("f", mesh, {"-0 -1 by -0": 9}, drawn=True), regress.Run(Path("g.yaml"), 1)])
    expect(taken == {mesh: {"-0 -1 by -0": 0, "+0 by +0": 3, "+1 by +1": 5}, "graph table of c": {"0 for T1 by 2": 0},
                     "graph table of d": {"0 for T1 by 2": 3}}, "sums", taken)
    said = list(ways.lines_of(taken))
    expect(said == ["ways taken: table 1 of 2, west_first 2 of 3", "not taken in graph table of c, 1 of 1: 0 for T1 by 2",
                    "not taken in mesh n=2 west_first, 1 of 3: -0 -1 by -0"], "what is missing", said)
    suite = Suite("ways")
    ways.judge(suite, taken)
    expect((suite.passed, suite.failed) == (1, 2), "a failure for each table and kind", (suite.passed, suite.failed))


def some_suites_must_take_every_way(_room, _build):
    """But not a scenario alone, nor other seeds, nor the networks that have a switch of the user's."""
    one = SimpleNamespace(regress="default", scenario="", seed="", dut="", golden=False)
    expect(regress.must_take_every_way(one), "the default suite", one)
    for name, value in (("regress", "smoke"), ("scenario", "ring8_uniform"), ("seed", "1"), ("dut", "a.sv"), ("golden", True)):
        other = SimpleNamespace(**{**vars(one), name: value})
        expect(not regress.must_take_every_way(other), f"no other call: {name}", other)
    expect(all(parts_of(name) for name in ways.COVERED), "suites", ways.COVERED)


def policies(build, name):
    """Returns {what a network is made of, its choices}, numbers of lanes, and depths, of the networks of a suite."""
    choices = ("Topology", "Routing", "Select", "Atomic", "Arbiter", "FlowControl", "LengthInHead")
    runs = regress.read_suite(name)
    words = [word for run in runs for word in run.words]
    said = subprocess.run([build / "lockstep/params", *words], capture_output=True, text=True, check=True).stdout
    sets = [dict(re.findall(r"_([A-Z][A-Za-z]*)(\d+)", line.split()[0]), family=line.partition("_K")[0]) for line in said.splitlines()]
    return ({(one["family"], *map(one.get, choices), "CreditBypass" in one and "Wide" not in one) for one in sets}, {one.get("NumVcs") for one in sets},
            {one.get("Depth") for one in sets}), [int(line.split()[1]) for line in said.splitlines()]


def the_default_suite_has_a_switch_with_most_ports(_room, build):
    """Its lanes share the links: who may go to a port is a set, which is a number, and the last port is its highest bit."""
    most = 0
    for run in regress.read_suite("default"):
        said = subprocess.run([build / "annelid", "describe", *run.words], capture_output=True, text=True, check=True).stdout
        most = max(most, 0 if " wide" in said else int(re.search(r"switch(?:es)? of (\d+) ports", said)[1]))
    expect(most == 32, "a switch with 32 ports", most)


def suites_say_how_a_run_ends(_room, _build):
    """A run of a suite, and the same one by its name, ends as the suite says."""
    ends = {run.name: run.end for run in regress.read_suite("roberts_symvonis")}
    expect(ends["bufferless4_early"] == "faults" and ends["bufferless4_rotate"] == "", "a fault in one of them", ends)
    options = SimpleNamespace(set="", scenario="bufferless4_early", time=None, golden=False, dut="", seed="")
    runs = regress.choose_runs(options)
    expect([run.end for run in runs] == ["faults"], "a fault", runs)
    expect({run.end for run in regress.read_suite("standard")} == {"", "stalls"}, "deadlocks", "")
    ours = {run.name: run.end for run in regress.read_suite("cole_maggs_sitaraman")}
    expect(list(ours.values()).count("unblocked") == 2, "two schedules in which nobody waits", ours)
    expect(set(regress.EXPECT) == {"stalls", "faults", "unblocked"}, "an option for each", regress.EXPECT)


def the_default_suite_has_each_policy_of_the_standard_suite(_room, build):
    """On small networks; and make regress runs it, while what signs off names the standard suite."""
    (small, sizes), (wanted, _) = policies(build, "default"), policies(build, "standard")
    for what, ours, theirs in zip(("policies", "numbers of lanes", "depths"), small, wanted):
        expect(ours >= theirs, f"all {what}", theirs - ours)
    expect(max(sizes) <= 25, "small networks", max(sizes))
    expect(f"{chr(10)}REGRESS ?= default{chr(10)}" in Path("tb/tb.mk").read_text(), "make regress to run it", "")
    rows = Path("tb/campaigns/report/rows.toml").read_text()
    expect('"regress REGRESS=standard"' in rows and '"regress REGRESS=standard MODE=rules"' in rows, "the standard suite", rows)


# Keys whose edges are no edges of one network: how large networks are, and the grid of sliding diagonals.
SIZES = ("network.k", "network.n", "network.radix", "network.concentration", "switch.a", "switch.b", "switch.c")
WITHOUT_RTL = ("valiant", "least")
SECTIONS = ("network", "switch", "traffic")


def wanted_of(key):
    """Returns the values of a key that some run must have: each policy, each number of lanes, and of other numbers the lowest two
    and the highest one."""
    numbers = re.match(r"(\d+)\.\.(\d+)", key.range)
    if key.values or not numbers:
        return [value for value in key.values if value not in WITHOUT_RTL]
    low, high = int(numbers[1]), int(numbers[2])
    if key.name in SIZES or not key.name.startswith("switch."):
        return []
    return [str(value) for value in (range(low, high + 1) if key.name == "switch.num_vcs" else sorted({low, low + 1, high}))]


def fallback_of(key, said):
    """Returns the value of a key that a scenario does not name, as far as the text of the default says it."""
    for part in key.fallback.split("; "):
        condition, _, value = part.rpartition(": ")
        if not condition or condition == "others" or {one for values in said.values() for one in values} & set(condition.split()):
            return value if value.isidentifier() or value.isdigit() else ""
    return ""


def values_of(run, keys):
    """Returns {key: values} of a run: several where classes of messages have their own."""
    text = re.sub(r"#.*", "", run.scenario.read_text())
    sections = {name: body for name, body in re.findall(r"^(\w+):(.*(?:\n\s+.*)*)", text, re.MULTILINE)}
    settings = dict(setting.split("=", 1) for setting in run.settings)
    said = {}
    for key in keys:
        section, name = key.name.split(".")
        named = re.search(rf"\b{name}:\s*(\[[^\]]*\]|[^,}}\s]+)", sections.get(section, ""))
        value = settings.get(key.name, named[1] if named else fallback_of(key, said))
        said[key.name] = set(re.findall(r"[^\s,\[\]]+", value))
    return said


def suites_have_each_policy_and_each_edge(_room, build):
    """Of all keys that describe a network and its traffic, as the command lists them."""
    said = subprocess.run([build / "annelid", "describe", "--keys"], capture_output=True, text=True, check=True).stdout
    keys = [key for key in read_keys(said) if key.name.startswith(SECTIONS)]
    wanted = [(key.name, value) for key in keys for value in wanted_of(key)]
    expect(len(wanted) > 100, "policies and edges", wanted)
    for name in ("default", "standard"):
        runs = [values_of(run, keys) for run in regress.read_suite(name)]
        missing = [f"{key}={value}" for key, value in wanted if not any(value in run[key] for run in runs)]
        expect(not missing, f"a run of the {name} suite for each", missing)


def fake_run(name, seed, reason="", report=""):
    run = regress.Run(Path(f"sim/scenarios/{name}.yaml"), seed, reason=reason, log=Path("b/regress") / f"{name}-{seed}.log")
    run.result = dict(seed=seed, cycles=12345, flits=7, worms=1, rtl_digest="abc", report=report)
    return run


def the_page_has_what_a_failure_needs(room, _build):
    """The runs that failed come first, with report, commands, and where the waves will be; links are relative."""
    report = ("FIRST DIFFERENCE in cycle 7 at link <b>\n  replay    make regress SCENARIO=bad SEED=2\n"
              "  waves     make waves SCENARIO=bad SEED=2 AT=7\n")
    runs = [fake_run("good", 1), fake_run("bad", 2, "flit <b> in cycle 7", report)]

    class Options:
        build, worm, dut, mode = Path("b"), "", "", "exact"

    expect(regress.waves_after(Options, runs[0]) is None, "no waves of a run that passed", "")
    text = page_of(Path("b/regress/list.html"), "Regression <list>", "2 of list & more", runs,
                   lambda run: regress.waves_after(Options, run))
    page = xml.fromstring(text.replace("<!doctype html>", "").replace('<meta charset="utf-8">', ""))  # it is well formed
    words = ["".join(one.itertext()) for one in page.iter("tr")]
    expect(words[1].startswith("FAILbad2") and words[2].startswith("PASSgood112,345"), "what failed first", words)
    links = {one.get("href") for one in page.iter("a")}
    expect(links == {"#bad-2", "bad-2.log", "good-1.log", "../waves/bad-seed2-at7/bad-seed2-at7.gtkw"}, "links", links)
    expect([one.text for one in page.iter("h3")] == ["bad seed 2"] and page.find(".//h3").get("id") == "bad-2", "its place", text)
    codes = [one.text for one in page.iter("code")]
    expect(codes[:2] == ["make regress SCENARIO=bad SEED=2", "make waves SCENARIO=bad SEED=2 AT=7"], "the commands", codes)
    expect(page.find(".//pre").text == report, "the report", text)
    expect("1 passed, 1 failed" in text and "2 of list &amp; more" in text, "the sum", text)


def a_regression_leaves_its_page(_room, build):
    page = build / "regress/deadlock_ring5.html"
    page.unlink(missing_ok=True)
    _, said = call(build, "--scenario", "deadlock_ring5", "--seed", "1-2")
    expect(str(page) in said and page.read_text().count(">PASS<") == 2, "its page, and its name", said)


def runs_with_other_lanes_stand_beside_each_other(_room, _build):
    """Runs that failed, and those that differ in more than their lanes, do not."""
    def done(cycles, settings, reason=""):
        return regress.Run(Path("net.yaml"), 1, settings=settings, reason=reason, result={"seed": 1, "cycles": cycles})

    depth, two, three = "switch.depth=2", "switch.num_vcs=2", "switch.num_vcs=3"
    runs = [done(45, ()), done(16, (two,)), done(40, (depth,)), done(10, (three,), "stalled"), done(8, (depth, two))]
    told = list(regress.gains_of(runs))
    expect(told == [f"net.yaml {two} seed 1: 16 cycles where net.yaml seed 1 has 45, 2.81 times as fast",
                    f"net.yaml {depth} {two} seed 1: 8 cycles where net.yaml {depth} seed 1 has 40, 5.00 times as fast"],
           "how many times as fast", told)


def a_digest_changes_only_for_a_reason(room, _build):
    """The digests that change are named with the old and the new one, and kept with the reason. New runs need none, and what was
    not run stays."""
    digests, changes = room / "digests.txt", room / "changes.txt"

    def update(made, reason=""):
        """Returns what is printed, and what is refused."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                golden.update(made, reason, digests, changes)
            except Wrong as wrong:
                return out.getvalue(), str(wrong)
        return out.getvalue(), ""

    first = {("mesh", 1): "aaaa", ("mesh network.k=2", 10): "bbbb"}
    expect(update(first) == ("new digest      mesh 1: aaaa\nnew digest      mesh network.k=2 10: bbbb\n", ""), "two new runs", first)
    expect(update(first) == ("", "") and not changes.exists(), "nothing to say of the same digests", digests.read_text())
    said, refused = update({("mesh", 1): "cccc", ("ring", 1): "dddd"}, " \n")
    expect("REASON=" in refused and "digest changes  mesh 1: aaaa -> cccc\n" in said, "a change without a reason refused", said + refused)
    expect(golden.read(digests) == first, "nothing written then", digests.read_text())
    said, refused = update({("mesh", 1): "cccc", ("ring", 1): "dddd"}, "switch: a head waits\n longer")
    expect(not refused and golden.read(digests) == first | {("mesh", 1): "cccc", ("ring", 1): "dddd"}, "all digests", digests.read_text())
    update({("ring", 1): "eeee"}, "traffic: other worms")
    expect(changes.read_text() == "switch: a head waits longer\n  mesh 1: aaaa -> cccc\n"
           "traffic: other worms\n  ring 1: dddd -> eeee\n", "both reasons", changes.read_text())


def golden_digests_are_those_of_the_suites(_room, _build):
    """make golden makes each run that must have a digest, and a digest belongs to a run of some suite."""
    made = {(run.name, run.seed) for run in regress.suite_runs(SimpleNamespace(golden=True, logs=Path("b"), regress="standard"))}
    needed = {(run.name, run.seed) for name in regress.PINNED for run in regress.read_suite(name)}
    listed = {(run.name, run.seed) for run in regress.every_run()}
    expect(made >= needed, "all runs that need a digest", needed - made)
    expect(golden.read().keys() <= listed, "runs of the suites alone", golden.read().keys() - listed)


TESTS = [a_network_by_switches_is_the_whole_one, every_mode_is_the_same_both_ways, links_that_never_come_to_rest_are_named,
         waves_are_the_same_both_ways, large_networks_are_put_together, the_smallest_comes_first_and_then_the_largest, a_run_waits_for_all_its_parts, a_program_runs_while_others_are_built,
         a_build_that_fails_ends_all_workers, what_is_built_is_said_while_nothing_else_is,
         logs_and_results_are_named_for_what_ran, logs_of_other_calls_stay,
         what_the_rtl_prints_is_in_the_log, registers_are_counted_where_they_are_watched,
         ways_that_no_head_takes_are_named, some_suites_must_take_every_way,
         suites_say_how_a_run_ends, suites_may_be_anywhere, names_may_have_blanks, a_run_ends_alike_alone_and_in_its_suite,
         the_default_suite_has_each_policy_of_the_standard_suite, the_default_suite_has_a_switch_with_most_ports,
         suites_have_each_policy_and_each_edge,
         the_page_has_what_a_failure_needs, runs_with_other_lanes_stand_beside_each_other, a_regression_leaves_its_page,
         a_digest_changes_only_for_a_reason, golden_digests_are_those_of_the_suites]

if __name__ == "__main__":
    sys.exit(main("regress", TESTS, __doc__.splitlines()[2]))
