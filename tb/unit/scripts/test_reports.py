#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports for programs: what the lock-step, the referee and a regression say in JSON is what they print, for good runs and for
findings of many kinds. (Those of a watch: tb/unit/live.)

usage: tb/unit/scripts/test_reports.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main, until
from annelid import reports
from annelid.children import Wrong
from annelid.sources import changed
from report_text import text

MESH, RING = "sim/scenarios/mesh3_complement.yaml", "sim/scenarios/deadlock_ring5.yaml"
EARLY = "papers/roberts_symvonis/scenarios/bufferless4_early.yaml"
COMMANDS = ("replay", "waves")


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


def lines_of(found):
    return [line for report in found for line in text(report)]


def whole(report):
    """Expects all members that docs/lockstep.md lists."""
    page = Path("docs/lockstep.md").read_text().partition("## Reports for programs")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    expect(set(listed) == set(reports.MEMBERS) | {"run"}, "the members in the table of the page", listed)
    expect(set(report) - {"run"} == set(reports.MEMBERS), "all members", report.keys())


# --- the referee ---

# What is done to the first line of a flit that fits, and the rule that it breaks.
SPOILED = (("split_worm", r"^(flit 4 93) 0 B", r"\1 1 B"),
           ("out_of_order", r"^(flit 4 93 0 B 0) 4", r"\1 5"), ("broken_path", r"^flit 3 53 0 H", "flit 3 33 0 H"),
           ("undelivered", r"^flit 79 19 1 T 26 7\nend 80 1232", "end 80 1231"))


def traces(room, build):
    """Writes a good trace, and those that are spoiled. Returns {rule: path}, "" of the good one."""
    good = room / "good.txt"
    run(build / "annelid", "run", "sim/scenarios/mesh4_uniform.yaml", "--set", "run.cycles=60", "--trace", good)
    paths = {"": good}
    for rule, old, new in SPOILED:
        said, times = re.subn(old, new, good.read_text(), count=1, flags=re.MULTILINE)
        expect(times == 1, f"a line for {rule}", old)
        paths[rule] = room / f"{rule}.txt"
        paths[rule].write_text(said)
    return paths


def check_says_what_it_prints(room, build):
    for rule, path in traces(room, build).items():
        words = [build / "annelid", "check", "--no-digest", path]
        plain, seen = run(*words, "--quiet"), run(*words, "--json")
        found = json.loads(seen.stdout)
        expect(plain.returncode == seen.returncode == bool(rule), "the exit status", (rule, plain, seen))
        expect(lines_of(found) == plain.stdout.splitlines(), plain.stdout, found)
        expect([report["what"] for report in found] == ([rule] if rule else []), rule, found)
        for report in found:
            whole(report)
            expect(report["commands"]["replay"] == f"annelid check --no-digest {path}", "the command", report)
            again = run(*report["commands"]["replay"].replace("annelid", str(build / "annelid"), 1).split())
            expect(again.stdout == plain.stdout, "the same again", again)


def a_report_has_the_place_and_the_worm(room, build):
    path = traces(room, build)["split_worm"]
    report, = json.loads(run(build / "annelid", "check", "--no-digest", "--json", path).stdout)
    expect(report["cycle"] == 4 and report["seed"] == 1 and report["worm"] == 0, "cycle, seed and worm", report)
    expect(report["worms"] == [dict(worm=0, source=13, destination=2, length=8, flit=4)], "the worm", report["worms"])
    expect(report["place"]["number"] == 93 and report["place"]["lane"] == 1 and report["place"]["switch"] is None, "the place",
           report["place"])


def several_traces_give_one_list(room, build):
    paths = traces(room, build)
    seen = run(build / "annelid", "check", "--no-digest", "--json", *paths.values())
    found = json.loads(seen.stdout)
    expect([report["what"] for report in found] == [rule for rule in paths if rule], "all of them", found)
    expect([report["file"] for report in found] == [str(path) for rule, path in paths.items() if rule], "their files", found)
    seen = run(build / "annelid", "check", "--no-digest", "--json", room / "none.txt", paths["split_worm"])
    expect(seen.returncode == 2 and "none.txt" in seen.stderr and len(json.loads(seen.stdout)) == 1, "the others", seen)


def run_says_what_its_referee_found(_room, build):
    for path, rule in ((MESH, "none"), (EARLY, "no_idle")):
        words = [build / "annelid", "run", "--referee", path]
        plain, seen = run(*words), run(*words, "--json")
        result = json.loads(seen.stdout)
        said = re.search(r"^referee +(.*)$", plain.stdout, re.MULTILINE)[1]
        expect(seen.returncode == plain.returncode == (rule != "none"), "the exit status", seen)
        expect(result["rule_broken"] == rule, rule, result)
        expect([report["what"] for report in result["reports"]] == [rule] * (rule != "none"), rule, result)
        expect(said == (result["reports"][0]["seen"] if result["reports"] else "no rule broken"), said, result)
        for report in result["reports"]:
            whole(report)
    expect("reports" not in json.loads(run(build / "annelid", "run", "--json", MESH).stdout), "no list without a referee")


