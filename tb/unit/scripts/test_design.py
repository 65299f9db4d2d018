#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `annelid rtl` writes is a design: three front ends accept it without a word, its bench passes, and fails on faults.

usage: [UNIT_SHARE=1] tb/unit/scripts/test_design.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any. Unless UNIT_SHARE is 1, every fourth design is tried, all faults, the benches of
one pair of designs; a stream of a bench sends 5 packets in place of 20, and a bench waits 200 cycles in place of 2,000.
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import Skipped, expect, main
from annelid import children, features, same_cycle
from annelid.front_ends import commands, complaints, files_of, without_report
from annelid.planted import of_scripts, plant
from annelid.sources import changed, needed

GRAPH = """graph:
  switches: [hub, a, b]
  terminals: [hub, a, b, b]
  links: [[hub, a], [hub, b]]
"""
SCENARIOS = {
    "star": "network: {topology: graph}\nswitch: {num_vcs: 2, depth: 2, flit_width_bits: 20}\n" + GRAPH,
    "lanes": "network: {topology: graph}\nswitch: {num_vcs: 2, routing: table, arbiter: random, flow_control: cut_through}\n"
             "graph:\n  switches: 2\n  terminals: [0.1, 1.1]\n  links: [[0.0, 1.0]]\n"
             "  routes: [[0, 1, 0, 1], [1, 0, 0, 0-1]]\n",
    "source": "network: {topology: graph}\nswitch: {num_vcs: 2, depth: 2, flit_width_bits: 40, routing: source, "
              "length_in_head: true}\n" + GRAPH,
    "torus": "network: {topology: torus, k: 3, n: 1}\nswitch: {num_vcs: 2, depth: 2, flit_width_bits: 40}\n",
    "age": "network: {topology: torus, k: 2, n: 1}\nswitch: {num_vcs: 2, arbiter: age, flow_control: cut_through}\n",
    "farthest": "network: {topology: mesh, k: 3, n: 1}\nswitch: {num_vcs: 1, arbiter: farthest}\n",
    "graph_farthest": "network: {topology: graph}\nswitch: {num_vcs: 1, arbiter: farthest}\n" + GRAPH,
    "path": "network: {topology: fat_tree, n: 2}\nswitch: {routing: up_down_fixed, num_vcs: 2, arbiter: age}\n",
    "classes": "network: {topology: mesh, k: 2, n: 1}\nswitch: {num_vcs: 4, classes: 2, class_weights: [3, 1], arbiter: farthest}\n",
    "layers": "network: {topology: graph}\nswitch: {num_vcs: 4, classes: 2, routing: layered, depth: 2, flit_width_bits: 12}\n"
              "graph:\n  switches: 3\n  terminals: [0.1, 1.1, 2.1]\n"
              "  links: [{from: 0.0, to: 1.0}, {from: 1.0, to: 2.0}, {from: 2.0, to: 0.0}]\n",
    # A table for each class, one of them with layers; then one with options.
    "class_tables": "network: {topology: graph}\nswitch: {num_vcs: 4, classes: 2, class_routing: [layered, table], depth: 2, "
                    "flit_width_bits: 12}\ngraph:\n  switches: 3\n  terminals: [0.1, 1.1, 2.1]\n"
                    "  links: [{from: 0.0, to: 1.0}, {from: 1.0, to: 2.0}, {from: 2.0, to: 0.0}]\n"
                    "  class_routes: [[1, 0, 1-2, 0, 1], [1, 1, 2, 0, 1], [1, 1, 0, 0, 0], [1, 2, 0-1, 0, 0]]\n",
    "class_options": "network: {topology: graph}\nswitch: {num_vcs: 2, classes: 2, class_routing: [up_down, table], select: random, "
                     "depth: 2, flit_width_bits: 12}\ngraph:\n  switches: 2\n  terminals: [0.2, 1.2]\n"
                     "  links: [[0.0, 1.0], [0.1, 1.1]]\n"
                     "  class_routes: [[1, 0, 1, 0, 0], [1, 0, 1, 1, 0], [1, 1, 0, 0, 0], [1, 1, 0, 1, 0]]\n",
    "lists": "network: {topology: graph}\nswitch: {num_vcs: 3, classes: 3, depth: 2, flit_width_bits: 40, routing: source, "
             "arbiter: age}\ngraph:\n  switches: 2\n  terminals: [0, 1]\n  links: [[0, 1]]\n",
    "butterfly": "network: {topology: butterfly, k: 2, n: 2, passes: 2}\nswitch: {credits: bypass, num_vcs: 2, depth: 1}\n",
    "wide": "network: {topology: mesh, k: 2, n: 1}\nswitch: {link: wide, num_vcs: 2, arbiter: farthest}\n",
    "wide_chained": "network: {topology: graph}\nswitch: {link: wide, credits: bypass, num_vcs: 2, depth: 1, flit_width_bits: 40, "
                    "routing: source}\n" + GRAPH,
    "tree": "network: {topology: fat_tree, n: 1}\nswitch: {routing: up_down_greedy, credits: bypass, num_vcs: 1}\n",
    # Of several switches, whose up links are chained.
    "trees": "network: {topology: fat_tree, n: 2}\nswitch: {routing: up_down_greedy, credits: bypass, num_vcs: 1, depth: 2, "
             "flit_width_bits: 12}\n",
}
# Heads have other fields here.
RANKED = ("age", "farthest", "graph_farthest", "classes", "lists", "butterfly", "wide")
LONG = ("path", "class_tables", "trees")  # too long to be simulated in a test
EVERY = [(name, ports) for name in SCENARIOS for ports in ("links", "axis")
         if (ports == "axis" or name not in (*RANKED, *LONG)) and (ports, name) != ("axis", "class_options")]
