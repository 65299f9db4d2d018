#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Channel-dependency graphs of the model and of the RTL are the same; faults put into either side's list, or into the
RTL, show.

usage: [UNIT_SHARE=1] tb/unit/scripts/test_cdg.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any. Unless UNIT_SHARE is 1, large networks are left out.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid.draw_graph import cube
from annelid.sources import changed

# Networks: the name of a scenario, and settings. Some have labels of more bits, and more dimensions and levels, than the
# networks in the lists of the lock-step; UNIT_SHARE=1 adds those that take seconds.
LARGE = ["torus444_uniform", "fattree64_fixed_farthest", "fattree64_worm_complement", "mesh3_complement network.k=9",
         "torus3_uniform network.k=10", "line64_uniform network.k=130", "hypercube4_uniform network.n=7 switch.num_vcs=1",
         "fattree64_fixed_farthest network.n=4 switch.num_vcs=1 switch.flit_width_bits=27", "mesh333_uniform",
         "torus3_uniform network.k=4", "fattree64_greedy_fixed", "lesson_torus_dateline", "mesh4_west_first", "mesh4_odd_even",
         "cube_odd_even", "classes_torus_dateline"]
ACYCLIC = ["mesh3_complement", "mesh333_uniform network.k=2", "torus3_uniform", "torus3_uniform network.k=4 network.n=1",
           "oneway4_uniform", "hypercube4_uniform", "fattree16_lanes", "fattree64_fixed_farthest network.n=2",
           "fattree64_worm_complement network.n=2", "fattree64_greedy_fixed network.n=2", "layered_ring",
           "mesh3_complement network.k=9 network.n=1", "torus3_uniform network.k=10 network.n=1",
           "oneway4_uniform network.k=34 network.n=1 switch.flit_width_bits=16",
           "line64_uniform network.k=66", "ring64_tornado network.k=66", "hypercube4_uniform network.n=5 switch.num_vcs=1",
           "mesh4_west_first network.k=3", "mesh4_odd_even network.k=3",
           "cube_odd_even network.radix=[3,3] network.concentration=1", "classes_requests", "classes_torus_dateline network.k=3",
           "classes_tree", "classes_graph", "layered_ring switch.num_vcs=6 switch.classes=2", "butterfly8_chained",
           "butterfly16_radix4", "butterfly27_two_passes network.k=5 network.n=2", "wide_torus3", "wide_graph",
           *(LARGE if os.environ.get("UNIT_SHARE") == "1" else [])]
# With the lanes of a shortest cycle. The replies of deadlock_reply wait for requests, where both have one class.
CYCLIC = {"deadlock_ring5": 5, "deadlock_torus5": 5, "lesson_torus_deadlock": None, "deadlock_reply": 2,
          "deadlock_ring5 switch.num_vcs=4 switch.classes=2": 5}

