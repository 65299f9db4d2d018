# SPDX-License-Identifier: Apache-2.0
"""The suite `large`: RTL of the size of networks that models are made for, each with at least a million flit events
(docs/lockstep.md, "Large networks"). Its scenarios are written when they are run."""

import random

from annelid.draw_graph import Graph
from annelid.sources import write

LANES = "{num_vcs: 2, depth: 4, flit_width_bits: 32, arbiter: round_robin}"
FOUR = "{num_vcs: 4, depth: 4, flit_width_bits: 32, arbiter: round_robin}"
ONE = "{num_vcs: 1, depth: 4, flit_width_bits: 32, arbiter: round_robin}"
# name: network, switch, load, cycles in which worms are created
CUBES = {
    "mesh_32": ("{topology: mesh, k: 32, n: 2}", FOUR, 0.04, 1200),
    "torus_32": ("{topology: torus, k: 32, n: 2}", LANES, 0.04, 1700),
    "mesh_64": ("{topology: mesh, k: 64, n: 2}", ONE, 0.02, 330),
    "cube_16_16_4": ("{topology: cube, radix: [16, 16, 4], dimensions: line}", LANES, 0.08, 1200),
    "fat_tree_1024": ("{topology: fat_tree, n: 5}", "{num_vcs: 1, depth: 4, flit_width_bits: 32, arbiter: round_robin, routing: up_down_random}",
                      0.05, 2600),
    "butterfly_1024": ("{topology: butterfly, k: 4, n: 5}", LANES, 0.3, 650),
}


def dragonfly(groups=33, members=8, each=4):
    """Returns groups of switches that are all linked with each other, with so many terminals and links to other groups at each
    switch, so that each group has a link to every other one. Routes need no table."""
    switches = range(groups * members)
    pairs = [(g * members + a, g * members + b) for g in range(groups) for a in range(members) for b in range(a + 1, members)]
    for g in range(groups):
        for h in range(g + 1, groups):
            # The links of a group to the others, in their order, are shared out among its switches.
            pairs.append((g * members + (h - 1) // each, h * members + g // each))
    return Graph(len(switches), [s for s in switches for _ in range(each)], pairs)


def random_graph(switches=1000, seed=7):
    """Returns a random tree, and as many links more as there are switches."""
    rng = random.Random(seed)
    pairs = {(rng.randrange(b), b) for b in range(1, switches)}
    while len(pairs) < 2 * switches - 1:
        a, b = sorted(rng.sample(range(switches), 2))
        pairs.add((a, b))
    return Graph(switches, range(switches), sorted(pairs))


GRAPHS = {"dragonfly_1056": (dragonfly, LANES, 0.1, 2100), "random_graph_1000": (random_graph, LANES, 0.01, 13000)}


def text_of(network, switch, load, cycles, graph=None):
    lines = [f"network: {network}", f"switch: {switch}", f"traffic: {{load: {load}, length: 8}}", f"run: {{seed: 1, cycles: {cycles}}}"]
    return "\n".join([*lines, *(["graph:", *(f"  {line}" for line in graph.lines())] if graph else []), ""])


def in_lockstep(room):
    """Writes the scenarios to a folder. Yields (name, path)."""
    room.mkdir(parents=True, exist_ok=True)
    texts = {name: text_of(*values) for name, values in CUBES.items()}
    for name, (drawn, switch, load, cycles) in GRAPHS.items():
        texts[name] = text_of("{topology: graph}", switch, load, cycles, drawn())
    for name, text in texts.items():
        path = room / f"{name}.yaml"
        write(path, text)
        yield name, path