# Links of other styles (docs/link.md), with one lane and several, wide ones, and credits of the same cycle.
STYLES = ("ready_valid", "ready_valid_per_lane", "stop_go", "credit_pulse_shared")
STYLED = [(name, style) for style in STYLES for name in ("torus", "tree", "source", "wide", "wide_chained")
          if (name, style) != ("wide_chained", "credit_pulse_shared")]
# Streams with each option once at least, with classes, wide links, heads that say their length, and paths.
STREAMED = [("classes", "axis --tdata 8 --tkeep --tuser 3 --tid --per-terminal --aresetn"), ("torus", "axis --interleave --tid"),
            ("wide", "axis --tdata 1024 --per-terminal --tid"), ("lists", "axis --aresetn --tkeep"),
            ("lanes", "axis --tuser 40 --interleave --per-terminal")]
WHOLE = os.environ.get("UNIT_SHARE") == "1"
TRIED = EVERY + STYLED + STREAMED if WHOLE else EVERY[1::6] + [("torus", style) for style in STYLES] + STREAMED[:2]


def run(room, *command):
    seen = subprocess.run(command, cwd=room, capture_output=True, text=True, check=False)
    seen.stdout = without_report(seen.stdout)
    return seen


def design(room, build, name, ports):
    """Writes a design into room/name-ports. Returns the directory. Options of the ports stand behind them."""
    path, directory = room / f"{name}.yaml", room / f"{name}-{ports}".replace(" ", "")
    path.write_text(SCENARIOS[name] + "traffic: {load: 0.1, length: 1}\n")
    said = run(".", build / "annelid", "rtl", path, "-o", directory, "--name", "top", "--ports", *ports.split())
    expect(said.returncode == 0 and not said.stderr, "a design", said)
    return directory


# Terminals with clocks of their own (docs/clocks.md).
CLOCKED = [(name, ports) for name in ("torus", "star", "source", "wide", "tree", "class_tables") for ports in ("links", "axis")]
# With active low resets, and ports of each terminal; with classes each terminal has several streams.
CLOCKED += [("torus", style) for style in STYLES] + [("wide", "stop_go"), ("wide_chained", "axis"), ("wide_chained", "credit_pulse_shared")]
CLOCKED += [("torus", "axis --aresetn"), ("star", "axis --per-terminal"), ("classes", "axis --per-terminal --aresetn --tid")]
# Switches in regions with clocks of their own, alone and with terminals: networks of each kind, links of several cycles, wide ones.
REGIONS = {"torus": "a=1", "wide_chained": "a=1", "star": "fast=hub", "source": "a=0", "wide": "a=1", "butterfly": "a=0,2;b=3", "class_options": "a=1",
           "class_tables": "a=0", "layers": "a=1", "trees": "a=1,4;root=5"}
REGIONED = [("torus", "axis --per-terminal --aresetn --tid"), ("star", "links"), ("source", "axis"), ("wide", "links"), ("butterfly", "axis"),
            ("class_options", "links"), ("class_tables", "links"), ("layers", "links"), ("trees", "links"), ("trees", "axis"), *(("torus", style) for style in STYLES)]
REGIONED += [("star", "axis --per-terminal --clock-per-terminal"), ("torus", "stop_go --clock-per-terminal"), ("wide", "axis --clock-per-terminal"),
             ("wide_chained", "links"), ("wide_chained", "axis"), ("wide_chained", "stop_go --clock-per-terminal")]
CLOCKED = [(name, f"{ports} --clock-per-terminal") for name, ports in CLOCKED]
CLOCKED += [(name, f"{ports} --clock-regions {REGIONS[name]}") for name, ports in REGIONED]
CLOCKS_TRIED = CLOCKED if WHOLE else [("star", "axis --per-terminal --aresetn --clock-per-terminal --clock-regions fast=hub")]


def change(path, old, new):
    path.write_text(changed(path, old, new))


def bench(directory):
    """Runs the bench in Icarus as the page says. Returns what it printed."""
    if not WHOLE:
        change(directory / "tb_top.sv", "Packets = 20;", "Packets = 5;")
        change(directory / "tb_top.sv", "Patience = 2000;", "Patience = 200;")
    command = re.search(r"^(iverilog .*)$", (directory / "top.md").read_text(), re.M)[1]
    made = run(directory, "bash", "-c", command)
    return made.returncode, made.stdout + made.stderr


def bench_long(directory):
    """Runs the bench in Icarus with all that it sends."""
    made = run(directory, "bash", "-c", re.search(r"^(iverilog .*)$", (directory / "top.md").read_text(), re.M)[1])
    return made.returncode, made.stdout + made.stderr


# A port that is connected to a call of a package's function.
CALL = re.compile(r"\.\w+_[io]\((?:[^()]|\([^()]*\))*::\w+\(")


def calls(directory):
    """Returns the connections of ports that call a function: there Icarus 11, but no newer one, leaves other ports unknown."""
    return [f"{path.name}: {call[0]}" for path in directory.rglob("*.sv") for call in CALL.finditer(path.read_text())]


def every_front_end_accepts_it(room, build):
    for name, ports in TRIED:
        directory = design(room, build, name, ports)
        command = re.search(r"^(verilator --lint-only .*)$", (directory / "top.md").read_text(), re.M)[1]
        seen = run(directory, "bash", "-c", command)
        expect(seen.returncode == 0 and not seen.stdout + seen.stderr, f"{name} without warnings", seen)
        seen = run(directory, *commands(files_of(directory, "top"), "top")["Yosys"])
        expect(seen.returncode == 0 and not seen.stdout + seen.stderr, f"{name} in Yosys", seen)
        expect(not calls(directory), f"{name} without calls in connections", calls(directory))
    directory = design(room, build, "class_options", "links")
    change(directory / "top_graph.sv", ".terminals_i(Terminals)", ".terminals_i(top_graph_pkg::terminals(s))")
    expect(calls(directory) == ["top_graph.sv: .terminals_i(top_graph_pkg::terminals("], "the call", calls(directory))


