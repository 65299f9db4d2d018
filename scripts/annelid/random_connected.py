# SPDX-License-Identifier: Apache-2.0
"""Connected graphs drawn at random, always the same ones, and a worm from every terminal to every other (docs/lockstep.md).

All of them run in the golden model, where their dependencies are searched for a circle; the small ones among the first
run in lock-step: `make regress REGRESS=graphs`.
"""

import graphlib
import random
import re

from annelid.arbiters import ARBITERS
from annelid.random_graphs import draw_pairs, draw_ports, draw_terminals, in_order
from annelid.random_networks import FLOW_CONTROLS, Scenario

COUNT = 200            # graphs that are drawn
SWITCHES = (3, 40)
IN_RTL = 20            # graphs that run in lock-step: the first ones of few switches
FEW_SWITCHES = 6
LEAST_WORMS = 1000
ROUTINGS = ("up_down", "layered")  # free of deadlock on every graph: searched for circles here
LANES_FOR_LAYERS = 4


def draw_graph(rng):
    """Returns the section graph: a tree of links there and back and a few more, ports numbered in any order or by the text."""
    switches = rng.randint(*SWITCHES)
    links, homes = draw_pairs(rng, switches), draw_terminals(rng, switches)
    keys = in_order(links, homes, False) if rng.random() < 0.25 else draw_ports(rng, switches, links, homes, False)
    return {"switches": switches, **{key: value for key, value in keys.items() if key != "routes"}}


def draw_switch(rng):
    return {"num_vcs": rng.randint(1, 2), "depth": rng.randint(1, 4), "flit_width_bits": 32, "arbiter": rng.choice(ARBITERS),
            "flow_control": rng.choice(list(FLOW_CONTROLS))}


def draw_pairs_of(rng, terminals, longest):
    """Returns messages from every terminal to every terminal, in any order and in a crowd; in a small network each pair has
    several."""
    pairs = [(source, destination) for source in range(terminals) for destination in range(terminals)]
    pairs *= -(-LEAST_WORMS // len(pairs))
    enough = len(pairs) * (1 + longest) // (2 * terminals) + 1  # about a flit for each terminal and cycle
    cycles = sorted(rng.randrange(enough) for _ in pairs)
    return tuple((cycle, *pair, rng.randint(1, longest)) for cycle, pair in zip(cycles, rng.sample(pairs, len(pairs))))


def scenario(number, routing):
    """Returns the scenario of a graph. The network and its worms are the same for every routing."""
    rng = random.Random(f"connected graph {number}")
    graph, switch = draw_graph(rng), draw_switch(rng)
    if routing == "layered":
        switch["num_vcs"] = LANES_FOR_LAYERS
    longest = 8 if switch["flow_control"] == "wormhole" else switch["depth"]
    messages = draw_pairs_of(rng, len(graph["terminals"]), longest)
    return Scenario({"topology": "graph", "graph": graph}, {**switch, "routing": routing}, {"process": "replay"},
                    {"seed": number, "max_cycles": 10**6}, messages)


def saved(room, number, routing):
    """Writes the scenario of a graph. Returns (path, scenario)."""
    room.mkdir(parents=True, exist_ok=True)
    one = scenario(number, routing)
    return one.save(room / f"{number:03}-{routing}.yaml"), one


def is_small(number):
    return scenario(number, ROUTINGS[0]).network["graph"]["switches"] <= FEW_SWITCHES


def in_lockstep(room):
    """Writes the scenarios that run in lock-step. Returns [(path, scenario)]."""
    small = [number for number in range(COUNT) if is_small(number)][:IN_RTL]
    return [saved(room, number, routing) for number in small for routing in ROUTINGS]


# --- the dependencies of lanes, from a graph with its routes as annelid describe --graph writes it ---

PLACE = r"(\d+)\.(\d+)"


def numbers(pattern, text):
    return [tuple(map(int, found)) for found in re.findall(pattern, text, re.M)]


class Routed:
    """A graph with routes. A place is (switch, port)."""

    def __init__(self, text):
        ends, routes = text.split("links:")[1].split("routes:")
        self.terminals = numbers(PLACE, re.search(r"terminals: \[(.*)\]", text)[1])
        self.ends = {}
        for a, p, b, q in numbers(rf"\[{PLACE}, {PLACE}\]", ends):
            self.ends |= {(a, p): (b, q), (b, q): (a, p)}
        self.routes = {(switch, terminal): (port, range(low, high + 1))
                       for switch, first, last, port, low, high in numbers(r"\[(\d+), (\d+)-(\d+), (\d+), (\d+)-(\d+)\]", routes)
                       for terminal in range(first, last + 1)}

    def way(self, source, destination):
        """Yields the places by which a head leaves switch after switch, each with its lanes. KeyError: the way ends
        elsewhere; ValueError: it has no end."""
        here = self.terminals[source][0]
        for _ in range(len(self.routes) + 1):
            port, lanes = self.routes[here, destination]
            yield (here, port), lanes
            if (here, port) == self.terminals[destination]:
                return
            here = self.ends[here, port][0]
        raise ValueError(f"from {source} to {destination} in a circle")

    def dependencies(self):
        """Returns {lane: the lanes that a worm in it may wait for}; a lane is (place, number)."""
        waits = {}
        for source in range(len(self.terminals)):
            for destination in range(len(self.terminals)):
                way = list(self.way(source, destination))
                for (place, lanes), (following, others) in zip(way, way[1:]):
                    for lane in lanes:
                        waits.setdefault((place, lane), set()).update((following, other) for other in others)
        return waits


def layered_dependencies(trace, num_vcs, layers):
    """Returns {(link, layer): those that the same worm has asked for next}, of the heads of a trace in text. ValueError: a
    worm leaves its layer."""
    at, waits = {}, {}
    for link, vc, worm in numbers(r"^flit \d+ (\d+) (\d+) [HS] (\d+) 0$", trace):
        here = link, min(vc // (num_vcs // layers), layers - 1)
        if worm in at:
            if at[worm][1] != here[1]:
                raise ValueError(f"worm {worm} in layers {at[worm][1]} and {here[1]}")
            waits.setdefault(at[worm], set()).add(here)
        at[worm] = here
    return waits


def circle(waits):
    """Returns lanes of which each may wait for the next one, and the last is the first again; () if there are none."""
    try:
        graphlib.TopologicalSorter(waits).prepare()
    except graphlib.CycleError as error:
        return tuple(error.args[1])
    return ()
