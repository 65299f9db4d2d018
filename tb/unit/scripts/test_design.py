#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `annelid rtl` writes is a design: three front ends accept it without a word, its bench passes, and fails on faults.

usage: [UNIT_SHARE=1] tb/unit/scripts/test_design.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any. Unless UNIT_SHARE is 1, every third design is tried, and all faults, and a
stream of a bench sends 5 packets in place of 20.
"""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from suite import expect, main

GRAPH = """graph:
  switches: [hub, a, b]
  terminals: [hub, a, b, b]
  links: [[hub, a], [hub, b]]
"""
SCENARIOS = {
    "star": "network: {topology: graph}\nswitch: {num_vcs: 2, depth: 2, flit_width_bits: 20}\n" + GRAPH,
    "lanes": "network: {topology: graph}\nswitch: {num_vcs: 2, routing: table, scan: random, admission: cut_through}\n"
             "graph:\n  switches: 2\n  terminals: [0.1, 1.1]\n  links: [[0.0, 1.0]]\n"
             "  routes: [[0, 1, 0, 1], [1, 0, 0, 0-1]]\n",
    "source": "network: {topology: graph}\nswitch: {num_vcs: 2, depth: 2, flit_width_bits: 40, routing: source, "
              "length_in_head: true}\n" + GRAPH,
    "torus": "network: {topology: torus, k: 3, n: 1}\nswitch: {num_vcs: 2, depth: 2, flit_width_bits: 40}\n",
    "oldest": "network: {topology: torus, k: 2, n: 1}\nswitch: {num_vcs: 2, scan: oldest, admission: cut_through}\n",
    "farthest": "network: {topology: mesh, k: 3, n: 1}\nswitch: {num_vcs: 1, scan: farthest}\n",
    "graph_farthest": "network: {topology: graph}\nswitch: {num_vcs: 1, scan: farthest}\n" + GRAPH,
    "path": "network: {topology: fat_tree, n: 2}\nswitch: {routing: up_down_fixed, num_vcs: 2, scan: oldest}\n",
    "classes": "network: {topology: mesh, k: 2, n: 1}\nswitch: {num_vcs: 4, classes: 2, class_weights: [3, 1], scan: farthest}\n",
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
             "scan: oldest}\ngraph:\n  switches: 2\n  terminals: [0, 1]\n  links: [[0, 1]]\n",
    "butterfly": "network: {topology: butterfly, k: 2, n: 2, passes: 2}\nswitch: {space: chained, num_vcs: 2, depth: 1}\n",
    "wide": "network: {topology: mesh, k: 2, n: 1}\nswitch: {link: wide, num_vcs: 2, scan: farthest}\n",
    "wide_chained": "network: {topology: graph}\nswitch: {link: wide, space: chained, num_vcs: 2, depth: 1, flit_width_bits: 40, "
                    "routing: source}\n" + GRAPH,
    "tree": "network: {topology: fat_tree, n: 1}\nswitch: {routing: up_down_greedy, space: chained, num_vcs: 1}\n",
}
# Heads have other fields here.
RANKED = ("oldest", "farthest", "graph_farthest", "classes", "lists", "butterfly", "wide")
LONG = ("path", "class_tables")  # too long to be simulated in a test
EVERY = [(name, ports) for name in SCENARIOS for ports in ("links", "axis")
         if (ports == "axis" or name not in (*RANKED, *LONG)) and (ports, name) != ("axis", "class_options")]
WHOLE = os.environ.get("UNIT_SHARE") == "1"
TRIED = EVERY if WHOLE else EVERY[1::3]
# Design, file of it, old text, new text: the bench must find it.
FAULTS = [
    ("star", "rtl/net/anl_graph.sv", "assign g_switch[1].in_flit[0*Lines*LinkW +: Lines*LinkW] = g_switch[0].out_flit[0*Lines*LinkW +: Lines*LinkW];",
     "assign g_switch[1].in_flit[0*Lines*LinkW +: Lines*LinkW] = g_switch[0].out_flit[0*Lines*LinkW +: Lines*LinkW] ^ 1024;"),
    ("star", "rtl/net/anl_graph_pkg.sv", "FF02};", "FF01};"),
    ("source", "rtl/net/anl_graph_lists_pkg.sv", "1: lists = {\n        6'h24", "1: lists = {\n        6'h14"),
    ("source", "rtl/route/anl_list_shift.sv", "list >> PortW;", "list;"),
    ("star", "rtl/net/anl_graph.sv", "= ej_credit_i[2*NumVcs +: NumVcs];", "= '0;"),
    ("wide_chained", "rtl/switch/anl_wide_output.sv", "go_i & bound_i[w*Size +: Size]", "go_i & bound_i[(NumVcs-1-w)*Size +: Size]"),
    ("layers", "rtl/terminal/anl_axis_terminal.sv", "s_tlast_i[c], s_tdata_i[c*DataW +: DataW]", "s_tlast_i[c], s_tdata_i[0 +: DataW]"),
    ("class_options", "rtl/net/anl_graph.sv", ".terminals_i(Terminals)", ".terminals_i(anl_graph_pkg::terminals(s))"),
    ("layers", "rtl/terminal/anl_terminal.sv", "localparam int First = c * ClassVcs;          // the first lane of the class",
     "localparam int First = (Classes - 1 - c) * ClassVcs;"),
]


def run(room, *command):
    return subprocess.run(command, cwd=room, capture_output=True, text=True, check=False)


def design(room, build, name, ports):
    """Writes a design into room/name-ports. Returns the directory."""
    path, directory = room / f"{name}.yaml", room / f"{name}-{ports}"
    path.write_text(SCENARIOS[name] + "traffic: {load: 0.1, length: 1}\n")
    said = run(".", build / "annelid", "rtl", path, "-o", directory, "--name", "top", "--ports", ports)
    expect(said.returncode == 0 and not said.stderr, "a design", said)
    return directory


def change(path, old, new):
    text = path.read_text()
    expect(text.count(old) == 1, f"{old} once in {path}", text)
    path.write_text(text.replace(old, new))


def bench(directory):
    """Runs the bench in Icarus as the page says. Returns what it printed."""
    if not WHOLE:
        change(directory / "tb_top.sv", "Packets = 20;", "Packets = 5;")
    command = re.search(r"^(iverilog .*)$", (directory / "README.md").read_text(), re.M)[1]
    made = run(directory, "bash", "-c", command)
    return made.returncode, made.stdout + made.stderr


def every_front_end_accepts_it(room, build):
    for name, ports in TRIED:
        directory = design(room, build, name, ports)
        command = re.search(r"^(verilator --lint-only .*)$", (directory / "README.md").read_text(), re.M)[1]
        seen = run(directory, "bash", "-c", command)
        expect(seen.returncode == 0 and not seen.stdout + seen.stderr, f"{name} without warnings", seen)
        files = [line for line in (directory / "top.f").read_text().splitlines() if not line.startswith("+")]
        seen = run(directory, "yosys", "-q", "-p", f"read_verilog -sv -formal -Irtl/include {' '.join(files)}; "
                   "hierarchy -check -top top; proc; check -assert")
        expect(seen.returncode == 0 and not seen.stdout + seen.stderr, f"{name} in Yosys", seen)


def the_bench_passes(room, build):
    for name, ports in TRIED:
        if name not in LONG:
            status, text = bench(design(room, build, name, ports))
            expect(status == 0 and re.search(r"^PASS \d+ packets in \d+ cycles$", text, re.M), f"{name} passes", text)


def the_bench_fails_on_faults(room, build):
    for number, (name, file, old, new) in enumerate(FAULTS):
        directory = design(room, build, name, "links")
        change(directory / file, old, new)
        status, text = bench(directory)
        expect(status != 0 and "FAIL" in text and "PASS" not in text, f"fault {number} to be found", text)


TESTS = [every_front_end_accepts_it, the_bench_passes, the_bench_fails_on_faults]

if __name__ == "__main__":
    sys.exit(main("design", TESTS, __doc__.splitlines()[3]))
