# SPDX-License-Identifier: Apache-2.0
"""Draw networks and their traffic at random from everything that a scenario may say (docs/scenario.md).

A parameter set is one network, for which one program is built, with a few scenarios. A draw is legal by construction.
Of several draws that set is taken which covers most new pairs of parameter values for its expected cost.

Each feature has a function, which says what is legal beside the features above it in its table, and a random generator of its
own. So features depend on each other only as far as a rule couples them, and a new one changes nothing else that is drawn.
"""

import dataclasses
import functools
import itertools
import math
import random

from annelid.arbiters import ARBITERS, RANKED, WIDE
from annelid.corners import CUBES as BOARDS, SELECTS  # the topologies whose networks can be on a board
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
LENGTH_BITS = 7        # of a head, for the length of its worm
LONGEST_IN_HEAD = 2 ** LENGTH_BITS - 1  # flits

# Networks by kind: what they have in common, and (weight, least k, most k, n).
LINE = ((3, 1, 2, 1), (5, 3, 4, 1), (6, 5, 8, 1), (5, 9, 12, 1), (3, 13, 31, 1), (2, 32, 64, 1), (0.4, 65, 130, 1))
RING = ((2, 2, 2, 1), *LINE[1:])
TORUS = ((5, 2, 2, 2), (5, 3, 3, 2), (3, 2, 2, 3), (2, 4, 4, 2), (1, 5, 5, 2), (0.5, 3, 3, 3))
KINDS = {
    "line": ({"topology": "mesh"}, LINE),
    "mesh": ({"topology": "mesh"},
             (*TORUS, (0.5, 2, 2, 4), (1, 1, 1, 2), (0.5, 1, 1, 4), *((0.3, 1, 1, n) for n in (7, 8, 9, 10)))),
    "ring": ({"topology": "torus"}, RING),
    "torus": ({"topology": "torus"}, TORUS),
    "one-way ring": ({"topology": "unidirectional_torus"}, RING),
    "one-way torus": ({"topology": "unidirectional_torus"}, TORUS),
    "hypercube": ({"topology": "hypercube"}, tuple((weight, 2, 2, n) for n, weight in enumerate((2, 4, 5, 2, 0.5), 1))),
    "fat-tree": ({"topology": "fat_tree"}, ((3, 4, 4, 1), (5, 4, 4, 2), (0.3, 4, 4, 3))),
    "butterfly": ({"topology": "butterfly", "passes": 1},
                  ((1, 2, 8, 1), (3, 2, 2, 2), (4, 2, 2, 3), (2, 2, 2, 4), (3, 3, 4, 2), (1, 5, 8, 2), (1, 3, 3, 3))),
    "two butterflies": ({"topology": "butterfly", "passes": 2},
                        ((4, 2, 2, 2), (5, 2, 2, 3), (1, 2, 2, 4), (3, 3, 4, 2), (0.5, 5, 6, 2), (0.5, 3, 3, 3))),
}
GRAPHS = ("cube", "graph")  # of several radices; of any wiring
FLIES = ("butterfly", "two butterflies")
ALL_KINDS = (*KINDS, *GRAPHS, *GRAPHS)  # those with most features twice as often
CUBES = ((2, (3, 12), 1), (4, (1, 5), 2), (3, (1, 3), 3))  # weight, range of radices, dimensions
CUBE_KINDS = ("line", "ring", "one_way_ring")
MOST_SWITCHES_OF_A_CUBE = 16
LINK_CYCLES = ((2, 2), (3, 3), (4, 4), (5, 8), (9, 15), (16, 16))
WEIGHTS = (5, 5, 5, 255)  # the most that a class of a network may have
RESERVATIONS = (0, 1, 2, 5)  # for replies; with 0 requests are never refused
FIRST_IDS = (0, 2**24 - 20, 2**32 - 20)  # the ids of a run pass 2^24 and 2^32
MOST_CONCENTRATION = 3
MANY_TERMINALS = (0.3, 32)  # share of cubes of one or two switches with many terminals; most ports of a switch
CONCENTRATIONS = ((4, 8), (9, 16), (17, 31))  # of these
LINK_PORTS = {"line": 2, "ring": 2, "one_way_ring": 1}  # of a dimension
DEPTHS = ((1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 63), (64, 64))
WIDTHS = ((8, 15), (16, 30), (31, 33), (32, 32), (34, 62), (63, 65), (64, 64), (66, 126), (127, 129), (130, 254), (255, 257),
          (258, 510), (511, 512))
