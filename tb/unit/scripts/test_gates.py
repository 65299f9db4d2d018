#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The proof that a netlist is equal to the RTL, tried on counters of a few lines; and what gates.toml may say.

usage: tb/unit/scripts/test_gates.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import dataclasses
import itertools
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import aig, gates, miter, netlists
from annelid.children import Children, Wrong, abc, tool
from annelid.corners import NAMES
from annelid.sources import WRITTEN, replaced

FROM_RESET = miter.QUESTION.replace(f"cycle -F {miter.PREFIX}; ", "")     # the question without cycles before it
COUNTER = """module counter (input clk_i, input rst_i, input up_i, output [2:0] count_o, output [1:0] always_o);
  reg [2:0] count;
  reg [2:0] kept;
  always @(posedge clk_i) begin
    count <= rst_i ? 3'd4 : count + up_i;
    if (up_i) kept <= count;
  end
  assign count_o = count ^ (count & ~count & kept);
  assign always_o = 2'b00;
endmodule
"""
# The changes, and the first cycle out of reset in which each shows; None: never.
CHANGES = [
    ("count + up_i", "up_i ? 3'd1 + count : count", None),
    ("reg [2:0] count", "reg [2:0] count = 3'd7", None),
    ("reg [2:0] kept", "reg [2:0] kept = 3'd1", None),
    ("count + up_i", "up_i & (&count) ? 3'd1 : count + up_i", 4),
    ("rst_i ? 3'd4 : count + up_i", "count + up_i", 0),
    ("rst_i ? 3'd4", "rst_i ? 3'd5", 0),
    ("rst_i ? 3'd4", "rst_i ? {2'b10, up_i}", 0),
    ("2'b00", "{1'b0, &count}", 3),
    ("2'b00", "2'b01", 0),
    ("assign count_o = count ^", "assign count_o = {count[2], count[0], count[1]} ^", 1),
]

# Two links of two bits: the flits on them, and whether they matter.
LINKS = """module counter (clk_i, rst_i, up_i, data_i, out_valid_o, out_flit_o);
  input clk_i, rst_i;
  input [1:0] up_i;
  input [3:0] data_i;
  output [1:0] out_valid_o;
  output [3:0] out_flit_o;
  reg [1:0] valid;
  reg [3:0] flit;
  always @(posedge clk_i) begin
    valid <= rst_i ? 2'd0 : up_i;
    flit <= data_i;
  end
  assign out_valid_o = valid;
  assign out_flit_o = flit;
endmodule
"""
FLITS = [
    ("flit & {{2{valid[1]}}, {2{valid[0]}}}", None),
    ("flit & {2'b11, {2{valid[1] | valid[0]}}}", None),
    ("flit ^ (valid == 2'b01 ? 4'b1000 : 4'b0000)", None),
    ("flit ^ (valid == 2'b10 ? 4'b1000 : 4'b0000)", 1),
    ("flit & {4{valid[0]}}", 1),
]


def yosys(room, name, script):
    (room / f"{name}.ys").write_text(script)
    result = subprocess.run([*tool("YOSYS"), "-q", room / f"{name}.ys"], capture_output=True, text=True, check=False)
    if result.returncode:
        raise Wrong(result.stderr)


def side(room, text, name):
    """Returns the file of the module as a graph."""
    (room / f"{name}.v").write_text(text)
    yosys(room, name, f"read_verilog -sv {room}/{name}.v\nhierarchy -top counter\n" + netlists.GRAPH.format(name=name, room=room))
    return room / f"{name}.il"


def changed(old, new):
    return replaced(COUNTER, old, new, "the counter")


def ask(room, gold, gates):
    """Returns the first cycle out of reset in which both differ, and the first one behind random cycles; None if never."""
    (room / "miter.v").write_text(miter.miter(gold, gates))
    yosys(room, "miter", miter.SCRIPT.format(gold=gold, gates=gates, room=room))
    first, later = (miter.verdict(aig.asked(lambda engine, question=question: subprocess.run(
        [*abc(), "-c", f"read_aiger {room}/question.aig; {question}; {engine}"],
        capture_output=True, text=True, check=False).stdout)) for question in (FROM_RESET, miter.QUESTION))
    return first if first is None else first - 1, later


