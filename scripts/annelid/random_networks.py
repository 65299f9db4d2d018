# SPDX-License-Identifier: Apache-2.0
"""Draw networks and their traffic at random from everything that a scenario may say (docs/scenario.md).

A parameter set is one network, for which one program is built, with a few scenarios. A draw is legal by construction.
Of several draws that set is taken which covers most new pairs of parameter values for its expected cost.
"""

import dataclasses
import functools
import itertools
import math
import random

from annelid.random_graphs import draw_class_tables, draw_graph, has_one_way, least_lanes, num_ports
from annelid.sources import write

CANDIDATES = 24  # draws of which the best one is taken
SAMPLE = 2000    # draws that say which pairs there are
MOST_LANES_OF_A_SWITCH = 90  # ports times lanes: a switch with more takes minutes to build
MOST_WIDE_LANES = 24  # ports times lanes with wide links, whose switches take long to build: three ports with eight lanes
SWITCH_CYCLES = (3_000, 120_000)  # cycles of a usual run times switches
UNTIL_DEADLOCK = 5_000  # about so many cycles does a run last that may deadlock
LONG_RUN = (70_000, 140_000)      # cycles: a link carries more than 2^16 flits, and stamps wrap
MANY_WORMS = (150_000, 2)         # cycles and flits of a worm: a link carries more than 2^16 worms
MOST_SWITCHES_OF_A_LONG_RUN = 4
STAMPS_APART = (0x4001, 0x7fff, 0x8000, 0x8001)  # cycles that worms wait at their source before others are created
MOST_SWITCHES_OF_OLD_WORMS = 9
LONGEST_IN_HEAD = 127  # flits: a head has 7 bits for the length of its worm

# Networks by kind: the topology, and (weight, least k, most k, n).
LINE = ((3, 1, 2, 1), (5, 3, 4, 1), (6, 5, 8, 1), (5, 9, 12, 1), (3, 13, 31, 1), (2, 32, 64, 1), (0.4, 65, 130, 1))
RING = ((2, 2, 2, 1), *LINE[1:])
TORUS = ((5, 2, 2, 2), (5, 3, 3, 2), (3, 2, 2, 3), (2, 4, 4, 2), (1, 5, 5, 2), (0.5, 3, 3, 3))
KINDS = {
    "line": ("mesh", LINE),
    "mesh": ("mesh", (*TORUS, (0.5, 2, 2, 4), (1, 1, 1, 2), (0.5, 1, 1, 4), *((0.3, 1, 1, n) for n in (7, 8, 9, 10)))),
    "ring": ("torus", RING),
    "torus": ("torus", TORUS),
    "one-way ring": ("unidirectional_torus", RING),
    "one-way torus": ("unidirectional_torus", TORUS),
    "hypercube": ("hypercube", tuple((weight, 2, 2, n) for n, weight in enumerate((2, 4, 5, 2, 0.5), 1))),
    "fat-tree": ("fat_tree", ((3, 4, 4, 1), (5, 4, 4, 2), (0.3, 4, 4, 3))),
}
# Butterflies by the number of passes. They are a family of their own, so that the fixed sample of the others stays as it is.
FLIES = {
    "butterfly": (1, ((1, 2, 8, 1), (3, 2, 2, 2), (4, 2, 2, 3), (2, 2, 2, 4), (3, 3, 4, 2), (1, 5, 8, 2), (1, 3, 3, 3))),
    "two butterflies": (2, ((4, 2, 2, 2), (5, 2, 2, 3), (1, 2, 2, 4), (3, 3, 4, 2), (0.5, 5, 6, 2), (0.5, 3, 3, 3))),
}
GRAPHS = ("cube", "graph")  # of several radices; of any wiring
ALL_KINDS = (*KINDS, *GRAPHS, *FLIES)
CUBES = ((2, (3, 12), 1), (4, (1, 5), 2), (3, (1, 3), 3))  # weight, range of radices, dimensions
CUBE_KINDS = ("line", "ring", "one_way_ring")
MOST_SWITCHES_OF_A_CUBE = 16
MOST_LINK_CYCLES = 16
WEIGHTS = (5, 5, 5, 255)  # the most that a class may have
MOST_CONCENTRATION = 3
MANY_TERMINALS = (0.1, 4, 32)  # share of cubes of one or two switches; least terminals of each; most ports of a switch
LINK_PORTS = {"line": 2, "ring": 2, "one_way_ring": 1}  # of a dimension
DEPTHS = ((1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 63), (64, 64))
LENGTHS = ((1, 1), (2, 4), (5, 16), (17, 63), (64, 64), (65, 300))
LOADS = ((0.02, 0.1), (0.1, 0.5), (0.5, 1.0))
SCANS = ("fixed", "rotating", "random", "oldest", "farthest")
ORDERS = ("matrix", "favour")  # scans that with_orders() draws
TURN_MODELS = ("west_first", "north_last", "negative_first", "odd_even")
SELECTS = ("most_credits", "random", "straight_first")
ADMISSIONS = {"wormhole": 4, "cut_through": 2, "store_and_forward": 2}
PROCESSES = {"bernoulli": 5, "bursty": 3, "batch": 3, "request_reply": 3, "replay": 3, "generator": 2}
PATTERNS = ("uniform", "complement", "transpose", "bit_reverse", "shuffle", "tornado", "neighbour", "hotspot",
            "many_to_one", "permutation", "q_relation", "random_function", "far_corner")