# File of the RTL, old text, new text, network, words that must be printed.
FAULTS = [
    ("rtl/route/anl_dateline.sv", "to_terminal_i || wrap_ahead_i", "1'b1", "torus3_uniform",
     "only the list lets a head"),
    ("rtl/route/anl_dateline.sv", "to_terminal_i || !wrap_ahead_i", "to_terminal_i", "torus3_uniform",
     "expected route S to T"),
    ("rtl/route/anl_route_mesh.sv", "{below[d], above[d]}", "{above[d], below[d]}", "mesh3_complement",
     "where no link is"),
    ("rtl/route/anl_route_mesh.sv", "? !to[b]", "? to[b]", "mesh3_complement", "expected route S to T"),
    ("rtl/route/anl_route_mesh.sv", "(1 << d) - 1", "~((2 << d) - 1)", "mesh3_complement",
     "a turn that is not wired"),
    ("rtl/route/anl_route_torus.sv", "&& here[0]", "&& !here[0]", "torus3_uniform network.k=4 network.n=1", "DIFFERENCE"),
    ("rtl/route/anl_route_turn_model.sv", "north && !west, west, east};", "north, west, east};", "mesh4_west_first network.k=3",
     "a turn that is not wired"),
    ("rtl/route/anl_route_adaptive.sv", "(differs & Lower) == '0", "1'b1", "mesh4_adaptive network.k=3", "DIFFERENCE"),
    ("rtl/route/anl_route_hypercube.sv", "(1 << d) - 1", "~((2 << d) - 1)", "hypercube4_uniform",
     "a turn that is not wired"),
    ("rtl/net/anl_cube_pkg.sv", "(p / each < o / each) ?", "(p / each > o / each) ?", "torus3_uniform",
     "a turn that is not wired"),
    ("rtl/net/anl_fat_tree_pkg.sv", "p < NumDown || o < NumDown", "p < NumDown && o < NumDown", "fattree16_lanes",
     "a turn that is not wired"),
    ("rtl/route/anl_route_fat_tree.sv", "dst_i[2*(Level-1) +: 2]", "~dst_i[2*(Level-1) +: 2]", "fattree16_lanes",
     "comes to T"),
    ("rtl/route/anl_route_butterfly.sv", "dst_i[Tag*DigitW +: DigitW]", "dst_i[(N-1-Tag)*DigitW +: DigitW]",
     "butterfly8_chained", "comes to T"),
    ("rtl/net/anl_butterfly.sv", ".out_flit[Far*Lines*LinkW", ".out_flit[((Far + 1) % K)*Lines*LinkW", "butterfly16_radix4", ""),
    ("rtl/net/anl_cube.sv", "p / 2 : p)", "(N - 1 - p / 2) : p)", "mesh3_complement",
     "where no link is"),
    ("rtl/net/anl_fat_tree_pkg.sv", "(a + (up << (level - 1))) % (1 << level)",
     "(a + (1 << level) - (up << (level - 1))) % (1 << level) ^ (level > 1 ? up : 0)", "fattree64_greedy_fixed", ""),
    ("rtl/route/anl_route_mesh.sv", "wrong      = differs_i[d*CoordW +: CoordW];",
     "wrong      = differs_i[d*CoordW +: CoordW] & ~((K > 8) ? CoordW'(8) : CoordW'(0));",
     "mesh3_complement network.k=9 network.n=1", "comes to T"),
    ("rtl/route/anl_route_torus.sv", "&& here[0]", "&& here_i[0]", "torus3_uniform network.k=4", "DIFFERENCE"),
    ("rtl/switch/anl_cube_switch.sv", "+: ClassVcs]  = vcs;", "+: ClassVcs]  = (l % NumVcs < ClassVcs) ? vcs : ~vcs;",
     "classes_torus_dateline network.k=3", "expected route S to T"),
    ("rtl/switch/anl_graph_switch.sv", "lanes_i[(l%NumVcs)*ClassVcs", "lanes_i[(l%NumVcs/2)*ClassVcs",
     "layered_ring switch.num_vcs=6 switch.classes=2", "DIFFERENCE"),
]


