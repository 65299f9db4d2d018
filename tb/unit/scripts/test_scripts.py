#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scripts that run RTL, where something is missing, hangs, or two want the same.

usage: tb/unit/scripts/test_scripts.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main, until
from annelid import cdg, keys, planted, rtl_format, waves
from annelid.children import Wrong, take_build_lock
from annelid.sources import replaced

PATIENCE = 600  # seconds for what takes a moment: no verdict depends on them, they end what hangs


def runs(process):
    """Whether it does: one that has ended, but that nobody has asked, does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextlib.contextmanager
def tools(room, **texts):
    """Shell scripts in place of all tools."""
    before = os.environ["PATH"]
    for name, text in texts.items():
        path = room / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    os.environ["PATH"] = str(room)
    try:
        yield
    finally:
        os.environ["PATH"] = before


# --- tests: each gets a directory of its own and the build directory ---

def viewer_that_hangs_is_ended(room, _):
    """With the X server and whatever else it has started, also those that do not want to. Where a second is too short for
    these to say that they are there, they are given more."""
    said = ""
    (room / "view").mkdir()
    (room / "view/a.gtkw").write_text("")
    text = ("PATH=/usr/bin:/bin; trap '' TERM; sleep 86400 & echo $! >> \"$ANNELID_ROOM/processes\"; "
            "echo $$ >> \"$ANNELID_ROOM/processes\"; echo is here; sleep 86401")
    os.environ["ANNELID_ROOM"] = str(room)
    for seconds in (1, 10, 100):
        waves.PATIENCE = seconds
        with tools(room, xvfb_run=text):
            try:
                waves.show(room / "view/a.gtkw", room / "shot.png")
            except waves.Wrong as wrong:
                said = str(wrong)
        if "is here" in said:
            break
    expect(f"no end after {seconds} seconds, was stopped\nis here" in said, "a clear error", said)
    processes = (room / "processes").read_text().split()
    expect(len(processes) >= 2, "processes to be ended", processes)
    until(lambda: not any(map(runs, processes)), f"all processes ended: {processes}")


def pictures_that_cannot_be_made_are_mentioned(room, _):
    said, waves.TESTS = io.StringIO(), ()
    with tools(room, xauth="exit 0"), contextlib.redirect_stdout(said):
        suite = waves.run_tests(room)
    expect(said.getvalue() == "SKIP  pictures: no gtkwave, fst2vcd, xvfb-run (Debian's gtkwave, xvfb)\n",
           "what is missing", said.getvalue())
    expect(not suite.failed and [case.find("skipped") is not None for case in suite.element] == [True],
           "one skipped case", xml.tostring(suite.element))
    answer = subprocess.run([sys.executable, "scripts/run", "waves", "shots", "--build", str(room)], text=True,
                            capture_output=True, env={**os.environ, "PATH": str(room)}, check=False)
    expect(answer.returncode == 2 and answer.stderr.startswith("waves: pictures need more than there is: no "),
           "an error that says so", answer.stderr)


def start(name, build, *arguments):
    """A script that Ctrl-C ends, also where the tests themselves run in the background, which ignores it."""
    return subprocess.Popen([sys.executable, "scripts/run", name, "--build", str(build), *arguments],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def second_waits_for_the_first(room, _):
    for name in ("regress", "faults"):
        with take_build_lock(room, "the first"):
            second = start(name, room, *(["--scenario", "nothing"] if name == "regress" else []))
            try:
                said = second.stderr.readline()
                expect(said.startswith(f"{name}: waits for the first (process {os.getpid()}), which works in {room}"),
                       "for whom it waits", said)
                time.sleep(0.5)
                expect(second.poll() is None, "that it waits", second.returncode)
            except AssertionError:
                second.kill()
                raise
            if name == "faults":  # what it would do takes too long: it can be interrupted while it waits
                second.send_signal(signal.SIGINT)
        said = second.communicate(timeout=PATIENCE)[1]
        if name == "regress":
            expect(second.returncode == 2 and "SCENARIO=nothing: neither" in said, "that it went on", said)
        else:
            expect(second.returncode == 130 and said == "faults: interrupted\n", "that it was interrupted", said)


def two_regressions_at_once_pass(_, build):
    with take_build_lock(build, "the first"):
        both = [start("regress", build, "--scenario", "deadlock_ring5", "--seed", "1-8") for _ in range(2)]
        waiting = [one.stderr.readline() for one in both]
    said = [one.communicate(timeout=10 * PATIENCE)[0] for one in both]
    expect(all("regress: waits for " in line for line in waiting), "both to wait", waiting)
    expect(all("8 passed, 0 failed" in out for out in said), "both to pass", said)


def regress_that_would_not_do_what_is_asked_is_refused(room, build):
    """A switch that is not in the network, settings for no scenario: it would pass all the same."""
    cube, tree, graph = (f"rtl/switch/anl_{family}_switch.sv" for family in ("cube", "fat_tree", "graph"))
    for arguments, said in (
            (["--scenario", "fattree4_uniform", "--dut", cube], "takes the place of anl_cube_switch"),
            (["--scenario", "pair_saturated", "--dut", tree], "takes the place of anl_fat_tree_switch"),
            (["--scenario", "graph_star", "--dut", tree], "takes the place of anl_fat_tree_switch: graph_star has none"),
            (["--scenario", "fattree4_uniform", "--dut", graph], "takes the place of anl_graph_switch"),
            (["--scenario", "pair_saturated", "--dut", str(room / "no.sv")], "no.sv: No such file"),
            (["--set", "network.n=1"], "SET= needs SCENARIO="), (["--golden", "--dut", tree], "no DUT="),
            (["--mode", "rule"], "MODE=rule: the nearest is rules; there are ends, exact, links, rules\n"),
            (["--regress", "standart"], "REGRESS=standart: the nearest is standard; there are "),
            (["--scenario", "mesh4_unifrom"], "exists; the nearest is mesh4_uniform\n")):
        asked = start("regress", build, *arguments)
        seen = asked.communicate(timeout=10 * PATIENCE)
        expect(asked.returncode == 2 and said in seen[1], said, seen)


def foreign_switch(path, text, *changes):
    for old, new in changes:
        text = replaced(text, old, new, path)
    path.write_text(text)


def exact_mode_says_what_it_needs(room, build):
    """Of a switch without our registers exact mode says so in a sentence; other errors are shown as they are."""
    text, switch = Path("rtl/switch/anl_cube_switch.sv").read_text(), room / "mine.sv"
    for changes, sentence in (([("u_core", "u_mine")], True), ([("u_core", "u_mine"), ("8'b0", "nothing")], False),
                              ([(") u_core (", ") u_core (.nothing(1'b0), ")], False)):
        foreign_switch(switch, text.replace("  logic [31:0]                  random;", "  logic [31:0] random;\n"
                                            "  logic [7:0] none;\n  assign none = 8'b0;"), *changes)
        asked = start("regress", build, "--scenario", "pair_saturated", "--dut", str(switch))
        said = asked.communicate(timeout=10 * PATIENCE)[1]
        told = f"in an instance u_core, under the names of anl_switch, and {switch} does not have them: use MODE=links"
        expect(asked.returncode == 2 and (told in said) == sentence, f"the sentence: {sentence}", said)
        expect(sentence == ("%Error" not in said), f"no error of the compiler: {sentence}", said)


def switch_gets_its_label_as_a_parameter(room, build):
    """A switch that declares a parameter Here gets the value of its port here_i; one that does not has its own value. It is
    given by a file list, with a folder of headers, and their names have blanks."""
    text, switch = Path("rtl/switch/anl_cube_switch.sv").read_text(), room / "my switch/mine.sv"
    (room / "my switch/its headers").mkdir(parents=True)
    (room / "my switch/its headers/check.svh").write_text("`define CHECK(x) always @(posedge clk_i) if (!rst_i) assert (x);\n")
    (room / "my switch/mine.f").write_text("'+incdir+its headers' mine.sv  // all of it\n")
    text = f'`include "check.svh"\n{text}'
    check = "\n  `CHECK(here_i == DstW'(Here))\nendmodule"
    for declared, passed in (("parameter int Here = 7", 1), ("localparam int Here = 7", 0)):
        foreign_switch(switch, text, ("  localparam int NumPorts ", f"  {declared},\n  localparam int NumPorts "),
                       ("\nendmodule", check))
        asked = start("regress", build, "--scenario", "pair_saturated", "--mode", "rules", "--dut", f"-f '{switch.with_suffix('.f')}'")
        said = asked.communicate(timeout=10 * PATIENCE)[0]
        expect(f"{passed} passed, {1 - passed} failed" in said, f"{passed} to pass", said)
        expect(("mine.sv:" in said) != passed, "the assertion", said)


def a_failing_assertion_names_its_instance(room, build):
    """With switch and port, and the values of its signals, which a second program knows."""
    text, binding = Path("rtl/switch/anl_binding.sv").read_text(), room / "anl_binding.sv"
    first = "    `ANL_ASSERT(AssumeHeadIffUnbound,"
    foreign_switch(binding, text, (first, f"    `ANL_ASSERT(NeverMoves, !(bound_q && move_i[v])\n      || head_i)\n{first}"))
    asked = start("regress", build, "--scenario", "pair_saturated", "--dut", str(binding))
    said = asked.communicate(timeout=10 * PATIENCE)[0]
    expect(re.search(r"at switch \d\(\d\) port (\d): assertion\n  expected  !\(bound_q && move_i\[v\]\) \|\| head_i\n"
                     r"  seen      NeverMoves in u_core\.g_input\[\1\]\.u_input\.g_bindings\[0\]\.u_binding\.g_lane\[0\]: "
                     r"bound_q 1, move_i 1, head_i 0\n", said), "switch, port, instance and values", said)


def the_sum_says_what_ran(_, build):
    said = subprocess.run([sys.executable, "scripts/run", "regress", "--build", str(build), "--scenario", "deadlock_ring5", "--seed",
                           "1,3-4", "--set", "traffic.length=1", "--mode", "rules"], capture_output=True, text=True, check=False).stdout
    lines = said.splitlines()
    expect(re.fullmatch(r"[\d,]+ flit events judged by the referee in \d+ s of runs: 3 of scenario deadlock_ring5, "
                        r"seeds 1,3-4, traffic.length=1, mode rules", lines[-2]), "what ran", lines[-2:])
    expect(re.fullmatch(r"\d passed, \d failed", lines[-1]), "the sum", lines[-1])


ROW = '[[lint]]\nname = "x"\nfile = "{file}"\nold = "{old}"\nnew = "y"\noptions = []\nsays = "z"\n'


def trouble(function, *arguments):
    """Returns the text of the Wrong that the function raises."""
    try:
        return f"no trouble: {function(*arguments)}"
    except Wrong as wrong:
        return str(wrong)


def every_fault_fits_the_sources(room, _):
    """What a deliberate fault replaces occurs exactly once in its file, as far as that stands in the tree."""
    faults = planted.read(planted.tables(), *planted.KINDS)
    expect(len(faults) > 600, "more than 600", len(faults))
    expect({fault["kind"] for fault in faults} == set(planted.KINDS), "faults of each kind", planted.KINDS)
    for fault in faults:
        if not fault.get("written"):
            planted.texts([fault])
    for file, old, said in (("README.md", "no such text", "0 times"), ("README.md", "e", "times, not once"),
                            ("no_such_file", "e", "No such file")):
        (room / "one.toml").write_text("\n" + ROW.format(file=file, old=old))
        seen = trouble(planted.texts, planted.read([room / "one.toml"], "lint"))
        expect(seen.startswith(f"{room}/one.toml:2: ") and said in seen, said, seen)


def every_fault_stands_in_a_table(_room, _build):
    """No other file under tb/ and papers/ has texts that replace others."""
    found = {path for top in ("tb", "papers") for path in Path(top).rglob("*.toml") if re.search(r"\bold *= ", path.read_text())}
    expect(found <= {*planted.tables()}, "no table that the reader does not know", found - {*planted.tables()})


def a_fault_has_the_fields_of_its_kind(room, _):
    """What is no fault is refused, with the file and line of the row."""
    path, good = room / "table.toml", ROW.format(file="README.md", old="x")
    edits = 'edits = [{file = "a", old = "b", new = "c"}, {file = "a", old = "c", new = "d"}]\n'
    listed = re.sub(r"(file|old|new) = .*\n", "", good).replace("options", edits + "options")
    for text, said in ((good.replace("says", "say"), ":1: a fault of kind lint needs says, and does not know say"),
                       (good + "why = 1\n", "does not know why"),
                       (good + good, ":8: a fault of kind lint is named x, and so is that of"),
                       (good.replace('old = "x"\n', ""), ":1: expected file, old and new"),
                       (good.replace('"x"', "1"), "expected file, old and new"),
                       (good.replace('new = "y"', 'new = "x"'), "nothing is planted"),
                       (good.replace("lint", "lent"), "no kind of fault: lent"),
                       ('[[reset]]\nname = "x"\n' + edits, "of kind reset, where there are lint"),
                       (listed.replace('"c"}', '"c", by = "e"}'), "expected file, old and new"),
                       (listed + 'old = "x"\n', "does not know old"),
                       ('lint = [{name = "x"}]\n', "begins with a line [[lint]]")):
        path.write_text(text)
        seen = trouble(planted.read, [path], "lint")
        expect(seen.startswith(str(path)) and said in seen, said, seen)


def what_must_be_seen_has_a_place(room, _):
    """The referee is silent, or says what it sees, and where."""
    path, good = room / "table.toml", "{cycle = 1, place = 'x', what = 'y', says = 'z'}"
    for rules, refused in (('"silent"', False), (good, False), ('"loud"', True), ("{cycle = 1, place = 'x'}", True),
                           (good.replace("says", "said"), True), (good.replace("cycle", "step"), False),
                           (good.replace("cycle = 1", "cycle = 1, step = 1"), True)):
        path.write_text('[[rtl]]\nname = "x"\nfile = "a"\nold = "b"\nnew = "c"\nwhy = ""\nscenario = "y"\n'
                        f"rules = {rules}\nexpect = {good}\n")
        seen = trouble(planted.read, [path], "rtl")
        expect((":1: rules is" in seen) == refused and ("no trouble" in seen) != refused, rules, seen)


def faults_are_planted_into_copies(room, _):
    """All edits of all faults, one behind the other; FAULT stands for the condition under which a fault acts."""
    path, here = room / "table.toml", room / "text"
    here.mkdir()
    for name, text in (("t", "a b"), ("u", "z")):
        (here / name).write_text(text)
    path.write_text('[[reset]]\nname = "one"\nedits = [{file = "t", old = "a", new = "a FAULT"}, '
                    '{file = "u", old = "z", new = "y"}]\n'
                    '[[reset]]\nname = "two"\nfile = "t"\nold = "b"\nnew = "FAULT"\n')
    faults = planted.read([path], "reset")
    seen = planted.texts(faults, here.joinpath)
    expect(seen == {"t": "a FAULT FAULT", "u": "y"}, "all edits", seen)
    planted.plant(faults, here.joinpath, "(n == {})".format)
    seen = [(here / name).read_text() for name in "tu"]
    expect(seen == ["a (n == 1) (n == 2)", "y"], "both faults with their conditions", seen)
    path.write_text('[[reset]]\nname = "x"\nfile = "u"\nold = "y"\nnew = "z"\n')
    seen = trouble(planted.plant, planted.read([path], "reset"), here.joinpath, str)
    expect("would act always" in seen and (here / "u").read_text() == "y", "a refusal", seen)


def rtl_has_one_format(_room, _build):
    """What is right, and what each wrong line of the same text is."""
    right = """`include "a.svh"
module a #(
  parameter int W = 1
) (
  input logic [W-1:0] a_i,
`ifdef B
  input logic b_i,
