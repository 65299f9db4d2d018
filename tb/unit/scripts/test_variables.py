#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each target of make names, in the comment behind its rule, the variables that it reads, and refuses all others.

usage: tb/unit/scripts/test_variables.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import report, targets, variables

TEXT = variables.makefiles()
TABLE = variables.table(TEXT)
ONE_LINE = re.compile(r"^([A-Za-z]\w*) *([:?+]?)= *(.*)$", re.MULTILINE)
DEFINED = re.compile(r"^define (\w+)\n(.*?)^endef$", re.MULTILINE | re.DOTALL)
EVERYWHERE = set(re.search(r"^EVERYWHERE := (.*)$", TEXT, re.MULTILINE)[1].split())
REPLACED = {"C_TEST_SRC"}  # what is defined for good, but a caller may replace it all the same


def definitions(text):
    """Returns {name: what its definitions say}, and the names that a caller is meant to replace (?=)."""
    said, defaults = dict(DEFINED.findall(text)), set()
    for name, how, value in ONE_LINE.findall(text):
        said[name] = f"{said.get(name, '')} {value}"
        if how == "?":
            defaults.add(name)
    return said, defaults


SAID, DEFAULTS = definitions(TEXT)


def rules(target):
    """Returns all rules for a target; those for papers are made by one text."""
    if target.startswith("paper-"):
        return [re.search(r"^\$\(paper_name\):.*(?:\n\t.*)*", TEXT, re.MULTILINE)[0].replace("$$", "$")]
    return re.findall(rf"^(?:[a-z0-9-]+ )*{target}(?: [a-z0-9-]+)*:(?!=)[^#\n]*(?:#.*)?(?:\n\t.*)*", TEXT, re.MULTILINE)


def names_in(text):
    """Returns the names whose values a text reads, also $($1) and the argument of a function that reads it so."""
    text = text.replace("$$", "")  # what the shell reads
    return set(re.findall(r"\$[({](?:call +)?([A-Za-z]\w*)\b", text)) | set(re.findall(r"\(call bench_needs,(\w+)", text))


def read_by(text, done):
    """Returns the variables that a text reads and that are the caller's to give."""
    found = set()
    for name in names_in(text) - done:
        done.add(name)
        if name.isupper() and not name.endswith("_") and (name not in SAID or name in DEFAULTS | REPLACED):
            found.add(name)
        found |= read_by(SAID.get(name, ""), done)
    return found


def reads(target):
    """Returns the variables that the rules of a target read, and those of targets that these call or need, unless they set them."""
    text = "\n".join(re.sub(r"#.*", "", rule, count=1) for rule in rules(target))
    found = read_by(text, set()) - EVERYWHERE
    makes = "\n".join(re.findall(r"\$\(MAKE\).*", text))
    called = set(re.findall(r"(?<=[ \t])[a-z][a-z-]*(?=[ \n]|$)", makes))
    needed = set(re.findall(r"(?<=[ :])[a-z][a-z-]*(?=[ \n]|$)", text.split("\n\t")[0].partition(":")[2]))
    for other in (called | needed) & set(TABLE) - {target}:
        found |= reads(other)
    return found - set(re.findall(r" ([A-Z_]+)=", makes)) - {"MAKE", "MAKEFILE_LIST", "PATH"}