# --- the lock-step ---

def regress(build, *words):
    return run(sys.executable, "scripts/run", "regress", "--build", build, *words)


def built(build, scenario, mode="exact"):
    """Builds the switches of a scenario, and returns the program."""
    seen = regress(build, "--scenario", scenario, "--mode", mode)
    expect(re.search(r"^(PASS|FAIL) ", seen.stdout, re.MULTILINE), "a run", seen)
    return build / "rtl/parts/lockstep"


def expect_same(program, *words):
    """Expects that a run prints its report just as its JSON says. Returns the report, or None."""
    seen = run(program, "--json", *words)
    *printed, last = seen.stdout.splitlines()
    found = json.loads(last)["reports"]
    expect(lines_of(found) == printed and len(found) <= 1, "what the JSON says", (printed, found))
    for report in found:
        whole(report)
        expect(set(report["commands"]) <= set(COMMANDS) and "replay" in report["commands"], "commands", report)
    return found[0] if found else None


# What is falsified, and what differs then in exact mode.
TAMPERED = (("drop@30", "flit"), ("add@30", "flit"), ("lane@30", "flit"), ("head@30", "flit"), ("tail@30", "flit"), ("data@30", "flit"),
            ("sink@30", "flit handed out"), ("state@30", None))


def a_difference_says_what_it_prints(_room, build):
    program = built(build, MESH)
    expect(expect_same(program, MESH) is None, "a good run without a report")
    for tamper, what in TAMPERED:
        report = expect_same(program, "--tamper", tamper, MESH)
        expect(report["from"] == "lock-step" and report["cycle"] >= 30 and report["file"] == MESH, tamper, report)
        expect(what is None or what in report["what"], what, report)
        expect(report["commands"]["replay"] == "make regress SCENARIO=mesh3_complement SEED=1", "the command", report)
        if report["worm"] is not None and report["worms"]:
            expect(report["worms"][0]["worm"] == report["worm"] and report["worms"][0]["length"] == 2, "the worm", report)


def rules_say_what_they_print(_room, build):
    program, seen = built(build, MESH, "rules"), {}
    for tamper in ("drop@30", "data@30", "add@30", "lane@30"):
        report = expect_same(program, "--mode", "rules", "--tamper", tamper, MESH)
        seen[report["what"]] = report
        expect(report["waits"] is None or report["waits"]["before"], "the chain of the cycle before", report)
    expect("made_up_flit" in seen and any(report["rule"] for report in seen.values()), "flits made up, and rules", seen)


def a_deadlock_says_what_it_prints(_room, build):
    report = expect_same(built(build, RING), RING)
    expect(report["what"] in ("deadlock", "stalled") and len(report["deadlock"]["circle"]) == 6, "a deadlock of five", report)
    expect(report["deadlock"]["cycle"] == 2 and len(report["worms"]) == 5, "its cycle and its worms", report)
    expect({worm["length"] for worm in report["worms"]} == {32}, "what is known of them", report)
    expect(expect_same(build / "rtl/parts/lockstep", "--expect-stall", RING) is None, "no report of what was expected")


def an_assertion_says_what_it_prints(room, build):
    """Of a switch whose own check fails."""
    mine = room / "mine.sv"
    check = "  always_ff @(posedge clk_i) if (!rst_i && valid_i[0]) $error(\"the first \\\"flit\\\" came\");\n"
    mine.write_text(changed("rtl/switch/anl_cube_switch.sv", "\nendmodule", f"\n{check}endmodule"))
    found = room / "found.json"
    seen = regress(build, "--scenario", MESH, "--dut", mine, "--json", found)
    report, = json.loads(found.read_text())
    expect(seen.returncode == 1 and report["what"] == "assertion" and "came" in report["seen"], "the assertion", seen)
    expect("\n".join(text(report)) in seen.stdout, "what is printed", (text(report), seen.stdout))
    expect(report["commands"]["replay"].endswith(f" DUT={mine}"), "the switch in the command", report)


# --- a regression ---

