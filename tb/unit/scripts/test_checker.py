#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checkers that users bind (docs/checker.md): the examples of the page, and each rule of a checker broken once.

usage: tb/unit/scripts/test_checker.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import planted, prove_dut
from annelid.children import tool
from annelid.sources import needed

PAGE, ROOM = Path("docs/checker.md"), Path("docs/checker")
CHECKERS = sorted(Path("rtl/checker").glob("*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path))  # packages first
FULL = os.environ.get("FULL") == "1"
PLANTED = '  import "DPI-C" pure function int anl_planted();\n'
MACHINE = """#include <stdlib.h>
extern "C" int anl_planted() { static const int number = atoi(getenv("ANL_PLANTED")); return number; }
"""


def run(command, **options):
    return subprocess.run(command if isinstance(command, list) else shlex.split(command), capture_output=True, text=True, check=False, **options)


def succeed(command, **options):
    seen = run(command, **options)
    expect(seen.returncode == 0, "success", (command, seen.stdout[-2000:], seen.stderr[-2000:]))
    return seen.stdout + seen.stderr


# --- mutants ---

def with_faults(room, faults):
    """Writes the checkers with all faults, of which one is awake."""
    for path in CHECKERS:
        text = path.read_text()
        (room / path.name).write_text(text.replace("package anl_checker_pkg;\n", "package anl_checker_pkg;\n" + PLANTED))
    planted.plant(faults, lambda file: room / Path(file).name, lambda number: f"(anl_checker_pkg::anl_planted() == {number})")
    return [room / path.name for path in CHECKERS]


def program(room, build, faults):
    """Builds the benches of the checkers with faults that ANL_PLANTED wakes. Returns {bench: program}."""
    tests, benches = build / "rtl-test", sorted({fault["bench"] for fault in faults})
    own = with_faults(room, faults)
    top = room / "top.sv"
    top.write_text(succeed(["scripts/run", "benches", "--top", "bench_checker", "--sample", *benches]))
    files = [path for path in needed("anl_link_checker anl_switch_checker") if path not in CHECKERS]
    made = room / "made"
    succeed([*tool("VERILATOR"), "--cc", "--assert", "-O3", "-fno-table", "--x-assign", "unique", "--x-initial", "unique", "-Wno-fatal",
             "-Wno-lint", "--prefix", "Vbench", "--Mdir", made, "-Itb/rtl/include", "-Itb/rtl", "-Irtl/include", "tb/rtl/bench_assertion.sv",
             *files, *own, *(f"tb/rtl/tb_{bench}.sv" for bench in benches), top, "--top-module", "bench_checker"])
    (made / "heap.cpp").write_text("".join(f'#include "{path.name}"\n' for path in sorted(made.glob("V*.cpp"))).join(
        ['#include "instance.h"\n', '#include "clock.cpp"\n' + MACHINE]))
    root = succeed([*tool("VERILATOR"), "--getenv", "VERILATOR_ROOT"]).strip()
    include = [f"-isystem{root}/include", f"-isystem{root}/include/vltstd", f"-I{made}", "-Itb/lockstep", "-Itb/shim"]
    succeed([os.environ.get("CXX", "g++"), "-std=c++17", "-O1" if FULL else "-O0", *include, "-DVL_USER_STOP", "-DVM_TRACE=0", "-DVM_COVERAGE=0", "-DVM_SC=0",
             "-DVM_TRACE_FST=0", "-c", made / "heap.cpp", "-o", made / "heap.o"])
    objects = [path for path in tests.glob("*.o") if not path.name.startswith("test_")] + sorted((tests / "oracle").glob("*.o"))
    runtime = [build / "lockstep" / name for name in ("verilated.o", "verilated_threads.o", "verilated_dpi.o")]
    for bench in benches:
        succeed([os.environ.get("CXX", "g++"), "-o", room / bench, tests / f"test_{bench}.o", *objects, made / "heap.o", *runtime,
                 build / "libannelid.a", "-lyaml", "-lxxhash", "-lzstd", "-ljansson", "-lm", "-lcmocka", "-lpthread", "-latomic"])
    return {bench: room / bench for bench in benches}


def each_rule_is_broken_once(room, build):
    faults = [fault for fault in planted.of_scripts("checker") if FULL or fault["bench"] == "anl_link_checker"]
    programs = program(room, build, faults)

    def one(number, bench):
        return run([programs[bench]], env=os.environ | {"ANL_PLANTED": str(number), "BENCH_SAMPLE": "sample"})
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as threads:
        good = list(threads.map(lambda bench: one(0, bench), programs))
        some = list(enumerate(faults, 1))[::1 if FULL else 2]
        seen = list(threads.map(lambda pair: one(pair[0], pair[1]["bench"]), some))
    expect(all(answer.returncode == 0 for answer in good), "a good checker", good)
    for (_, fault), answer in zip(some, seen):
        differs = "EXPECTED" in answer.stderr
        expect(answer.returncode != 0 and differs, f"that the bench sees {fault['name']}", answer)


# --- make prove DUT= ---

def each_rule_is_refuted(room, build):
    """Of each rule a mutant of our switch is refuted, and a simulation says the same rule in the same cycle."""
    mutants = [one for one in planted.read([planted.DUTS], "dut") if one.get("sample") or FULL]
    everything = {one["breaks"] for one in planted.read([planted.DUTS], "dut")}
    expect(everything == {rule for rule in prove_dut.RULES if "credit" in prove_dut.ONLY.get(rule, prove_dut.STYLES)},
           "a mutant of each rule", everything)

    def one(mutant):
        there = room / mutant["name"]
        there.mkdir()
        planted.rtl([mutant], there)
        return run(["scripts/run", "prove-dut", "--build", there / "build", "--dut", " ".join(map(str, there.glob("*.sv"))), "--rules", mutant["breaks"],
                    "--seconds", "2000", *(["--corner", mutant["corner"]] if "corner" in mutant else [])])
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as threads:
        seen = list(threads.map(one, mutants))
    for mutant, answer in zip(mutants, seen):
        rule = mutant["breaks"]
        found = re.search(rf"^{rule} +refuted in cycle (\d+)\n.*waveform   (\S+)\n.*the checker says {rule} in cycle (\d+)\n", answer.stdout, re.M)
        expect(answer.returncode == 1 and found and found[1] == found[3] and Path(found[2]).exists(), f"{mutant['name']} to break {rule}", answer)


# --- the examples of the page ---

def without_top(text):
    """Returns a text without the name of Verilator's own top, with which some versions begin the place of an instance."""
    return text.replace("(TOP.", "(")


def the_page_shows_what_comes(room, _build):
    page = PAGE.read_text()
    for first in ("verilator", "iverilog"):
        found = re.search(rf"^```\n\$ ({first} [^\n]*)\n\$ ([^\n]*)\n(.*?)^```", page, re.M | re.S)
        commands, said = found.groups()[:2], without_top(found[3].strip())
        for name in ("rtl", "docs"):
            if not (room / name).exists():
                (room / name).symlink_to(Path(name).absolute())
        for lossy in (1, 0) if FULL or first == "iverilog" else (1,):
            build, start = (word.replace("1'b1", f"1'b{lossy}") for word in commands)
            succeed(["bash", "-c", build], cwd=room, env=os.environ | {"MAKEFLAGS": " -- OPT_FAST=-O0 OPT_GLOBAL=-O0"})
            seen = without_top(succeed(["bash", "-c", start], cwd=room))
            expect((said in seen.splitlines()) == bool(lossy) and ("anl_switch_checker" in seen) == bool(lossy), said, seen)


def with_command(room, build):
    """Gives a build directory of its own the command that reads descriptions. Returns the directory."""
    (room / "annelid").symlink_to(Path(build, "annelid").absolute())
    return room


def misuse_is_two(room, build):
    there, wrong = with_command(room, build), room / "x.sv"
    wrong.write_text("module something; endmodule\n")
    queues = room / "queues.yaml"
    queues.write_text("queues: outputs\n" + (ROOM / "two_slots.yaml").read_text())
    lane = room / "lane.yaml"
    lane.write_text((ROOM / "two_slots.yaml").read_text() + "lane: {at: 3, width: 1}\n")
    slots = ["--dut", ROOM / "two_slots.sv", "--links"]
    for words, says in (([*slots, queues], "with queues at its outputs"), ([*slots, lane], "lane.yaml:1: marks: found wires that another field has"), ([*slots, ROOM / "two_slots.yaml", "--corner", "K=2"], "K: there are NumPorts"),
                        ([*slots, ROOM / "two_slots.yaml", "--corner", "FlitW=9"], "FlitW=9: the description of the links says 5"),
                        ([*slots, ROOM / "two_slots.yaml", "--style", "credit"], "STYLE=credit: docs/checker/two_slots.yaml says the style"),
                        ([*slots[:2], "--corner", "FlitW=1"], "FlitW of anl_judged_router from 3"), ([*slots[:2], "--corner", "Depth=0"], "expected Depth and NumVcs from 1"),
                        (["--router", "openpiton_dynamic_node"], "needs SOURCES=folder"), (["--dut", wrong], "expected anl_judged_router"), (["--dut", "rtl/switch/anl_graph_switch.sv", "--rules", "withdrawn"], "there are bad_link"),
                        (["--dut", "rtl/switch/anl_graph_switch.sv", "--corner", "Depth"], "expected Name=number")):
        seen = run(["scripts/run", "prove-dut", "--build", str(there), *map(str, words)])
        expect(seen.returncode == 2 and says in seen.stderr, says, seen)


def a_plain_router_is_proved_and_refuted(room, build):
    rules, there = [] if FULL else ["overflow", "made_up_flit"], with_command(room, build)
    for flag, status, says in (("", 0, f"{len(rules) or 11} proved, 0 refuted, 0 undecided"), (" -DHASTY", 1, "the checker says overflow in cycle 2\n")):
        seen = run(["scripts/run", "prove-dut", "--build", str(there), "--dut", f"docs/checker/two_slots.sv{flag}", "--links", "docs/checker/two_slots.yaml",
                    "--corner", "NumPorts=1", "--seconds", "400", *(["--rules", *rules] if rules else [])])
        expect(seen.returncode == status and says in seen.stdout, says, seen)


def a_wrapper_has_its_number_and_its_parameters(room, build):
    """A router whose number comes by a port, and with an idle port, is wrong only with a number and a parameter; its reset has two cycles."""
    text = (ROOM / "two_slots.sv").read_text()
    for old, new in (("int Here = 0, NumPorts = 1", "int K = 4, NumPorts = 2"), ("input  logic                      rst_i,", "input logic rst_i, input logic [31:0] here_i,"),
                     ("in_back_o = held != 2'd2;", "in_back_o = {1'b0, held != 2'd2 || (here_i == 3 && K == 2)};"),
                     ("  assign out_valid_o = ", "  assign out_valid_o[1] = 1'b0;\n  assign out_valid_o[0] = ")):
        expect(text.count(old) == 1, f"one {old}", text)
        text = text.replace(old, new)
    there, wrapper = with_command(room, build), room / "a wrapper.sv"
    wrapper.write_text(text.replace("out_flit_o  = front", "out_flit_o  = {2{front}}").replace("? second : in_flit_i", "? second : in_flit_i[FlitW-1:0]")
                       .replace("second <= in_flit_i;", "second <= in_flit_i[FlitW-1:0];"))
    for corner, says in (("Here=3 K=2", "the checker says overflow in cycle 2\n"), ("Here=2 K=2", "overflow       proved"))[:None if FULL else 1]:
        seen = run(["scripts/run", "prove-dut", "--build", there, "--dut", f"'{wrapper}'", "--links", ROOM / "two_slots.yaml", "--rules", "overflow",
                    "--seconds", "400", "--corner", *corner.split(), "Idle=2", "Reset=2", "Quiet=1"])
        expect(says in seen.stdout, says, seen)


# Of each template: our module, and an error of it with the assertion that it breaks.
TEMPLATES = {"fifo": ("anl_fifo", "mem[rd_ptr_o];", "mem[wr_ptr_o];", "leaves_in_order"),
             "arbiter": ("anl_arb_cyclic", "!first[2*j] &&", "first[2*j] &&", "grant_if_any")}


def templates_prove_and_refute(room, _build):
    """The commands of the page prove our FIFO and our arbiter, and name the assertion that a broken one breaks."""
    made, asked = re.findall(r"^\$ (yosys[^\n]*(?:\\\n[^\n]*)?fifo_template[^\n]*)\n\$ (yosys-abc [^\n]*)", PAGE.read_text(), re.M)[0]
    for kind, (module, old, new, broken) in TEMPLATES.items():
        own = next(path for path in needed(module) if path.stem == module)
        for text in (own.read_text(), own.read_text().replace(old, new)):
            there = room / f"{kind}-{text == own.read_text()}"
            there.mkdir()
            for name in ("rtl", "docs"):
                (there / name).symlink_to(Path(name).absolute())
            (there / "mine.sv").write_text(text)
            files = [path for path in needed(module) if path != own and (path.stem == "anl_pkg" or not path.stem.endswith("_pkg"))]
            command = re.sub(r"(rtl/common/\S+ )+", " ".join(map(str, files)) + " mine.sv ", made).replace("fifo_template", f"{kind}_template")
            succeed(command, cwd=there)
            said = succeed(asked, cwd=there)
            if text == own.read_text():
                expect("Property proved" in said, "a proof", said)
            else:
                output = re.search(r"Output (\d+) .*asserted in frame", said)
                names = (there / "prove.txt").read_text().split()
                expect(output and names[int(output[1])].endswith("/" + broken), broken, (said, names))


# --- streams ---

# Of each rule of anl_axis_checker: cycles in which it is broken, and the cycle in which the checker must say so. A cycle is reset,
# tvalid, tready, tlast, tid, tdata, tkeep, each a bit, and whether tvalid is unknown. The first cycle is one of reset.
RESET, IDLE, SHOWN, TAKEN = "10000010", "00000010", "01000010", "01100010"
STREAMS = {
    "valid_in_reset": ([RESET, SHOWN], "cycle 0"), "withdrawn": ([RESET, IDLE, SHOWN, IDLE], "cycle 2"),
    "changed_data": ([RESET, IDLE, SHOWN, "01000110"], "cycle 2"), "changed_last": ([RESET, IDLE, SHOWN, "01010010"], "cycle 2"),
    "changed_route": ([RESET, IDLE, SHOWN, "01001010"], "cycle 2"), "mixed": ([RESET, IDLE, TAKEN, "01001010"], "cycle 2"),
    "gap": ([RESET, IDLE, "01000000"], "cycle 1"), "ready_in_reset": ([RESET, "10100010"], "in reset"),
    "unknown": ([RESET, IDLE, IDLE, "01000011"], "cycle 2"), "stalled": ([RESET, IDLE, SHOWN, SHOWN, SHOWN], "cycle 3")}
OF_STREAM = '''module bench;
  localparam int Cycles = 6;
  logic clk = 1'b0;
  int   cycle = 0;
  always #5 clk = !clk;
  always @(negedge clk) begin cycle = cycle + 1; if (cycle == Cycles + 2) $finish; end
  for (genvar r = 0; r < 10; r++) begin : g_rule
    localparam logic [8*Cycles-1:0] Wave = WAVES;
    logic [7:0] now;
    assign now = cycle < Cycles ? Wave[8*(Cycles-1-cycle) +: 8] : 8'h80;
    anl_axis_checker #(.TdataW(8), .Patience(2), .Rules(1 << r)) u_checker (
      .clk_i(clk), .rst_i(now[7]), .tvalid_i(now[0] ? 1'bx : now[6]), .tready_i(now[5]), .tlast_i(now[4]), .tid_i(now[3]),
      .tdata_i({7'd0, now[2]}), .tkeep_i(now[1]), .tdest_i(1'b0), .tuser_i(1'b0), .broken_o()
    );
  end
endmodule
'''


def each_rule_of_a_stream_is_told(room, _build):
    waves = ["".join((cycles + [RESET] * 6)[:6]) for cycles, _ in STREAMS.values()]
    (room / "bench.sv").write_text(OF_STREAM.replace("WAVES", " : ".join(f"r == {number} ? 48'b{wave}" for number, wave in enumerate(waves)) + " : 0"))
    files = [path for path in needed("anl_axis_checker") if path.stem == "anl_checker_pkg" or not path.stem.endswith("_pkg") or path.stem == "anl_pkg"]
    succeed([*tool("IVERILOG"), "-g2012", "-Irtl/include", "-o", room / "bench", *files, room / "bench.sv"])
    said = succeed([*tool("VVP"), "-n", room / "bench"])
    for number, (rule, (_, when)) in enumerate(STREAMS.items()):
        lines = [line for line in said.splitlines() if f"g_rule[{number}]" in line]
        expect(len(lines) == 1 and f": {rule}: " in lines[0] and f"anl_axis_checker: {when}" in lines[0], f"{rule} in {when}", said)


# --- AXI4 ---

# Signals of a port of AXI4, and the rule that one of them breaks if it is x. With the valid of its channel (the last entry) at 0 it may be x.
OF_AXI = {**{name: ("unknown", None) for name in ("awvalid", "wvalid", "arvalid", "bready", "rready")},
          **{name: ("also_unknown", None) for name in ("awready", "wready", "arready", "bvalid", "rvalid")},
          **{f"{way}{name}": ("unknown", f"{way}valid") for way in ("aw", "ar") for name in ("id", "addr", "len", "size", "burst", "lock", "attr")},
          "wdata": (None, "wvalid"), "wstrb": ("unknown", "wvalid"), "wlast": ("unknown", "wvalid"),
          "bid": ("also_unknown", "bvalid"), "bresp": ("also_unknown", "bvalid"), "rdata": (None, "rvalid"),
          **{f"r{name}": ("also_unknown", "rvalid") for name in ("id", "resp", "last")}}
UNKNOWN_RULES = 3 << 18


def unknown_signals_of_axi_are_told(room, _build):
    def instance(name, unknown, off):
        ports = ", ".join(f".{port}_i({chr(39)}{'x' if port == unknown else 0 if port == off else 1})" for port in OF_AXI)
        return f"  anl_axi_checker #(.Rules({UNKNOWN_RULES})) {name} (.clk_i(clk), .rst_i(rst), {ports}, .broken_o());\n"
    body = "".join(instance(f"u_{name}", name, None) + (instance(f"off_{name}", name, valid) if valid else "") for name, (_, valid) in OF_AXI.items())
    (room / "bench.sv").write_text("module bench;\n  logic clk = 1'b0, rst = 1'b1;\n  always #5 clk = !clk;\n"
                                   f"  initial begin @(negedge clk); rst = 1'b0; repeat (3) @(negedge clk); $finish; end\n{body}endmodule\n")
    succeed([*tool("IVERILOG"), "-g2012", "-Irtl/include", "-o", room / "bench", *needed("anl_axi_checker"), room / "bench.sv"])
    said = sorted(re.findall(r"^anl_axi_checker: cycle 0: (\w+): .* \(bench\.(\w+)\.", succeed([*tool("VVP"), "-n", room / "bench"]), re.M))
    expect(said == sorted((rule, f"u_{name}") for name, (rule, _) in OF_AXI.items() if rule), "each unknown signal", said)


# Parameters, and the limit that the elaboration must name; "": it must end well.
LIMITS = {
    "anl_axi_subordinate": {
        "MaxBeats=0": "max_beats", "MaxBeats=257 WriteRoom=257 ReadRoom=257": "max_beats", "WriteRoom=255": "rooms", "ReadRoom=255": "rooms",
        "Reorder=-1": "slots", "Reorder=17 IdW=5": "slots", "Reorder=3 IdW=1": "slots", "Bursts=0": "bursts", "Bursts=65": "bursts",
        "IdW=17": "widths", "AddrW=65": "widths", "DataW=48": "widths", "DataW=2048": "widths",
        "Reorder=16 ReadRoom=1": "", "Reorder=1 MaxBeats=1 WriteRoom=1 IdW=1 AddrW=1 DataW=8 DstW=1": "", "Bursts=64 IdW=16 AddrW=64 DataW=1024": ""},
    "anl_axi_manager": {"Bursts=0": "bursts", "Bursts=65": "bursts", "DataW=4": "widths", "IdW=0": "widths", "Bursts=64 IdW=16 DataW=1024": ""},
    "anl_axi_checker": {"Bursts=0": "bursts", "Bursts=65": "bursts", "Bursts=64": ""},
    "anl_axi_cube": {"Topology=1": "topology", "Users=16": "users_and_memories", "Memories=16": "users_and_memories", "Users=-1": "users_and_memories",
                     "K=6 Memories=-1": "users_and_memories", "Users=15 Memories=15": "", "K=6 Users=1073741824": ""}}


def limits_of_axi_end_the_elaboration(_room, _build):
    for module, corners in LIMITS.items():
        files = needed(module)
        for corner, limit in corners.items():
            seen = run([*tool("IVERILOG"), "-g2012", "-Irtl/include", "-t", "null", "-s", module, *(f"-P{module}.{value}" for value in corner.split()), *files])
            told = re.findall(rf"Unknown module type: (\w+?)_of_{module}", seen.stderr)
            expect(told == ([limit] if limit else []) and (seen.returncode != 0) == bool(limit), f"{module}, {corner}: {limit or 'success'}", seen.stderr)


TESTS = [the_page_shows_what_comes, misuse_is_two, a_wrapper_has_its_number_and_its_parameters, templates_prove_and_refute, a_plain_router_is_proved_and_refuted, each_rule_is_broken_once, each_rule_of_a_stream_is_told, unknown_signals_of_axi_are_told, limits_of_axi_end_the_elaboration, each_rule_is_refuted]

if __name__ == "__main__":
    sys.exit(main("checker", TESTS, __doc__.splitlines()[3]))
