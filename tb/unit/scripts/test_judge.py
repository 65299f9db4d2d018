#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make judge: the commands and outputs of docs/judge.md, a router that is mended, and faults planted into it.

usage: tb/unit/scripts/test_judge.py BUILD JUNIT_FILE

FULL=1: the waves of a run are judged by themselves, too. Prints failures only; exit status 1 if any.
"""
import argparse
import contextlib
import functools
import io
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import judge, judge_styles, judged as table, planted
from annelid.children import Wrong
from annelid.sources import replaced
from annelid.surfer_check import wrong_commands

FULL = os.environ.get("FULL") == "1"
PAGE = Path("docs/judge.md")
ROUTER, WRAPPER = Path("docs/judge/my_router.sv"), Path("docs/judge/wrapper.sv")
LINKS, NETWORK = "docs/judge/links.yaml", "docs/judge/network.yaml"
PLUSARG = ("  int planted = 0;\n  initial void'($value$plusargs(\"planted=%d\", planted));\n"
           "  always @(posedge clk) assert (planted != 99);\n")
# What step 7 of the page mends: lines of the file, and what stands in their place.
MENDED = [("      if (kept[o] && count[keeper[o]] != 0) begin\n", "      if (kept[o]) begin\n"),
          ("      out_valid[o] = owned[o];\n", "      out_valid[o] = owned[o] && count[owner[o]] != 0;\n"),
          ("      if (owned[o]) begin\n", "      if (out_valid[o]) begin\n")]
FIRST = [("  logic [2:0] turn;\n", "  logic [2:0] turn;\n" + PLUSARG)]


def blocks(mark):
    """Returns the blocks of the page that begin with a mark."""
    return re.findall(rf"^```\w*\n({re.escape(mark)}.*?)^```", PAGE.read_text(), re.M | re.S)


def run(build, *words):
    seen = subprocess.run(["scripts/run", "judge", "--build", build, *map(str, words)], capture_output=True, text=True, check=False)
    return seen.returncode, seen.stdout, seen.stderr


def judged(build, router, *words):
    return run(build, "--dut", f"{router} {WRAPPER}", "--links", LINKS, "--scenario", NETWORK, *words)


@functools.cache
def mended(build):
    """Writes the router as the page mends it, with faults that a plusarg wakes. Returns its path."""
    path = Path(build) / "judge-mended/mended.sv"  # the same each time, and so is what is built of it
    path.parent.mkdir(exist_ok=True)
    text = ROUTER.read_text()
    for old, new in [*MENDED, *FIRST]:
        text = replaced(text, old, new, ROUTER)
    path.write_text(text)
    planted.plant(planted.of_scripts("judge"), lambda file: path, lambda number: f"planted == {number}")
    return path


def the_page_says_what_is_found(room, build):
    (command, *said), = [block.splitlines() for block in blocks("$ make judge DUT='docs/judge/my_router.sv")]
    expect(command == f"$ make judge DUT='{ROUTER} {WRAPPER}' LINKS={LINKS} SCENARIO={NETWORK}", "the command that is run here", command)
    report = room / "found.json"
    status, out, _ = judged(build, ROUTER, "--json", report, "--trace", room / "my.anlt")
    seen = [line for line in out.splitlines() if not line.startswith("  trace")]
    expect(status == 1 and seen == said, said, (status, out))
    found, = json.loads(report.read_text())
    expect((found["what"], found["cycle"], found["worm"], found["seed"]) == ("lane_shared", 105, 31, 1), "the same as JSON, and the seed", found)
    worms = subprocess.run([Path(build) / "annelid", "worms", room / "my.anlt"], capture_output=True, text=True, check=False)
    expect("35 created, 29 delivered" in worms.stdout, "a trace of the cycles before", worms)


def waves_say_the_same_by_themselves(_room, build):
    """A build of its own."""
    status, out, _ = judged(build, ROUTER, "--waves")
    command = shlex.split(re.search(r"; what they say by themselves: annelid (.*)$", out, re.M)[1])
    seen = subprocess.run([Path(build) / "annelid", *command], capture_output=True, text=True, check=False)
    lines, number = out.splitlines(), len("annelid: ")
    expect(status == 1 and seen.returncode == 1 and seen.stdout.splitlines()[:7] == lines[:7] and lines[0][number:].startswith("lane_shared in cycle 105"),
           lines[:7], seen)
    waves = Path(command[2])
    wrong = wrong_commands(waves.with_suffix(".sucl").read_text(), ["flit"])
    expect(not wrong and (waves.parent / ".surfer/decoders/flit/flit.toml").exists(), "what Surfer takes", wrong)


def what_the_page_mends_breaks_no_rule(_room, build):
    lines, = blocks("      if (kept[o]) begin")
    expect(lines == "".join(new for _, new in MENDED), "the lines that are mended here", lines)
    said, = blocks("judge: my_router: 5090")
    status, out, err = judged(build, mended(build))
    expect(status == 0 and [line.partition(": ")[2].partition(": ")[2] for line in out.splitlines() if line.startswith("judge: mended: ")]
           == [said.splitlines()[0].partition(": ")[2].partition(": ")[2]], said, (out, err))
    expect(said.splitlines()[1:] == out.splitlines()[-2:], said, out)


def lanes_that_are_never_used_are_named(room, build):
    said, = blocks("judge: lanes: 30")
    status, out, err = judged(build, mended(build), "--set", "traffic.pattern=transpose", "--json", room / "my.json")
    expect(status == 0 and out.splitlines()[-1] == said.strip(), said, (out, err))
    result = json.loads((room / "my.result.json").read_text())
    used, lanes = map(int, re.match(r"judge: lanes: (\d+) of (\d+)", said).groups())
    expect(json.loads((room / "my.json").read_text()) == [] and (result["lanes"], len(result["never"])) == (lanes, lanes - used), said, result)


def is_the_stall_of_the_page(out, report):
    """Says whether the first line is that of the page, and the list of reports begins with the same cycle."""
    said, = blocks("annelid: stalled since")
    found, = json.loads(report.read_text())
    since = re.match(r"annelid: stalled since cycle (\d+):", said)[1]
    return out.startswith(said) and found["cycle"] == found["stall"]["since"] == int(since) and found["stall"]["told"] == int(since) + 999


def each_fault_is_named(room, build):
    report = room / "found.json"
    for number, fault in enumerate(planted.of_scripts("judge"), 1):
        status, out, _ = judged(build, mended(build), "--plus", f"planted={number}", "--json", report, *(["--set", "run.seed=2"] if number == 1 else []))
        expect(json.loads(report.read_text())[0]["seed"] == (2 if number == 1 else 1), "the seed", report.read_text())
        named = is_the_stall_of_the_page(out, report) if fault["says"] == "stalled" else out.startswith(f"annelid: {fault['says']} in cycle")
        expect(status == 1 and named, fault["name"], out)
    status, out, err = judged(build, mended(build), "--plus", "planted=99", "--json", report)
    expect(status == 2 and "Assertion failed" in err and not report.with_suffix(".result.json").exists(), "an assertion of its own", (status, out, err))
    status, out, err = judged(build, mended(build), "--set", "traffic.load=0")
    expect(status == 2 and "have sent nothing" in err, "nothing that is known", (status, out, err))


def latency_is_shown_beside_the_model(_room, build):
    table, = [block for block in blocks("$ make judge DUT='mended/")]
    status, out, err = judged(build, mended(build), "--hesitation", "0", "--sweep")
    expect(status == 0 and out.splitlines() == table.splitlines()[1:], table, (out, err))
    status, out, err = judged(build, ROUTER, "--sweep")
    expect(status == 1 and re.search(r"^judge: my_router: load 0\.\d: lane_shared in cycle \d+$", out, re.MULTILINE), "a finding", (status, out, err))


def a_bug_is_planted_into_the_mended_router(room, _build):
    home = room / "copies"
    home.mkdir()
    (room / "router.sv").write_text("own error, sound\n")
    (room / "other.sv").write_text("kept\n")

    def router(**given):
        return judge.Router("small", [room / "router.sv", room / "other.sv"], None, None, **given)
    change = {"why": "a test", "file": room.name + "/router.sv"}
    mended, bug = change | dict(old="own error", new="mended"), change | dict(old="sound", new="broken")
    for one, text in [(router(bugs=[bug]), "own error, broken\n"), (router(mended=mended, bugs=[bug]), "mended, broken\n")]:
        judge.planted(one, 1, home)
        expect(one.files == [home / "router.sv", room / "other.sv"] and one.files[0].read_text() == text, text, one.files[0].read_text())
    one = router(mended=mended)
    judge.mend(one, home)
    expect(one.files[0].read_text() == "mended, sound\n", "the mended router", one.files[0].read_text())
    try:
        judge.mend(router(), home)
        expect(False, "MENDED=1 without anything to mend is wrong")
    except Wrong as wrong:
        expect(str(wrong) == "MENDED=1: there is nothing to mend in small", "what is said of it", wrong)


def each_open_router_is_described_whole(_room, _build):
    for name in judge.routers():
        said = judge.said_of(name)
        expect(set(said) <= judge.KEYS, f"{name}: keys that are read", set(said) - judge.KEYS)
        for row in [*said["bug"], *([said["mended"]] if "mended" in said else [])]:
            edits = planted.edits_of(dict(row), name)
            expect(all(edit.file in said["files"] for edit in edits), f"{name}: changes of its own files", edits)


def the_table_is_that_of_the_results(_room, _build):
    rows = json.loads(table.FOUND.read_text())
    expect(table.page(rows) == table.PAGE.read_text(), f"{table.PAGE} as written of {table.FOUND}", table.page(rows))
    expect(set(rows) <= set(judge.routers()), "rows of routers that are here", rows.keys())
    for name, row in rows.items():
        said = judge.said_of(name)
        expect(row["revision"] == said["revision"][:8], f"{name}: the revision that was tried", row["revision"])
        expect(("mended" in row) == ("mended" in said), f"{name}: a verdict for what is mended, and else none", row)
        for bug, found in zip(said["bug"], row["bugs"], strict=True):
            expect(found.split()[0] in bug["rules"], f"{name}: {bug['name']}: one of its rules", found)


TWO_SLOTS = Path("docs/checker/two_slots.sv")
OWN_LINKS = "style: ready_valid\nwidth: 5\nmarks: {head: 4, tail: 3}\nhead: {destination: {at: 0, width: 1}, number: {at: 1, width: 2}}\n"
ALONE = ("network: {topology: graph}\nswitch: {num_vcs: 1, depth: 2, routing: shortest}\ntraffic: {load: 0.5, length: [1, 3]}\n"
         "run: {cycles: 1000}\ngraph: {switches: 1, terminals: [0.0], links: []}\n")


def checkers_say_what_the_watch_says(room, build):
    """The router of docs/checker.md, which is ready when it is full, is alone with a terminal. If that takes whatever comes, nothing is wrong."""
    place = Path(build) / "judge-mended"  # the same each time, and so is what is built of it
    place.mkdir(exist_ok=True)
    (place / "two_slots.sv").write_text(replaced(TWO_SLOTS.read_text(), "int Here = 0,", "int Here = 0, K = 1,", TWO_SLOTS))
    links, network = room / "links.yaml", room / "network.yaml"
    network.write_text(ALONE)

    def checked(text, *words):
        links.write_text(text)
        return run(build, "--dut", f"{place / 'two_slots.sv'} -DHASTY", "--links", links, "--scenario", network, "--checkers", *words)
    said, = blocks("annelid: overflow in cycle 61")
    status, out, err = checked(OWN_LINKS)
    seen = out.splitlines()
    expect(status == 1 and [seen[0], "…", *(line for line in seen if line.startswith("judge: checker"))] == said.splitlines(), said, (out, err))
    status, out, err = checked(OWN_LINKS, "--hesitation", "0")
    expect(status == 0 and "checker" not in out and "lanes: 2 of 2 used" in out, "nothing", (out, err))
    for text, says in ((OWN_LINKS + "queues: outputs\n", "queues: outputs: the checker takes each input lane for one queue"),
                       (OWN_LINKS.replace("number: {at: 1, width: 2}}", "number: {at: 1, width: 1}}\nlane: {at: 2, width: 1}"), "lane: found a field of the flit"),
                       (OWN_LINKS.replace("marks: {head: 4, tail: 3}\n", ""), "found no marks, no type and no length in the head, expected")):
        status, out, err = checked(text)
        expect(status == 2 and f"links.yaml: {says}" in err and not out, says, (status, out, err))


def what_a_checker_says_alone_is_a_finding(_room, _build):
    line = "anl_switch_checker: withdrawn in cycle 9: a flit is offered no more; output port 1, lane 0, worm 2 (TOP.anl_judge.u_checker_{}.u_checker.g_say.say)"
    own = line.format(4).replace("u_checker_4.", "u_mine.")  # of a checker that the user has bound
    result, others = judge.result_of("\n".join(['{"good": true, "what": "", "worms": 1}', own, line.format(4)]))
    expect(not result["good"] and others == [own] and [one["switch"] for one in result["checkers"]] == [4], "what it says", (result, others))
    expect(judge.verdict(result) == "withdrawn in cycle 9, says the checker of switch 4 alone", "the verdict", judge.verdict(result))


def a_simulation_that_fails_behind_its_result_is_no_verdict(_room, _build):
    """As when the switch says an error at the end of the simulation: the result is there by then."""
    class Failing:
        def output(self, _command):
            return -6, '{"good": true, "what": ""}\n%Error: of my own\n'
    network = object.__new__(judge.Judge)
    network.children, network.program, network.room, network.router = Failing(), "judge", Path("room"), judge.Router("mine", [], LINKS, NETWORK)
    network.options = judge.options_of(argparse.Namespace(build=Path("build"), jobs=1))
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            expect(False, "a verdict of a simulation that failed", network.run())
    except Wrong as wrong:
        expect(str(wrong).startswith("the simulation ended with status -6:") and "of my own" in str(wrong), "what is said", wrong)


def what_is_built_has_a_folder_of_its_own(_room, _build):
    """Other files behind the first one, other folders, flags, networks, bugs and waves; but not the same files by other paths."""
    def name(files=(ROUTER, WRAPPER), bench="a", bug=0, mended=False, waves=False, **given):
        return judge.room_name(argparse.Namespace(bug=bug, mended=mended, waves=waves), judge.Router("my_router", list(files), LINKS, NETWORK, **given), bench)
    names = [name(), name([ROUTER, PAGE]), name(include=[WRAPPER.parent]), name(flags=["-DX"]), name(bench="b"), name(bug=1), name(mended=True), name(waves=True)]
    expect(len(set(names)) == len(names) and all(one.startswith("my_router-") for one in names), "names that differ", names)
    expect(name([path.absolute() for path in (ROUTER, WRAPPER)]) == names[0], names[0])


def networks_are_drawn_behind_each_style(_room, build):
    """Each fits, and the same seed draws the same ones. One of two switches is run."""
    first, again = (list(itertools.islice(judge_styles.drawn(3), 5)) for _ in range(2))
    expect(first == again and [draw.style for draw in first] == list(judge.STYLES), "the same draws, a style each", first)
    expect(all(judge_styles.fits(draw.style, draw.scenario) for draw in first), "draws that fit", first)
    words = [sys.executable, "scripts/run", "judge-styles", "--build", build, "--only", "ready_valid", "--first", "2", "--draws", "2", "--seed", "3"]
    seen = subprocess.run(words, capture_output=True, text=True, check=False)
    expect(seen.returncode == 0 and re.search(r"^PASS  draw 2: ready_valid, .* \d+ flits, \d+ worms, .*: no rule broken$", seen.stdout, re.MULTILINE)
           and seen.stdout.endswith("1 passed, 0 failed\n"), "a draw that passes", seen)
    seen = subprocess.run([*words, "--only", "nothing"], capture_output=True, text=True, check=False)
    expect(seen.returncode == 2 and "no style nothing" in seen.stderr, "a refusal", seen)
    for first in ("0", "4"):
        seen = subprocess.run([*words, "--first", first], capture_output=True, text=True, check=False)
        expect(seen.returncode == 2 and f"--first {first}: expected a number from 1" in seen.stderr, "another refusal", seen)


def what_is_wrong_is_said(room, build):
    plain = room / "plain.sv"
    plain.write_text("module foo; endmodule\n")
    bad = room / "bad.yaml"
    bad.write_text("style: ready_valid\nwidth: 32\nhead: {x: {at: 31, width: 2}}\n")
    sources = "--sources", room
    for words, says in [
            ((), "expected ROUTER=name SOURCES=folder, or DUT="),
            (("--dut", plain), "defines foo; a module anl_judged_router expected"),
            (("--dut", f"{ROUTER} {WRAPPER}"), "DUT= needs LINKS=description.yaml and SCENARIO=network.yaml"),
            (("--dut", f"{ROUTER} {WRAPPER}", "--links", bad, "--scenario", NETWORK), "bad.yaml:1: x: found wires above the width"),
            (("--dut", f"{ROUTER} {WRAPPER}", "--links", LINKS, "--scenario", "no.yaml"), "no.yaml: No such file"),
            (("--router", "nobody", *sources), "ROUTER=nobody: expected one of "),
            (("--router", "openpiton_dynamic_node"), "needs SOURCES=folder, a checkout of PrincetonUniversity/openpiton"),
            (("--router", "openpiton_dynamic_node", *sources), "is to be a checkout of PrincetonUniversity/openpiton")]:
        status, out, err = run(build, *words)
        expect(status == 2 and says in err and not out, says, (status, out, err))
    seen = subprocess.run(["make", "-s", f"BUILD={build}", "regress", f"DUT={ROUTER} {WRAPPER}", "SCENARIO=mesh3_complement"],
                          capture_output=True, text=True, check=False)
    expect(seen.returncode != 0 and "make judge takes it" in seen.stdout + seen.stderr, "another command", seen)


TESTS = [the_page_says_what_is_found, what_the_page_mends_breaks_no_rule, each_fault_is_named, latency_is_shown_beside_the_model,
         a_bug_is_planted_into_the_mended_router, each_open_router_is_described_whole, the_table_is_that_of_the_results,
         checkers_say_what_the_watch_says, what_a_checker_says_alone_is_a_finding,
         lanes_that_are_never_used_are_named, what_is_built_has_a_folder_of_its_own,
         a_simulation_that_fails_behind_its_result_is_no_verdict,
         networks_are_drawn_behind_each_style, what_is_wrong_is_said]
TESTS += [waves_say_the_same_by_themselves] * FULL

if __name__ == "__main__":
    sys.exit(main("judge", TESTS, __doc__.splitlines()[2]))
