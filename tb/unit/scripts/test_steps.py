#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the steps of make test are counted, and both commands of .ci/run: nothing that fails or is left out looks green.

usage: tb/unit/scripts/test_steps.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main

RUN, CI = Path("scripts/run").resolve(), Path(".ci/run").resolve()
# Steps with JUnit files and without; each notes with how many processes it may work.
MAKEFILE = """
cases = echo '<testsuite>$1</testsuite>' > $(JUNIT)/x.xml
noted = @echo $@ $(JOBS) $(filter -j%,$(MAKEFLAGS)) >> noted
first alone: ; $(noted)
two: ; $(noted); $(call cases,<testcase name="a"/><testcase name="b"/>)
skips: ; $(noted); $(call cases,<testcase name="a"/><testcase name="b"><skipped message="no tool"/></testcase><testcase name="not in the sample"><skipped/></testcase>)
only-skips: ; $(noted); $(call cases,<testcase name="c"><skipped message="none"/></testcase>)
fails: ; $(noted); $(call cases,<testcase name="a"/><testcase name="b"><failure/></testcase>); false
breaks: ; $(noted); false
"""


def plain(**more):
    return {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "JOBS"))} | more


def steps(room, *words, **more):
    """Returns (exit status, output, what the steps have noted) of `scripts/run steps` in a folder with the steps above."""
    (room / "rtl").mkdir(exist_ok=True)
    (room / "rtl/annelid.f").touch()  # the scripts read it
    (room / "Makefile").write_text(MAKEFILE)
    (room / "noted").unlink(missing_ok=True)
    seen = subprocess.run([sys.executable, str(RUN), "steps", *words], cwd=room, env=plain(**more), capture_output=True, text=True,
                          check=False)
    return seen.returncode, seen.stdout + seen.stderr, (room / "noted").read_text()


def what_passes_fails_and_is_left_out_is_counted(room, _build):
    status, said, _ = steps(room, "--jobs", "2", "--first", "first", "--in-turn", "two", "--steps", "alone")
    expect(status == 0 and said.endswith("\n4 passed, 0 failed\n"), "two steps without files, and two cases", said)
    status, said, _ = steps(room, "--jobs", "2", "--in-turn", "skips", "two", "--steps", "only-skips")
    expect(status == 0 and said.endswith("\nSKIP  only-skips: c: none\nSKIP  skips: b: no tool\n3 passed, 0 failed, 2 skipped\n"),
           "what is left out by its name, which counts as neither", said)
    status, said, _ = steps(room, "--jobs", "2", "--steps", "fails", "breaks", "skips")
    expect(status == 1 and said.endswith("\n2 passed, 2 failed, 1 skipped\n"), "a case and a step that fail", said)


def no_more_processes_than_asked_for(room, _build):
    for words, more in ((["--jobs", "1"], {"JOBS": "3"}), ([], {"JOBS": "1"})):
        _, _, noted = steps(room, *words, "--first", "first", "--steps", "two", "alone", **more)
        expect(noted == "first 1 -j1\ntwo 1 -j1\nalone 1 -j1\n", "one process", noted)
    noted = steps(room, "--jobs", "6", "--first", "first", "--steps", "two")[2]
    expect(noted == "first 6 -j6\ntwo 2 -j2\n", "six shared by four steps", noted)


# What make test and make regress print last and end with, the sum of .ci/run, and its status.
SUMS = (("5 passed, 0 failed", 0, "7 passed, 0 failed", 0, "12 passed, 0 failed", 0),
        ("5 passed, 0 failed, 2 skipped", 0, "7 passed, 0 failed", 0, "12 passed, 0 failed, 2 skipped", 0),
        ("5 passed, 1 failed", 1, "7 passed, 0 failed", 0, "12 passed, 1 failed", 1),
        ("15 passed, 10 failed, 1 skipped", 1, "7 passed, 0 failed", 0, "22 passed, 10 failed, 1 skipped", 1),
        ("5 passed, 0 failed", 2, "7 passed, 0 failed", 0, "12 passed, 0 failed", 1),
        ("setup: missing: everything", 2, "7 passed, 0 failed", 0, "7 passed, 1 failed", 1),
        ("5 passed, 0 failed", 0, "PASS  paper: 7 passed, 0 failed", 0, "5 passed, 1 failed", 1))


def both_commands_are_summed(room, _build):
    (room / ".ci").mkdir()
    shutil.copy(CI, room / ".ci/run")
    (room / "bin").mkdir()
    (room / "bin/make").write_text('#!/bin/bash\necho "line of $1, $WERROR, $REGRESS"\ncat "$1.last"\nexit "$(cat "$1.status")"\n')
    (room / "bin/make").chmod(0o755)
    for test, test_status, regress, regress_status, total, status in SUMS:
        for name, text in (("test.last", test), ("test.status", test_status), ("regress.last", regress), ("regress.status", regress_status)):
            (room / name).write_text(f"{text}\n")
        seen = subprocess.run([str(room / ".ci/run")], env=plain(PATH=f"{room}/bin:{os.environ['PATH']}"), capture_output=True, text=True,
                              check=False)
        lines = seen.stdout.splitlines()
        expect((lines[-1], seen.returncode) == (total, status), f"{total} and status {status}", seen)
        expect(lines[0] == "line of test, 1, " and "line of regress, 1, smoke" in lines, "both commands, with errors for warnings", seen)


TESTS = [what_passes_fails_and_is_left_out_is_counted, no_more_processes_than_asked_for, both_commands_are_summed]

if __name__ == "__main__":
    sys.exit(main("steps", TESTS, __doc__.splitlines()[2]))
