#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sign-off page: a row is green only if its own run says so, and nothing that it reads has changed since.

usage: tb/unit/scripts/test_signoff.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import argparse
import ast
import contextlib
import fnmatch
import functools
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from pyflakes.api import iterSourceCode
from suite import Suite, expect, main, note
from test_targets import called_by, rule_of

from annelid.report import NOT_RUN, ROWS as ROWS_FILE, TOOLS, matcher, recalled, table
from annelid.slices import kinds

RUN, TABLE = Path("scripts/run").resolve(), table(ROWS_FILE)
ROWS = """
[inputs]
every = ["Makefile"]
rtl = ["rtl/*"]

[[row]]
name = "status"
level = "V1"
wants = "its exit status is 0"
make = "status"
reads = ["status", "@rtl"]

[[row]]
name = "tests"
level = "V2"
wants = "two tests pass"
make = "tests"
reads = ["tests.xml"]
short = "tests"
junit = true
least = 2

[[row]]
name = "figures"
level = "V3"
wants = "no gap, at least 10"
make = "figures"
reads = ["figures.json"]
json = "figures.json"
holds = ["count.gap == 0", "all >= 10"]
results = "figures-campaign"
says = "{all} of them, {count[gap]} gaps"

[[row]]
name = "future"
level = "V3"
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


def repository(room):
    """Makes an empty one, with tools that only say their version, as all that is asked of them."""
    subprocess.run(["git", "init", "-q", str(room)], check=True)
    stand_ins = room / ".git/tools"
    stand_ins.mkdir()
    for name in map(str.lower, TOOLS):
        (stand_ins / name).write_text(f"#!/bin/sh\necho {name} 1.0\n")
        (stand_ins / name).chmod(0o755)


def tree(room):
    """A checkout with a Makefile, where everything is as it should be."""
    repository(room)
    for path, text in {"Makefile": MAKEFILE, "rtl/annelid.f": "", "tb/campaigns/report/rows.toml": ROWS}.items():
        (room / path).parent.mkdir(parents=True, exist_ok=True)
        (room / path).write_text(text)
    put(room, status="0", tests=XML.format(""), figures=json.dumps({"all": 12, "count": {"gap": 0}}))


def report(room, *arguments, names=("status", "tests", "figures", "future"), **variables):
    """(exit status, verdicts by row, all that was printed), with these variables of make."""
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    environment["PATH"] = f"{Path(room).resolve()}/.git/tools:{environment['PATH']}"
    environment.update(variables)
    seen = subprocess.run([sys.executable, str(RUN), "report", *arguments], cwd=room, capture_output=True, text=True,
                          env=environment, check=False)
    text = (room / "build/report/report.txt").read_text() if (room / "build/report/report.txt").exists() else ""
    verdicts = {}
    for name in names:
        line = next((line for line in text.splitlines() if line[10:].startswith(f"{name} ")), "")
        verdicts[name] = line[:10].strip()
    return seen.returncode, verdicts, seen.stdout + seen.stderr


def every_row_is_green_if_all_is_well(room, _):
    tree(room)
    status, verdicts, said = report(room)
    expect(verdicts == {"status": "PASS", "tests": "PASS", "figures": "PASS", "future": "not yet"}, "green", said)
    expect(status == 0 and "12 of them, 0 gaps" in said and "Not signed off. 3 rows green" in said, "figures", said)
    page = (room / "build/report/index.html").read_text()
    expect("yosys 1.0" in page, "the versions of the tools", page)
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


def a_row_that_ran_before_a_change_is_not_green(room, _):
    tree(room)
    report(room)
    expect("make tests" not in report(room)[2], "that nothing runs twice")
    (room / "rtl/new.sv").write_text("module new; endmodule\n")
    status, verdicts, said = report(room, "--show")
    expect(status == 1 and verdicts["status"] == "not run" and "ran before rtl/new.sv changed" in said, "a stale row", said)
    expect(verdicts["tests"] == verdicts["figures"] == "PASS", "green rows that do not read it", said)
    (room / "rtl/new.sv").unlink()
    expect(report(room, "--show")[1]["status"] == "PASS", "green again with the old sources")
    (room / "status").unlink()
    expect("ran before status changed" in report(room, "--show")[2], "that a file is missed")
    put(room, status="0")
    rows = room / "tb/campaigns/report/rows.toml"
    rows.write_text(ROWS.replace("all >= 10", "all >= 11"))
    status, verdicts, said = report(room, "--only", "status")
    expect(verdicts == {"status": "PASS", "tests": "PASS", "figures": "not run", "future": "not yet"}, "one row anew", said)
    expect("ran before tb/campaigns/report/rows.toml changed" in said, "that its own table counts", said)


def its_own_variables_are_not_handed_on(room, _):
    tree(room)
    (room / "Makefile").write_text(MAKEFILE.replace("exit $$(cat status)", 'exit 0$(ONLY)$(SHORT)$(AGAIN)$(SHOW)'))
    _, verdicts, said = report(room, "--only", "status", ONLY="1", SHORT="1", AGAIN="1", SHOW="1")
    expect(verdicts["status"] == "PASS", "a row that knows nothing of ONLY", said)


def sources_must_not_change_meanwhile(room, _):
    tree(room)
    (room / "Makefile").write_text(MAKEFILE.replace("exit", "echo >> rtl/annelid.f; exit"))
    status, _, said = report(room)
    expect(status == 2 and "rtl/annelid.f changed while status ran" in said, "an error", said)
    (room / "Makefile").write_text(MAKEFILE.replace("exit", "echo >> tests.xml; exit"))
    status, _, said = report(room)
    expect(status == 2 and "tests.xml changed while status ran" in said, "an error, as another row reads it", said)
    (room / "Makefile").write_text(MAKEFILE.replace("exit", "echo >> README.md; exit"))
    expect(report(room, "--only", "status")[1]["status"] == "PASS", "no error, as no row reads it")


def short_forms_sign_nothing_off(room, _):
    tree(room)
    status, verdicts, said = report(room, "--short")
    expect(status == 0 and verdicts["tests"] == "PASS" and "no sign-off" in said, "a sample", said)
    expect(verdicts["status"] == "not run", "what has no short form", said)


def tables_are_written_of_green_rows_alone(room, _):
    tree(room)
    (room / "scripts").mkdir()
    (room / "scripts/run").write_text("import sys\nopen('written', 'a').write(' '.join(sys.argv[1:]) + '\\n')\n")
    def written(*words):
        (room / "written").unlink(missing_ok=True)
        status, _, said = report(room, *words)
        return status, (room / "written").read_text() if (room / "written").exists() else said
    expect("wrote" not in written()[1], "no table that nobody asked for")
    call = "figures-campaign --docs --build build\n"
    for words in ((), ("--show",), ("--again",)):
        expect(written("--results", *words) == (0, call), f"one table with {words}", written("--results", *words))
    expect("wrote" not in written("--results", "--only", "status")[1], "none of a row that was not asked for")
    put(room, figures='{"all": 12, "count": {"gap": 1}}')
    status, said = written("--results")
    expect(status == 1 and "1 red" in said, "none of a red row", said)
    status, said = written("--results", "--short")
    expect(status == 2 and "leave --short out" in said, "none of a sample", said)


def bad_rows_are_refused(room, _):
    tree(room)
    for text, words in (("[inputs]\n[[row]]\nname = 'x'\n", "needs level, name, wants"), ("x", "rows.toml"),
                        (ROWS.replace("[inputs]", ""), "'inputs'"), (ROWS.replace('"@rtl"', '"@sv"'), "inputs @sv"),
                        (ROWS.replace('reads = ["tests.xml"]', ""), "row tests: needs level, name, reads"),
                        (ROWS.replace('"all >= 10"', '"all"'), "expected")):
        (room / "tb/campaigns/report/rows.toml").write_text(text)
        status, _, said = report(room)
        expect(status == 2 and words in said, words, said)
    status, _, said = report(room, "--rows", "absent")
    expect(status == 2 and "absent" in said, "no such file", said)


# --- the table of the project ---

TRACKED = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()
TEXT_ONLY = ("format", "lint", "other systems")  # rows that read sources whatever they are for
# A file, and the rows that a change of it must turn.
KIND_ROWS = "|".join(module.NETWORK for module in kinds().values())
RTL_ROWS = f"""clocks|checkers|judged switches|cocotb|format|lint|C units|synthesis|installed copy|packages|RTL units|lock-step|{KIND_ROWS}|supernodes|foreign switch|wires|large networks|seeds|random graphs|pairs|unknown values|reset|sanitizers|designs
    |deadlock freedom|proofs|waves and pages|beyond one machine|documented targets|deliberate faults|mutants of the RTL|coverage|fuzzing|netlists|board|area and clock"""
LIBRARY_ROWS = f"""clocks|checkers|judged switches|cocotb|format|C units|installed copy|packages|Python|lock-step|{KIND_ROWS}|supernodes|foreign switch|wires|large networks|seeds|random graphs|pairs|unknown values|reset|determinism|sanitizers
    |designs|deadlock freedom|papers|waves and pages|beyond one machine|documented targets|deliberate faults|mutants of the RTL|mutants of the model|coverage|fuzzing|netlists|board
    |area and clock"""
TURNS = {
    "rtl/switch/anl_switch.sv": RTL_ROWS,
    "cmodel/src/engine/decide.c": LIBRARY_ROWS,
    "cmodel/include/annelid/engine.h": LIBRARY_ROWS,
    "cmodel/cli/plot/plot.c": f"""clocks|judged switches|cocotb|format|C units|installed copy|packages|Python|lock-step|{KIND_ROWS}|large networks|seeds|random graphs|pairs|unknown values|reset|determinism|sanitizers|designs
        |deadlock freedom|papers|waves and pages|beyond one machine|documented targets|deliberate faults|mutants of the model|coverage|fuzzing|board|area and clock""",
    "tb/lockstep/compare/compare.c": f"""format|C units|lock-step|{KIND_ROWS}|foreign switch|wires|clocks|large networks|seeds|random graphs|pairs|sanitizers|waves and pages|beyond one machine|deliberate faults
        |documented targets|mutants of the RTL|coverage|fuzzing|netlists""",
    "tb/unit/engine/test_engine.c": "format|C units|sanitizers|deliberate faults|mutants of the model|coverage",
    "tb/rtl/test_anl_fifo.c": "clocks|checkers|format|RTL units|unknown values|reset|mutants of the RTL|coverage|board",
    "tb/formal/proofs.toml": "C units|proofs",
    "tb/campaigns/mutants/mutants.toml": "mutants of the RTL",
    "tb/campaigns/fuzz/corpus/trace.tar.gz": "fuzzing|documented targets",
    "scripts/determinism": "lint|determinism",
    "scripts/annelid/gates.py": "lint|netlists",
    "docs/worms.md": "C units|sanitizers|coverage",
    "docs/properties.md": "proofs",
    "docs/rtl.md": "",
    "docs/report.md": "",
    "docs/images/new.svg": "",
    "docs/results/gates.md": "",
    "bench/rtl.py": "lint|documented targets",
    "tb/targets.toml": "documented targets",
    "tb/unit/scripts/test_targets.py": "lint",
    ".clang-format": "format",
    **dict.fromkeys(("rtl/rtl.mk", "rtl/annelid.f", "scripts/annelid/children.py"), "|".join(row["name"] for row in TABLE["row"])),
}


def expanded(words):
    return [pattern for word in words for pattern in (TABLE["inputs"][word[1:]] if word.startswith("@") else [word])]


def read_by(row):
    """The tracked files that a row reads."""
    return set(filter(matcher(expanded(["@every", *row["reads"]])).match, TRACKED))


def a_change_turns_exactly_the_rows_that_read_it(room, _):
    """In a tree with a file of each kind, where the rows of the project read what they do, and every target passes."""
    (room / "Makefile").write_text("fine: ;\n")
    repository(room)
    text = "[inputs]\n" + "".join(f"{name} = {json.dumps(patterns)}\n" for name, patterns in TABLE["inputs"].items())
    for row in TABLE["row"]:
        text += "[[row]]\n" + "".join(f"{key} = {json.dumps(row[key])}\n" for key in ("name", "level", "wants", "reads"))
        text += 'make = "fine"\n'
    for path, content in {**dict.fromkeys(TURNS, "old"), "tb/campaigns/report/rows.toml": text}.items():
        (room / path).parent.mkdir(parents=True, exist_ok=True)
        (room / path).write_text(content)
    names = [row["name"] for row in TABLE["row"]]
    status, verdicts, said = report(room, names=names)
    expect(status == 0 and set(verdicts.values()) == {"PASS"}, "all rows green", said)
    options = argparse.Namespace(short=False, build=Path("build"), rows=Path("tb/campaigns/report/rows.toml"))
    with contextlib.chdir(room):
        for path, turned in TURNS.items():
            Path(path).write_text("new")
            wanted = set(re.split(r"\s*\|", turned)) - {""} | {"other systems"}  # it reads every file but those that rows write
            wanted -= {"other systems"} if path.startswith("docs/results/") else set()
            seen = {row.name for row in recalled(options)[0] if row.verdict == NOT_RUN}
            expect(seen == wanted, f"{path} to turn {wanted}", seen)
            Path(path).write_text("old")


def every_pattern_matches_a_file(_room, _build):
    patterns = [*expanded(f"@{name}" for name in TABLE["inputs"]), *(word for row in TABLE["row"] for word in row["reads"])]
    idle = [pattern for pattern in patterns if not pattern.startswith("@") and not fnmatch.filter(TRACKED, pattern)]
    expect(not idle, "patterns of files that there are", idle)
    named = {word for row in TABLE["row"] for word in row["reads"] if word.startswith("@")} | {"@every", "@unread"}
    expect(named == {f"@{name}" for name in TABLE["inputs"]}, "that every group is named", named)


def every_file_is_read_by_a_row_or_listed(_room, _build):
    read = set().union(*(read_by(row) for row in TABLE["row"] if row["name"] not in TEXT_ONLY))
    unread = {path for pattern in TABLE["inputs"]["unread"] for path in fnmatch.filter(TRACKED, pattern)}
    strange = set(TRACKED) - read - unread
    expect(not strange, "a row that reads it, or unread to list it", sorted(strange))


@functools.cache
def imports(path):
    """The files of this project that a Python file imports."""
    names = set()
    for node in ast.walk(ast.parse(Path(path).read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f"{node.module}/{alias.name}" for alias in node.names)}
    paths = {f"{room}/{name.replace('.', '/')}" for room in ("scripts", "tb/unit/scripts") for name in names}
    return {path + end for path in paths for end in (".py", "/__init__.py")} & set(TRACKED)


def a_row_reads_its_scripts_and_what_they_import(_room, _build):
    for row in TABLE["row"]:
        read = read_by(row)
        rules = "\n".join(rule_of(word) for key in ("make", "short") for word in row.get(key, "").split() if "=" not in word)
        scripts = called_by(rules) & set(TRACKED)
        python = {path for path in read if path.endswith(".py") or "python3" in Path(path).read_bytes()[:40].decode(errors="replace")}
        missing = (scripts | {other for path in python for other in imports(path)}) - read
        expect(not missing, f"{row['name']} to read its scripts", sorted(missing))
    lint = next(row for row in TABLE["row"] if row["name"] == "lint")
    python = {path for path in iterSourceCode([".ci", "."]) if not path.startswith("./build")}
    missing = {os.path.normpath(path) for path in python} & set(TRACKED) - read_by(lint)
    expect(not missing, "lint to read every Python file", sorted(missing))


def units_read_the_pages_that_they_name(_room, _build):
    row = next(row for row in TABLE["row"] if row["name"] == "C units")
    code = "\n".join(line.partition("//")[0] for path in fnmatch.filter(TRACKED, "tb/unit/*.[ch]")
                     for line in Path(path).read_text().splitlines())
    missing = set(re.findall(r"docs/\w+\.md|README\.md", code)) - read_by(row)
    expect(not missing, "C units to read what their code names", sorted(missing))


def a_failure_that_ends_with_an_empty_line_counts(room, _):
    seen = Suite("some")
    with contextlib.redirect_stdout(io.StringIO()):
        for text in ("\n", "seen: what was printed\n\n", "Traceback\nAssertionError: expected a\n\nseen: b\n"):
            note(seen, "one", text)
    expect((seen.passed, seen.failed) == (0, 3), "three failures", (seen.passed, seen.failed))


TESTS = [every_row_is_green_if_all_is_well, what_goes_wrong_turns_its_row_red,
         a_figure_that_is_missing_is_named, figures_of_another_run_do_not_count,
         a_row_that_ran_before_a_change_is_not_green, its_own_variables_are_not_handed_on,
         sources_must_not_change_meanwhile, short_forms_sign_nothing_off,
         tables_are_written_of_green_rows_alone, bad_rows_are_refused,
         a_change_turns_exactly_the_rows_that_read_it, every_pattern_matches_a_file, every_file_is_read_by_a_row_or_listed,
         a_row_reads_its_scripts_and_what_they_import, units_read_the_pages_that_they_name,
         a_failure_that_ends_with_an_empty_line_counts]

if __name__ == "__main__":
    sys.exit(main("signoff", TESTS, __doc__.splitlines()[2]))
