# SPDX-License-Identifier: Apache-2.0
"""Pairs of features on each kind of network: small networks, always the same ones, of which `make regress REGRESS=features` runs
each in lock-step (docs/lockstep.md), and `make test-design` reads the text of `annelid rtl`.

The features are the routing, the classes of messages, wide links, credit bypass, links of several cycles, and the stages of a
switch.
"""

import itertools

from annelid.random_networks import CHAINED, TURN_MODELS, Scenario, has_rings

CLASSES = ("one class", "two classes", "class routings")
LINKS = ({}, {"link": "wide"})
SPACES = ({"credits": "registered"}, {"credits": "bypass"})
CYCLES = ({}, {"link_cycles": 2})
STAGES = ({}, {"stages": 2})

# A graph without circles, whose switches 0 and 1 have two links: a table with options may take both.
WIRING = {"switches": 3, "ports": 4, "terminals": ["0.0", "0.3", "1.0", "2.0"],
          "links": [["0.1", "1.1"], ["0.2", "1.2"], ["1.3", "2.1"]]}
TABLE = [[0, 2, 1, "all"], [0, 3, 2, "all"], [1, 0, 1, "0-1"], [1, 1, 2, "1"], [1, 3, 3, "all"], [2, 0, 1, "all"],
         [2, 1, 1, "all"], [2, 2, 1, "0"]]
TABLES = {"table": TABLE, "options": [*TABLE, [0, 2, 2, "0"], [1, 0, 2, "all"]]}  # both have routing table

# The network of each kind, and its routings.
KINDS = {
    "mesh": ({"topology": "mesh", "k": 2, "n": 2}, ["dimension_order", *TURN_MODELS, "adaptive"]),
    "torus": ({"topology": "torus", "k": 3, "n": 1}, ["dimension_order", "dateline", "adaptive"]),
    "one-way torus": ({"topology": "unidirectional_torus", "k": 2, "n": 2}, ["dimension_order", "dateline", "adaptive"]),
    "hypercube": ({"topology": "hypercube", "k": 2, "n": 2}, ["e_cube"]),
    "fat-tree": ({"topology": "fat_tree", "k": 4, "n": 2},
                 ["up_down_fixed", "up_down_random", "up_down_greedy", "destination_tag"]),
    "butterfly": ({"topology": "butterfly", "k": 2, "n": 2, "passes": 1}, ["destination_tag"]),
    "two butterflies": ({"topology": "butterfly", "k": 2, "n": 2, "passes": 2}, ["destination_tag"]),
    "cube of lines": ({"topology": "cube", "radix": [3, 2], "dimensions": ["line", "line"], "concentration": 1},
                      ["dimension_order", *TURN_MODELS, "adaptive"]),
    "cube of rings": ({"topology": "cube", "radix": [3, 2], "dimensions": ["ring", "one_way_ring"], "concentration": 2},
                      ["dimension_order", "dateline", "adaptive"]),
    "graph": ({"topology": "graph", "graph": WIRING}, ["up_down", "shortest", "layered", "source", *TABLES]),
}
OPTIONS = (*TURN_MODELS, "adaptive", "options")  # routings that give a head several options


def is_legal(kind, routing, classes, link, credits, cycles, stages):
    """Says whether a network may have these features together (docs/scenario.md)."""
    network, _ = KINDS[kind]
    if classes == "class routings" and (network["topology"] not in ("cube", "graph") or routing == "source"):
        return False
    if link and (classes != "one class" or routing in OPTIONS):
        return False
    if credits["credits"] == "registered":
        return True
    return not (cycles or stages or has_rings(network)) and (bool(link) or network["topology"] in CHAINED)


def product(kind):
    return itertools.product(KINDS[kind][1], CLASSES, LINKS, SPACES, CYCLES, STAGES)


def pairs_of(features):
    return set(itertools.combinations(enumerate(map(str, features)), 2))


def chosen(kind):
    """Returns features of a few networks that have all pairs which the kind may have: each has most new ones."""
    every, chosen_ones, covered = [features for features in product(kind) if is_legal(kind, *features)], [], set()
    while covered != set().union(*map(pairs_of, every)):
        chosen_ones.append(max(every, key=lambda features: len(pairs_of(features) - covered)))
        covered |= pairs_of(chosen_ones[-1])
    return chosen_ones


# --- scenarios ---

def class_routings(kind, routing):
    """Returns the routing of each class: that one, and the next one of the kind."""
    routings = KINDS[kind][1]
    other = routings[(routings.index(routing) + 1) % len(routings)]
    return [routing, routings[0] if other == "source" else other]


def with_tables(network, routings):
    """Returns the network of a graph with the tables of the routings, of which there is one for each class or for all."""
    rows = [[*([number] if len(routings) > 1 else []), *row]
            for number, routing in enumerate(routings) for row in TABLES.get(routing, ())]
    tables = {"class_routes" if len(routings) > 1 else "routes": rows} if rows else {}
    return {**network, "graph": {**network["graph"], **tables}} if "graph" in network else network


def scenario(kind, routing, classes, *switch_keys):
    """Returns a scenario with these features."""
    network, _ = KINDS[kind]
    routings = class_routings(kind, routing) if classes == "class routings" else [routing]
    words = ["table" if one in TABLES else one for one in routings]
    lanes, count = 3 if "adaptive" in routings else 2, 1 if classes == "one class" else 2
    switch = {"num_vcs": lanes * count, "depth": 2, "flit_width_bits": 24, "arbiter": "round_robin", "flow_control": "wormhole",
              "routing": words[0]}
    switch |= {"atomic": "adaptive"} if "adaptive" in routings else {}
    switch |= {"classes": 2, "class_weights": [2, 1]} if count > 1 else {}
    switch |= {"class_routing": words} if len(words) > 1 else {}
    for keys in switch_keys:
        switch |= keys
    traffic = {"process": "bernoulli", "pattern": "uniform", "length": [1, 3], "load": 0.5}
    return Scenario(with_tables(network, routings), switch, traffic, {"seed": 1, "cycles": 400, "max_cycles": 4000})


def in_lockstep(room):
    """Writes the scenarios of the suite. Returns [(path, scenario)]."""
    room.mkdir(parents=True, exist_ok=True)
    made = [(room / f"{kind.replace(' ', '_')}-{number:02}.yaml", scenario(kind, *features))
            for kind in KINDS for number, features in enumerate(chosen(kind), 1)]
    return [(one.save(path), one) for path, one in made]
