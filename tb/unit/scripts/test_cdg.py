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
from annelid import features
from annelid.draw_graph import cube
from annelid.planted import of_scripts, texts

# Networks: the name of a scenario, and settings. Some have labels of more bits, and more dimensions and levels, than the
# networks in the suites of the lock-step; UNIT_SHARE=1 adds those that take seconds.
LARGE = ["torus444_uniform", "fattree64_fixed_farthest", "fattree64_worm_complement", "mesh3_complement network.k=9",
         "torus3_uniform network.k=10", "line64_uniform network.k=130", "hypercube4_uniform network.n=7 switch.num_vcs=1",
         "fattree64_fixed_farthest network.n=4 switch.num_vcs=1 switch.flit_width_bits=27", "mesh333_uniform",
         "torus3_uniform network.k=4", "fattree64_greedy_fixed", "lesson_torus_dateline", "mesh4_west_first",
         "mesh4_odd_even network.k=5 switch.num_vcs=4 switch.classes=2",
         "cube_odd_even", "classes_torus_dateline"]
# In several classes: each routing of each kind of network. Under odd_even the columns of a mesh are told apart from four on.
IN_CLASSES = ["classes_requests", "classes_torus_dateline network.k=3", "classes_tree", "classes_graph",
              "layered_ring switch.num_vcs=6 switch.classes=2", "mesh4_west_first network.k=3 switch.classes=2",
              "mesh2_north_last network.k=3 switch.num_vcs=2 switch.classes=2",
              "mesh2_negative_first network.n=3 switch.num_vcs=2 switch.classes=2",
              "mesh4_odd_even switch.num_vcs=4 switch.classes=2",
              "torus3_uniform network.n=1 switch.routing=dimension_order switch.classes=2",
              "oneway4_uniform network.n=1 switch.classes=2", "hypercube4_uniform network.n=3 switch.num_vcs=2 switch.classes=2",
              "fattree64_fixed_farthest network.n=2 switch.num_vcs=2 switch.classes=2", "fattree16_lanes switch.classes=2",
              "fattree16_tag switch.num_vcs=2 switch.classes=2", "butterfly9_requests",
              "butterfly27_two_passes network.n=2 switch.num_vcs=2 switch.classes=2"]
ACYCLIC = ["mesh3_complement", "mesh333_uniform network.k=2", "torus3_uniform", "torus3_uniform network.k=4 network.n=1",
           "oneway4_uniform", "hypercube4_uniform",
           "fattree64_worm_complement network.n=2", "fattree64_greedy_fixed network.n=2", "layered_ring",
           "mesh3_complement network.k=9 network.n=1", "torus3_uniform network.k=10 network.n=1",
           "oneway4_uniform network.k=34 network.n=1 switch.flit_width_bits=16",
           "line64_uniform network.k=66", "ring64_tornado network.k=66", "hypercube4_uniform network.n=5 switch.num_vcs=1",
           "cube_odd_even network.radix=[3,3] network.concentration=1", "butterfly8_chained", "butterfly16_radix4",
           "butterfly27_two_passes network.k=5 network.n=2", "wide_torus3", "wide_graph",
           "cube_concentrated4 network.radix=[9] network.concentration=29 switch.num_vcs=1",
           *IN_CLASSES,
           *(LARGE if os.environ.get("UNIT_SHARE") == "1" else [])]
# With the lanes of a shortest cycle. The replies of deadlock_reply wait for requests, where both have one class.
CYCLIC = {"deadlock_ring5": 5, "deadlock_torus5": 5, "lesson_torus_deadlock": None, "deadlock_reply": 2,
          "deadlock_ring5 switch.num_vcs=4 switch.classes=2": 5}
# With escape lanes. Six switches round, so that the coordinate half way round may have a bit more than a coordinate.
WITH_ESCAPES = ["mesh4_adaptive network.k=3 switch.num_vcs=4 switch.classes=2",
                "torus4_adaptive network.k=6 network.n=1 switch.num_vcs=6 switch.classes=2",
                "oneway4_adaptive network.n=1 switch.num_vcs=6 switch.classes=2"]

# A star whose heads carry their routes.
SOURCE = "\n".join(["network: {topology: graph}", "switch: {num_vcs: 2, routing: source}", "traffic: {load: 0.1, length: 4}",
                    "graph:", "  switches: [hub, a, b, c]", "  terminals: [hub, a, b, c, c]",
                    "  links: [[hub, a], [hub, b], [hub, c]]", ""])
MESH = cube([3, 3], ["line"] * 2, 1, 2)
GRAPH = "\n".join(["network: {topology: graph}", "switch: {num_vcs: 2, routing: table}", "traffic: {load: 0.1, length: 4}",
                   "graph:", *(f"  {line}" for line in MESH.lines() + MESH.table_lines()), ""])
WRITTEN = {"graph": GRAPH, "source": SOURCE}  # by the names that faults have for these scenarios


def scenario_of(network):
    """Returns the words that name a network: the file of its scenario, and settings."""
    if isinstance(network, Path):
        return [network]
    name, *settings = network.split()
    return [f"sim/scenarios/{name}.yaml", *(word for setting in settings for word in ("--set", setting))]


def annelid(build, *arguments):
    return subprocess.run([str(build / "annelid"), *map(str, arguments)], capture_output=True, text=True, check=False)


def told(build, words):
    """Returns the name of the RTL of a network, and its parameters."""
    name, *rest = annelid(build, "describe", "--rtl", *words).stdout.split()
    return name, dict(each.split("=") for each in rest)