def compare(room, gold, gates):
    """Returns the first cycle out of reset in which both differ, None if never. It must be never behind random cycles, too."""
    first, later = ask(room, gold, gates)
    expect((first is None) == (later is None), "the same verdict behind random cycles", (first, later))
    return first


def refused(words, action, *arguments):
    """The action must be refused with these words."""
    try:
        seen = action(*arguments)
    except Wrong as wrong:
        seen = f"wrong: {wrong}"
    expect(re.search(rf"(?s)^wrong: .*{words}", str(seen)), f"it is refused with {words!r}", seen)


def differences_are_found_in_their_cycle(room, _):
    gold = side(room, COUNTER, "gold")
    for old, new, cycle in CHANGES:
        seen = compare(room, gold, side(room, changed(old, new), "gates"))
        expect(seen == cycle, f"{new!r} for {old!r} shows in cycle {cycle}", seen)


def constants_that_are_stored_may_be_left_out(room, _):
    """A register that is only ever loaded with 7 is 0 before; in the netlist it may be 7. It is seen at an output here, so the
    difference shows as long as it was not written."""
    text = COUNTER.replace("kept <= count", "kept <= 3'd7").replace("(count & ~count & kept)", "kept")
    seen = ask(room, side(room, text, "gold"), side(room, text.replace("^ kept", "^ 3'd7"), "gates"))
    expect(seen == (0, None), "a difference until it was written", seen)


def registers_begin_with_0(room, _):
    """Also one that reset leaves alone, is seen at an output, and has another value in the file."""
    text = COUNTER.replace("(count & ~count & kept)", "kept")
    other = text.replace("reg [2:0] kept", "reg [2:0] kept = 3'd1")
    seen = compare(room, side(room, text, "gold"), side(room, other, "gates"))
    expect(other != text and seen is None, "no difference", seen)


def flits_count_while_they_are_valid(room, _):
    gold = side(room, LINKS, "gold")
    for flit, cycle in FLITS:
        seen = compare(room, gold, side(room, LINKS.replace("out_flit_o = flit", f"out_flit_o = {flit}"), "gates"))
        expect(seen == cycle, f"{flit} shows in cycle {cycle}", seen)


def other_ports_and_clocks_are_refused(room, _):
    gold = side(room, COUNTER, "gold")
    refused("up_i", miter.miter, gold, side(room, COUNTER.replace("up_i", "on_i"), "ports"))
    refused("always_o", miter.miter, gold, side(room, changed("[1:0] always_o", "always_o"), "outputs"))
    refused("[Aa]ssert|selection is not empty", side, room, changed("posedge", "negedge"), "edge")
    gated = changed("posedge clk_i", "posedge gated").replace("  reg [2:0] kept", "  wire gated = clk_i & up_i;\n  reg [2:0] kept")
    refused("[Aa]ssert|selection is not empty", side, room, gated, "gated")


def without_a_verdict_nothing_is_proved(_room, _build):
    proved, refuted = "Property proved.  Time = 0.1 sec", 'Output 0 of miter "a" was asserted in frame 3.'
    account = "Properties:  All = 1. Proved = 1. Disproved = 0. Undecided = 0."
    for text in (proved, account):
        expect(miter.verdict(text) is None, "proved", text)
    expect(miter.verdict(refuted) == 3, "cycle 3", miter.verdict(refuted))
    for text in ("", "Property UNDECIDED.", "** cmd error", f"{proved}\n{refuted}", f"not {proved}",
                 account.replace("Proved = 1", "Proved = 0")):
        refused("no verdict", miter.verdict, text)


def what_is_solved_is_proved_by_an_account(_room, _build):
    """Newer versions of abc say only that an output which is 0 by itself is solved, and the same of one that timed out."""
    solved = "All outputs solved or timed out in frame 1.\nProperty UNDECIDED.\n"
    for count in (0, 1):
        says = {"pdr": solved, "pdr -a": f"Properties:  All = 1. Proved = {count}. Disproved = 0. Undecided = {1 - count}."}
        expect(aig.proved(aig.asked(says.get)) == bool(count), f"{count} is proved", says)


