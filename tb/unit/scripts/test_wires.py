#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: test_wires.py BUILD JUNIT

scripts/annelid/wires.py: networks of each kind are wired as the golden model says, and a wrong wire is named, also one of large
networks alone, which no lock-step of the suites has.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import wires
from annelid.children import Children, Wrong
from annelid.regress import Run
from annelid.runs import scenario_path
from annelid.sources import RTL, rtl_with

KINDS = ("mesh3_complement", "ring8_uniform", "hypercube4_uniform", "slices_torus3", "fattree4_uniform", "fattree16_cut_chained",
         "butterfly16_lanes", "graph_petersen", "graph_options", "wide_graph", "class_routing_graph", "wide_mesh3")
LARGE = ("network.k=104", "network.n=1")  # many switches, with few ports each
# file, old, new, scenario, settings, what is said. The first and the last one act in large networks alone.
FAULTS = (
    ("rtl/net/anl_cube.sv", "localparam int To     = anl_cube_pkg::neighbour(Topology, K, s, Stride, Step);",
     "localparam int To     = anl_cube_pkg::neighbour(Topology, K, (K > 10 && s == 100) ? 101 : s, Stride, Step);",
     "mesh8_uniform", LARGE, "link from port"),
    ("rtl/net/anl_cube.sv", ".credit_o(back_credit[p*NumVcs +: NumVcs])",
     ".credit_o(back_credit[(p ^ (p == 3 && s == 4 ? 1 : 0))*NumVcs +: NumVcs])", "slices_mesh3", (), "link from port"),
    ("rtl/net/anl_butterfly.sv", "anl_butterfly_pkg::replaced(K, Column, Weight, p);",
     "anl_butterfly_pkg::replaced(K, Column, Weight, p == 0 && s == 9 ? 1 : p);", "butterfly16_lanes", (), "link from port"),
    ("rtl/net/anl_cube.sv", "assign in_valid[p*Lines +: Lines]            = '0;", "assign in_valid[p*Lines +: Lines]            = '1;",
     "mesh3_complement", (), "which no link reaches, gets flits"),
    ("rtl/net/anl_cube.sv", "assign out_credit[p*NumVcs +: NumVcs] = '0;", "assign out_credit[p*NumVcs +: NumVcs] = '1;",
     "mesh3_complement", (), "which no link leaves, gets credits"),
    ("rtl/net/anl_cube.sv", ".here_i(", ".here_i((K > 10 && s == 100) ? 3 : ", "mesh8_uniform", LARGE, "here_i of 100 is not"),
)


def look(build, room, name, settings=(), rtl=RTL):
    children = Children()
    return wires.check(children, build, room, Run(scenario_path(name), None, settings=settings), rtl)


def each_kind_is_wired_as_the_model_says(room, build):
    for name in KINDS:
        said = look(build, room / name, name)
        expect("switches" in said and "links" in said, f"{name}: counts", said)


def a_wrong_wire_is_named(room, build):
    for number, (file, old, new, name, settings, says) in enumerate(FAULTS):
        own, text = room / str(number), pathlib.Path(file).read_text()
        own.mkdir()
        expect(text.count(old) == 1, f"{old} once in {file}", text.count(old))
        try:
            said = look(build, own, name, settings, rtl_with(file, text.replace(old, new), own))
        except Wrong as wrong:
            expect(says in str(wrong) and "wrong: " in str(wrong), says, wrong)
        else:
            expect(False, f"{new} to be found", said)


def a_wrong_constant_is_named(room, build):
    """Each bit of what the switches of a graph get."""
    seen = wires.elaborated(Children(), build, room, Run(scenario_path("graph_options"), None))
    expect(not list(seen.wrong()), "nothing wrong", list(seen.wrong()))
    for name in ("here_i", "table_i", "lanes_i", "straight_i", "terminals_i"):
        for bit in range(len(seen.cells[2][name])):
            bits = list(seen.cells[2][name])
            bits[bit] = "10"[int(bits[bit])]
            other, seen.cells[2][name] = seen.cells[2][name], bits
            expect([text for text in seen.wrong() if text.startswith(f"{name} of 2 is not ")], f"bit {bit} of {name}", list(seen.wrong()))
            seen.cells[2][name] = other


TESTS = [each_kind_is_wired_as_the_model_says, a_wrong_wire_is_named, a_wrong_constant_is_named]

if __name__ == "__main__":
    sys.exit(main("wires-itself", TESTS, __doc__.splitlines()[0]))
