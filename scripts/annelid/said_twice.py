# SPDX-License-Identifier: Apache-2.0
"""Built-in networks, and the same ones said as a graph with a table: both must have the same digests (docs/lockstep.md).

`make test-graph` compares them in the golden model, `make regress REGRESS=twice` some of them in the RTL, too.
"""
import re

from annelid.draw_graph import Graph, cube, fat_tree

LOADS = (0.05, 0.4, 0.9)

# The network of a scenario, its graph, and keys of the switch. Formulas of docs/networks.md, written a second time.
NETWORKS = {
    "mesh": ("mesh, k: 4, n: 2", cube([4, 4], ["line"] * 2), "num_vcs: 2, arbiter: random"),
    "mesh3": ("mesh, k: 3, n: 3", cube([3, 3, 3], ["line"] * 3), "num_vcs: 1, depth: 8, arbiter: age, flow_control: cut_through"),
    "line": ("mesh, k: 7, n: 1", cube([7], ["line"]), "num_vcs: 3, depth: 1, arbiter: fixed"),
    "torus": ("torus, k: 5, n: 2", cube([5, 5], ["ring"] * 2, 1, 2, True), "num_vcs: 2, arbiter: farthest"),
    "torus_store": ("torus, k: 4, n: 2", cube([4, 4], ["ring"] * 2, 1, 3, True), "num_vcs: 3, depth: 8, flow_control: store_and_forward"),
    "torus3": ("torus, k: 2, n: 3", cube([2, 2, 2], ["ring"] * 3, 1, 8, True), "num_vcs: 8, depth: 2"),
    "torus_unsafe": ("torus, k: 4, n: 2", cube([4, 4], ["ring"] * 2), "num_vcs: 1, routing: dimension_order"),
    "one_way": ("unidirectional_torus, k: 4, n: 2", cube([4, 4], ["one_way_ring"] * 2, 1, 2, True), "num_vcs: 2, arbiter: random"),
    "one_way_ring": ("unidirectional_torus, k: 6, n: 1", cube([6], ["one_way_ring"], 1, 5, True), "num_vcs: 5, arbiter: age"),
    "hypercube": ("hypercube, n: 4", cube([2] * 4, ["bit"] * 4), "num_vcs: 1, arbiter: farthest"),
    "hypercube_deep": ("hypercube, n: 3", cube([2] * 3, ["bit"] * 3), "num_vcs: 4, depth: 3"),
    "fat_tree": ("fat_tree, n: 1", Graph(1, [(0, p) for p in range(4)], ports=6), "num_vcs: 2, routing: up_down_greedy"),
    "fat_tree2": ("fat_tree, n: 2", fat_tree(2), "num_vcs: 2, arbiter: random, routing: destination_tag"),
    "fat_tree3": ("fat_tree, n: 3", fat_tree(3), "num_vcs: 1, depth: 8, arbiter: farthest, flow_control: store_and_forward, routing: destination_tag"),
}
IN_RTL = ("mesh", "torus_store", "one_way", "hypercube", "fat_tree", "fat_tree2")
TRAFFIC = "traffic: {length: [1, 2, 8]}\nrun: {cycles: 2000, max_cycles: 40000, seed: 1}\n"


def scenario(path, network, switch, graph=None):
    """Writes a scenario; with a graph it says the network by this graph and its table. Returns the path."""
    routing = "table" if graph and graph.routes else "up_down"
    if graph:
        switch = re.sub(", routing: [a-z_]+", "", switch) + f", routing: {routing}"
        network = "graph"
    lines = [f"network: {{topology: {network}}}", f"switch: {{{switch}, flit_width_bits: 64}}", TRAFFIC]
    if graph:
        lines += ["graph:", *(f"  {line}" for line in graph.lines() + graph.table_lines())]
    path.write_text("\n".join(lines) + "\n")
    return path


def in_lockstep(room):
    """Writes the scenarios that run in the RTL. Yields (name of the network, path, settings): runs of the same name and
    settings must have the same digest."""
    room.mkdir(parents=True, exist_ok=True)
    for name in IN_RTL:
        network, graph, switch = NETWORKS[name]
        for path in (scenario(room / f"{name}.yaml", network, switch), scenario(room / f"{name}-graph.yaml", network, switch, graph)):
            yield from ((name, path, (f"traffic.load={load}",)) for load in LOADS)