# One class for each table would not do: the tables of both classes are alike, and heads have several options.
ALIKE = ("cube of lines", "west_first", "two classes", *({}, {"credits": "registered"}, {}, {}))


def every_front_end_reads_each_pair_of_features(room, build):
    chosen = [(kind, *one) for kind in features.KINDS for one in features.chosen(kind)] if WHOLE else [ALIKE]
    for number, (kind, *one) in enumerate(chosen):
        path = features.scenario(kind, *one).save(room / f"features-{number}.yaml")
        said = complaints(children.Children(), (build / "annelid").resolve(), path, room / f"features-{number}", "links")
        expect(not said, f"a text without errors of {kind} {one}", said)


# Tables of more than 8,192 bits, of which Verilator does not like a zero without a width: with options, and without them.
WIDE_TABLES = ["network: {topology: cube, radix: [1], dimensions: [line], concentration: 22}\n"
               "switch: {num_vcs: 1, depth: 1, flit_width_bits: 32, routing: negative_first}\n",
               "network: {topology: cube, radix: [520], dimensions: [line]}\n"
               "switch: {num_vcs: 1, depth: 1, flit_width_bits: 32, routing: dimension_order}\n"]


def every_front_end_reads_wide_tables(room, build):
    for number, text in enumerate(WIDE_TABLES if WHOLE else WIDE_TABLES[:1]):
        path = room / f"wide-table-{number}.yaml"
        path.write_text(text + "traffic: {process: bernoulli, length: 2, load: 0.1}\n")
        said = complaints(children.Children(), (build / "annelid").resolve(), path, room / f"wide-table-{number}", "links")
        expect(not said, "a wide table without warnings", said)


def the_bench_passes(room, build):
    for name, ports in TRIED:
        if name not in LONG:
            status, text = bench(design(room, build, name, ports))
            expect(status == 0 and re.search(r"^PASS \d+ packets in \d+ cycles$", text, re.M), f"{name} passes", text)


WRONG_CROSSINGS = [("axis", ".sender_clk_i(clk_t_i[l/Lines])", ".sender_clk_i(clk_i)"),
                   ("axis", ".credit_i(net_inj_credit[l*CrossVcs +: CrossVcs])", ".credit_i('1)"),
                   ("axis --per-terminal", "assign clk_t[1] = t1_aclk", "assign clk_t[1] = aclk"),
                   ("axis --aresetn", "rst_t = ~aresetn_t_i", "rst_t = aresetn_t_i"),
                   ("stop_go", "    .clk_i(clk_t_i[l/Lines]), .rst_i(rst_t_i[l/Lines]),\n      .valid_i(ej", "    .clk_i, .rst_i,\n      .valid_i(ej")]


# Of regions: the clock of the wrong side, credits that are always there, the clock of another region, a switch that changes its region,
# and a reset that only one side has.
WRONG_CROSSINGS = [(f"{ports} --clock-per-terminal", "top.sv", *change) for ports, *change in WRONG_CROSSINGS]
FAST = "--clock-regions fast=hub"
WRONG_CROSSINGS += [(f"links {FAST}", "top_regions.sv", "DomainOf = {\n    32'd0, 32'd0, 32'd1", "DomainOf = {\n    32'd0, 32'd1, 32'd1"),
                    (f"axis {FAST}", "top_regions.sv", ".credit_i(g_switch[0].in_credit[0*NumVcs + l*LineVcs +: LineVcs])", ".credit_i('1)"),
                    (f"links {FAST}", "top.sv", "clk_d[1] = clk_fast_i", "clk_d[1] = clk_i"),
                    (f"axis {FAST} --clock-per-terminal", "top.sv", "clk_t[0] = clk_d[2]", "clk_t[0] = clk_d[0]")]


def parts_have_clocks_of_their_own(room, build):
    for name, ports in CLOCKS_TRIED:
        directory = design(room, build, name, ports)
        for tool, command in commands(files_of(directory, "top"), "top").items():
            seen = run(directory, *command)
            expect(seen.returncode == 0 and not seen.stdout + seen.stderr, f"{name} in {tool}", seen)
        if name in LONG:
            continue
        status, text = bench(directory)
        expect(status == 0 and re.search(r"^PASS \d+ packets in \d+ cycles$", text, re.M), f"{name} passes", text)
    for ports, file, old, new in WRONG_CROSSINGS if WHOLE else WRONG_CROSSINGS[::6]:
        directory = design(room, build, "star", ports)
        change(directory / file, old, new)
        status, text = bench(directory)
        expect(status != 0 and re.search("FAIL|^ERROR: rtl/", text, re.M) and "PASS" not in text, f"{new} to be found", text)


# Benches that Verilator runs: of streams, of chained links of terminals and of a fat-tree, and of AXI4 ports.
IN_VERILATOR = [lambda room, build: design(room, build, "star", "axis --per-terminal --clock-per-terminal --clock-regions fast=hub"),
                lambda room, build: design(room, build, "wide_chained", "axis --clock-per-terminal"),
                lambda room, build: design(room, build, "trees", f"links --clock-regions {REGIONS['trees']}"),
                *(lambda room, build, name=name: axi_design(room, build, name) for name in ("clocks", "regions", "all_clocks"))]


def bench_in_verilator(directory):
    """Builds the bench, in which bits settle early or late at random, and runs it. Returns what it printed."""
    made = run(directory, *children.tool("VERILATOR"), "--binary", "-j", "1", "--assert", "-DANL_RANDOM_SETTLE", "-Wno-fatal", "-Wno-lint", "-Wno-style",
               "-fno-table", "-CFLAGS", "-O0", "-f", "top.f", "tb_top.sv", "--top-module", "tb_top")
    expect(made.returncode == 0, "a bench in Verilator", made)
    seen = run(directory, "obj_dir/Vtb_top")
    return seen.returncode, seen.stdout + seen.stderr