def make(*words, **environment):
    """Returns (exit status, what make prints) of a make that builds nothing."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    seen = subprocess.run(["make", "-n", *words], env=plain | environment, capture_output=True, text=True, check=False)
    return seen.returncode, seen.stdout + seen.stderr


# --- tests: each gets a directory of its own and the build directory ---

def every_target_names_the_variables_that_it_reads(_room, _build):
    steps = " ".join(value for name, value in SAID.items() if name.startswith("TESTS")).split()
    for target, named in sorted(TABLE.items()):
        seen = set().union(*map(reads, steps)) & named if target == "test" else reads(target)
        expect(seen == named, f"the comment of {target} to name {sorted(seen)}", sorted(named))
    expect(TABLE["regress"] >= {"REGRESS", "SCENARIO", "SEED", "SET", "DUT", "MODE"}, "what regress takes", TABLE["regress"])
    expect(TABLE["test"] == {"FULL"} and TABLE["lint"] == {"ONLY"}, "what others take", TABLE)


def a_variable_that_nobody_reads_is_refused(_room, _build):
    for words, said in (("regress SEEDS=1-3", "SEEDS=: no variable of make regress: the nearest is SEED;"),
                        ("regress SETS=network.n=3", "SETS=: no variable of make regress: the nearest is SET;"),
                        ("regress SENARIO=mesh3_idle", "the nearest is SCENARIO; there are DUT, JSON, LAUNCH, MODE, PRELUDE,"),
                        ("golden SCENARIO=mesh3_idle", "SCENARIO=: no variable of make golden"),
                        ("model BILD=other", "BILD=: no variable of make model: the nearest is BUILD"),
                        ("bench LIMIT=2", "LIMIT=: no variable of make bench"), ("JOB=3", "no variable of make help"),
                        ("build/libannelid.a SEEDS=1", "SEEDS=: no variable of make build/libannelid.a")):
        status, seen = make(*words.split())
        expect(status == 2 and said in seen and "scripts/run" not in seen, said, seen)


def what_a_target_reads_is_taken(_room, build):
    for words in (["regress", "SEED=1-3", "SET=network.n=3 traffic.length=1,8", "SCENARIO=x", "REGRESS=long", "MODE=rules"],
                  ["test-c", "test-lockstep", "FULL=1"], ["test", "FULL=1", "JOBS=1"], ["bench", "SHORT=1", "CC=clang"],
                  ["install", "PREFIX=/opt", "DESTDIR=/tmp"], [f"{build}/libannelid.a", "VOPT=-O0", "DUT=", "MODULE=x"]):
        status, seen = make(*words, f"BUILD={build}")
        expect(status == 0 and "no variable" not in seen, f"make {' '.join(words)} to be taken", seen)


def what_pages_and_rows_say_is_taken(_room, _build):
    """The calls with variables in code of the pages, in rows of the sign-off page, and in tb/targets.toml."""
    rows = report.table(report.ROWS)["row"]
    calls = [row[key] for row in rows for key in ("make", "short") if key in row]
    calls += [how[key].removeprefix("make ") for how in targets.table().values()
              for key in ("short", "before") if key in how]
    for page in (Path("README.md"), Path("CONTRIBUTING.md"), *Path("docs").rglob("*.md")):
        parts = [re.split("[`#;|)]|  ", part)[0] for part in page.read_text().replace("\n", "  ").split("make ")[1:]]
        calls += [part for part in parts if re.match(r"[a-z-]+ .*\b[A-Z_]+=", part) and "SEEDS=" not in part]  # lockstep.md
    for call in calls:
        goals = [word for word in call.split() if word in TABLE]
        given = re.findall(r"(?:^| )([A-Z][A-Z0-9_]*)=", call)
        wrong = goals and variables.complaint(TEXT, EVERYWHERE, goals, given, [])
        expect(not wrong, f"make {call} to be taken", wrong)
    expect(len(calls) > 100, "more calls", calls)


def a_misspelt_name_in_the_environment_is_refused(_room, _build):
    for name in ("SEEDS", "SETS", "SENARIO", "REGRES", "MODES"):
        status, seen = make("regress", **{name: "1"})
        expect(status == 2 and f"{name} in the environment: make regress has " in seen, f"{name} to be refused", seen)
        expect(make("help", **{name: "1"})[0] == 0, f"{name} to be nothing to make help", name)
    ordinary = dict(REGRESS="smoke", PWD="/", OLDPWD="/", NODE="x", CPPFLAGS="-O", JOB="7", USER="me", TERM="dumb", ONLY="x",
                    LD="ld", HOME="/", MODULE="x", LC_ALL="C", seeds="1")
    for target in ("regress", "fuzz", "bench-compare", "waves", "test"):
        status, seen = make(target, "OLD=x", "-k", **ordinary) if target == "bench-compare" else make(target, **ordinary)
        expect("in the environment" not in seen, f"make {target} with what others have in the environment", seen)


def a_make_that_another_one_starts_is_not_asked(_room, _build):
    status, seen = make("model", "SEEDS=1", MAKELEVEL="1")
    expect(status == 0, "no refusal: make test hands its variables to all steps", seen)
    expect('"MAKELEVEL": "1"' in Path("scripts/annelid/steps.py").read_text(), "make test to start its steps so", "")


def scripts_start_the_tools_that_variables_name(_room, _build):
    by_name = re.compile(r'[\[ ]"(?:gcc|cc|g\+\+|clang|verilator|iverilog|yosys|yosys-abc)",.*')
    for path in sorted(Path("scripts/annelid").glob("*.py")):
        found = by_name.search(path.read_text())
        expect(not found, f"{path} to ask children.tool() for the command", found)


TESTS = [every_target_names_the_variables_that_it_reads, a_variable_that_nobody_reads_is_refused, what_a_target_reads_is_taken,
         what_pages_and_rows_say_is_taken, a_misspelt_name_in_the_environment_is_refused, a_make_that_another_one_starts_is_not_asked,
         scripts_start_the_tools_that_variables_name]

if __name__ == "__main__":
    sys.exit(main("variables", TESTS, __doc__.splitlines()[2]))