LENGTHS = ((1, 1), (2, 4), (5, 16), (17, 63), (64, 64), (65, 300))
LOADS = ((0.02, 0.1), (0.1, 0.5), (0.5, 1.0))
CHAINED = ("fat_tree", "butterfly")  # topologies whose links can be chained, though they are not wide
TURN_MODELS = ("west_first", "north_last", "negative_first", "odd_even")
FLOW_CONTROLS = {"wormhole": 4, "cut_through": 2, "store_and_forward": 2}
PATTERNS = ("uniform", "complement", "transpose", "bit_reverse", "shuffle", "tornado", "neighbour", "hotspot",
            "many_to_one", "permutation", "q_relation", "random_function", "far_corner", "sphere")

MOST_TERMINALS_OF_SPHERES = 8192


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
                f"{switch['flit_width_bits']} bits {'+'.join(routings_of(switch))} {switch['arbiter']} {switch['flow_control']}"
                + (" length_in_head" if "length_in_head" in switch else "") + (" wide" if "link" in switch else "")
                + (" chained" if switch["credits"] == "bypass" else "")
                + (f" links of {switch['link_cycles']} cycles" if "link_cycles" in switch else "")
                + (" two stages" if "stages" in switch else "")
                + (f" {switch['classes']} classes" if "classes" in switch else ""))


# --- what a network has ---

def size_of(network):
    """Returns how large a network is, in words."""
    if network["topology"] == "graph":
        return f"{switches_of(network)} switches {terminals_of(network)} terminals"
    if network["topology"] == "cube":
        sizes = (f"{radix} {kind}" for radix, kind in zip(network["radix"], network["dimensions"]))
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
        return sum(LINK_PORTS[kind] for kind in network["dimensions"]) + network["concentration"]
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


def digit_bits(network):
    """Returns how wide a coordinate is in the label of a k-ary n-cube, or a digit in that of a butterfly or a tree."""
    return max(1, (network["k"] - 1).bit_length())


def has_length(switch):
    """Says whether heads have the length of their worm."""
    return switch["flow_control"] != "wormhole" or "length_in_head" in switch


def head_bits(network, switch):
    if network["topology"] in ("graph", "cube"):
        bits = max(1, (terminals_of(network) - 1).bit_length())
    else:
        digits = network["n"] + (network["n"] - 1 if network.get("passes") == 2 else 0)  # those of a path, too
        bits = digits * digit_bits(network)
    bits += LENGTH_BITS if has_length(switch) else 0
    bits += 16 if switch["arbiter"] in RANKED else 0
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
    return has_lanes(scenario) and can_close_circles(scenario.network, scenario.switch)


def can_close_circles(network, switch):
    return any(can_circle(network, switch, routing) for routing in routings_of(switch))