@dataclasses.dataclass(frozen=True)
class Scenario:
    """What a scenario file says, section by section, and the lines of its messages: cycle, source, destination, length,
    where there are classes the class, and, where some wait for others, fields by name. The routing is that of class 0 where
    each class has its own."""
    network: dict
    switch: dict
    traffic: dict
    run: dict
    messages: tuple = ()

    def changed(self, section, **values):
        return dataclasses.replace(self, **{section: {**getattr(self, section), **values}})

    def with_messages(self, messages, cycles):
        """Returns the same network with these worms alone, and so many cycles."""
        return dataclasses.replace(self, traffic={"process": "replay", "first_id": self.traffic.get("first_id", 0)},
                                   messages=tuple(messages), run={"seed": self.run["seed"], "max_cycles": cycles})

    def save(self, path):
        """Writes the scenario, and its messages beside it. Returns the path."""
        traffic = self.traffic
        if self.messages:
            traffic = {**traffic, "messages": f"{path.stem}.txt"}
            write(path.with_suffix(".txt"), "".join(" ".join(map(str, line)) + "\n" for line in self.messages))
        network = {**self.network, **({"unsafe": "true"} if can_deadlock(self) else {})}
        graph = {"graph": network.pop("graph")} if "graph" in network else {}
        switch = {key: value for key, value in self.switch.items() if key != "routing" or "class_routing" not in self.switch}
        sections = {"network": network, "switch": switch, "traffic": traffic, "run": self.run, **graph}
        write(path, "".join(f"{name}: {yaml(keys)}\n" for name, keys in sections.items()))
        return path