`endif
  output logic c_o
);
  `ANL_ASSERT(OnTwoLines, a_i
                          || c_o)
  // remark (
  for (genvar v = 0; v < W; v++) begin : g_v
    assign d[v] = (a_i == "(") ? 1
                  : 0;
    b #(.W(W)) u_b (
      .a_i, .b_i
    );
  end else begin : g_w
  end
  always_comb
    for (int i = 0; i < W; i++)
      if (a_i[i]
          && b_i) begin
        case (a_i)
          1: d = {a_i,
                  b_i};
        endcase
      end
  function automatic int f(input int x);
    f = x;
  endfunction
  import "DPI-C" function int g(
    input int x);
endmodule
"""
    expect(not list(rtl_format.wrong_lines(right, False)), "no complaint", list(rtl_format.wrong_lines(right, False)))
    lines, goes_on = right.split("\n"), ("||", ": 0", "&&", "b_i};", "for (int", "if (")  # what may be anywhere further in
    for number, line in enumerate(lines, 1):
        if not line.strip() or "//" in line or line.startswith("`"):
            continue
        wrong = ["\t" + line, line + " ", line + " // " + "-" * 130]
        if not any(text in line for text in goes_on):
            wrong += [" " + line, line[2:]] if line.startswith("  ") else [" " + line]
        for other in wrong:
            text = "\n".join(lines[:number - 1] + [other] + lines[number:])
            seen = [found for found, _ in rtl_format.wrong_lines(text, False)]
            expect(number in seen, f"a complaint about line {number}: {other!r}", seen)
    expect(not list(rtl_format.wrong_lines("  wire a;\n  wire b;\n", True)), "an included text in a module to be right", "")


def simulators_are_told_what_a_name_says(room, _build):
    for key, said in (
            ("cube_K4_N2_Topology0_Routing0_NumVcs4_Depth4_FlitW32_Arbiter1_Wide1_Classes2_Weights258",
             "-DANL_CUBE -GK=4 -GN=2 -GTopology=0 -GRouting=0 -GNumVcs=4 -GDepth=4 -GFlitW=32 -GArbiter=1 "
             r"-DANL_WIDE -GWide=1 -DANL_CLASSES -GClasses=2 -GWeights=64\'d258"),
            ("fat_tree_K4_N2_Routing5", "-DANL_FAT_TREE -GK=4 -GN=2 -GRouting=5"),
            ("source_K12_N1_0bc0101597918a20", "-DANL_SOURCE -DANL_GRAPH -GK=12 -GN=1"),
            ("diagonals_K4_FlitW32", "-DANL_KIND='anl_lockstep_diagonals #(.K(4),.FlitW(32))'")):
        expect(keys.words_of(key) == said, said, keys.words_of(key))
    graph = room / "graph.sv"
    graph.write_text("module anl_graph;\n  anl_source_switch #(.Here(0)) u_switch (.*);\n")
    for network, path, said in (
            ("anl_cube-K3-N2-Routing1", None, "-Panl_cdg.K=3 -Panl_cdg.N=2 -Panl_cdg.Routing=1 -DANL_CUBE"),
            ("anl_cube-K3-Routing13", None, "-Panl_cdg.K=3 -Panl_cdg.Routing=13 -DANL_CUBE -DANL_OPTIONS"),
            ("anl_graph-K9-N1-Hash0bc0101597918a20", graph, "-Panl_cdg.K=9 -Panl_cdg.N=1 -DANL_GRAPH -DANL_SOURCE")):
        expect(cdg.words_of(network, path) == said, said, cdg.words_of(network, path))


TESTS = [viewer_that_hangs_is_ended, pictures_that_cannot_be_made_are_mentioned, second_waits_for_the_first,
         two_regressions_at_once_pass, regress_that_would_not_do_what_is_asked_is_refused,
         exact_mode_says_what_it_needs, switch_gets_its_label_as_a_parameter, a_failing_assertion_names_its_instance, the_sum_says_what_ran,
         every_fault_fits_the_sources, every_fault_stands_in_a_table, a_fault_has_the_fields_of_its_kind,
         what_must_be_seen_has_a_place, faults_are_planted_into_copies, rtl_has_one_format, simulators_are_told_what_a_name_says]


if __name__ == "__main__":
    sys.exit(main("scripts", TESTS, __doc__.splitlines()[2]))
