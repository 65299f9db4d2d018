#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The watch of an installed copy, in benches that are not ours: the commands and files of docs/own_bench.md, run as they
stand there, with errors planted into the designs.

usage: tb/unit/scripts/test_own_bench.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from test_install import PLAIN, copy, good
from annelid import planted
from report_text import text as text_of
from annelid.sources import replaced

PAGE = Path("docs/own_bench.md")
HOME = tempfile.TemporaryDirectory(prefix="annelid-own-")
PLUSARG = "  int planted = 0;\n  initial void'($value$plusargs(\"planted=%d\", planted));\n"
# Of the router: what says which fault acts.
ROUTER = [("  int turn;\n", "  int turn;\n" + PLUSARG)]
RING = [("#20 rst = 1'b0;", "#20 rst = 1'b0;\n    if ($test$plusargs(\"again\")) #3000 rst = 1'b1;"),
        ('.Trace("own_ring.anlt")', '.Trace("own_ring.anlt"), .Report("own_ring.json")'),
        ("if (cycles == 2000) $finish;",
         "if (cycles == 2000) $finish;\n    if (cycles == 8 && $test$plusargs(\"ask\")) u_live.print();")]


def block(first):
    """The lines of the block of commands in the page that begins with these words, without what they print."""
    found = re.search(rf"^```\n(\$ {re.escape(first)}.*?)^```", PAGE.read_text(), re.M | re.S)
    expect(found, f"a block of the page that begins with {first}")
    return [line[2:] for line in found[1].replace("\\\n", "").splitlines() if line.startswith("$ ")]


def environment(build):
    there = copy(build)
    return PLAIN | {"PATH": f"{there}/bin:{os.environ['PATH']}", "PKG_CONFIG_PATH": f"{there}/lib/pkgconfig",
                    "LD_LIBRARY_PATH": f"{there}/lib", "OBJCACHE": shutil.which("ccache") or ""}


def shell(build, line, room):
    return subprocess.run(["bash", "-c", line], cwd=room, env=environment(build), capture_output=True, text=True, check=False)


def succeed(build, line, room):
    seen = shell(build, line, room)
    expect(seen.returncode == 0, "success", (line, seen))
    return seen.stdout + seen.stderr


def change(path, changes):
    text = path.read_text()
    for old, new in changes:
        text = replaced(text, old, new, path)
    path.write_text(text)


def files(room, build, *names):
    room.mkdir()
    for name in names:
        shutil.copy(copy(build) / "share/doc/annelid/own_bench" / name, room)


@functools.cache
def ring(build):
    """Builds the ring as the page says, with errors that a plusarg wakes. Returns its directory."""
    room = Path(tempfile.mkdtemp(dir=HOME.name)) / "ring"
    files(room, build, "own_ring.sv", "own_router.sv", "own_ring.yaml")
    change(room / "own_router.sv", ROUTER)
    planted.plant(planted.of_scripts("watch"), lambda file: room / Path(file).name, lambda number: f"planted == {number}")
    change(room / "own_ring.sv", RING)
    succeed(build, block("verilator --binary -F")[0], room)
    return room


def reports_of(build):
    """Returns the text of the list of reports that the last watch has left."""
    return "".join(f"{line}\n" for report in json.loads((ring(build) / "own_ring.json").read_text()) for line in text_of(report))


def run_ring(build, *plusargs):
    """Returns the exit status, and what the watch printed: standard error has nothing else."""
    seen = shell(build, " ".join(["obj_dir/Vown_ring", *plusargs]), ring(build))
    return seen.returncode, seen.stderr


# --- a ring of foreign routers ---

def a_good_run_breaks_no_rule(_room, build):
    for distance, flits in ((1, 7680), (2, 10240)):
        status, text = run_ring(build, f"+distance={distance}")
        expect(status == 0 and f", {flits} flits, 160 worms, 160 delivered: no rule broken\n" in text, "a good run", text)
        expect(text.count("annelid") == 1, "one line alone", text)
        expect(reports_of(build) == "", "an empty list", reports_of(build))
        said = good(copy(build) / "bin/annelid", "check", ring(build) / "own_ring.anlt")
        expect(f"160 worms, {flits} flits" in said and "no rule broken" in said, "a whole trace", said)


def each_planted_error_is_named(_room, build):
    for number, fault in enumerate(planted.of_scripts("watch"), 1):
        said = fault["says"]
        status, text = run_ring(build, f"+planted={number}", *fault.get("plusargs", ()))
        expect(status != 0 and all(words in text for words in said), said, text)
        expect(text.startswith(said[0]), f"nothing before {said[0]}", text)
        told = reports_of(build)
        expect(told and text.startswith(told) and re.match(r"annelid: \d", text[len(told):]), text, told)
        check = shell(build, "annelid check --incomplete own_ring.anlt && annelid worms own_ring.anlt", ring(build))
        expect(check.returncode == 0 and "no rule broken" in check.stdout, "a trace without a broken rule", check)


