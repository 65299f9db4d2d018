#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""DUT=: the files, folders and file lists of a user in place of ours, and what is refused.

usage: tb/unit/scripts/test_dut.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import assertions, dut, regress
from annelid.children import Wrong

OURS = Path("rtl/switch/anl_cube_switch.sv").read_text()


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def refused(text):
    try:
        seen = dut.read(text)
    except Wrong as wrong:
        return str(wrong)
    raise AssertionError(f"expected {text} to be refused; seen: {seen}")


def made(text, room):
    """Returns {name: value} of the makefile for a DUT=."""
    written = dut.for_make(dut.read(text), room / "made")
    return dict(re.findall(r"^dut_(\w+) := (.*)$", written, re.MULTILINE))


# --- tests: each gets a directory of its own and the build directory ---

def one_file_is_as_it_was(room, _):
    """Its programs are where those of other scripts look for them."""
    path = put(room / "mine.sv", OURS)
    seen = made(path, room)
    expect(seen == dict(name=path.replace("/", "+"), own="rtl/switch/anl_cube_switch.sv", files=path, read="", flags=""), "one file", seen)
    expect(dut.read(os.path.join(str(room), ".", "mine.sv")).name == dut.read(path).name, "the same of another spelling", "")


def several_files_and_folders(room, _):
    """In their order, with folders, definitions and libraries."""
    package = put(room / "router_pkg.sv", "package router_pkg; endpackage\n")
    switch = put(room / "wrap.sv", f'`include "sizes.svh"\n{OURS}')
    put(room / "inc/sizes.svh", '`include "more.svh"\n')
    put(room / "inc/more.svh", "")
    seen = made(f"{package} {switch} {room}/inc -D WIDTH=4 +define+FAST -y {room} +libext+.v", room)
    expect(seen["files"] == f"{package} {switch}", "files in their order", seen)
    expect(seen["flags"] == f"+incdir+{room}/inc -DWIDTH=4 +define+FAST -y {room} +libext+.v", "flags", seen)
    expect(seen["read"] == f"{room}/inc/sizes.svh {room}/inc/more.svh", "included files, on which a build depends", seen)
    expect(seen["name"].startswith("router_pkg.sv-") and seen["name"] != made(f"{package} {switch} {room}/inc", room)["name"],
           "a directory of its own for each text", seen)


def lists_are_relative_to_their_place(room, _):
    """A list names another one; remarks, quotation marks, and variables of the environment."""
    os.environ["TB_HOME"] = str(room / "ip")
    put(room / "ip/core/mine.sv", OURS)
    put(room / "ip/core/core.f", "+incdir+include  // headers\n-f ../lib/lib.f\n# a remark\nmine.sv\n")
    put(room / "ip/lib/lib.f", '"a b.sv"\n$TB_HOME/lib/c.sv\n')
    put(room / "ip/lib/a b.sv", "module ab; endmodule\n")
    put(room / "ip/lib/c.sv", "module c; endmodule\n")
    (room / "ip/core/include").mkdir()
    for text in (f"-f {room}/ip/core/core.f", f"{room}/ip/core/core.f", f"-F{room}/ip/core/core.f"):
        if text.startswith("-F"):
            expect("-F" in refused(text), "a blank behind -F", text)
            continue
        seen = dut.read(text)
        expect(seen.files == [f"{room}/ip/lib/a b.sv", f"{room}/ip/lib/c.sv", f"{room}/ip/core/mine.sv"], "its files", seen)
        expect(seen.folders == [f"{room}/ip/core/include"] and len(seen.read) == 2, "its folder, and both lists", seen)


def names_with_blanks_become_links(room, _):
    path = put(room / "my switch/mine (1).sv", f'`include "sizes.svh"\n{OURS}')
    header = put(room / "my switch/sizes.svh", "")
    for text in (path, f"'{path}'", dut.read(path).text):
        seen = made(text, room)
        expect(" " not in seen["files"] and Path(seen["files"]).read_text() == Path(path).read_text(), "a link to the file", seen)
        expect(Path(seen["read"]).samefile(header), "a link to what it includes", seen)
        expect(Path(seen["flags"].removeprefix("+incdir+")).samefile(room / "my switch"), "a link to its folder", seen)
    expect(dut.typed(path) == f"DUT='{path}'", "the word in a shell", dut.typed(path))