def parts_have_clocks_in_verilator(room, build):
    for written in IN_VERILATOR:
        directory = written(room, build)
        status, text = bench_in_verilator(directory)
        expect(status == 0 and re.search(r"^PASS \d+ (packets|bursts) in \d+ cycles$", text, re.M), f"{directory} to pass in Verilator", text)


# Wires of an adapter in the top module: two exchanged, one that is always or never there, and the lane of another entry.
WRONG_WIRES = [("ready_valid", ".valid_i(inj_valid_i[l])", ".valid_i(1'b1)"),
               ("ready_valid_per_lane", "inj_ready_o[l*BackW +: BackW] = inj_back;", "inj_ready_o[l*BackW +: BackW] = {BackW{1'b1}};"),
               ("stop_go", "ej_back                        = ej_stop_i[l*BackW +: BackW];", "ej_back = {BackW{1'b1}};"),
               ("credit_pulse_shared", ".lane_o(inj_back[VcW-1:0])", ".lane_o()")]


def the_bench_fails_on_wrong_wires_of_adapters(room, build):
    for style, old, new in WRONG_WIRES:
        directory = design(room, build, "torus", style)
        change(directory / "top.sv", old, new)
        status, text = bench(directory)
        expect(status != 0 and "FAIL" in text and "PASS" not in text, f"{new} of {style} to be found", text)


# Of streams: packets that interleave, the reset the other way, a stream of another terminal, bytes and labels that are lost.
ALL = STREAMED[0][1]
WRONG_STREAMS = [("torus", "axis", ".Whole(1)", ".Whole(0)"), ("torus", "axis --aresetn", "rst = !aresetn_i", "rst = aresetn_i"),
                 ("torus", ALL, "m1_axis_tdata = m_tdata[1*", "m1_axis_tdata = m_tdata[0*"),
                 ("torus", ALL, "tkeep[s*TkeepW +: TkeepW], s_tdata", "tkeep[0 +: TkeepW], s_tdata"),
                 ("torus", ALL, ", Source[DstW-1:0]}", ", {DstW{1'b0}}}"), ("torus", ALL, "TidW +: TidW] = source", "TidW +: TidW] = ~source"),
                 ("torus", "axis --interleave --tid", "{source, m_lane", "{source, {LaneW{1'b0}} & m_lane")]


def the_bench_fails_on_wrong_streams(room, build):
    for name, ports, old, new in WRONG_STREAMS if WHOLE else WRONG_STREAMS[::3]:
        directory = design(room, build, name, ports)
        change(directory / "top.sv", old, new)
        status, text = bench(directory)
        expect(status != 0 and "FAIL" in text and "PASS" not in text, f"{new} of {ports} to be found", text)


def pulses_of_chained_lines_are_refused(room, build):
    """A flit of such a link follows the credit of its cycle, and with it the pulse."""
    path = room / "chained.yaml"
    path.write_text(SCENARIOS["wide_chained"] + "traffic: {load: 0.1, length: 1}\n")
    said = run(".", build / "annelid", "rtl", path, "-o", room / "chained", "--ports", "credit_pulse_shared")
    expect(said.returncode != 0 and "credits that count in the next cycle" in said.stderr, "a refusal", said)
    expect(not (room / "chained").exists(), "no file", room)


def the_bench_fails_on_faults(room, build):
    for fault in of_scripts("bench"):
        directory = design(room, build, fault["scenario"], "links")
        plant([fault], directory.joinpath)
        status, text = bench(directory)
        expect(status != 0 and "FAIL" in text and "PASS" not in text, f"{fault['name']} to be found", text)


# --- AXI4 ports (docs/axi.md) ---

LANES = "num_vcs: 2, classes: 2, depth: 2"
AXI = {  # a scenario, its address map, and the options
    "pair": (f"network: {{topology: mesh, k: 2, n: 1}}\nswitch: {{{LANES}}}\n", "0 4K 1\n", "--max-beats 4"),
    "star": (f"network: {{topology: graph}}\nswitch: {{{LANES}, stages: 2}}\n" + GRAPH, "0 1M 3\n0x1000_0000 12K 0 # three rows\n",
             "--lite 1 --data 512 --address 64 --id 1 --bursts 64 --max-beats 256"),
    "source": (f"network: {{topology: graph}}\nswitch: {{{LANES}, routing: source}}\n" + GRAPH, "0,1M,0\n",
               "--data 8 --id 16 --max-beats 1 --users 0,2-3"),
    "tree": (f"network: {{topology: fat_tree, n: 2}}\nswitch: {{{LANES}, routing: up_down_fixed, arbiter: age}}\n", "0 1M 15\n", "--users 0,3"),
    "both": (f"network: {{topology: mesh, k: 2, n: 1}}\nswitch: {{{LANES}}}\n", "0 4K 1\n4K 4K 0\n",
             "--users 0-1 --lite 1 --data 8 --id 1 --address 13 --bursts 1 --max-beats 2 --reorder 2"),
    "lite": (f"network: {{topology: mesh, k: 2, n: 1}}\nswitch: {{{LANES}}}\n", "0 4K 1\n", "--lite 0 --data 32"),
    "two": (f"network: {{topology: butterfly, k: 2, n: 2, passes: 2}}\nswitch: {{{LANES}}}\n", "0 1M 3\n4M 4K 0\n", "--data 128 --room 40"),
    "clocks": (f"network: {{topology: mesh, k: 2, n: 1}}\nswitch: {{{LANES}}}\n", "0 4K 1\n", "--max-beats 4 --clock-per-terminal"),
    "regions": (f"network: {{topology: mesh, k: 2, n: 1}}\nswitch: {{{LANES}, stages: 2}}\n", "0 4K 1\n4K 4K 0\n",
                "--users 0-1 --clock-regions far=1"),
    "all_clocks": (f"network: {{topology: butterfly, k: 2, n: 2}}\nswitch: {{{LANES}}}\n", "0 1M 3\n4M 4K 0\n",
                   "--clock-per-terminal --clock-regions a=0,3"),
}
# Class tables with two links between the switches, and a cube of lines, are read by the front ends alone.
AXI_READ = {
    "table": ("network: {topology: graph}\nswitch: {num_vcs: 2, classes: 2, class_routing: [up_down, table]}\ngraph:\n  switches: 2\n"
              "  terminals: [0.2, 1.2]\n  links: [[0.0, 1.0], [0.1, 1.1]]\n  class_routes: [[1, 0, 1, 0, 0], [1, 1, 0, 1, 0]]\n",
              "0 16K 1\n", "--data 1024"),
    "cube": (f"network: {{topology: cube, radix: [2, 2], dimensions: [line, line], concentration: 2}}\nswitch: {{{LANES}, link_cycles: 3}}\n",
             "0 1M 3\n1G 4K 0\n", "--users 7,1 --lite 7"),
}
# Of the pair: no hole, the label of another terminal, the reset the other way, signals that are lost, and addresses exchanged.
WRONG_AXI = [("32'hFFFFF000, 32'h0", "32'h0, 32'h0"), (".here_i(1'd0)", ".here_i(1'd1)"), ("rst = !aresetn", "rst = aresetn"),
             (".m_wlast_o(m1_axi_wlast)", ".m_wlast_o()"), (".s_bresp_o(s0_axi_bresp)", ".s_bresp_o()"),
             (".m_araddr_o(m1_axi_araddr)", ".m_araddr_o(m1_axi_awaddr), .m_awaddr_o(m1_axi_araddr)")]