def yaml(value):
    """Returns a value as YAML in one line."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {yaml(one)}' for key, one in value.items())}}}"
    return f"[{', '.join(map(yaml, value))}]" if isinstance(value, (list, tuple)) else str(value)


@dataclasses.dataclass(frozen=True)
class ParameterSet:
    """Scenarios for one network."""
    kind: str
    scenarios: tuple

    @property
    def network(self):
        return self.scenarios[0]

    @property
    def pairs(self):
        return set().union(*(pairs_of(self.kind, scenario) for scenario in self.scenarios))

    @property
    def text(self):
        network, switch = self.network.network, self.network.switch
        return (f"{self.kind} {size_of(network)} {switch['num_vcs']} x {switch['depth']} flits of "
                f"{switch['flit_width_bits']} bits {'+'.join(routings_of(switch))} {switch['scan']} {switch['admission']}"
                + (" length_in_head" if "length_in_head" in switch else "") + (" wide" if "link" in switch else "")
                + (" chained" if switch["space"] == "chained" else "")
                + (f" links of {switch['link_cycles']} cycles" if "link_cycles" in switch else "")
                + (" two stages" if "stages" in switch else "")
                + (f" {switch['classes']} classes" if "classes" in switch else ""))


# --- what a network has ---

def size_of(network):
    """Returns how large a network is, in words."""
    if network["topology"] == "graph":
        return f"{switches_of(network)} switches {terminals_of(network)} terminals"
    if network["topology"] == "cube":
        sizes = (f"{radix} {kind}" for radix, kind in zip(network["radix"], network["kinds"]))
        return f"{' x '.join(sizes)} c{network['concentration']}"
    return f"{network['k']}^{network['n']}"


def terminals_of(network):
    if network["topology"] == "graph":
        return len(network["graph"]["terminals"])
    if network["topology"] == "cube":
        return math.prod(network["radix"]) * network["concentration"]
    return network["k"] ** network["n"]


def columns_of(network):
    """Returns the columns of a butterfly, one of which a worm passes in the middle of two passes."""
    return network["k"] ** (network["n"] - 1)


def link_levels(network):
    """Returns the levels of links between the switches of a butterfly."""
    return network["passes"] * (network["n"] - 1)


def switches_of(network):
    if network["topology"] == "graph":
        return network["graph"]["switches"]
    if network["topology"] == "cube":
        return math.prod(network["radix"])
    terminals = terminals_of(network)
    if network["topology"] == "butterfly":
        return (link_levels(network) + 1) * columns_of(network)
    return terminals // 2 - terminals // 2 ** (network["n"] + 1) if network["topology"] == "fat_tree" else terminals


def ports_of(network):
    if network["topology"] == "graph":
        return num_ports(network["graph"])
    if network["topology"] == "cube":
        return sum(LINK_PORTS[kind] for kind in network["kinds"]) + network["concentration"]
    ports = {"mesh": 2 * network["n"] + 1, "torus": 2 * network["n"] + 1, "fat_tree": 6, "butterfly": network["k"]}
    return ports.get(network["topology"], network["n"] + 1)


def least_vcs(network):
    return least_lanes(network["graph"]) if network["topology"] == "graph" else 1


def links_on_the_way(network):
    """Returns about how many links a worm crosses."""
    if network["topology"] in ("graph", "cube"):
        return 2 + switches_of(network) / 3
    if network["topology"] == "butterfly":
        return 2 + link_levels(network)
    share = {"mesh": 3, "torus": 4, "unidirectional_torus": 2, "hypercube": 4, "fat_tree": 2}[network["topology"]]
    return 2 + network["n"] * network["k"] / share


def head_bits(network, switch):
    if network["topology"] in ("graph", "cube"):
        bits = max(1, (terminals_of(network) - 1).bit_length())
    else:
        digits = network["n"] + (network["n"] - 1 if network.get("passes") == 2 else 0)  # those of a path, too
        bits = digits * max(1, (network["k"] - 1).bit_length())
    bits += 7 if switch["admission"] != "wormhole" or "length_in_head" in switch else 0
    bits += 16 if switch["scan"] in ("oldest", "farthest") else 0
    if switch["routing"] == "source":  # no route passes a switch twice
        bits += switches_of(network) * max(1, (ports_of(network) - 1).bit_length())
    return bits + (network["n"] - 1 if switch["routing"] == "up_down_fixed" else 0)


def routings_of(switch):
    """Returns the routing of each class, or the one of all."""
    return switch.get("class_routing", [switch["routing"]])


def selects(switch):
    """Says whether heads of some class have several options."""
    return bool({*TURN_MODELS, "adaptive"} & set(routings_of(switch)))


# The shortest rings whose routes form a circle.
LEAST_CIRCLES = {"torus": 5, "ring": 5, "unidirectional_torus": 3, "one_way_ring": 3}


def has_lanes(scenario):
    """Says whether worms wait in lanes, as those of kind buffered do."""
    return not {"kind", "when_blocked"} & scenario.switch.keys()


def can_deadlock(scenario):
    """Says whether routes of the network form a circle (docs/networks.md), or may do so in a graph with shortest paths, or
    whether replies wait for requests (docs/cdg.md)."""
    if scenario.traffic.get("reply_queue") and scenario.switch.get("classes", 1) == 1:
        return True
    if not has_lanes(scenario):
        return False
    return any(can_circle(scenario.network, scenario.switch, routing) for routing in routings_of(scenario.switch))


def can_circle(network, switch, routing):
    """Says whether the routes of a routing form a circle, or may do so."""
    if network["topology"] == "graph":
        return switch.get("paths", routing) == "shortest"
    if routing == "adaptive":
        return switch["admission"] == "wormhole" and switch["atomic"] == "none"
    if routing != "dimension_order":
        return False
    if network["topology"] == "cube":
        return any(radix >= LEAST_CIRCLES.get(kind, math.inf) for radix, kind in zip(network["radix"], network["kinds"]))
    return network["k"] >= LEAST_CIRCLES.get(network["topology"], math.inf)


def build_cost(scenario):
    """Returns about how many CPU seconds the program of the network takes."""
    network, switch = scenario.network, scenario.switch
    lanes = ports_of(network) * switch["num_vcs"]
    return 4 + 0.25 * switches_of(network) + lanes * (0.12 + switch["flit_width_bits"] / 2000)


def cost_of_run(scenario):
    """Returns about how many CPU seconds a run takes."""
    cycles = UNTIL_DEADLOCK if can_deadlock(scenario) else scenario.run["max_cycles"]
    return cycles * switches_of(scenario.network) / 200_000


def cost_of(parameter_set):
    """Returns about how many CPU seconds the set takes, builds and runs."""
    return build_cost(parameter_set.network) + sum(map(cost_of_run, parameter_set.scenarios))


# --- pairs of parameter values ---

def bin_of(value, *starts):
    """Returns the name of the range that a value is in; each range starts where the one before ends."""
    at = max(i for i, start in enumerate(starts) if start <= value)
    if at + 1 == len(starts):
        return f"{starts[at]}-"
    last = starts[at + 1] - 1 if isinstance(starts[at], int) else starts[at + 1]
    return str(last) if last == starts[at] else f"{starts[at]}-{last}"


def length_bin(lengths):
    return bin_of(lengths, *(low for low, _ in LENGTHS)) if isinstance(lengths, int) else "mixed"


def values_of(kind, scenario):
    """Returns the value, or the range of values, of each stated parameter."""
    network, switch, traffic = scenario.network, scenario.switch, scenario.traffic
    values = {
        "network": kind, "switches": bin_of(switches_of(network), 1, 3, 5, 9, 17, 65), "lanes": switch["num_vcs"],
        "depth": bin_of(switch["depth"], *(low for low, _ in DEPTHS)),
        "width": bin_of(switch["flit_width_bits"], 8, 16, 32, 33, 64, 65, 129),
        "process": traffic["process"], "pattern": traffic.get("pattern"),
        "length": length_bin(traffic["length"]) if "length" in traffic else None,
        "load": bin_of(traffic["load"], *(low for low, _ in LOADS)) if "load" in traffic else None}
    values |= {name: switch.get(name) for name in ("routing", "select", "atomic", "scan", "admission", "space", "link", "stages")}
    if "link_cycles" in switch:
        values["link_cycles"] = bin_of(switch["link_cycles"], 2, 3, 4, 5, 9, 16)
    values |= {"classes": switch.get("classes"), "escape": switch.get("escape_vcs"), "places": traffic.get("reply_queue")}
    if "class_routing" in switch:
        values["routings"] = "options" if selects(switch) else "single"
    values |= values_of_network(network)
    return {name: value for name, value in values.items() if value is not None}


def values_of_network(network):
    """Returns the values that only some topologies have."""
    if network["topology"] == "graph":
        terminals = terminals_of(network) / switches_of(network)
        return {"links": "one way" if has_one_way(network["graph"]) else "both ways",
                "terminals": "fewer" if terminals < 1 else "more" if terminals > 1 else "as many"}
    if network["topology"] == "cube":
        return {"n": bin_of(len(network["radix"]), 1, 2, 3, 4), "kinds": "+".join(sorted(set(network["kinds"]))),
                "concentration": bin_of(network["concentration"], 1, 2, 3, 4, 9, 17)}
    return {"n": bin_of(network["n"], 1, 2, 3, 4), "k": bin_of(network["k"], 1, 2, 3, 4, 5, 9, 17, 65)}


def pairs_among(values):
    return set(itertools.combinations(sorted((name, str(value)) for name, value in values.items()), 2))


def pairs_of(kind, scenario):
    return pairs_among(values_of(kind, scenario))


@functools.cache
def all_pairs():
    """Returns the pairs that occur in a large fixed sample of draws."""
    rng = random.Random("pairs")
    return frozenset().union(*(draw(rng).pairs for _ in range(SAMPLE)))


# --- draws ---

def weighted(rng, weights):
    return rng.choices(list(weights), list(weights.values()))[0]


def between(rng, least, most):
    """Returns a number from least to most; each power of two is as likely as the next one."""
    return min(most, int(math.exp(rng.uniform(math.log(least), math.log(most + 1)))))


def draw_cube(rng):
    """Returns a cube whose dimensions may differ. A ring has two switches at least."""
    share, least, most = MANY_TERMINALS
    if rng.random() < share:
        kind = rng.choice(CUBE_KINDS)
        most -= LINK_PORTS[kind]
        return {"topology": "cube", "radix": [rng.randint(1 + (kind != "line"), 2)], "kinds": [kind],
                "concentration": rng.choice((most, rng.randint(least, most)))}
    while True:
        _, radices, n = rng.choices(CUBES, [size[0] for size in CUBES])[0]
        kinds = [rng.choice(CUBE_KINDS) for _ in range(n)]
        network = {"topology": "cube", "radix": [max(rng.randint(*radices), 1 + (kind != "line")) for kind in kinds],
                   "kinds": kinds, "concentration": rng.randint(1, MOST_CONCENTRATION)}
        if 1 < switches_of(network) <= MOST_SWITCHES_OF_A_CUBE:
            return network


def draw_network(rng, kinds):
    kind = rng.choice(kinds)
    if kind in GRAPHS:
        return kind, draw_cube(rng) if kind == "cube" else {"topology": "graph", "graph": draw_graph(rng)}
    topology, sizes = KINDS[kind] if kind in KINDS else ("butterfly", FLIES[kind][1])
    _, least, most, n = rng.choices(sizes, [size[0] for size in sizes])[0]
    passes = {"passes": FLIES[kind][0]} if kind in FLIES else {}
    return kind, {"topology": topology, "k": rng.randint(least, most), "n": n, **passes}


def draw_graph_routing(rng, graph):
    if "routes" in graph:
        return "table"
    return "shortest" if has_one_way(graph) else rng.choice(["up_down", "up_down", "shortest", "source"])


def has_rings(network):
    return network["topology"] in ("torus", "unidirectional_torus") or bool(set(network.get("kinds", ())) - {"line"})


def adaptive_routings(network, num_vcs):
    """Returns the adaptive routings that work on a network (docs/networks.md)."""
    n, rings = network.get("n", len(network.get("radix", ()))), has_rings(network)
    models = () if rings else TURN_MODELS if n == 2 else ("negative_first",)
    return [*models, *(["adaptive"] * 2 if num_vcs > (2 if rings else 1) else [])]


def draw_routing(rng, network, num_vcs):
    topology = network["topology"]
    if topology == "butterfly":
        return "destination_tag"
    if topology == "graph":
        return draw_graph_routing(rng, network["graph"])
    if topology not in ("fat_tree", "hypercube") and rng.random() < 0.4 and adaptive_routings(network, num_vcs):
        return rng.choice(adaptive_routings(network, num_vcs))
    if has_rings(network):
        return "dateline" if num_vcs > 1 and rng.random() < 0.8 else "dimension_order"
    if topology == "fat_tree":
        return rng.choice(["up_down_fixed", "up_down_random", "up_down_greedy", "destination_tag"])
    return "e_cube" if topology == "hypercube" else "dimension_order"


def draw_width(rng, least):
    """Returns a width from 8 to 512 that has room for `least` bits."""
    least = max(least, 8)
    ranges = ((least, least), (8, 30), (31, 33), (34, 62), (63, 65), (66, 126), (127, 129), (130, 254), (255, 257), (258, 510), (511, 512))
    low, high = rng.choice([each for each in ranges if each[1] >= least])
    return rng.randint(max(low, least), high)


def draw_switch(rng, network):
    lanes = min(8, MOST_LANES_OF_A_SWITCH // ports_of(network))
    switch = {"num_vcs": rng.randint(least_vcs(network), lanes), "depth": rng.randint(*rng.choice(DEPTHS)), "scan": rng.choice(SCANS),
              "admission": weighted(rng, ADMISSIONS)}
    switch["routing"] = draw_routing(rng, network, switch["num_vcs"])
    if switch["routing"] == "source":
        switch["paths"] = rng.choice(["shortest", "up_down"])
    switch |= draw_selection(rng, switch)
    switch["space"] = rng.choice(["registered", "chained"]) if network["topology"] in ("fat_tree", "butterfly") else "registered"
    switch["flit_width_bits"] = draw_width(rng, head_bits(network, switch))
    return switch


def draw_selection(rng, switch):
    """Returns how heads with several options select, and which lanes are atomic, as far as these keys are legal."""
    keys = {"select": rng.choice(SELECTS)} if selects(switch) else {}
    lanes = switch["num_vcs"] // switch.get("classes", 1)
    if "table" in routings_of(switch) and lanes > 1 and rng.random() < 0.5:
        keys["escape_vcs"] = rng.randint(1, lanes - 1)
    return {**keys, "atomic": rng.choice(["adaptive", "adaptive", "none"])} if "adaptive" in routings_of(switch) else keys


def longest_worm(switch, most=LENGTHS[-1][1]):
    return most if switch["admission"] == "wormhole" else min(most, switch["depth"])


def draw_length(rng, longest):
    low, high = rng.choice([each for each in LENGTHS if each[0] <= longest])
    return rng.randint(low, min(high, longest))


def draw_lengths(rng, longest):
    if longest == 1 or rng.random() < 0.7:
        return draw_length(rng, longest)
    return [draw_length(rng, longest) for _ in range(rng.randint(2, 5))]


def mean(lengths):
    return lengths if isinstance(lengths, int) else sum(lengths) / len(lengths)


def draw_pattern(rng, terminals):
    """Returns the keys of a pattern. Patterns that reverse or turn bits are for a power of two of terminals."""
    of_bits = () if terminals & (terminals - 1) == 0 else ("bit_reverse", "shuffle")
    pattern = {"pattern": rng.choice([name for name in PATTERNS if name not in of_bits])}
    if pattern["pattern"] in ("hotspot", "many_to_one"):
        pattern["hotspot_terminal"] = rng.randrange(terminals)
    if pattern["pattern"] == "hotspot":
        pattern["hotspot_fraction"] = round(rng.uniform(0.05, 1), 3)
    if pattern["pattern"] == "q_relation":
        pattern["worms_per_terminal"] = rng.randint(1, 8)
    return pattern


def draw_process(rng, network, switch):
    processes = dict(PROCESSES)
    if network["topology"] in ("fat_tree", "butterfly", *GRAPHS) or network["n"] > 3 or switch["scan"] in ("oldest", "farthest"):
        del processes["generator"]
    return weighted(rng, processes)


def usual_cycles(rng, network):
    return max(50, between(rng, *SWITCH_CYCLES) // switches_of(network))


def draw_open(rng, network, switch, process):
    """Returns traffic and run of an open loop that creates some dozens of worms at least."""
    traffic = {"process": process, "length": draw_lengths(rng, longest_worm(switch)),
               "load": round(rng.uniform(*rng.choice(LOADS[process == "bursty":])), 3)}
    traffic |= draw_pattern(rng, terminals_of(network))
    least = 40 * mean(traffic["length"]) / (terminals_of(network) * traffic["load"])
    cycles = max(usual_cycles(rng, network), int(least))
    if process == "bursty":
        traffic["burst_cycles"] = between(rng, 1, 60)
        cycles = max(cycles, int((40 * traffic["burst_cycles"] + 10 * mean(traffic["length"])) / traffic["load"]))
    return traffic, {"cycles": cycles, "max_cycles": 3 * cycles + 1000}


def draw_closed(rng, network, switch, process):
    """Returns traffic and run of a process that ends by itself: batch, request_reply or generator."""
    longest = longest_worm(switch, 256 if process == "generator" else LENGTHS[-1][1])
    traffic = {"process": process, "length": (draw_length if process == "generator" else draw_lengths)(rng, longest)}
    if process != "generator":
        traffic |= draw_pattern(rng, terminals_of(network))
    cycles = usual_cycles(rng, network)
    flits = max(mean(traffic["length"]), links_on_the_way(network))
    traffic["worms_per_terminal"] = between(rng, 1, max(4, min(500, int(cycles / flits))))
    if process == "batch" and rng.random() < 0.6:
        traffic |= {"delays": between(rng, 2, 300), "delay_cycles": between(rng, 1, 30)}
    if process == "request_reply":
        traffic |= {"window": between(rng, 1, 16), "reply_length": draw_length(rng, longest)}
    run = {"cycles": cycles} if process == "generator" else {}
    return traffic, {**run, "max_cycles": 3 * cycles + 1000}


def draw_messages(rng, network, switch, begin=0, apart=None):
    """Returns messages from a cycle on, all in the same cycle or some time apart, and the last cycle of the run."""
    terminals, longest, cycles = terminals_of(network), longest_worm(switch), usual_cycles(rng, network)
    length, apart = draw_length(rng, longest), apart or rng.choice([1, cycles // 4 + 1, cycles])
    messages = [(begin + rng.randrange(apart), rng.randrange(terminals), rng.randrange(terminals),
                 draw_length(rng, longest) if rng.random() < 0.3 else length) for _ in range(between(rng, 20, 300))]
    return tuple(sorted(messages, key=lambda message: message[0])), begin + 3 * cycles + 1000


def draw_traffic(rng, network, switch):
    """Returns a scenario for the network."""
    process, messages = draw_process(rng, network, switch), ()
    if process == "replay":
        messages, cycles = draw_messages(rng, network, switch)
        traffic, run = {"process": process}, {"max_cycles": cycles}
    else:
        draw_it = draw_open if process in ("bernoulli", "bursty") else draw_closed
        traffic, run = draw_it(rng, network, switch, process)
    return Scenario(network, switch, traffic, {"seed": rng.randrange(2**32), **run}, messages)


def draw_long_run(rng, network, switch):
    """Returns a scenario that keeps links busy for more than 2^16 cycles, or for more than 2^16 worms."""
    if switch["depth"] > 1 and rng.random() < 0.4:
        cycles, length = MANY_WORMS
    else:
        cycles, length = rng.randint(*LONG_RUN), draw_lengths(rng, longest_worm(switch))
    traffic = {"process": "bernoulli", "pattern": rng.choice(["complement", "tornado", "neighbour"]), "length": length,
               "load": round(rng.uniform(0.9, 1), 3)}
    return Scenario(network, switch, traffic, {"seed": rng.randrange(2**32), "cycles": cycles, "max_cycles": cycles + 1000})


def draw_old_worms(rng, network, switch):
    """Returns a scenario in which worms for a terminal meet whose stamps differ by more than 2^14, or by about 2^15."""
    source, destination = (rng.randrange(terminals_of(network)) for _ in range(2))
    begin, length = rng.choice(STAMPS_APART), draw_length(rng, longest_worm(switch))
    waiting = ((0, source, destination, length),) * (begin // length + 40)
    messages, cycles = draw_messages(rng, network, switch, begin, 1)
    return Scenario(network, switch, {"process": "replay"}, {"seed": rng.randrange(2**32), "max_cycles": cycles},
                    waiting + tuple((cycle, at, destination, flits) for cycle, at, _, flits in messages))


def flood(scenario):
    """Returns a scenario that fills the lanes on the way to a terminal with worms of one flit."""
    seed, cycles = scenario.run["seed"], 200 + 2 * scenario.switch["num_vcs"] * scenario.switch["depth"]
    traffic = {"process": "bernoulli", "pattern": "many_to_one", "hotspot_terminal": seed % terminals_of(scenario.network),
               "length": 1, "load": 1}
    return dataclasses.replace(scenario, traffic=traffic, messages=(), run={"seed": seed, "cycles": cycles, "max_cycles": 2 * cycles})


def with_ids(scenario):
    """Returns the scenario with ids that begin at 0, pass 2^24 or 2^32, or begin anywhere."""
    seed = scenario.run["seed"]
    return scenario.changed("traffic", first_id=(0, 2**24 - 20, 2**32 - 20, seed)[seed % 4])


def longest_of(scenario):
    """Returns the flits of its longest worm."""
    lengths = [scenario.traffic[name] for name in {"length", "reply_length"} & scenario.traffic.keys()]
    flat = (length if isinstance(length, list) else [length] for length in lengths)
    return max(itertools.chain(*flat, (message[3] for message in scenario.messages)))


def with_lengths_in_heads(scenarios):
    """Returns the scenarios of a network. In every other one that can have them, heads carry the length under wormhole, too.
    This is decided last, and by a seed: it changes nothing else that is drawn."""
    network, switch = scenarios[0].network, {**scenarios[0].switch, "length_in_head": "true"}
    fits = head_bits(network, switch) <= switch["flit_width_bits"] and max(map(longest_of, scenarios)) <= LONGEST_IN_HEAD
    if switch["admission"] != "wormhole" or not fits or scenarios[0].run["seed"] // 4 % 2:
        return scenarios
    return tuple(dataclasses.replace(scenario, switch=switch) for scenario in scenarios)


def classes_of(scenarios):
    """Returns how many classes of messages the network of some scenarios is to have; 1 in most cases. Sources of a board
    have no classes, and a switch has at most 8 lanes."""
    network, switch, seed = scenarios[0].network, scenarios[0].switch, scenarios[0].run["seed"]
    most = min(8, MOST_LANES_OF_A_SWITCH // ports_of(network)) // switch["num_vcs"]
    if most < 2 or seed // 8 % 3 or any(scenario.traffic["process"] == "generator" for scenario in scenarios):
        return 1
    return 2 + seed // 32 % (most - 1)


def with_classes(scenarios):
    """Returns the scenarios of a network, some of them with classes of messages, of which each has the lanes that the
    network had; requests may be refused then. As with the lengths in heads, this changes nothing else that is drawn."""
    classes, seed = classes_of(scenarios), scenarios[0].run["seed"]
    if classes == 1:
        return scenarios
    switch = {**scenarios[0].switch, "num_vcs": classes * scenarios[0].switch["num_vcs"], "classes": classes,
              "class_weights": [1 + (seed >> 3 * c) % WEIGHTS[seed // 2 % len(WEIGHTS)] for c in range(classes)]}
    return tuple(with_places(dataclasses.replace(scenario, switch=switch, messages=tuple(
        (*message, i % classes) for i, message in enumerate(scenario.messages)))) for scenario in scenarios)


def draw_routings(rng, network, switch):
    """Returns a routing for each class, in any order; a graph with a table has one class at least that goes by it."""
    graph, lanes = network.get("graph"), switch["num_vcs"] // switch["classes"]
    several = [] if graph and has_one_way(graph) else ["up_down"]

    def one():
        return rng.choice([*several, "shortest", switch["routing"]]) if graph else draw_routing(rng, network, lanes)
    routings = [switch["routing"], *(one() for _ in range(switch["classes"] - 1))]
    return rng.sample(routings, len(routings))


def with_class_routings(scenarios):
    """Returns the scenarios of a network, those of half of the graphs and cubes with classes with a routing of its own for each
    class. As with the classes, this changes nothing else that is drawn."""
    network, switch, seed = scenarios[0].network, scenarios[0].switch, scenarios[0].run["seed"]
    if network["topology"] not in GRAPHS or "classes" not in switch or switch["routing"] == "source" or seed // 4096 % 2:
        return scenarios
    rng = random.Random(f"routings of classes {seed}")
    routings = draw_routings(rng, network, switch)
    switch = {**switch, "routing": routings[0], "class_routing": routings}
    switch = {**draw_selection(rng, switch), **switch}
    if "routes" in network.get("graph", ()):
        network = {**network, "graph": draw_class_tables(rng, network["graph"], routings, switch["num_vcs"] // len(routings))}
    return tuple(to_the_end(dataclasses.replace(scenario, network=network, switch=switch)) for scenario in scenarios)


def with_wide_links(scenarios):
    """Returns the scenarios of a network, those of some small networks with wide links. As with the lengths in heads, this
    changes nothing else that is drawn, but for the space, which may be chained where no links depend on each other in a
    circle."""
    network, switch, seed = scenarios[0].network, scenarios[0].switch, scenarios[0].run["seed"]
    lanes = ports_of(network) * switch["num_vcs"]
    if seed // 128 % 4 or "classes" in switch or switch["routing"] in (*TURN_MODELS, "adaptive", "table") or \
            lanes > MOST_WIDE_LANES or any(scenario.traffic["process"] == "generator" for scenario in scenarios):
        return scenarios
    chained = network["topology"] in ("mesh", "hypercube", "fat_tree", "butterfly") and seed // 512 % 2
    switch = {**switch, "link": "wide", "space": "chained" if chained else "registered"}
    return tuple(dataclasses.replace(scenario, switch=switch) for scenario in scenarios)


def with_link_cycles(scenarios):
    """Returns the scenarios of a network, a quarter of those without chained space with links of several cycles. As with the
    lengths in heads, this changes nothing else that is drawn. Of a deadlock on such links there is no proof yet."""
    switch, seed = scenarios[0].switch, scenarios[0].run["seed"]
    if seed // 16384 % 4 or switch["space"] == "chained" or can_deadlock(scenarios[0]) or \
            any(one.traffic["process"] == "generator" for one in scenarios):
        return scenarios
    switch = {**switch, "link_cycles": 2 + seed // 65536 % (MOST_LINK_CYCLES - 1)}
    return tuple(dataclasses.replace(scenario, switch=switch) for scenario in scenarios)


def with_stages(scenarios):
    """Returns the scenarios of a network, a quarter of those without chained space with switches of two stages. As with the
    lengths in heads, this changes nothing else that is drawn."""
    switch, seed = scenarios[0].switch, scenarios[0].run["seed"]
    if seed // 2**20 % 4 or switch["space"] == "chained" or \
            any(one.traffic["process"] == "generator" for one in scenarios):
        return scenarios
    return tuple(dataclasses.replace(scenario, switch={**switch, "stages": 2}) for scenario in scenarios)


def with_orders(scenarios):
    """Returns the scenarios of a network, those of some without ranks and wide links with a scan that keeps an order of who was
    served least recently. As with the lengths in heads, this changes nothing else that is drawn."""
    switch, seed = scenarios[0].switch, scenarios[0].run["seed"]
    if switch["scan"] in ("oldest", "farthest") or "link" in switch or seed // 2048 % 2:
        return scenarios
    switch = {**switch, "scan": ORDERS[seed // 8192 % 2]}
    return tuple(dataclasses.replace(scenario, switch=switch) for scenario in scenarios)


def with_places(scenario):
    """Returns a scenario of requests and replies with few places for replies, or with as many as are needed."""
    places = (0, 1, 2, 5)[scenario.run["seed"] % 4]
    if scenario.traffic["process"] != "request_reply" or places == 0:
        return scenario
    return scenario.changed("traffic", reply_queue=places)


def with_waits(scenario):
    """Returns the scenario, in a third of those with messages so that some of these wait for earlier ones. As with the
    classes, this changes nothing else that is drawn."""
    seed = scenario.run["seed"]
    if not scenario.messages or seed // 16 % 3 or scenario.messages[-1][0] in STAMPS_APART:
        return scenario
    rng = random.Random(seed)
    return dataclasses.replace(scenario, messages=tuple(
        (*message, waits_of(rng, number)) for number, message in enumerate(scenario.messages)))


def waits_of(rng, number):
    """Returns the fields by name of a message."""
    others = rng.sample(range(number), min(number, rng.choice((0, 0, 1, 1, 2, 5))))
    after = ",".join(f"{other}{rng.choice(('', '+2', '+3', '+40'))}" for other in others)
    return f"id={number} after={after}" if after else f"id={number}"


def with_paths(scenario):
    """Returns the scenario, in a half of those with messages and two passes so that some messages give their intermediate
    column. As with the classes, this changes nothing else that is drawn."""
    seed = scenario.run["seed"]
    if scenario.network.get("passes") != 2 or seed // 8192 % 2:
        return scenario
    rng, columns = random.Random(f"columns {seed}"), columns_of(scenario.network)
    return dataclasses.replace(scenario, messages=tuple(
        (*message, f"path={rng.randrange(columns)}") if rng.random() < 0.7 else message for message in scenario.messages))


def to_the_end(scenario):
    """Returns the scenario with time for all its worms, so that it ends complete or in a deadlock."""
    return scenario.changed("run", max_cycles=10**6) if can_deadlock(scenario) else scenario


def draw(rng, kinds=ALL_KINDS, stages=with_stages):
    kind, network = draw_network(rng, kinds)
    switch = draw_switch(rng, network)
    scenarios = [draw_traffic(rng, network, switch) for _ in range(3)]
    scenarios.append(flood(scenarios[0]))
    if switches_of(network) <= MOST_SWITCHES_OF_A_LONG_RUN and rng.random() < 0.5:
        scenarios.append(draw_long_run(rng, network, switch))
    if switch["scan"] == "oldest" and switches_of(network) <= MOST_SWITCHES_OF_OLD_WORMS:
        scenarios.append(draw_old_worms(rng, network, switch))
    scenarios = tuple(with_ids(to_the_end(scenario)) for scenario in scenarios)
    scenarios = with_class_routings(with_classes(with_lengths_in_heads(scenarios)))
    scenarios = stages(with_link_cycles(with_orders(with_wide_links(scenarios))))
    return ParameterSet(kind, tuple(with_paths(with_waits(scenario)) for scenario in scenarios))


# --- the sequence of parameter sets of a seed ---

class Sequence:
    """The parameter sets of a seed, one after the other. `keep` says which networks of the kinds may occur, `stages` what has
    two stages."""

    def __init__(self, seed, keep=lambda scenario: True, kinds=ALL_KINDS, stages=with_stages):
        self.rng, self.keep, self.kinds, self.stages = random.Random(f"annelid {seed}"), keep, kinds, stages
        self.covered, self.drawn = set(), 0
        self.passed = set()  # pairs of the sets that have passed

    def draw_one(self):
        while True:
            drawn = draw(self.rng, self.kinds, self.stages)
            if self.keep(drawn.network):
                return drawn

    def next(self):
        """Returns the number of a parameter set and the set: of some draws, the one with most new pairs for its cost."""
        candidates = [self.draw_one() for _ in range(CANDIDATES)]
        best = max(candidates, key=lambda one: len(one.pairs - self.covered) / cost_of(one))
        self.covered |= best.pairs
        self.drawn += 1
        return self.drawn, best

    def count(self, parameter_set):
        """Counts the pairs of a set that has passed."""
        self.passed |= parameter_set.pairs

    def coverage(self):
        """Returns how many pairs have been counted, of how many."""
        return len(self.passed), len(all_pairs() | self.passed)

    def rounds(self):
        return 0


def save(room, seed, number, parameter_set):
    """Writes the scenarios of a set. Returns [(path, scenario)]."""
    room.mkdir(parents=True, exist_ok=True)
    names = (f"{seed}-{number:03}-{letter}.yaml" for letter in "abcdefgh")
    return [(scenario.save(room / name), scenario) for name, scenario in zip(names, parameter_set.scenarios)]


def fixed_sets(room, count, kinds, seed):
    """Writes so many sets of a fixed seed, without networks that can deadlock and without two stages, which have a list of their
    own (REGRESS=stages). Returns [(path, scenario)]."""
    sequence = Sequence(seed, lambda scenario: not can_deadlock(scenario), kinds, lambda scenarios: scenarios)
    return [one for _ in range(count) for one in save(room, seed, *sequence.next())]


def fixed_sample(room, cubes_and_trees, graphs, butterflies=0):
    """Writes so many fixed sets of each family, so that one is the same whatever is drawn of the others."""
    return (fixed_sets(room, cubes_and_trees, tuple(KINDS), "fixed") + fixed_sets(room, graphs, GRAPHS, "fixed-graph")
            + fixed_sets(room, butterflies, tuple(FLIES), "fixed-butterfly"))