def what_is_replaced(room, _):
    """Modules and packages of ours by their names; a switch by its network, too; remarks define nothing."""
    both = put(room / "both.sv", OURS + Path("rtl/switch/anl_fat_tree_switch.sv").read_text())
    expect(dut.read(both).switches == ["anl_cube_switch", "anl_fat_tree_switch"], "both switches", dut.read(both).switches)
    tree = put(room / "tree.sv", "// module anl_cube_switch\n/*\nmodule anl_cube_switch;*/\nmodule anl_fat_tree (); endmodule\n")
    expect(dut.read(tree).switches == ["anl_fat_tree_switch"], "the switch of the network", dut.read(tree).switches)
    for name, switches in (("anl_discard", ["anl_discard_switch", "anl_discard_multiplexed_switch"]), ("anl_replay", ["anl_one_bend_switch"]),
                           ("anl_diagonals", ["anl_diagonals"]), ("anl_diagonals_clock", ["anl_diagonals"]), ("anl_admit", ["anl_cube_switch"])):
        text = Path("papers/bock/rtl/anl_diagonals.sv").read_text() if name == "anl_diagonals" else f"module {name} (); endmodule\n"
        module = put(room / f"{name}.sv", text)
        expect(dut.read(module).switches == switches, "the switches of its kind", (name, dut.read(module).switches))
    part = put(room / "part.sv", "package anl_pkg; endpackage\n  module automatic anl_admit; endmodule\nmodule mine; endmodule\n")
    seen = made(part, room)
    expect(seen["own"] == "rtl/common/anl_pkg.sv rtl/switch/anl_admit.sv", "a package and a module", seen)
    graph = put(room / "graph.sv", "module anl_graph; endmodule\n")
    expect(made(graph, room)["own"] == "anl_graph", "the network of a graph", made(graph, room))
    here = put(room / "here.sv", OURS.replace("localparam int NumPorts", "parameter int Here = 0,\n  localparam int NumPorts", 1))
    expect(made(here, room)["flags"] == "-DANL_HERE", "a switch that wants its label", made(here, room))


def what_cannot_replace_ours_is_refused(room, _):
    """By its name, with what was expected, and before anything is built."""
    foo = put(room / "foo.sv", "module anl_foo; endmodule\nmodule bar; endmodule\n")
    said = refused(foo)
    expect(f"DUT={foo} defines anl_foo, bar; anl_cube_switch with parameters K, N, " in said and " and ports clk_i, rst_i, " in said,
           "what it defines and what was expected", said)
    expect("defines no module; anl_cube_switch with" in refused(put(room / "empty.sv", "// nothing\n")), "no module", "")
    few = put(room / "few.sv", re.sub(r"^.*\b(seed_i,|Depth ) .*\n", "", OURS, flags=re.MULTILINE))
    said = refused(few)
    expect(f"DUT={few} defines anl_cube_switch without Depth, seed_i; anl_cube_switch with parameters" in said, "what is missing", said)
    put(room / "old.sv", "module anl_cube_switch (clk_i, rst_i); input clk_i, rst_i; wire valid_i, vc_i; endmodule\n")
    expect("without K, N," in refused(str(room / "old.sv")) and "valid_i" in refused(str(room / "old.sv")), "a port, not a wire", "")


def what_cannot_be_read_is_refused_where_it_stands(room, _):
    put(room / "mine.sv", OURS)
    for text, said in (("--cc", "top.f:2: --cc: expected files, folders, -f list"), ("no.sv", f"top.f:2: {room}/no.sv: No such file"),
                       ("+incdir+no", f"top.f:2: {room}/no: No such file or folder"), ("-f", "top.f:2: -f: expected"),
                       ("'mine.sv", "top.f:2: No closing quotation"), ("-f top.f", f"{room}/top.f reads itself")):
        put(room / "top.f", f"mine.sv\n{text}\n")
        seen = refused(f"-f {room}/top.f")
        expect(said in seen, said, seen)
    expect("names no file" in refused(str(room)), "a folder alone to be refused", refused(str(room)))