def axi_design(room, build, name):
    """Writes a design with AXI4 ports into room/axi-NAME. Returns the directory."""
    scenario, rows, options = (AXI | AXI_READ)[name]
    (room / f"axi-{name}.yaml").write_text(scenario + "traffic: {load: 0.1, length: 1}\n")
    (room / f"axi-{name}.map").write_text("# base size terminal\n" + rows)
    said = run(".", build / "annelid", "rtl", room / f"axi-{name}.yaml", "-o", room / f"axi-{name}", "--name", "top", "--ports", "axi", "--map",
               room / f"axi-{name}.map", *options.split())
    expect(said.returncode == 0 and not said.stderr, "a design with AXI4 ports", said)
    return room / f"axi-{name}"


def every_front_end_accepts_axi_ports(room, build):
    for name in AXI | AXI_READ if WHOLE else ["pair", "lite", "star"]:
        directory = axi_design(room, build, name)
        for tool, command in commands(files_of(directory, "top"), "top").items():
            seen = run(directory, *command)
            expect(seen.returncode == 0 and not seen.stdout + seen.stderr, f"{name} in {tool}", seen)
        expect(not calls(directory), f"{name} without calls in connections", calls(directory))


def the_bench_of_axi_ports_passes(room, build):
    for name in AXI if WHOLE else ["pair", "clocks"]:
        status, text = bench(axi_design(room, build, name))
        expect(status == 0 and re.search(r"^PASS \d+ bursts in \d+ cycles$", text, re.M), f"{name} passes", text)


# Of the pair with clocks: a port in the clock of the network, and both terminals in the clock of one.
WRONG_AXI_CLOCKS = [("  ) u_s0 (\n    .clk_i(clk_t[0])", "  ) u_s0 (\n    .clk_i(aclk)"), ("clk_t[1] = t1_aclk", "clk_t[1] = t0_aclk")]


def the_bench_of_axi_ports_finds_wrong_clocks(room, build):
    for old, new in WRONG_AXI_CLOCKS:
        directory = axi_design(room, build, "clocks")
        change(directory / "top.sv", old, new)
        status, text = bench(directory)
        expect(status != 0 and re.search("FAIL|^ERROR: rtl/", text, re.M) and "PASS" not in text, f"{new} to be found", text)


def the_bench_of_axi_ports_fails_on_faults(room, build):
    for old, new in WRONG_AXI if WHOLE else WRONG_AXI[:1]:
        directory = axi_design(room, build, "pair")
        text = (directory / "top.sv").read_text()
        if ".m_awaddr_o" in new:
            text = text.replace(".m_awaddr_o(m1_axi_awaddr), ", "")
        (directory / "top.sv").write_text(text)
        change(directory / "top.sv", old, new)
        change(directory / "tb_top.sv", "Packets = 20;", "Packets = 60;")
        status, text = bench_long(directory)
        expect(status != 0 and "FAIL" in text and "PASS" not in text, f"{new} to be found", text)


# In a port of a memory RREADY that waits for RVALID, and in one of a user RVALID that waits for RREADY.
PATHS = [("rtl/axi/anl_axi_manager.sv", "assign m_rready_o = 32'(r_beats) != Room;", "assign m_rready_o = 32'(r_beats) != Room && m_rvalid_i;",
          "m1_axi_rready"),
         ("rtl/axi/anl_axi_subordinate.sv", "assign s_rvalid_o     = r_valid", "assign s_rvalid_o     = s_rready_i && r_valid", "s0_axi_rvalid")]


def no_signal_of_axi_follows_another_in_its_cycle(room, build):
    for name in AXI if WHOLE else ["both"]:
        directory = axi_design(room, build, name)
        found = same_cycle.between_axi_signals(children.Children(), directory, files_of(directory, "top"), "top")
        expect(not found, f"no path between signals of {name}", found)
    for file, old, new, follows in PATHS if WHOLE else PATHS[:1]:
        directory = axi_design(room, build, "both")
        change(directory / file, old, new)
        found = same_cycle.between_axi_signals(children.Children(), directory, files_of(directory, "top"), "top")
        expect(re.search(rf" -> .*\b{follows}\b", found), f"a path to {follows}", found)