def sets_are_checked(room, _):
    (room / "scenarios").symlink_to(Path("tb/campaigns/gates/scenarios").resolve())
    good, kept = (netlists.ROOM / "gates.toml").read_text(), netlists.ROOM
    netlists.ROOM = room
    try:
        for old, new, words in (("[mesh]", "[mesh", "gates.toml"), ("K = 3, N = 2", "N = 2", "parameters"),
                                ('mode = "links"', 'mode = "exact"', "expected links or ends"),
                                ('scenario = "mesh"', 'scenario = "none"', "none.yaml"),
                                ('topology = "mesh"', 'topology = "mash"', "gates.toml.*mash"),
                                ('scenario = "mesh"\n', "", "expected links or ends"), ("faults =", "fault =", "fault"),
                                ('module = "anl_cube"', 'module = "anl_cub"', "network")):
            (room / "gates.toml").write_text(good.replace(old, new, 1))
            refused(words, netlists.load)
    finally:
        netlists.ROOM = kept


def scenario_must_need_the_set(_room, build):
    subprocess.run(["make", "-s", f"BUILD={build}", str(build / "lockstep/params")], check=True)
    bench = gates.Bench(type("Options", (), dict(build=build)), Children())
    for one in (one for one in netlists.load().values() if one.scenario):
        bench.key(one)
        # Those that a set leaves out have their default, and another value is another network.
        left_out = {"Stages", "Classes", "Wide"} & {*(NAMES.values() if one.module == WRITTEN else one.declared)} - {*one.parameters}
        expect(left_out or "Stages" in one.parameters, f"a parameter with a default in {one.name}", one)
        for name in {*one.parameters, *left_out} - {"Level"}:
            other = dict(one.parameters, **{name: one.parameters.get(name, name in gates.ONES) + 1})
            refused(f"set {one.name} is", bench.key, netlists.Set(**{**vars(one), "parameters": other}))
    graph = dataclasses.replace(netlists.load()["graph"], parameters={"NumVcs": 1})
    refused("parameters of anl_graph are NumVcs, Depth", bench.place, graph)


def fault_is_one_bit_of_one_table(_room, _build):
    tables = {"generic": "  \\$lut  #(\n    .LUT(4'h8),\n    .WIDTH(32'd2)\n  ) \\a.b[0] (\n    .A(x)\n  );\n",
              "ice40": "  SB_LUT4 #(\n    .LUT_INIT(16'h00ca)\n  ) _12_ (\n    .I0(x)\n  );\n",
              "ecp5": "  LUT4 #(\n    .INIT(16'h00ca)\n  ) _12_ (\n    .A(x)\n  );\n",
              "xilinx": "  LUT6 #(\n    .INIT(64'h00000000000000ca)\n  ) _12_ (\n    .I0(x)\n  );\n"}
    for name, text in tables.items():
        other = "  FDRE #(\n    .INIT(1'hx)\n  ) _13_ (\n    .C(x)\n  );\n"
        for fault in itertools.islice(netlists.faults(netlists.FAMILIES[name], other + text, "any"), 20):
            digits = [(int(a, 16), int(b, 16)) for a, b in zip(other + text, fault.text) if a != b]
            expect(len(fault.text) == len(other + text) and [(a ^ b).bit_count() for a, b in digits] == [1],
                   "one bit of one digit", fault.text)
            expect(fault.cell in ("a.b[0]", "_12_"), "the cell's name", fault.cell)


def strange_names_are_refused(_room, build):
    result = subprocess.run([sys.executable, "scripts/run", "gates", "--build", str(build), "--only", "nonsense"],
                            capture_output=True, text=True, check=False)
    expect(result.returncode == 2 and "no set nonsense; there are ring" in result.stderr, "a clear word", result)


TESTS = [differences_are_found_in_their_cycle, constants_that_are_stored_may_be_left_out, registers_begin_with_0,
         flits_count_while_they_are_valid, other_ports_and_clocks_are_refused, without_a_verdict_nothing_is_proved,
         what_is_solved_is_proved_by_an_account, sets_are_checked, scenario_must_need_the_set, fault_is_one_bit_of_one_table, strange_names_are_refused]

if __name__ == "__main__":
    sys.exit(main("gates-itself", TESTS, __doc__.split("\n\n")[1]))