def routing_told(build, words):
    """Returns what the route units of a network are chosen by, and whether it has several classes of messages."""
    name, parameters = told(build, words)
    return name, parameters.get("Topology"), parameters.get("Routing"), int(parameters.get("Classes", 1)) > 1


def lists_of(room, networks, build):
    """Makes the lists of links and routes of the RTL of networks, by one make. A network is the name of a scenario, and a fault
    of a file of rtl/, or of the module that is written of a graph; None is the RTL as it is. Returns the paths of the lists."""
    paths = []
    for number, (name, fault) in enumerate(networks):
        words = annelid(build, "describe", "--rtl", *scenario_of(name)).stdout.split()
        paths.append(Path(room) / "cdg" / str(number) / ("-".join(words).replace("=", "") + ".routes"))
        paths[-1].parent.mkdir(parents=True)
        if "Hash" in paths[-1].name:
            module = paths[-1].with_suffix(".sv")
            said = annelid(build, "rtl", "--name", "anl", "-o", module, *scenario_of(name))
            expect(said.returncode == 0, "the RTL of a graph", said.stderr)
        if fault:
            where = {edit.file: module if fault.get("written") else Path(edit.file) for edit in fault["edits"]}
            for file, text in texts([fault], where.get).items():
                (paths[-1].parent / where[file].name).write_text(text)
    made = subprocess.run(["make", "-s", f"BUILD={room}", *map(str, paths)], capture_output=True, text=True, check=False)
    expect(made.returncode == 0, "lists", made.stdout + made.stderr)
    return paths


def verdicts(room, networks, build):
    """Returns what annelid cdg says of each of the networks, whose RTL is made as lists_of() says."""
    return [annelid(build, "cdg", "--routes", path, *scenario_of(name))
            for path, (name, *_) in zip(lists_of(room, networks, build), networks)]


def both_sides_are_safe_and_the_same(room, build):
    networks = {**dict.fromkeys(ACYCLIC, "acyclic"), **dict.fromkeys(WITH_ESCAPES, "safe")}
    for (name, word), seen in zip(networks.items(), verdicts(room, [(name, None) for name in networks], build)):
        expect(seen.returncode == 0 and f"{word}  " in seen.stdout and "same  " in seen.stdout, f"{name} {word}", seen)


def both_sides_have_the_same_cycle(room, build):
    for (name, length), seen in zip(CYCLIC.items(), verdicts(room, [(name, None) for name in CYCLIC], build)):
        found = re.search(r"^CYCLE of (\d+) lanes", seen.stdout, re.M)
        expect(seen.returncode == 1 and found and "same  " in seen.stdout, f"a cycle in {name}", seen)
        expect(length is None or int(found[1]) == length, f"{length} lanes in {name}", found[0])


def each_routing_is_compared_in_several_classes(room, build):
    """A route unit is asked for each lane here, so no traffic has to lead a head of a later class to it."""
    compared = {routing_told(build, scenario_of(name)) for name in (*ACYCLIC, *WITH_ESCAPES, *CYCLIC)}
    for kind, (_, routings) in features.KINDS.items():
        for routing in routings:
            scenario = features.scenario(kind, routing, "two classes")
            path = scenario.save(Path(room) / f"{kind}-{routing}.yaml".replace(" ", "_"))
            expect(routing_told(build, [path]) in compared, f"a {kind} with {routing} in several classes", sorted(map(str, compared)))


def a_table_has_more_terminals_than_eight_bits_say(_room, build):
    terminals = [int(parameters["K"]) for name, parameters in (told(build, scenario_of(name)) for name in ACYCLIC) if name == "anl_graph"]
    expect(max(terminals) > 256, "a table of more than 256 terminals", terminals)


def faults_show(room, networks, build):
    """Checks that each fault of a network makes annelid cdg say what the fault wants."""
    expect(networks, "faults")
    for (_, fault), said in zip(networks, verdicts(room, networks, build)):
        expect(said.returncode != 0 and fault["says"] in said.stdout + said.stderr, f"{fault['says']} of {fault['name']}", said)


def a_fault_in_the_rtl_shows(room, build):
    faults_show(room, [(fault["scenario"], fault) for fault in of_scripts("cdg") if fault["scenario"] not in WRITTEN], build)


def a_graph_is_the_same_and_its_faults_show(room, build):
    same_and_faults_show(room, build, "graph")


def source_routes_are_the_same_and_their_faults_show(room, build):
    same_and_faults_show(room, build, "source")


def same_and_faults_show(room, build, name):
    path = Path(room) / "graph.yaml"
    path.write_text(WRITTEN[name])
    seen, = verdicts(Path(room) / "same", [(path, None)], build)
    expect(seen.returncode == 0 and "acyclic  " in seen.stdout and "same  " in seen.stdout, "an acyclic graph", seen)
    faults_show(room, [(path, fault) for fault in of_scripts("cdg") if fault["scenario"] == name], build)


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


TESTS = [both_sides_are_safe_and_the_same, both_sides_have_the_same_cycle, each_routing_is_compared_in_several_classes,
         a_table_has_more_terminals_than_eight_bits_say, a_fault_in_the_rtl_shows, a_graph_is_the_same_and_its_faults_show,
         source_routes_are_the_same_and_their_faults_show,
         what_is_no_list_is_refused, the_graph_is_drawn]

if __name__ == "__main__":
    sys.exit(main("cdg", TESTS, __doc__.splitlines()[3]))