# Parameters beyond the limits of docs/axi.md, and the limit that the three front ends must name.
BEYOND = [("anl_axi_subordinate", "MaxBeats(4), .WriteRoom(3), .ReadRoom(4)", "rooms_"), ("anl_axi_cube", "Topology(1)", "topology_"),
          ("anl_axi_subordinate", "MaxBeats(4), .WriteRoom(4), .ReadRoom(3)", "rooms_"), ("anl_axi_subordinate", "MaxBeats(257), .WriteRoom(257), .ReadRoom(257)", "max_beats_"),
          ("anl_axi_subordinate", "Bursts(65)", "bursts_"), ("anl_axi_subordinate", "Rows(0)", "bursts_"), ("anl_axi_subordinate", "Reorder(3), .IdW(1)", "slots_"), ("anl_axi_subordinate", "IdW(17)", "widths_"),
          ("anl_axi_manager", "Bursts(0)", "bursts_"), ("anl_axi_manager", "DataW(96)", "widths_"), ("anl_axi_cube", "Topology(2)", "topology_"),
          ("anl_axi_checker", "Bursts(0)", "bursts_"), ("anl_axi_checker", "Bursts(65)", "bursts_"),
          ("anl_axi_cube", "Users(16)", "users_and_memories_"), ("anl_axi_cube", "Memories(32'h80000000)", "users_and_memories_"),
          ("anl_axi_cube", "K(6), .Memories(32'hc0000000)", "users_and_memories_")]


def limits_of_axi_modules_are_refused(room, _build):
    for module, parameters, limit in BEYOND if WHOLE else BEYOND[:2]:
        (room / "beyond.sv").write_text(f"module beyond;\n  {module} #(.{parameters}) u_port ();\nendmodule\n")
        for tool, command in commands([*needed(module), room / "beyond.sv"], "beyond", "-Wno-fatal").items():
            seen = run(".", *command)
            expect(seen.returncode != 0 and f"{limit}of_{module}_" in seen.stdout + seen.stderr, f"{parameters} refused by {tool}", seen)


# --- two networks in one design ---

# The other graph has the sizes of star and other wires: with those of star its bench takes other cycles, and passes, too.
SCENARIOS["other"] = SCENARIOS["star"].replace("[hub, a, b, b]", "[hub, hub, a, b]")
PAIRS = [("torus", "age"), ("age", "star"), ("star", "other")]
PORTS = ".clk_i, .rst_i, .inj_valid_i(), .inj_vc_i(), .inj_flit_i(), .inj_credit_o(), .ej_valid_o(), .ej_vc_o(), .ej_flit_o(), " \
        ".ej_credit_i()"
BOTH = f"module both (input logic clk_i, input logic rst_i);\n  a u_a ({PORTS});\n  b u_b ({PORTS});\nendmodule\n"


def write_pair(room, build, pair, *directories):
    """Writes two networks as designs a and b, each into its directory, and a module of both into the last one."""
    for name, of, directory in zip(pair, "ab", directories):
        path = room / f"{name}.yaml"
        path.write_text(SCENARIOS[name] + "traffic: {load: 0.1, length: 1}\n")
        said = run(".", build / "annelid", "rtl", path, "-o", directory, "--name", of)
        expect(said.returncode == 0 and not said.stderr, "a design", said)
        if not WHOLE:
            change(directory / f"tb_{of}.sv", "Packets = 20;", "Packets = 5;")
    (directories[-1] / "both.sv").write_text(BOTH)


def front_ends(directory, files):
    """Returns the command of each front end that reads the module of both, by its name."""
    return commands([*files, "both.sv"], "both", "-Wno-PINCONNECTEMPTY")


def bench_of(directory, name, *lists):
    """Runs the bench of a design, read with the lists of all designs. Returns what it printed."""
    words = [word for list_ in lists for word in ("-f", f"{list_}.f")]
    made = run(directory, *children.tool("IVERILOG"), "-g2012", *words, f"tb_{name}.sv", "-s", f"tb_{name}", "-o", "bench.vvp")
    expect(made.returncode == 0 and not made.stdout + made.stderr, f"the bench of {name}", made)
    return run(directory, *children.tool("VVP"), "-n", "bench.vvp").stdout


def two_networks_stand_in_one_design(room, build):
    for number, pair in enumerate(PAIRS):
        here = room / "-".join(pair)
        write_pair(room, build, pair, here, here)
        tools = list(front_ends(here, files_of(here, "a", "b")).items())
        for tool, command in tools if WHOLE else [tools[number]]:  # the next test asks all of them
            said = run(here, *command)
            expect(said.returncode == 0 and not said.stdout + said.stderr, f"{pair} in {tool}", said)
        for name in "ab" if WHOLE or pair == PAIRS[-1] else "":
            alone, beside = bench_of(here, name, name), bench_of(here, name, "a", "b")
            expect(alone.startswith("PASS") and alone == beside, f"{name} of {pair} to be the same as alone: {alone}", beside)


def two_directories_share_their_rtl(room, build):
    """What is of no scenario is the same in both, so that the files of one serve for both."""
    one, other = room / "one", room / "other"
    write_pair(room, build, ("age", "star"), one, other)
    for folder in (one, other):
        expect(len(list((folder / "rtl").glob("*/*.sv"))) > 50, "all files of rtl/", folder)
    same = run(room, "diff", "-r", one / "rtl", other / "rtl")
    expect(same.returncode == 0, "the same files", same.stdout)
    # Both copies of a file may be read, as well.
    files = [path / file for path, name in ((one, "a"), (other, "b")) for file in files_of(path, name)]
    for tool, command in front_ends(other, files).items():
        said = run(other, *command)
        expect(said.returncode == 0 and not said.stdout + said.stderr, f"copies in {tool}", said)


def another_version_is_refused(room, build):
    here = room / "here"
    write_pair(room, build, ("age", "star"), here, here)
    text = (here / "b.sv").read_text()
    (here / "b.sv").write_text(re.sub(r"(Digest\(64'h)(.)", lambda found: found[1] + ("1" if found[2] == "0" else "0"), text))
    for tool, command in front_ends(here, files_of(here, "a", "b")).items():
        said = run(here, *command)
        expect(said.returncode != 0 and "written_for_another_version" in said.stdout + said.stderr, f"a refusal by {tool}", said)