def a_deadlock_is_told_and_drawn(_room, build):
    status, text = run_ring(build, "+distance=3")
    closed = re.match(r"annelid: deadlock in cycle (\d+), worm 0\n", text)
    expect(status != 0 and closed and "which worm 0 holds up: deadlock" in text, "the deadlock", text)
    expect(text.startswith(reports_of(build)), "the same in the list", reports_of(build))
    seen = shell(build, "annelid worms own_ring.anlt; annelid draw own_ring.anlt -o own_ring.svg", ring(build))
    expect(f"DEADLOCK, closed in cycle {closed[1]}: 2 worms hold each other" in seen.stdout, "the same of the trace", seen)
    expect((ring(build) / "own_ring.svg").exists(), "a picture", seen)


def a_second_reset_ends_the_watch(_room, build):
    status, text = run_ring(build, "+again")
    expect(status == 0 and re.match(r"annelid: 30\d cycles, .*: no rule broken\n", text), "300 cycles", text)


def a_bench_may_ask(_room, build):
    status, text = run_ring(build, "+ask +distance=2")
    expect(status == 0 and re.match(r"Cycle \d: of the worms \d wait, \d move, 0 are queued at the sources\n", text) and
           text.endswith(" 160 delivered: no rule broken\n"), "who waits", text)


def the_page_shows_what_comes(_room, build):
    page = PAGE.read_text()
    for begin, plusargs in (("$ obj_dir/Vown_ring", ""), ("$ obj_dir/Vown_ring +distance=3", "+distance=3"),
                            ("```", "+planted=2 +distance=2")):
        shown = re.search(rf"^{re.escape(begin)}\n(annelid: .*?)^```", page, re.M | re.S)[1]
        said = run_ring(build, plusargs)[1]
        for line in shown.splitlines():
            expect(line == "…" or line in said.splitlines(), f"the line '{line}' of the page", said)


def a_scenario_with_other_lanes_is_misuse(_room, build):
    scenario = ring(build) / "own_ring.yaml"
    text = scenario.read_text()
    change(scenario, [("num_vcs: 2", "num_vcs: 3")])
    status, said = run_ring(build, "+distance=3")
    scenario.write_text(text)
    expect(status != 0 and said.startswith("annelid: misuse in cycle ") and
           "has NumVcs 2, and the scenario has switch.num_vcs 3" in said, "the misuse", said)


# --- a network that annelid rtl has written, with its own bench ---

def a_written_network_is_watched(room, build):
    room = room / "pair"
    files(room, build, "pair.yaml", "watch_pair.sv")
    write, compile_, *_ = block("annelid rtl pair.yaml")
    change(room / "watch_pair.sv", [('.Trace("pair.anlt")', '.Trace("pair.anlt"),\n    .Stop(0)'),
                                    (".valid_i(inj_valid_i)", ".valid_i($test$plusargs(\"blind\") ? '0 : inj_valid_i)")])
    succeed(build, write, room)
    change(room / "pair/pair_graph.sv",
          [("assign g_switch[1].in_flit[0*Lines*LinkW +: Lines*LinkW] = g_switch[0].out_flit[0*Lines*LinkW +: Lines*LinkW];",
            "assign g_switch[1].in_flit[0*Lines*LinkW +: Lines*LinkW] = g_switch[0].out_flit[0*Lines*LinkW +: Lines*LinkW] ^ "
            "($test$plusargs(\"flip\") ? 2048 : 0);")])
    succeed(build, compile_, room)
    said = succeed(build, "obj_dir/Vtb_pair", room)
    shown = re.search(r"^\$ obj_dir/Vtb_pair\n(.*?)^```", PAGE.read_text(), re.M | re.S)[1].splitlines()
    expect(len(shown) == 2 and all(line in said.splitlines() for line in shown), shown, said)
    expect("PASS 40 packets" in said and "40 worms, 40 delivered: no rule broken" in said, "a good run", said)
    for plusarg, what, said in (("+flip", "made_up_flit", "FAIL after"), ("+blind", "no_probe", "PASS 40 packets")):
        seen = shell(build, f"obj_dir/Vtb_pair {plusarg}", room)
        expect(seen.stderr.startswith(f"annelid: {what} in cycle"), "a flit that nobody knows", seen)
        expect(("most like it is flit " if what == "made_up_flit" else "no flit was ever told of T") in seen.stderr, what, seen)
        expect(said in seen.stdout and "see what annelid says" not in seen.stdout, "a simulation that goes on", seen)


TESTS = [a_good_run_breaks_no_rule, each_planted_error_is_named, a_deadlock_is_told_and_drawn, a_second_reset_ends_the_watch,
         a_bench_may_ask, the_page_shows_what_comes, a_scenario_with_other_lanes_is_misuse,
         a_written_network_is_watched]

if __name__ == "__main__":
    sys.exit(main("own-bench", TESTS, __doc__.splitlines()[3]))
