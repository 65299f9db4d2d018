# SPDX-License-Identifier: Apache-2.0
"""scripts/run mutate-model on a project of one C file: what it finds, what it must kill, and when it must fail.

usage: test_mutate_model.py BUILD JUNIT_FILE
"""
import json
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = ["scripts", "tb/unit/scripts"]
from annelid import c_mutants
from annelid.children import Wrong
import suite
from suite import expect

SCRIPTS = Path("scripts").resolve()
MAKEFILE = """$(BUILD)/annelid: cmodel/cli/main.c cmodel/src/*/*.c
\t@mkdir -p $(@D)
\t@gcc $(CFLAGS) -Icmodel/include -o $@ $^
$(BUILD)/unit/%: tb/unit/%.c cmodel/src/*/*.c
\t@mkdir -p $(@D)
\t@gcc $(CFLAGS) -Icmodel/include -o $@ $^
"""
HEADER = """int add(int a, int b);
int most(int a, int b);
int unused(int a);
int fall(int n);
int steps(int n);
int beyond(int at);
"""
ENGINE = """// Texts that are easy to get wrong: \xc3\xa9
#include <annelid/engine.h>
#include <assert.h>
#include <stddef.h>

enum { SIZE = 2 + 1 };
static const int table[SIZE + 1] = {1, 2, 3};
#define TWICE(x) ((x) + (x))
#define LAST (SIZE - 1)

__attribute__((always_inline)) static inline int twice(int a) { return a * 2; }

int add(int a, int b)
{
    assert(a > -1000 && b > -1000);
    return twice(a) /* a + b */ + b - a;
}

int most(int a, int b) { return a > b ? a : b; }

int unused(int a) { return a * 3; }

int fall(int n)
{
    enum { FOUR = 2 + 2 };
    static const int step = 3 - 2;
    int local[FOUR] = {0};
    switch (n) {
    case 1 + 1:
        local[0] = 5;
        break;
    case 3:
        if (n & 1)
            local[1] |= 6;
        else
            local[1] = 7;
    default:
        local[0] += LAST - TWICE(step);
        break;
    }
    const int *p = local + 1;
    p--;
    for (size_t i = 0; i < sizeof local / sizeof(int); i++)
        if (!local[i]) continue; else local[i] -= ~p[0] == -1 || table[1] != 2;
    do local[0]++; while (local[0] < 0 && local[1] == 0);
    return (local[0] << 3) + local[1];
}

int steps(int n)
{
    int count = 0;
    while (n != 0) {
        n -= 1;
        count++;
        if (count > 1000000) return -1;
    }
    for (volatile int i = 0; i < 1; i++)
        if (i < -5) i = -5;
    return count;
}

int beyond(int at)
{
    int few[4] = {1, 1, 1, 1};
    int *volatile p = few;
    return p[at + 1] > -1;
}
"""
SMALL = """#include <annelid/engine.h>
int add(int a, int b) { return a + b; }
int most(int a, int b) { return a > b ? a : b; }
int unused(int a) { return a * 3; }
"""
TEST = """#include <annelid/engine.h>
int main(void)
{
    if (add(2, 3) != 5 || add(0, 4) != 4) return 1;
    if (most(2, 3) != 3 || most(4, 3) != 4 || most(5, 5) != 5) return 1;
    if (fall(2) != 48 || fall(3) != 13 || fall(4) != 8) return 1;
    if (steps(3) != 3 || steps(0) != 0) return 1;
    return beyond(2) != 1;
}
"""
SMALL_TEST = """#include <annelid/engine.h>
int main(void) { return add(2, 3) != 5 || most(2, 3) != 3 || most(4, 3) != 4; }
"""
COMMAND = """#include <annelid/engine.h>
#include <stdio.h>
int main(void) { return printf("\\"digest\\": \\"%04x\\"\\n", add(1, 0xab)) < 0; }
"""
MODEL = 'seed = 1\nshare = 1\nmost = 999\nfiles = ["engine/engine.c"]\ntests = ["engine/test_engine"]\nshort_tests = ["engine/test_engine"]\nshort_step = 5\nshort_share = 1\nshort_digests = 2\n'
KILLED = ("unit", "digest", "sanitized")
EQUAL = "engine/engine.c most: int most(int a, int b) { return a {> -> >=} b ? a : b; }"
DEADLY = "engine/engine.c add: int add(int a, int b) { return a {+ -> -} b; }"
ENDLESS = "engine/engine.c steps: for (volatile int i = 0; i < 1; i{++ -> --})"
BEYOND = "engine/engine.c beyond: return p[at + {1 -> 2}] > -1;"


