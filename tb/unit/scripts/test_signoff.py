#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sign-off page: a row is green only if its own run, for these sources, says so.

usage: tb/unit/scripts/test_signoff.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main

REPORT = Path("scripts/report").resolve()
ROWS = """
[[row]]
name = "status"
stage = "V1"
wants = "its exit status is 0"
make = "status"

[[row]]
name = "tests"
stage = "V2"
wants = "two tests pass"
make = "tests"
short = "tests"
junit = true
least = 2

[[row]]
name = "figures"
stage = "V3"
wants = "no gap, at least 10"
make = "figures"
json = "figures.json"
holds = ["count.gap == 0", "all >= 10"]
says = "{all} of them, {count[gap]} gaps"

[[row]]
name = "future"
stage = "V3"
wants = "something that nothing measures"
"""
MAKEFILE = """
.PHONY: status tests figures
status: ; exit $$(cat status)
tests: ; mkdir -p $(JUNIT) && cp tests.xml $(JUNIT)/
figures: ; cp figures.json $(BUILD)/ && echo figures
"""
XML = '<testsuite name="x"><testcase name="a"/><testcase name="b">{}</testcase></testsuite>'


def put(room, **files):
    names = {"tests": "tests.xml", "figures": "figures.json"}
    for name, text in files.items():
        (room / names.get(name, name)).write_text(text)


def tree(room):
    """Makes a checkout with a Makefile in which every check passes."""
    subprocess.run(["git", "init", "-q", str(room)], check=True)
    for path, text in {"Makefile": MAKEFILE, "rtl/annelid.f": "", "tb/campaigns/report/rows.toml": ROWS}.items():
        (room / path).parent.mkdir(parents=True, exist_ok=True)
        (room / path).write_text(text)
    put(room, status="0", tests=XML.format(""), figures=json.dumps({"all": 12, "count": {"gap": 0}}))


def report(room, *arguments, **variables):
    """Runs the report with these variables of make; returns (exit status, verdicts by row, all output)."""
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    environment.update(variables)
    seen = subprocess.run([sys.executable, str(REPORT), *arguments], cwd=room, capture_output=True, text=True,
                          env=environment, check=False)
    text = (room / "build/report/report.txt").read_text() if (room / "build/report/report.txt").exists() else ""
    verdicts = {}
    for name in ("status", "tests", "figures", "future"):
        line = next((line for line in text.splitlines() if f" {name} " in line and line.startswith("  ")), "")
        verdicts[name] = line.split(name)[0].strip()
    return seen.returncode, verdicts, seen.stdout + seen.stderr


def every_row_is_green_if_all_is_well(room, _):
    tree(room)
    status, verdicts, said = report(room)
    expect(verdicts == {"status": "PASS", "tests": "PASS", "figures": "PASS", "future": "not yet"}, "green", said)
    expect(status == 0 and "12 of them, 0 gaps" in said and "Not signed off. 3 rows green" in said, "figures", said)
    page = (room / "build/report/index.html").read_text()
    expect(page.count('class="verdict PASS"') == 3 and "12 of them" in page, "the same on the page", page)


def what_goes_wrong_turns_its_row_red(room, _):
    wrong = {
        "status": [dict(status="3")],
        "tests": [dict(tests=XML.format("<failure/>")), dict(tests="<testsuite><testcase/></testsuite>")],
        "figures": [dict(figures='{"all": 9, "count": {"gap": 0}}'), dict(figures='{"all": 12, "count": {"gap": 1}}'),
                    dict(figures='{"all": 12}')],
    }
    for row, cases in wrong.items():
        for number, files in enumerate(cases):
            here = room / f"{row}{number}"
            here.mkdir()
            tree(here)
            put(here, **files)
            status, verdicts, said = report(here)
            expect(status == 1 and [name for name in verdicts if verdicts[name] == "FAIL"] == [row], f"{row} red", said)


def a_figure_that_is_missing_is_named(room, _):
    tree(room)
    put(room, figures='{"count": {"gap": 0}}')
    _, verdicts, said = report(room)
    expect(verdicts["figures"] == "FAIL" and "figures.json has no all" in said, "what is missing", said)


def figures_of_another_run_do_not_count(room, _):
    tree(room)
    report(room)
    (room / "Makefile").write_text(MAKEFILE.replace("cp figures.json $(BUILD)/ && ", ""))
    status, verdicts, said = report(room)
    expect(status == 1 and verdicts["figures"] == "FAIL" and "did not write" in said, "no old figures", said)


def a_row_that_ran_for_other_sources_is_not_green(room, _):
    tree(room)
    report(room)
    expect("make tests" not in report(room)[2], "that nothing runs twice")
    (room / "rtl/new.sv").write_text("module new; endmodule\n")
    status, verdicts, said = report(room, "--show")
    expect(status == 1 and verdicts["status"] == "not run" and "ran for other sources" in said, "stale rows", said)
    status, verdicts, said = report(room, "--only", "status")
    expect(verdicts["status"] == "PASS" and verdicts["tests"] == "not run", "one row anew", said)


def its_own_variables_are_not_handed_on(room, _):
    tree(room)
    (room / "Makefile").write_text(MAKEFILE.replace("exit $$(cat status)", 'exit 0$(ONLY)$(SHORT)$(AGAIN)$(SHOW)'))
    _, verdicts, said = report(room, "--only", "status", ONLY="1", SHORT="1", AGAIN="1", SHOW="1")
    expect(verdicts["status"] == "PASS", "a row that knows nothing of ONLY", said)


def sources_must_not_change_meanwhile(room, _):
    tree(room)
    (room / "Makefile").write_text(MAKEFILE.replace("exit", "echo >> rtl/annelid.f; exit"))
    status, _, said = report(room)
    expect(status == 2 and "the sources changed while status ran" in said, "an error", said)


def short_forms_sign_nothing_off(room, _):
    tree(room)
    status, verdicts, said = report(room, "--short")
    expect(status == 0 and verdicts["tests"] == "PASS" and "no sign-off" in said, "a sample", said)
    expect(verdicts["status"] == "not run", "what has no short form", said)


def bad_rows_are_refused(room, _):
    tree(room)
    for text, words in (("[[row]]\nname = 'x'\n", "needs name, stage, wants"), ("x", "rows.toml"),
                        (ROWS.replace('"all >= 10"', '"all"'), "expected")):
        (room / "tb/campaigns/report/rows.toml").write_text(text)
        status, _, said = report(room)
        expect(status == 2 and words in said, words, said)
    status, _, said = report(room, "--rows", "absent")
    expect(status == 2 and "absent" in said, "no such file", said)


TESTS = [every_row_is_green_if_all_is_well, what_goes_wrong_turns_its_row_red,
         a_figure_that_is_missing_is_named, figures_of_another_run_do_not_count,
         a_row_that_ran_for_other_sources_is_not_green, its_own_variables_are_not_handed_on,
         sources_must_not_change_meanwhile, short_forms_sign_nothing_off, bad_rows_are_refused]

if __name__ == "__main__":
    sys.exit(main("signoff", TESTS, __doc__.splitlines()[2]))