# The RTL of the 3x3 mesh of GRAPH below: old text, new text, words that must be printed.
WRITTEN_FAULTS = [
    ("g_switch[1].in_flit[1*Lines*LinkW +: Lines*LinkW] = g_switch[0].out_flit[0*",
     "g_switch[1].in_flit[1*Lines*LinkW +: Lines*LinkW] = g_switch[3].out_flit[0*", "where no link is"),
    ("FF04};\n      1:", "FF00};\n      1:", "a turn that is not wired"),
    ("turns = anl_pkg::TurnsW'(160'h0000001F", "turns = anl_pkg::TurnsW'(160'h0000001E", "a turn that is not wired"),
]
GRAPH_FAULTS = [
    ("rtl/route/anl_route_table.sv", "IndexW'(dst_i)*", "IndexW'(dst_i ^ 1'b1)*", "expected route S to T"),
    ("rtl/route/anl_route_table.sv", "EntryVcsLsb +: NumVcs]", "EntryVcsLsb +: NumVcs] & NumVcs'(1)", "DIFFERENCE"),
    ("rtl/switch/anl_graph_switch.sv", ".Turns(Turns)", ".Turns(Turns & ~(1 << 4))", "a turn that is not wired"),
]
# A star whose heads carry their routes: what is written of it, and the RTL.
SOURCE_WRITTEN_FAULTS = [
    ("0: turns = anl_pkg::TurnsW'(128'h0000000F", "0: turns = anl_pkg::TurnsW'(128'h0000000D", "only the model lets a head"),
    ("1: turns = anl_pkg::TurnsW'(128'h00000008_00000004_00000003_00000002",
     "1: turns = anl_pkg::TurnsW'(128'h00000008_00000004_00000003_00000003", "only the list lets a head"),
]
SOURCE_FAULTS = [
    ("rtl/route/anl_route_source.sv", ".index_i(next_i)", ".index_i(next_i ^ 1'b1)", "a list that begins with"),
    ("rtl/route/anl_route_source.sv", "assign vcs_o = '1;", "assign vcs_o = NumVcs'(1);", "only the model lets a head"),
    ("rtl/switch/anl_source_switch.sv", ".Turns(Turns)", ".Turns(Turns & ~(1 << 1))", "only the model lets a head"),
]
SOURCE = "\n".join(["network: {topology: graph}", "switch: {num_vcs: 2, routing: source}", "traffic: {load: 0.1, length: 4}",
                    "graph:", "  switches: [hub, a, b, c]", "  terminals: [hub, a, b, c, c]",
                    "  links: [[hub, a], [hub, b], [hub, c]]", ""])
MESH = cube([3, 3], ["line"] * 2, 1, 2)
GRAPH = "\n".join(["network: {topology: graph}", "switch: {num_vcs: 2, routing: table}", "traffic: {load: 0.1, length: 4}",
                   "graph:", *(f"  {line}" for line in MESH.lines() + MESH.table_lines()), ""])


def scenario_of(network):
    """Returns the words that name a network: the file of its scenario, and settings."""
    if isinstance(network, Path):
        return [network]
    name, *settings = network.split()
    return [f"sim/scenarios/{name}.yaml", *(word for setting in settings for word in ("--set", setting))]


def annelid(build, *arguments):
    return subprocess.run([str(build / "annelid"), *map(str, arguments)], capture_output=True, text=True, check=False)


def lists_of(room, networks, build):
    """Makes the lists of links and routes of the RTL of networks, by one make. A network is the name of a scenario, an old and
    a new text, and the file of rtl/ in which one replaces the other; without a file, the module that is written of a graph;
    without texts it is the RTL as it is. Returns the paths of the lists."""
    paths = []
    for number, (name, *texts, file) in enumerate(networks):
        words = annelid(build, "describe", "--rtl", *scenario_of(name)).stdout.split()
        paths.append(Path(room) / "cdg" / str(number) / ("-".join(words).replace("=", "") + ".routes"))
        paths[-1].parent.mkdir(parents=True)
        if "Hash" in paths[-1].name:
            module = paths[-1].with_suffix(".sv")
            said = annelid(build, "rtl", "--name", "anl", "-o", module, *scenario_of(name))
            expect(said.returncode == 0, "the RTL of a graph", said.stderr)
            file = file or (module if texts else None)
        if texts:
            (paths[-1].parent / Path(file).name).write_text(changed(file, *texts))
    made = subprocess.run(["make", "-s", f"BUILD={room}", *map(str, paths)], capture_output=True, text=True, check=False)
    expect(made.returncode == 0, "lists", made.stdout + made.stderr)
    return paths


def verdicts(room, networks, build):
    """Returns what annelid cdg says of each of the networks, whose RTL is made as lists_of() says."""
    return [annelid(build, "cdg", "--routes", path, *scenario_of(name))
            for path, (name, *_) in zip(lists_of(room, networks, build), networks)]


def both_sides_are_acyclic_and_the_same(room, build):
    for name, seen in zip(ACYCLIC, verdicts(room, [(name, None) for name in ACYCLIC], build)):
        expect(seen.returncode == 0 and "acyclic  " in seen.stdout and "same  " in seen.stdout, f"{name} acyclic", seen)