def make_says_so_and_builds_nothing(room, build):
    foo = put(room / "my foo.sv", "module anl_foo; endmodule\n")
    for command in (["make", "--no-print-directory", "regress", "SCENARIO=pair_saturated", f"BUILD={build}", f"DUT={foo}"],
                    [sys.executable, "scripts/run", "regress", "--scenario", "pair_saturated", "--build", str(build), "--dut", foo]):
        seen = subprocess.run(command, capture_output=True, text=True, check=False)
        expect(seen.returncode == 2 and f"DUT='{foo}' defines anl_foo; anl_cube_switch with" in seen.stderr, "the sentence", seen)
        expect("%Error" not in seen.stderr + seen.stdout and not seen.stdout, "nothing else", seen)


def runs_without_the_switch_are_left_out(room, _):
    """Those with one of several switches are kept."""
    both = put(room / "both.sv", OURS + Path("rtl/switch/anl_fat_tree_switch.sv").read_text())
    runs = [regress.Run(Path(name), 1, key=f"{name}_K4_N2_NumVcs1") for name in ("cube", "fat_tree", "graph")]

    class Options:
        dut = both

    with contextlib.redirect_stdout(io.StringIO()) as said:
        seen = [run.name for run in regress.leave_out_others(Options, runs)]
    expect(seen == ["cube", "fat_tree"], "two of three", seen)
    expect(said.getvalue() == "1 runs left out: their networks have no anl_cube_switch or anl_fat_tree_switch\n", "a line", said.getvalue())


def what_a_switch_does_not_declare_it_is_not_given(room, build):
    """One that knows sizes alone, in a cube and in a graph; it runs in a network that has the defaults of the rest."""
    optional = "|".join(dut.NAMES.values())
    def of_sizes(name, other):
        text = Path(f"rtl/switch/{name}.sv").read_text()
        return put(room / f"{name}.sv", re.sub(rf"^  parameter ( *(?:int|logic \[[^]]*\]) (?:{optional}) )", r"  localparam\1", text, flags=re.MULTILINE)
                   .replace("  localparam int NumPorts", f"  parameter int {other} = 3,\n  localparam int NumPorts", 1))
    cube, graph = of_sizes("anl_cube_switch", "Kind"), of_sizes("anl_graph_switch", "Other")
    seen = made(cube, room)
    expect(seen["own"] == "rtl/switch/anl_cube_switch.sv rtl/net/anl_cube.sv tb/lockstep/parts/anl_lockstep_switch.sv",
           "three files of ours are replaced", seen)
    network = Path(seen["files"].split()[1]).read_text()
    given = re.findall(r"\.(\w+)\(", re.search(r"anl_cube_switch #\((.*?)\) u_switch", network, re.DOTALL)[1])
    expect(given == ["K", "N", "NumVcs", "Depth", "FlitW", "Here"], "sizes", given)
    expect(".Cycles(LinkCycles)" in network, "other instances as they were", network)
    written = room / "net.sv"
    subprocess.run([build / "annelid", "rtl", "--name", "anl", "-o", written, "sim/scenarios/graph_dragonfly.yaml"], check=True)
    fitted = dut.fitted(dut.read(graph), written.read_text())
    expect(".Stages(" in written.read_text() and ".Stages(" not in fitted and ".Turns(anl_graph_pkg::turns(s))" in fitted, "a graph", fitted)
    said = subprocess.run(["make", "--no-print-directory", "regress", "SCENARIO=board_mesh2", f"BUILD={build}", f"DUT={cube}"],
                          capture_output=True, text=True, check=False)
    expect(said.returncode == 0 and "1 passed, 0 failed" in said.stdout, "a run", said)


def signals_of_assertions(room, _build):
    """Those of the conditions, also over several lines; no functions, parameters, packages, fields or genvars."""
    text = ("module one; genvar v; // `ANL_ASSERT(No, remark)\n"
            "  `ANL_ASSERT(First, !(a_q && b_i[v*Width +: Width])\n      || f(c) == anl_pkg::RoundRobin)\n"
            "  `ANL_ASSERT(Second, $onehot(d_o) || 8'hff == e.first)\nendmodule\n"
            "module two; assign x = y; endmodule\nmodule three; `ANL_ASSERT(Third, x) endmodule\n")
    expect(assertions.signals(text) == dict(one={"a_q", "b_i", "c", "d_o", "e"}, three={"x"}), "the signals", assertions.signals(text))
    seen = subprocess.run([sys.executable, "scripts/run", "assertions", put(room / "a.sv", text)], capture_output=True, text=True, check=True)
    lines = seen.stdout.splitlines()
    expect(lines[0] == "`verilator_config" and 'public_flat_rd -module "three" -var "x"' in lines and len(lines) == 7, "settings", lines)