TWICE = f"module both (input logic clk_i, input logic rst_i);\n  a u_one ({PORTS});\n  a u_other ({PORTS});\nendmodule\n"


def one_network_stands_twice_in_a_design(room, build):
    here = room / "twice"
    for name in ("age", "star") if WHOLE else ("star",):
        write_pair(room, build, (name, "torus"), here, here)
        (here / "both.sv").write_text(TWICE)
        for tool, command in front_ends(here, files_of(here, "a")).items():
            said = run(here, *command)
            expect(said.returncode == 0 and not said.stdout + said.stderr, f"{name} twice in {tool}", said)


# --- packages of Bender ---

# What a manifest may have, and a group of its sources (github.com/pulp-platform/bender, book/src/manifest.md and sources.md).
MANIFEST = {"package", "dependencies", "sources", "export_include_dirs", "plugins", "vendor_package", "workspace", "frozen", "remotes"}
GROUP = {"target", "include_dirs", "defines", "files", "override_files", "external_flists"}


def bender_files(package, targets=()):
    """Returns the files and the folders of headers of a package of Bender and of those that it depends on, which come first."""
    import yaml
    manifest = yaml.safe_load((package / "Bender.yml").read_text())
    expect(set(manifest) <= MANIFEST and manifest["package"]["name"] == package.name, "a manifest", manifest)
    files, headers = [], []
    for name, where in manifest.get("dependencies", {}).items():
        expect(set(where) == {"path"} and Path(where["path"]).name == name, "a dependency by its path", where)
        below, folders = bender_files(package / where["path"])
        files, headers = files + below, headers + folders
    headers += [package / folder for folder in manifest.get("export_include_dirs", [])]
    for group in manifest["sources"]:
        expect(set(group) <= GROUP, "a group of sources", group)
        files += [package / file for file in group["files"]] if group.get("target") in (None, *targets) else []
    return files, headers


def bender_packages_are_designs(room, build):
    """No bender is at hand, so the manifests are read as its book has them."""
    if not importlib.util.find_spec("yaml"):
        raise Skipped("no PyYAML")
    here = room / "here"
    write_pair(room, build, ("age", "star"), here, here)
    for name in "ab":
        files, headers = bender_files(here / "bender" / name, ("simulation",))
        expect(all(file.is_file() for file in files) and len(files) > 50, "files that are there", files)
        words = [*children.tool("IVERILOG"), "-g2012", *(f"-I{folder}" for folder in headers), *map(str, files), "-s", f"tb_{name}", "-o", here / "x.vvp"]
        said = run(room, *words)
        expect(said.returncode == 0 and not said.stdout + said.stderr, f"the package {name} in Icarus", said)
        expect(run(room, *children.tool("VVP"), "-n", here / "x.vvp").stdout.startswith("PASS"), "a bench that passes")
    change(here / "bender/a/Bender.yml", "  - files:", "  - file:")
    try:
        bender_files(here / "bender/a")
    except AssertionError:
        return
    expect(False, "a wrong key is seen")


# --- one module of Verilog-2001, SystemC ---

def command_of(directory, begins):
    """Returns the command of the page of a design that begins so."""
    return re.search(rf"^({re.escape(begins)}.*)$", (directory / "top.md").read_text(), re.M)[1]


def network_is_one_module_of_verilog(room, build):
    for name, ports in EVERY if WHOLE else [("torus", "axis")]:
        if name in LONG:
            continue
        directory = design(room, build, name, ports)
        if not WHOLE:
            change(directory / "tb_top.sv", "Packets = 20;", "Packets = 5;")
        said = run(directory, "bash", "-c", command_of(directory, "yosys "))
        flat = directory / "top_flat.v"
        expect(said.returncode == 0 and flat.read_text().count("\nmodule ") == 1, f"one module of {name}", said)
        said = run(directory, *children.tool("IVERILOG"), "-g2001", "-t", "null", "-s", "top", flat)
        expect(said.returncode == 0 and not said.stdout + said.stderr, f"{name} in Verilog-2001", said)
        again = command_of(directory, "grep -v ")
        said = run(directory, "bash", "-c", again)
        expect(re.search(r"^PASS \d+ packets in \d+ cycles$", said.stdout, re.M), f"{name} passes as one module", said)
    credit = re.search(r"assign (m_tvalid_o|ej_valid_o)(\[0\])? = (.*);", flat.read_text())
    change(flat, credit[0], credit[0].replace(credit[3], "1'b0"))
    if not WHOLE:
        change(directory / "tb_top.sv", "Patience = 2000;", "Patience = 200;")
    said = run(directory, "bash", "-c", again)
    expect("PASS" not in said.stdout, "an output that is always 0 is found", said)


SYSTEMC = """#include "Vtop.h"
int sc_main(int, char **)
{
    sc_clock clk("clk", 10, SC_NS);
    sc_signal<bool> rst;
    sc_signal<uint32_t> inj_valid, inj_vc, inj_credit, ej_valid, ej_vc, ej_credit;
    sc_signal<sc_bv<68>> inj_flit, ej_flit;
    Vtop top("top");
    top.clk_i(clk), top.rst_i(rst);
    top.inj_valid_i(inj_valid), top.inj_vc_i(inj_vc), top.inj_flit_i(inj_flit), top.inj_credit_o(inj_credit);
    top.ej_valid_o(ej_valid), top.ej_vc_o(ej_vc), top.ej_flit_o(ej_flit), top.ej_credit_i(ej_credit);
    rst = true;
    sc_start(40, SC_NS);
    rst = false;
    sc_start(20, SC_NS);
    sc_bv<68> flit = 0;  // a worm of one flit, head and tail, from terminal 0 to terminal 1
    flit[33] = flit[32] = flit[4] = flit[0] = 1;
    inj_flit = flit, inj_valid = 1;
    sc_start(10, SC_NS);
    inj_valid = 0;
    for (int cycle = 0; cycle < 20; cycle++) {
        sc_start(10, SC_NS);
        if (ej_valid.read() == 2 && ej_flit.read().range(67, 34) == flit.range(33, 0)) return puts("PASS") < 0;
    }
    return puts("FAIL") >= 0;
}
"""