def both_sides_have_the_same_cycle(room, build):
    for (name, length), seen in zip(CYCLIC.items(), verdicts(room, [(name, None) for name in CYCLIC], build)):
        found = re.search(r"^CYCLE of (\d+) lanes", seen.stdout, re.M)
        expect(seen.returncode == 1 and found and "same  " in seen.stdout, f"a cycle in {name}", seen)
        expect(length is None or int(found[1]) == length, f"{length} lanes in {name}", found[0])


def faults_show(room, faults, build):
    """Checks that each fault of a network, a text of its RTL that another replaces, makes annelid cdg say the words."""
    seen = verdicts(room, [(name, old, new, file) for file, old, new, name, _ in faults], build)
    for (file, _, new, _, words), said in zip(faults, seen):
        expect(said.returncode != 0 and words in said.stdout + said.stderr, f"{words} of {new} in {file}", said)


def a_fault_in_the_rtl_shows(room, build):
    faults_show(room, FAULTS, build)


def a_graph_is_the_same_and_its_faults_show(room, build):
    same_and_faults_show(room, build, GRAPH, WRITTEN_FAULTS, GRAPH_FAULTS)


def source_routes_are_the_same_and_their_faults_show(room, build):
    same_and_faults_show(room, build, SOURCE, SOURCE_WRITTEN_FAULTS, SOURCE_FAULTS)


def same_and_faults_show(room, build, scenario, written_faults, rtl_faults):
    path = Path(room) / "graph.yaml"
    path.write_text(scenario)
    seen, = verdicts(Path(room) / "same", [(path, None)], build)
    expect(seen.returncode == 0 and "acyclic  " in seen.stdout and "same  " in seen.stdout, "an acyclic graph", seen)
    faults_show(room, [(file, old, new, path, words) for file, old, new, words in
                       [(None, *fault) for fault in written_faults] + rtl_faults], build)


def what_is_no_list_is_refused(room, build):
    good = lists_of(room, [("mesh3_complement", None)], build)[0].read_text()
    bad = {
        "1: expected a line that begins": "hello\n",
        "1: expected link L switch": "link 1000 switch 0 port 0\n",
        "1: expected route S to T": "route 0 to 0 lane * port 9 vcs 1\n",
        "1: expected turns S port P": "turns 0 port 0 to 20\n",
        "from port 4 of switch 8(2,2) to port 3, a turn": good + "turns 8 port 4 to 17\n",
        "1: expected a lane": "route 0 to 0 lane x port 1 vcs 1\n",
        "no link leads from terminal": "",
        "no route for a head to T0": re.sub(r"^route 8 to 0 .*\n", "", good, flags=re.M),
        "comes to T": good.replace("terminal 0", "terminal x").replace("terminal 1\n", "terminal 0\n").replace(
            "terminal x", "terminal 1"),
    }
    for words, text in bad.items():
        path = Path(room) / "list"
        path.write_text(text)
        seen = annelid(build, "cdg", "--routes", path, *scenario_of("mesh3_complement"))
        expect(seen.returncode == 2 and words in seen.stderr, words, seen)
    seen = annelid(build, "cdg", "--routes", Path(room) / "absent", *scenario_of("mesh3_complement"))
    expect(seen.returncode == 2 and "No such file" in seen.stderr, "no such file", seen)


def the_graph_is_drawn(room, build):
    path = Path(room) / "ring.dot"
    seen = annelid(build, "cdg", "--dot", path, *scenario_of("deadlock_ring5"))
    lines = path.read_text().splitlines()
    expect(seen.returncode == 1 and lines[0] == "digraph cdg {" and lines[-1] == "}", "a graph", seen)
    expect(sum("->" in line for line in lines) == 20, "20 arrows", lines)
    expect(sum("color=red" in line for line in lines) == 5, "5 red ones", lines)


TESTS = [both_sides_are_acyclic_and_the_same, both_sides_have_the_same_cycle, a_fault_in_the_rtl_shows, a_graph_is_the_same_and_its_faults_show,
         source_routes_are_the_same_and_their_faults_show,
         what_is_no_list_is_refused, the_graph_is_drawn]

if __name__ == "__main__":
    sys.exit(main("cdg", TESTS, __doc__.splitlines()[3]))