def a_regression_leaves_all_that_failed(room, build):
    suite, found, good = room / "some.suite", room / "found.json", room / "good.json"
    suite.write_text("mesh3_complement 1\nmesh3_complement 2 stalls run.cycles=100\ndeadlock_ring5 1\n")
    seen = regress(build, "--regress", suite, "--json", found)
    told = {report["run"]["name"]: report for report in json.loads(found.read_text())}
    expect(seen.returncode == 1 and seen.stdout.endswith("1 passed, 2 failed\n"), "two that fail", seen)
    expect(set(told) == {"deadlock_ring5", "mesh3_complement run.cycles=100"}, "these two", told)
    ring, other = told["deadlock_ring5"], told["mesh3_complement run.cycles=100"]
    for report in told.values():
        whole(report)
    expect("\n".join(text(ring)) in seen.stdout, "what is printed", (text(ring), seen.stdout))
    expect(ring["run"]["seed"] == 1 and ring["run"]["reason"] in seen.stdout and Path(ring["run"]["log"]).exists(), "the run", ring)
    expect(other["from"] == "regress" and other["what"] == "failed" and other["seen"] == "was expected to stall and did not",
           "a run without a difference", other)
    expect(other["commands"]["replay"] == "make regress SCENARIO=mesh3_complement SEED=2 SET='run.cycles=100'", "its command", other)
    status = regress(build, "--scenario", MESH, "--json", good).returncode
    expect(status == 0 and good.read_text() == "[]\n", "an empty list", good.read_text())
    expect(regress(build, "--scenario", MESH, "--json", found).returncode == 0 and found.read_text() == "[]\n", "the new list", found)
    expect(sorted(path.name for path in room.iterdir()) == ["found.json", "good.json", "some.suite"], "nothing else", room)


def complaint(name):
    try:
        reports.check(name)
    except Wrong as wrong:
        return str(wrong)
    return ""


def the_file_of_somebody_else_stays(room, build):
    mine = room / "mine.json"
    for words in ("not JSON", '{"from": 1, "what": 2}', "[1]", '[{"what": "x"}]', "[] []", "\udcff"):
        mine.write_text(words, errors="surrogateescape")
        expect("is no list of reports; it stays" in complaint(mine), "a refusal", words)
        expect(mine.read_text(errors="surrogateescape") == words, "the file as it was", mine)
    for words in ("", "[]", '[{"from": "watch", "what": "x"}]'):
        mine.write_text(words)
        expect(complaint(mine) == "" and mine.read_text() == words, "to be taken", words)
    expect("not an ordinary file" in complaint(room) and "cannot write" in complaint(room / "none" / "x.json"), "refusals")
    mine.write_text("mine\n")
    seen = regress(build, "--scenario", MESH, "--json", mine)
    expect(seen.returncode == 2 and f"JSON={mine}: is there" in seen.stderr and not seen.stdout, "a refusal before all else", seen)
    seen = regress(build, "--regress", "random", "--time", "1", "--json", room / "new.json")
    expect(seen.returncode == 2 and "JSON= is for suites and scenarios" in seen.stderr, "no list of random networks", seen)
    expect([path.name for path in room.iterdir()] == ["mine.json"] and mine.read_text() == "mine\n", "nothing else", room)


def what_cannot_be_written_leaves_nothing(room, _build):
    path = room / "list.json"
    path.write_text("[]\n")
    try:
        reports.write(path, [dict(reports.other("failed", "x"), bad=object())])
    except TypeError:
        pass
    expect([one.name for one in room.iterdir()] == ["list.json"] and path.read_text() == "[]\n", "the old list", path.read_text())
    link = room / "link.json"
    link.symlink_to(path)
    reports.write(link, [reports.other("failed", "ü")])
    expect(link.is_symlink() and json.loads(path.read_text())[0]["seen"] == "ü", "the file behind the link", path.read_text())


def ctrl_c_leaves_no_list(room, build):
    """In the middle of a run."""
    found = room / "found.json"
    settings = "run.cycles=1000000000 run.max_cycles=1000000000"
    words = [sys.executable, "scripts/run", "regress", "--build", str(build), "--scenario", MESH, f"--set={settings}",
             "--json", str(found)]
    log = build / f"regress/mesh3_complement_{settings.replace(' ', '_')}-1.log"
    log.unlink(missing_ok=True)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    until(lambda: log.exists() or process.poll() is not None, "the run")
    expect(log.exists(), "a run that goes on", process.poll())
    os.kill(process.pid, signal.SIGINT)
    said, error = process.communicate(timeout=600)
    expect(process.returncode and not list(room.iterdir()), "no file", (said, error, list(room.iterdir())))


TESTS = [check_says_what_it_prints, a_report_has_the_place_and_the_worm, several_traces_give_one_list, run_says_what_its_referee_found,
         a_difference_says_what_it_prints, rules_say_what_they_print, a_deadlock_says_what_it_prints,
         an_assertion_says_what_it_prints, a_regression_leaves_all_that_failed, the_file_of_somebody_else_stays,
         what_cannot_be_written_leaves_nothing, ctrl_c_leaves_no_list]

if __name__ == "__main__":
    sys.exit(main("reports", TESTS, __doc__))