def project(room, explained="", model="", test=SMALL_TEST, digest="00ac", engine=SMALL):
    files = {"Makefile": MAKEFILE, "cmodel/include/annelid/engine.h": HEADER, "cmodel/cli/main.c": COMMAND,
             "tb/unit/engine/test_engine.c": test, "sim/scenarios/one.yaml": "", "sim/golden/digests.txt": f"# x\none 1 {digest}\n",
             "tb/campaigns/mutants/model/model.toml": MODEL + model, "tb/campaigns/mutants/model/explained.toml": explained,
             "rtl/annelid.f": ""}
    for name, text in files.items():
        (room / name).parent.mkdir(parents=True, exist_ok=True)
        (room / name).write_text(text)
    (room / "cmodel/src/engine").mkdir(parents=True, exist_ok=True)
    (room / "cmodel/src/engine/engine.c").write_bytes(engine.encode("latin-1"))


def run(room, *options):
    ended = subprocess.run([sys.executable, SCRIPTS / "run", "mutate-model", "--jobs", "2", *options], cwd=room, text=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    path = room / "build/mutate-model" / ("some.json" if options else "mutate-model.json")
    rows = {row["mutant"]: row for row in json.loads(path.read_text())["mutants"]} if path.exists() else {}
    return ended.returncode, ended.stdout, rows


def alone(room, mutant):
    """Whether the test fails with this one change in the text, as any compiler reads it."""
    text, (begin, end) = mutant.source.text, mutant.outer
    changed = "" if mutant.form in ("jump", "statement") else f"({mutant.changed})"
    one = room / "one.c"
    one.write_bytes((text[:begin] + changed + text[end:]).encode("latin-1"))
    subprocess.run(["gcc", "-w", "-O1", f"-I{room}/cmodel/include", "-o", room / "one", one, room / "tb/unit/engine/test_engine.c"],
                   check=True)
    # Limited in processor time; a program that ends takes a millisecond.
    limited = ["prlimit", "--cpu=1", "--core=0", room / "one"]
    return subprocess.run(limited, capture_output=True, check=False).returncode != 0


def each_mutant_is_its_one_change(room, build):
    project(room, test=TEST, engine=ENGINE)
    status, text, rows = run(room)
    listed = c_mutants.find({"engine/engine.c": room / "cmodel/src/engine/engine.c"}, ["-std=c17", f"-I{room}/cmodel/include"])
    expect(len(rows) == len(listed) > 60, "every mutant tried", f"{len(rows)} of {len(listed)}\n{text}")
    for mutant in listed[::9]:
        verdict = rows[mutant.name]["verdict"]
        if verdict in ("unit", "gap"):
            expect((verdict == "unit") == alone(room, mutant), "the same of the mutant alone", rows[mutant.name])
    for kind in ("relation", "arithmetic", "bits", "logic", "condition", "step", "constant", "return", "statement"):
        expect(any(row["change"] == kind for row in rows.values()), f"a change of kind {kind}")
    expect(any(row["function"] == "twice" for row in rows.values()), "mutants of an inline function")
    constant = [name for name in rows if re.search(r"enum|case 1|table\[SIZE|static const|sizeof \{|TWICE\(\{", name)]
    expect(not constant, "no change of a constant expression or within a macro", constant)
    breaks = [row["line"] for row in rows.values() if row["mutant"].startswith("engine/engine.c fall: {break")]
    expect(len(breaks) == 1, "no change of a break that does nothing", breaks)
    expect(rows[ENDLESS]["how"] == "no end", "an endless loop ended", rows.get(ENDLESS))
    expect(rows[BEYOND]["verdict"] == "sanitized", "a read beyond an array seen by a sanitizer", rows[BEYOND])


def files_that_are_only_included_have_mutants(room, build):
    source = room / "source"
    source.mkdir(parents=True)
    (source / "rules.inc").write_text("static int rule(int a) { return a + WIDTH; }\n")
    (source / "own.inc").write_text("static int own(int a) { return a; }\n")
    (source / "narrow.c").write_text('#define WIDTH 2\n#include "rules.inc"\n')
    listed = c_mutants.find({name: source / name for name in ("narrow.c", "rules.inc")}, ["-std=c17"])
    expect({mutant.source.name for mutant in listed} == {"rules.inc"}, "mutants of the included file alone",
           [mutant.name for mutant in listed])
    expect("rules.inc rule: static int rule(int a) { return a {+ -> -} WIDTH; }" in {mutant.name for mutant in listed},
           "an operator of the included file", [mutant.name for mutant in listed])
    text = c_mutants.with_mutants(listed[0].source, c_mutants.choose(listed, 1, 9, 1))
    expect("ANL_MUTANT(" in text, "mutants in the text of the included file", text)
    for files in (["narrow.c"], ["narrow.c", "rules.inc", "own.inc"]):
        try:
            c_mutants.find({name: source / name for name in files}, ["-std=c17"])
        except Wrong:
            continue
        expect(False, "an error where nothing can be changed", files)


def verdicts_are_right(room, build):
    project(room)
    status, text, rows = run(room)
    expect(status == 1, "exit status 1 for gaps", text)
    expect(rows[DEADLY]["verdict"] == "unit", "a deadly mutant killed", rows[DEADLY])
    expect(rows[EQUAL]["verdict"] == "gap" and rows[EQUAL]["reached"], "an equal mutant survives", rows[EQUAL])
    unused = [row for row in rows.values() if row["function"] == "unused"]
    expect(unused and all(row["verdict"] == "gap" and not row["reached"] for row in unused), "unused is a gap", unused)
    expect("no test comes by it" in text, "says that no test comes by it", text)
    again = run(room)
    expect(again[2] == rows and again[0] == 1, "the same from what is kept", again[1])
    (room / "tb/unit/engine/test_engine.c").write_text(SMALL_TEST.replace("add(2, 3) != 5 ||", "unused(2) != 6 ||"))
    rows = run(room)[2]
    expect(all(rows[row["mutant"]]["verdict"] == "unit" for row in unused), "killed by a new test", rows)
    expect(rows[DEADLY]["verdict"] == "digest", "no longer killed by the test", rows[DEADLY])


def a_digest_kills(room, build):
    project(room, test=SMALL_TEST.replace("add(2, 3) != 5 ||", ""))
    expect(run(room)[2][DEADLY]["by"] == "digest one 1", "killed by a digest")


def reason(mutant, text):
    return f"[[explained]]\nmutant = '{mutant}'\nreason = '{text}'\n"


def reasons_must_hold(room, build):
    project(room, explained=reason(EQUAL, "of two equal numbers either is the most") + reason(DEADLY, "not true"))
    status, text, rows = run(room)
    expect(rows[EQUAL]["verdict"] == "explained" and f"{EQUAL}: " not in text, "explained", text)
    expect(status == 1 and f"{DEADLY}: explained as harmless, but unit engine/test_engine kills it" in text, "a wrong reason found", text)
    project(room, explained=reason("engine/engine.c add: gone", "it is not there"))
    status, text, _ = run(room)
    expect(status == 2 and "engine/engine.c add: gone" in text, "a mutant that is not there refused", text)
    project(room, explained=reason(EQUAL, " "))
    expect(run(room)[0] == 2, "an empty reason refused")


def controls_are_kept(room, build):
    controls = "[[control]]\nmutant = '{}'\nkilled = {}\n"
    for dead, alive, wrong in ((DEADLY, EQUAL, 0), (EQUAL, DEADLY, 2)):
        project(room, model=controls.format(dead, "true") + controls.format(alive, "false"))
        _, text, rows = run(room, "--short")
        expect(text.count("a control: ") == wrong, f"{wrong} controls wrong", text)
        expect(DEADLY not in rows and EQUAL not in rows, "controls not counted")


def without_a_mutant_all_must_pass(room, build):
    for wrong in (dict(test=SMALL_TEST.replace("!= 5", "!= 6")), dict(digest="00ad")):
        project(room, **wrong)
        status, text, _ = run(room)
        expect(status == 2 and "without a mutant" in text, "exit status 2: fails as it is", text)


if __name__ == "__main__":
    sys.exit(suite.main("mutate-model-itself", [
        each_mutant_is_its_one_change, files_that_are_only_included_have_mutants, verdicts_are_right, a_digest_kills,
        reasons_must_hold, controls_are_kept, without_a_mutant_all_must_pass], __doc__))