def network_is_a_module_of_systemc(room, build):
    if not Path("/usr/include/systemc").exists():
        raise Skipped("no SystemC")
    SCENARIOS["pair"] = "network: {topology: mesh, k: 2, n: 1}\nswitch: {num_vcs: 1, depth: 2, flit_width_bits: 32}\n"
    directory = design(room, build, "pair", "links")
    (directory / "main.cpp").write_text(SYSTEMC)
    command = command_of(directory, "verilator --sc ")
    for text, word in ((SYSTEMC, "PASS"), (SYSTEMC.replace("flit[0] = 1", "flit[5] = 1"), "FAIL")):
        (directory / "main.cpp").write_text(text)
        said = run(directory, "bash", "-c", command + " --exe main.cpp && obj_dir/Vtop")
        expect(word in said.stdout, f"{word} of a flit in SystemC", said)


CORE = """CAPI=2:
name: "user:noc:both:1.0.0"
filesets:
  rtl: {file_type: systemVerilogSource, files: [both.sv], depend: ["annelid:network:a", "annelid:network:b"]}
targets:
  default: {filesets: [rtl], toplevel: both}
  lint: {filesets: [rtl], toplevel: both, default_tool: verilator, tools: {verilator: {mode: lint-only, verilator_options: \
[-Wall, -Wno-PINCONNECTEMPTY]}}}
  sim: {filesets: [rtl], toplevel: both, default_tool: icarus, tools: {icarus: {iverilog_options: [-g2012]}}}
"""


def fusesoc_reads_two_networks(room, build):
    if not shutil.which("fusesoc"):
        raise Skipped("no fusesoc (PyPI's fusesoc)")
    for pair in PAIRS:
        here = room / "-".join(pair)
        write_pair(room, build, pair, here / "one", here / "other")
        (here / "other/both.core").write_text(CORE)
        for core, target in (("user:noc:both", "lint"), ("user:noc:both", "sim"), ("annelid:network:a", "sim"),
                             ("annelid:network:b", "lint")):
            command = ["run", *(["--setup", "--build"] if core.endswith("both") else []), "--target", target, core]
            said = subprocess.run(["fusesoc", "--cores-root", ".", *command], cwd=here, capture_output=True, text=True, check=False,
                                  env={**os.environ, "HOME": str(here), "XDG_CONFIG_HOME": str(here)})
            expect(said.returncode == 0 and "%Warning" not in said.stdout + said.stderr, f"{core} of {pair}, {target}", said)
            expect(core.endswith("both") or target == "lint" or "PASS" in said.stdout + said.stderr, "a bench that passes", said)


# What a file of Tcl reads: sources of Vivado and of Quartus.
SOURCES = re.compile(r"^(?:read_verilog -sv \{(.+)\}|set_global_assignment -name SYSTEMVERILOG_FILE (\S+))$", re.M)


def fusesoc_writes_projects(room, build):
    """The sources of a project for Vivado and for Quartus, as its Tcl names them, are a design."""
    if not shutil.which("fusesoc"):
        raise Skipped("no fusesoc (PyPI's fusesoc)")
    here = room / "projects"
    write_pair(room, build, ("age", "star"), here, here)
    for name, tool in (("a", "vivado"), ("b", "quartus")):
        said = subprocess.run(["fusesoc", "--cores-root", ".", "run", "--setup", "--target", tool, f"annelid:network:{name}"], cwd=here,
                              capture_output=True, text=True, check=False, env={**os.environ, "HOME": str(here), "XDG_CONFIG_HOME": str(here)})
        scripts = list(here.glob(f"build/*{name}*/{tool}-{tool}/*.tcl"))
        texts = {script: script.read_text() for script in scripts}
        script = next((one for one, text in texts.items() if SOURCES.search(text)), None)
        expect(said.returncode == 0 and script, f"Tcl for {tool}", said)
        files = [one or other for one, other in SOURCES.findall(texts[script])]
        folder = re.search(r"src/\S*include", texts[script])[0]
        seen = run(script.parent, *children.tool("IVERILOG"), "-g2012", f"-I{folder}", *files, "-s", name, "-t", "null")
        expect(seen.returncode == 0 and not seen.stdout + seen.stderr and len(files) > 50, f"the sources of {tool} in Icarus", seen)


TESTS = [every_front_end_accepts_it, every_front_end_reads_each_pair_of_features, every_front_end_reads_wide_tables,
         the_bench_passes, parts_have_clocks_of_their_own, the_bench_fails_on_wrong_wires_of_adapters, the_bench_fails_on_wrong_streams, pulses_of_chained_lines_are_refused,
         the_bench_fails_on_faults, every_front_end_accepts_axi_ports, the_bench_of_axi_ports_passes,
         the_bench_of_axi_ports_fails_on_faults, no_signal_of_axi_follows_another_in_its_cycle, limits_of_axi_modules_are_refused, two_networks_stand_in_one_design, two_directories_share_their_rtl, another_version_is_refused,
         one_network_stands_twice_in_a_design, bender_packages_are_designs, network_is_one_module_of_verilog,
         *([network_is_a_module_of_systemc, parts_have_clocks_in_verilator, the_bench_of_axi_ports_finds_wrong_clocks] if WHOLE else []), fusesoc_reads_two_networks, fusesoc_writes_projects]

if __name__ == "__main__":
    sys.exit(main("design", TESTS, __doc__.splitlines()[3]))