# --- what a switch says itself ---

def said_by(room, build, text, *options):
    """Runs a switch with a text of its own in it. Returns exit status and what was printed."""
    mine = put(room / "mine.sv", OURS.replace("\nendmodule", f"\n{text}\nendmodule"))
    seen = subprocess.run([sys.executable, "scripts/run", "regress", "--build", str(build), "--scenario", "pair_saturated", "--dut", mine,
                           *options], capture_output=True, text=True, check=False)
    return seen.returncode, seen.stdout + seen.stderr


def a_switch_that_refuses_its_parameters_is_not_built(room, build):
    for task in ("$fatal(1, ", "$error("):
        status, said = said_by(room, build, f'if (Depth != 64) {task}"Depth is %0d, not 64", Depth);')
        expect(status != 0 and re.search(r"mine\.sv:\d+:\d+: Depth is 1, not 64\n", said), f"{task} with its words", said)
        expect(" passed" not in said, "no run", said)


def what_a_switch_says_ends_a_run(room, build):
    """Before the first cycle, and, as the seed of a switch says, in reset or later, with place and words."""
    status, said = said_by(room, build, 'initial if (Depth != 64) $fatal(1, "Depth is %0d, not 64", Depth);')
    expect(status == 1 and "FIRST DIFFERENCE in cycle 0 at switch 0(0): assertion\n" in said, "the end before cycle 0", said)
    expect(re.search(r"\n  seen      mine\.sv:\d+: in reset: Depth is 1, not 64\n", said), "the words", said)
    status, said = said_by(room, build, """
      int n = 0;
      always @(posedge clk_i) begin
        assert (!rst_i);                       // without words: ignored in reset
        if (!rst_i) n <= n + 1;
        if (rst_i && seed_i[1:0] == 0) $error("seed %h", seed_i);
        if (n == 3 && seed_i[1:0] == 1) $fatal(1, "n is %0d,\\n and rst_i %0d", n, rst_i);
        if (n == 3 && seed_i[1:0] == 2) $finish;
        if (n == 3 && seed_i[1:0] == 3 && clk_i) $stop;
      end""", "--seed", "1-14")
    expect(status == 1 and "0 passed, 14 failed" in said, "each run to end red", said)
    for words in (r"in reset: seed [0-9a-f]{8}", r"n is 3, and rst_i 0", r"\$finish", r"\$stop"):
        expect(re.search(rf"\n  seen      mine\.sv:\d+: {words}\n", said), words, said)


def a_reset_comes_in_the_midst_of_traffic(room, build):
    """With flits on their way, once and for one cycle; without a prelude it does not come."""
    text = """
      int flits = 0, resets = 0, held = 0;
      always @(posedge clk_i) begin
        if (!rst_i && valid_o != '0) flits <= flits + 1;
        if (rst_i) held <= held + 1;
        if (!rst_i && held > 0) begin
          held <= 0;
          resets <= resets + 1;
          if (flits > 0) $fatal(1, "reset of %0d, number %0d", held, resets);
        end
      end"""
    status, said = said_by(room, build, text, "--prelude", "40")
    expect(status == 1 and re.search(r"mine\.sv:\d+: reset of 1, number 1\n", said), "a reset of one cycle", said)
    expect(" PRELUDE=40" in said, "how to repeat it", said)
    status, said = said_by(room, build, text, "--prelude", "0")
    expect(status == 0 and "1 passed, 0 failed" in said, "no such reset", said)


TESTS = [one_file_is_as_it_was, several_files_and_folders, lists_are_relative_to_their_place, names_with_blanks_become_links,
         what_is_replaced, what_cannot_replace_ours_is_refused, what_cannot_be_read_is_refused_where_it_stands,
         make_says_so_and_builds_nothing, what_a_switch_does_not_declare_it_is_not_given, signals_of_assertions, runs_without_the_switch_are_left_out,
         a_switch_that_refuses_its_parameters_is_not_built, what_a_switch_says_ends_a_run, a_reset_comes_in_the_midst_of_traffic]


if __name__ == "__main__":
    sys.exit(main("dut", TESTS, __doc__.splitlines()[2]))