def can_circle(network, switch, routing):
    """Says whether the routes of a routing form a circle, or may do so."""
    if network["topology"] == "graph":
        return switch.get("paths", routing) == "shortest"
    if routing == "adaptive":
        return switch["flow_control"] == "wormhole" and switch["atomic"] == "none"
    if routing != "dimension_order":
        return False
    if network["topology"] == "cube":
        return any(radix >= LEAST_CIRCLES.get(kind, math.inf) for radix, kind in zip(network["radix"], network["dimensions"]))
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
    values |= {name: switch.get(name) for name in ("routing", "select", "atomic", "arbiter", "flow_control", "credits", "link", "stages")}
    if "link_cycles" in switch:
        values["link_cycles"] = bin_of(switch["link_cycles"], 2, 3, 4, 5, 9, 16)
    values |= {"classes": switch.get("classes"), "escape": switch.get("escape_vcs"),
               "reservations": traffic.get("reply_queue")}
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
        return {"n": bin_of(len(network["radix"]), 1, 2, 3, 4), "dimensions": "+".join(sorted(set(network["dimensions"]))),
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

def generators(seed):
    """Returns what gives each name a random generator of its own."""
    return lambda name: random.Random(f"{seed} {name}")


def weighted(rng, weights):
    return rng.choices(list(weights), list(weights.values()))[0]


def between(rng, least, most):
    """Returns a number from least to most; each power of two is as likely as the next one."""
    return min(most, int(math.exp(rng.uniform(math.log(least), math.log(most + 1)))))


# --- draws of a network ---

def draw_cube(rng):
    """Returns a cube whose dimensions may differ. A ring has two switches at least."""
    share, ports = MANY_TERMINALS
    if rng.random() < share:
        kind = rng.choice(CUBE_KINDS)
        most = ports - LINK_PORTS[kind]
        concentration = rng.choice((most, min(most, rng.randint(*rng.choice(CONCENTRATIONS)))))
        radix = rng.randint(1 + (kind != "line"), 2)
        return {"topology": "cube", "radix": [radix], "dimensions": [kind], "concentration": concentration}
    while True:
        _, radices, n = rng.choices(CUBES, [size[0] for size in CUBES])[0]
        kinds = [rng.choice(CUBE_KINDS) for _ in range(n)]
        network = {"topology": "cube", "radix": [max(rng.randint(*radices), 1 + (kind != "line")) for kind in kinds],
                   "dimensions": kinds, "concentration": rng.randint(1, MOST_CONCENTRATION)}
        if 1 < switches_of(network) <= MOST_SWITCHES_OF_A_CUBE:
            return network


def draw_size(rng, kind):
    if kind == "cube":
        return draw_cube(rng)
    if kind == "graph":
        return {"topology": "graph", "graph": draw_graph(rng)}
    keys, sizes = KINDS[kind]
    _, least, most, n = rng.choices(sizes, [size[0] for size in sizes])[0]
    return {**keys, "k": rng.randint(least, most), "n": n}


def with_class_tables(rng, network, switch):
    """Returns the network of a switch; a graph with routes has a table for each class that goes by one."""
    if "class_routing" not in switch or "routes" not in network.get("graph", ()):
        return network
    return {**network, "graph": draw_class_tables(rng, network["graph"], switch["class_routing"], lanes_of_a_class(switch))}


# --- draws of a switch: each returns the value of a key, or None where the scenario does not say it ---

def most_lanes(network):
    return min(8, MOST_LANES_OF_A_SWITCH // ports_of(network))


def lanes_of_a_class(switch):
    return switch["num_vcs"] // switch.get("classes", 1)


def draw_classes(rng, network, _switch):
    """A third of the networks have classes of messages, if there are lanes for two."""
    most = most_lanes(network) // least_vcs(network)
    return between(rng, 2, most) if most > 1 and rng.random() < 1 / 3 else None


def draw_weights(rng, _network, switch):
    most = rng.choice(WEIGHTS)
    return [rng.choice((1, most, rng.randint(1, most))) for _ in range(switch["classes"])] if "classes" in switch else None


def draw_lanes(rng, network, switch):
    """Each class has as many lanes as another."""
    classes = switch.get("classes", 1)
    return classes * rng.randint(least_vcs(network), most_lanes(network) // classes)


def draw_depth(rng, _network, _switch):
    return rng.randint(*rng.choice(DEPTHS))


def draw_arbiter(rng, _network, _switch):
    return rng.choice(ARBITERS)


def draw_admission(rng, _network, _switch):
    return weighted(rng, FLOW_CONTROLS)


def graph_routings(graph):
    """Returns the routings that each class of a graph may have, but for the table of its routes."""
    return ["shortest"] if has_one_way(graph) else ["up_down", "shortest"]


def has_rings(network):
    return network["topology"] in ("torus", "unidirectional_torus") or bool(set(network.get("dimensions", ())) - {"line"})


def adaptive_routings(network, num_vcs):
    """Returns the adaptive routings that work on a network (docs/networks.md)."""
    n, rings = network.get("n", len(network.get("radix", ()))), has_rings(network)
    models = () if rings else TURN_MODELS if n == 2 else ("negative_first",)
    return [*models, *(["adaptive"] * 2 if num_vcs > (2 if rings else 1) else [])]


def draw_cube_routing(rng, network, num_vcs):
    """Returns a routing of a network with dimensions, for so many lanes."""
    if network["topology"] == "hypercube":
        return "e_cube"
    if rng.random() < 0.4 and adaptive_routings(network, num_vcs):
        return rng.choice(adaptive_routings(network, num_vcs))
    return "dateline" if has_rings(network) and num_vcs > 1 and rng.random() < 0.8 else "dimension_order"


def draw_class_routing(rng, network, switch):
    """In half of the graphs and cubes with classes each class has a routing of its own; if a graph has routes, one class at least
    goes by them."""
    if network["topology"] not in GRAPHS or "classes" not in switch or rng.random() < 0.5:
        return None
    if network["topology"] == "cube":
        return [draw_cube_routing(rng, network, lanes_of_a_class(switch)) for _ in range(switch["classes"])]
    table = ["table"] if "routes" in network["graph"] else []
    routings = table + rng.choices(graph_routings(network["graph"]) + table, k=switch["classes"] - len(table))
    return rng.sample(routings, len(routings))


def draw_routing(rng, network, switch):
    """A graph with routes goes by them. The routing of class 0 stands for all where each has its own."""
    topology = network["topology"]
    if "class_routing" in switch:
        return switch["class_routing"][0]
    if topology == "butterfly":
        return "destination_tag"
    if topology == "fat_tree":
        return rng.choice(["up_down_fixed", "up_down_random", "up_down_greedy", "destination_tag"])
    if topology != "graph":
        return draw_cube_routing(rng, network, lanes_of_a_class(switch))
    if "routes" in network["graph"]:
        return "table"
    routings = graph_routings(network["graph"])
    return rng.choice([*routings, routings[0], "source"] if "up_down" in routings else routings)


def draw_paths(rng, _network, switch):
    return rng.choice(["shortest", "up_down"]) if switch["routing"] == "source" else None


def draw_select(rng, _network, switch):
    return rng.choice(SELECTS) if selects(switch) else None


def draw_escape_vcs(rng, _network, switch):
    """Two thirds of the tables with several lanes have escape lanes."""
    lanes = lanes_of_a_class(switch)
    legal = "table" in routings_of(switch) and lanes > 1
    return rng.choice((lanes - 1, rng.randint(1, lanes - 1))) if legal and rng.random() < 2 / 3 else None


def draw_atomic(rng, _network, switch):
    return rng.choice(["adaptive", "adaptive", "none"]) if "adaptive" in routings_of(switch) else None


def draw_link(rng, network, switch):
    """Wide links are for one class, for arbiters that keep no order, and for routes with one option (docs/switch.md): a head with
    escape lanes has two."""
    legal = not {"classes", "escape_vcs"} & switch.keys() and switch["arbiter"] in WIDE and not selects(switch)
    small = ports_of(network) * switch["num_vcs"] <= MOST_WIDE_LANES
    return "wide" if legal and small and rng.random() < 1 / 3 else None


def draw_space(rng, network, switch):
    """Space may be chained in fat-trees and butterflies, and with wide links wherever they do not depend on each other in a
    circle (docs/switch.md), as those of rings do and those of graphs may."""
    wide = "link" in switch and network["topology"] != "graph" and not has_rings(network)
    return rng.choice(["registered", "bypass"]) if wide or network["topology"] in CHAINED else "registered"


def draw_link_cycles(rng, network, switch):
    """Space is registered then, and no deadlock can happen: nothing proves one on such links (docs/link.md)."""
    legal = switch["credits"] == "registered" and not can_close_circles(network, switch)
    return rng.randint(*rng.choice(LINK_CYCLES)) if legal and rng.random() < 1 / 3 else None


def draw_stages(rng, _network, switch):
    """Space is registered then (docs/switch.md)."""
    return 2 if switch["credits"] == "registered" and rng.random() < 1 / 4 else None


def draw_length_in_head(rng, _network, switch):
    """Other flow controls than wormhole have the length in any case."""
    return "true" if switch["flow_control"] == "wormhole" and rng.random() < 0.5 else None


def draw_width(rng, network, switch):
    """Returns a width up to 512 that has room for the fields of a head."""
    least = max(head_bits(network, switch), 8)
    low, high = rng.choice([(least, least), *(each for each in WIDTHS if each[1] >= least)])
    return rng.randint(max(low, least), high)


SWITCH = {
    "classes": draw_classes, "class_weights": draw_weights, "num_vcs": draw_lanes, "depth": draw_depth, "arbiter": draw_arbiter,
    "flow_control": draw_admission, "class_routing": draw_class_routing, "routing": draw_routing, "paths": draw_paths,
    "select": draw_select, "escape_vcs": draw_escape_vcs, "atomic": draw_atomic, "link": draw_link, "credits": draw_space,
    "link_cycles": draw_link_cycles, "stages": draw_stages, "length_in_head": draw_length_in_head, "flit_width_bits": draw_width}


def draw_switch(of, network):
    switch = {}
    for key, draw_value in SWITCH.items():
        value = draw_value(of(key), network, switch)
        switch |= {} if value is None else {key: value}
    return switch


# --- draws of messages: each returns a field for so many of them, or nothing ---

def draw_message_classes(rng, _network, switch, count):
    return rng.choices(range(switch["classes"]), k=count) if "classes" in switch else None


def draw_columns(rng, network, _switch, count):
    """In half of the scenarios of two passes some messages give their intermediate column."""
    if network.get("passes") != 2 or rng.random() < 0.5:
        return None
    columns = [f"path={column}" for column in range(columns_of(network))]
    return rng.choices([None, *columns], [0.3, *[0.7 / len(columns)] * len(columns)], k=count)


def waits_of(rng, number):
    """Returns the fields by name of a message."""
    others = rng.sample(range(number), min(number, rng.choice((0, 0, 1, 1, 2, 5))))
    after = ",".join(f"{other}{rng.choice(('', '+2', '+3', '+40'))}" for other in others)
    return f"id={number} after={after}" if after else f"id={number}"


def draw_waits(rng, _network, _switch, count):
    """In a third of the scenarios some messages wait for earlier ones."""
    return [waits_of(rng, number) for number in range(count)] if rng.random() < 1 / 3 else None


FIELDS = {"class": draw_message_classes, "path": draw_columns}


def with_fields(of, network, switch, messages, **fields):
    """Returns messages with these fields besides those that all may have."""
    every = (draw_field(of(name), network, switch, len(messages)) for name, draw_field in (FIELDS | fields).items())
    drawn = [each for each in every if each]
    return tuple((*message, *(one for one in more if one is not None))
                 for message, *more in zip(messages, *drawn)) if drawn else messages


# --- draws of traffic: each returns traffic, run, and messages ---

def longest_worm(switch, most=LENGTHS[-1][1]):
    if switch["flow_control"] != "wormhole":
        return min(most, switch["depth"])
    return min(most, LONGEST_IN_HEAD) if "length_in_head" in switch else most


def draw_length(rng, longest):
    low, high = rng.choice([each for each in LENGTHS if each[0] <= longest])
    return rng.randint(low, min(high, longest))


def draw_lengths(rng, longest):
    if longest == 1 or rng.random() < 0.7:
        return draw_length(rng, longest)
    return [draw_length(rng, longest) for _ in range(rng.randint(2, 5))]


def mean(lengths):
    return lengths if isinstance(lengths, int) else sum(lengths) / len(lengths)


def draw_pattern(rng, network):
    """Returns the keys of a pattern that the network can have."""
    terminals = terminals_of(network)
    refused = {"bit_reverse", "shuffle"} if terminals & (terminals - 1) else set()
    refused |= {"sphere"} if terminals == 1 or terminals > MOST_TERMINALS_OF_SPHERES else set()
    pattern = {"pattern": rng.choice([name for name in PATTERNS if name not in refused])}
    if pattern["pattern"] in ("hotspot", "many_to_one"):
        pattern["hotspot_terminal"] = rng.randrange(terminals)
    if pattern["pattern"] == "hotspot":
        pattern["hotspot_fraction"] = round(rng.uniform(0.05, 1), 3)
    if pattern["pattern"] == "sphere":
        pattern |= {"sphere_radius": rng.randint(0, 4), "sphere_fraction": round(rng.uniform(0, 1), 3)}
    if pattern["pattern"] == "q_relation":
        pattern["worms_per_terminal"] = rng.randint(1, 8)
    return pattern


def usual_cycles(rng, network):
    return max(50, between(rng, *SWITCH_CYCLES) // switches_of(network))


def within(cycles, begin=0):
    """Returns the limit of a run of so many usual cycles."""
    return {"max_cycles": begin + 3 * cycles + 1000}


def draw_open(of, network, switch, process):
    """An open loop that creates some dozens of worms at least."""
    traffic = {"process": process, "length": draw_lengths(of("length"), longest_worm(switch))}
    rng = of("load")
    traffic["load"] = round(rng.uniform(*rng.choice(LOADS[process == "bursty":])), 3)
    least = 40 * mean(traffic["length"]) / terminals_of(network)
    if process == "bursty":
        traffic["burst_cycles"] = between(of("burst_cycles"), 1, 60)
        least = max(least, 40 * traffic["burst_cycles"] + 10 * mean(traffic["length"]))
    cycles = max(usual_cycles(of("cycles"), network), int(least / traffic["load"]))
    return traffic | draw_pattern(of("pattern"), network), {"cycles": cycles, **within(cycles)}, ()


def draw_worms(of, network, length):
    """Returns the worms that each terminal creates in a closed loop, and the usual cycles of the run."""
    cycles, flits = usual_cycles(of("cycles"), network), max(mean(length), links_on_the_way(network))
    return {"worms_per_terminal": between(of("worms"), 1, max(4, min(500, int(cycles / flits))))}, cycles


def draw_batch(of, network, switch, process):
    length, delays = draw_lengths(of("length"), longest_worm(switch)), of("delays")
    worms, cycles = draw_worms(of, network, length)
    traffic = {"process": process, "length": length, **draw_pattern(of("pattern"), network), **worms}
    if delays.random() < 0.6:
        traffic |= {"delays": between(delays, 2, 300), "delay_cycles": between(delays, 1, 30)}
    return traffic, within(cycles), ()


def draw_requests(of, network, switch, process):
    """Terminals may refuse requests where there are classes, in which replies get away (docs/cdg.md)."""
    length, reservations = draw_lengths(of("length"), longest_worm(switch)), of("reply_queue").choice(RESERVATIONS)
    worms, cycles = draw_worms(of, network, length)
    traffic = {"process": process, "length": length, **draw_pattern(of("pattern"), network), **worms,
               "window": between(of("window"), 1, 16), "reply_length": draw_length(of("reply_length"), longest_worm(switch))}
    return traffic | ({"reply_queue": reservations} if reservations and "classes" in switch else {}), within(cycles), ()


def draw_generator(of, network, switch, process):
    length = draw_length(of("length"), longest_worm(switch, 256))
    worms, cycles = draw_worms(of, network, length)
    return {"process": process, "length": length, **worms}, {"cycles": cycles, **within(cycles)}, ()


def draw_messages(rng, network, switch, begin=0, apart=None):
    """Returns messages from a cycle on, all in the same cycle or some time apart, and the limit of the run."""
    terminals, longest, cycles = terminals_of(network), longest_worm(switch), usual_cycles(rng, network)
    length, apart = draw_length(rng, longest), apart or rng.choice([1, cycles // 4 + 1, cycles])
    messages = [(begin + rng.randrange(apart), rng.randrange(terminals), rng.randrange(terminals),
                 draw_length(rng, longest) if rng.random() < 0.3 else length) for _ in range(between(rng, 20, 300))]
    return tuple(sorted(messages, key=lambda message: message[0])), within(cycles, begin)


def draw_replay(of, network, switch, process):
    messages, limit = draw_messages(of("messages"), network, switch)
    return {"process": process}, limit, with_fields(of, network, switch, messages, waits=draw_waits)


# Processes: how likely each is where it is legal, and how it is drawn.
PROCESSES = {"bernoulli": (5, draw_open), "bursty": (3, draw_open), "batch": (3, draw_batch), "request_reply": (3, draw_requests),
             "replay": (3, draw_replay), "generator": (5, draw_generator)}


def may_generate(network, switch):
    """Says whether sources of a board can create the worms of a network (docs/scenario.md)."""
    return network["topology"] in BOARDS and network["n"] <= 3 and switch["arbiter"] not in RANKED and \
        not {"classes", "link", "link_cycles", "stages"} & switch.keys()


def draw_traffic(of, network, switch):
    shares = {name: share for name, (share, _) in PROCESSES.items() if name != "generator" or may_generate(network, switch)}
    process = weighted(of("process"), shares)
    return PROCESSES[process][1](of, network, switch, process)


def draw_flood(of, network, switch):
    """Worms of one flit for a single terminal fill the lanes on the way to it."""
    cycles = 200 + 2 * switch["num_vcs"] * switch["depth"]
    traffic = {"process": "bernoulli", "pattern": "many_to_one", "length": 1, "load": 1,
               "hotspot_terminal": of("terminal").randrange(terminals_of(network))}
    return traffic, {"cycles": cycles, "max_cycles": 2 * cycles}, ()


def draw_long_run(of, network, switch):
    """Links are busy for more than 2^16 cycles, or for more than 2^16 worms, in half of the small networks."""
    if switches_of(network) > MOST_SWITCHES_OF_A_LONG_RUN or of("whether").random() < 0.5:
        return None
    if switch["depth"] > 1 and of("worms").random() < 0.4:
        cycles, length = MANY_WORMS
    else:
        cycles, length = of("cycles").randint(*LONG_RUN), draw_lengths(of("length"), longest_worm(switch))
    traffic = {"process": "bernoulli", "pattern": of("pattern").choice(["complement", "tornado", "neighbour"]), "length": length,
               "load": round(of("load").uniform(0.9, 1), 3)}
    return traffic, {"cycles": cycles, "max_cycles": cycles + 1000}, ()


def draw_old_worms(of, network, switch):
    """Worms for a terminal meet whose stamps differ by more than 2^14, or by about 2^15."""
    if switch["arbiter"] != "age" or switches_of(network) > MOST_SWITCHES_OF_OLD_WORMS:
        return None
    rng = of("waiting")
    source, destination = (rng.randrange(terminals_of(network)) for _ in range(2))
    begin, length = rng.choice(STAMPS_APART), draw_length(rng, longest_worm(switch))
    waiting = ((0, source, destination, length),) * (begin // length + 40)
    messages, limit = draw_messages(of("messages"), network, switch, begin, 1)
    meeting = tuple((cycle, at, destination, flits) for cycle, at, _, flits in messages)
    return {"process": "replay"}, limit, with_fields(of, network, switch, waiting + meeting)


# The scenarios of a set. Of some a network has none.
RUNS = {"first": draw_traffic, "second": draw_traffic, "third": draw_traffic, "flood": draw_flood, "long": draw_long_run,
        "old": draw_old_worms}


def draw_first_id(rng):
    return rng.choice((*FIRST_IDS, rng.randrange(2**32)))


def draw_scenario(name, of, network, switch):
    """Returns a scenario, or None. Where it may deadlock it has time for all its worms: it ends complete or in a deadlock."""
    drawn = RUNS[name](of, network, switch)
    if drawn is None:
        return None
    traffic, run, messages = drawn
    scenario = Scenario(network, switch, {**traffic, "first_id": draw_first_id(of("first_id"))},
                        {"seed": of("seed").randrange(2**32), **run}, messages)
    return scenario.changed("run", max_cycles=10**6) if can_deadlock(scenario) else scenario


def draw(rng, kinds=ALL_KINDS):
    """Returns a parameter set of one of these kinds. A number of the generator gives those of all features."""
    seed = rng.getrandbits(64)
    of = generators(seed)
    kind = of("kind").choice(kinds)
    network = draw_size(of("size"), kind)
    switch = draw_switch(of, network)
    network = with_class_tables(of("tables"), network, switch)
    scenarios = (draw_scenario(name, generators(f"{seed} {name}"), network, switch) for name in RUNS)
    return ParameterSet(kind, tuple(filter(None, scenarios)))


# --- the sequence of parameter sets of a seed ---

class Sequence:
    """The parameter sets of a seed, one after the other. `keep` says which networks of the kinds may occur."""

    def __init__(self, seed, keep=lambda scenario: True, kinds=ALL_KINDS):
        self.rng, self.keep, self.kinds = random.Random(f"annelid {seed}"), keep, kinds
        self.covered, self.drawn = set(), 0
        self.passed = set()  # pairs of the sets that have passed

    def draw_one(self):
        while True:
            drawn = draw(self.rng, self.kinds)
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


def fixed_sets(room, name, count, kinds):
    """Writes so many sets, always the same ones, without networks that can deadlock. Returns [(path, scenario)]."""
    sequence = Sequence(name, lambda scenario: not can_deadlock(scenario), kinds)
    return [one for _ in range(count) for one in save(room, name, *sequence.next())]
