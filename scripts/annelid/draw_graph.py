# SPDX-License-Identifier: Apache-2.0
"""Write the scenarios sim/scenarios/graph_*.yaml (docs/networks.md, "Graphs"): each recipe below is that of one.

  scripts/run draw-graph            writes all of them
  scripts/run draw-graph NAME …     prints these, such as star
"""
import argparse
import itertools
import math
import pathlib
import random
import textwrap

from annelid.children import Wrong

SCENARIOS = pathlib.Path("sim/scenarios")
ALL = "all"  # lanes
RECIPES = {}


class Graph:
    """Switches (their number, or names), places of terminals, links, and routes {(switch, terminal): (port, lanes)}. A
    place is (switch, port), or a switch alone if the order of the text numbers the ports."""

    def __init__(self, switches, terminals=(), pairs=(), one_way=(), ports=None):
        self.switches, self.ports, self.terminals = switches, ports, list(terminals)
        self.pairs, self.one_way, self.routes = list(pairs), list(one_way), {}

    def lines(self):
        """Returns the lines of a graph, as a file holds them."""
        links = [f"[{place(a)}, {place(b)}]" for a, b in self.pairs]
        links += [f"{{from: {place(a)}, to: {place(b)}}}" for a, b in self.one_way]
        named = not isinstance(self.switches, int)
        lines = packed("switches", self.switches) if named else [f"switches: {self.switches}"]
        lines += [f"ports: {self.ports}"] if self.ports else []
        return lines + packed("terminals", map(place, self.terminals)) + packed("links", links)

    def table_lines(self):
        return packed("routes", (f"[{', '.join(map(str, entry))}]" for entry in self.entries())) if self.routes else []

    def csv(self):
        """Returns the table as a text in CSV."""
        return "switch,destination,port,lanes\n" + "".join(f"{','.join(map(str, entry))}\n" for entry in self.entries())

    def entries(self):
        """Yields (switch, destinations, port, lanes); destinations in a row are one entry."""
        cells_of = itertools.groupby(sorted(self.routes.items()), lambda cell: (cell[0][0], cell[1]))
        for (switch, (port, lanes)), cells in cells_of:
            terminals = [terminal for (_, terminal), _ in cells]
            runs = itertools.groupby(enumerate(terminals), lambda pair: pair[1] - pair[0])
            for run in ([terminal for _, terminal in pairs] for _, pairs in runs):
                yield switch, run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}", port, lanes


def place(where):
    return ".".join(map(str, where)) if isinstance(where, tuple) else str(where)


def packed(name, items):
    """Returns a key with a list as its value, in lines of at most 118 characters."""
    lines, before = [f"{name}: ["], ""
    for item in items:
        if len(lines[-1]) + len(before + item) > 116:
            lines[-1] += ","
            lines.append("  ")
            before = ""
        lines[-1] += before + item
        before = ", "
    return [*lines[:-1], lines[-1] + "]"]


def recipe(name, switch, traffic, in_files=False):
    """Makes a function that returns a graph the recipe of a scenario; its docstring becomes the remark. In files: the
    graph and its table stand in files of their own."""
    def note(make):
        RECIPES[name] = make, switch, traffic, in_files
        return make
    return note


# --- cubes, by the formulas of docs/networks.md ---

def coordinates(switch, radices):
    for radix in radices:
        yield switch % radix
        switch //= radix


def lanes_text(lanes):
    return f"{lanes[0]}" if len(lanes) == 1 else f"{lanes[0]}-{lanes[-1]}"


def step(kind, radix, here, there, num_vcs, dateline):
    """Returns the output port, counted within the dimension, and the lanes, from a coordinate to another one."""
    ahead = (there - here) % radix
    plus = {"line": there > here, "bit": True, "one_way_ring": True,
            "ring": 2 * ahead < radix or 2 * ahead == radix and here % 2 == 0}[kind]
    port = 0 if plus else 1
    if not dateline or kind in ("line", "bit"):
        return port, ALL
    to_wrap = here > there if plus else here < there
    classes = range(num_vcs)[:num_vcs // 2], range(num_vcs)[num_vcs // 2:]
    return port, lanes_text(classes[0] if to_wrap else classes[1])


def cube(radices, kinds, concentration=1, num_vcs=1, dateline=False):
    """Returns a cube as a graph with a table. A kind is line, ring, one_way_ring, or bit (of a hypercube)."""
    switches, graph = math.prod(radices), Graph(math.prod(radices))
    width = [2 if kind in ("line", "ring") else 1 for kind in kinds]
    first = [sum(width[:d]) for d in range(len(kinds))]
    for s in range(switches):
        stride = 1
        for d, (x, radix) in enumerate(zip(coordinates(s, radices), radices)):
            after, port = s + ((x + 1) % radix - x) * stride, first[d]
            if kinds[d] == "one_way_ring":
                graph.one_way.append(((s, port), (after, port)))
            elif kinds[d] == "bit" and x == 0:
                graph.pairs.append(((s, port), (after, port)))
            elif kinds[d] == "ring" or kinds[d] == "line" and x + 1 < radix:
                graph.pairs.append(((s, port), (after, port + 1)))
            stride *= radix
    graph.terminals = [(s, sum(width) + c) for s in range(switches) for c in range(concentration)]
    for s, t in itertools.product(range(switches), range(switches * concentration)):
        ways = zip(coordinates(s, radices), coordinates(t // concentration, radices))
        d = next((d for d, (here, there) in enumerate(ways) if here != there), None)
        if d is not None:
            here, there = (list(coordinates(node, radices))[d] for node in (s, t // concentration))
            port, lanes = step(kinds[d], radices[d], here, there, num_vcs, dateline)
            graph.routes[s, t] = first[d] + port, lanes
    return graph


# --- the butterfly fat-tree, by the formulas of docs/networks.md ---

def fat_tree(levels):
    """Returns the butterfly fat-tree of 4^levels terminals as a graph with the table of routing destination_tag."""
    places = [(level, a) for level in range(1, levels + 1) for a in range(4 ** levels >> level + 1)]
    graph, number = Graph(len(places), ports=6), {place: s for s, place in enumerate(places)}
    for level, a in places:
        for up in range(2) if level < levels else ():
            parent = (a >> level + 1 << level) + (a + (up << level - 1)) % (1 << level)
            graph.pairs.append(((number[level, a], 4 + up), (number[level + 1, parent], a % (1 << level + 1) >> level - 1)))
    graph.terminals = [(t // 4, t % 4) for t in range(4 ** levels)]
    for (level, a), t in itertools.product(places, range(4 ** levels)):
        below = t >> 2 * level == a >> level - 1
        if level > 1 or not below:
            graph.routes[number[level, a], t] = t >> 2 * (level - 1) & 3 if below else 4 + (t >> level - 1 & 1), ALL
    return graph


# --- tables along shortest paths ---

def nearest(graph, neighbours):
    """Fills the table: of the ports on shortest paths the lowest one. neighbours[s] are (port, switch). Each link takes
    the lane that is the number of links still to come, less one, so a head waits for lower lanes alone."""
    for t, (home, _) in enumerate(graph.terminals):
        far, queue = {home: 0}, [home]
        for here in queue:
            for _, before in neighbours[here]:
                if before not in far:
                    far[before] = far[here] + 1
                    queue.append(before)
        for s in neighbours:
            if s != home:
                port = min(port for port, after in neighbours[s] if far[after] == far[s] - 1)
                graph.routes[s, t] = port, far[s] - 1
    return graph


def numbered(switches, pairs, concentration=1):
    """Returns the graph of pairs of switches, with ports by the order of the pairs, terminals behind them, and a table
    along shortest paths."""
    neighbours, places = {s: [] for s in range(switches)}, []
    for a, b in pairs:
        ports = len(neighbours[a]), len(neighbours[b])
        places.append(((a, ports[0]), (b, ports[1])))
        neighbours[a].append((ports[0], b))
        neighbours[b].append((ports[1], a))
    terminals = [(s, len(neighbours[s]) + c) for s in range(switches) for c in range(concentration)]
    return nearest(Graph(switches, terminals, places), neighbours)


# --- the recipes ---

@recipe("star", "{depth: 4, flit_width_bits: 32}", "{load: 0.7, length: [1, 6]}")
def star():
    """A hub and six leaves; the hub has a terminal, too."""
    leaves = ["north", "east", "south", "west", "top", "ground"]
    return Graph(["hub", *leaves], [*leaves, "hub"], [("hub", leaf) for leaf in leaves])


@recipe("tree", "{num_vcs: 2, depth: 8, arbiter: age, flow_control: cut_through}", "{load: 0.4, length: [2, 8]}")
def tree():
    """A binary tree of 15 switches with terminals at its eight leaves; packets are cut through."""
    return Graph(15, range(7, 15), [((s - 1) // 2, s) for s in range(1, 15)])


@recipe("rings", "{num_vcs: 2, depth: 3, arbiter: random}", "{load: 0.35, length: [1, 5, 20]}")
def rings():
    """A ring of four rings of four switches each: switch 0 of each ring is in the ring of rings."""
    small = [(4 * r + i, 4 * r + (i + 1) % 4) for r in range(4) for i in range(4)]
    return Graph(16, range(16), small + [(4 * r, 4 * ((r + 1) % 4)) for r in range(4)])


@recipe("spidergon", "{num_vcs: 4, depth: 2, routing: table, arbiter: round_robin}", "{load: 0.4, length: [1, 8]}")
def spidergon():
    """Spidergon with 16 switches: a ring whose opposite switches are linked. Across first if the way is longer than a
    quarter, then round the ring, with dateline lanes: lanes 0 and 1 as long as the wrap link is ahead, 2 and 3
    otherwise."""
    graph = Graph(16, [(s, 3) for s in range(16)], [((s, 0), ((s + 1) % 16, 1)) for s in range(16)])
    graph.pairs += [((s, 2), (s + 8, 2)) for s in range(8)]
    for s, t in itertools.permutations(range(16), 2):
        ahead = (t - s) % 16
        if ahead <= 4 or ahead >= 12:
            plus = ahead <= 4
            graph.routes[s, t] = 0 if plus else 1, "0-1" if (s > t if plus else s < t) else "2-3"
        else:
            graph.routes[s, t] = 2, ALL
    return graph


@recipe("petersen", "{num_vcs: 2, depth: 6, routing: table, arbiter: fixed, flow_control: store_and_forward}",
        "{load: 0.3, length: [1, 3, 6]}")
def petersen():
    """The Petersen graph, of diameter 2. Shortest paths: the first of two links is in lane 1, the last one in lane
    0."""
    outer = [(i, (i + 1) % 5) for i in range(5)]
    return numbered(10, outer + [(5 + i, 5 + (i + 2) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)])


@recipe("dragonfly", "{num_vcs: 3, depth: 4, routing: table, arbiter: round_robin}", "{load: 0.25, length: 8}")
def dragonfly():
    """A dragonfly of four groups of three switches, each with a link to another group and two terminals. The links that
    are still to come say the lane: at most three, within a group, to another one, and within that."""
    local = [(3 * g + a, 3 * g + b) for g in range(4) for a, b in ((0, 1), (0, 2), (1, 2))]
    far = [(3 * g + (h - g - 1) % 4, 3 * h + (g - h - 1) % 4) for g, h in itertools.combinations(range(4), 2)]
    return numbered(12, local + far, 2)


@recipe("butterfly", "{depth: 4, routing: table, arbiter: age, flit_width_bits: 40}", "{load: 0.5, length: [1, 4]}")
def butterfly():
    """The flattened butterfly 4 × 4: each switch is linked to all of its row and of its column. First to the column,
    then to the row: one lane is enough."""
    graph = Graph(16, [(s, 6) for s in range(16)])

    def port(here, there):
        return there - (there > here)  # of three in a row, without the switch itself

    for y, (a, b) in itertools.product(range(4), itertools.combinations(range(4), 2)):
        graph.pairs.append(((4 * y + a, port(a, b)), (4 * y + b, port(b, a))))
        graph.pairs.append(((4 * a + y, 3 + port(a, b)), (4 * b + y, 3 + port(b, a))))
    for s, t in itertools.permutations(range(16), 2):
        (x, to_x), (y, to_y) = (s % 4, t % 4), (s // 4, t // 4)
        graph.routes[s, t] = port(x, to_x) if x != to_x else 3 + port(y, to_y), ALL
    return graph


@recipe("irregular", "{num_vcs: 2, depth: 4, arbiter: round_robin}", "{load: 0.25, length: [1, 8, 30]}")
def irregular():
    """24 switches of at most five links, drawn with seed 24: a random tree, and as many links more as there are
    switches."""
    rng, links, degree = random.Random(24), set(), [0] * 24
    while len(links) < 47:
        tree_left = len(links) < 23
        a = len(links) + 1 if tree_left else rng.randrange(24)
        b = rng.randrange(a) if tree_left else rng.randrange(24)
        link = (min(a, b), max(a, b))
        if a != b and link not in links and degree[a] < 5 and degree[b] < 5:
            links.add(link)
            degree[a] += 1
            degree[b] += 1
    return Graph(24, range(24), sorted(links))


@recipe("chiplets", "{num_vcs: 4, depth: 3, arbiter: farthest, flit_width_bits: 32}", "{load: 0.25, length: [2, 9]}")
def chiplets():
    """Two chiplets, meshes of 3 × 3, joined by two links between their sides."""
    names = [f"{chip}{x}{y}" for chip in "ab" for y in range(3) for x in range(3)]
    mesh = [(f"{chip}{x}{y}", f"{chip}{x + dx}{y + dy}") for chip in "ab" for x in range(3) for y in range(3)
            for dx, dy in ((1, 0), (0, 1)) if x + dx < 3 and y + dy < 3]
    return Graph(names, names, [*mesh, ("a20", "b00"), ("a22", "b02")])


@recipe("mesh6x4", "{num_vcs: 2, depth: 4, routing: table, table: graphs/mesh6x4.csv, arbiter: round_robin}",
        "{load: 0.45, length: [1, 8]}", in_files=True)
def mesh6x4():
    """A mesh of 6 × 4 in dimension order."""
    return cube([6, 4], ["line"] * 2)


@recipe("torus8x2x3", "{num_vcs: 3, depth: 4, routing: table, arbiter: random}", "{load: 0.35, length: [1, 8]}")
def torus8x2x3():
    """A torus of 8 × 2 × 3 in dimension order, with dateline lanes: lane 0, and lanes 1 and 2."""
    return cube([8, 2, 3], ["ring"] * 3, num_vcs=3, dateline=True)


@recipe("concentrated2", "{num_vcs: 2, depth: 4, routing: table, arbiter: fixed}", "{load: 0.2, length: [1, 8]}")
def concentrated2():
    """A mesh of 4 × 4 in dimension order with two terminals at each switch."""
    return cube([4, 4], ["line"] * 2, concentration=2)


@recipe("concentrated4", "{num_vcs: 2, depth: 5, arbiter: age, flow_control: store_and_forward}",
        "{load: 0.15, length: [1, 5]}")
def concentrated4():
    """A mesh of 3 × 3 with four terminals at each switch, by up*/down*."""
    mesh = cube([3, 3], ["line"] * 2)
    return Graph(9, [s for s in range(9) for _ in range(4)], [(a[0], b[0]) for a, b in mesh.pairs])


@recipe("oneway", "{num_vcs: 2, depth: 2, routing: table, arbiter: random}", "{load: 0.3, length: [1, 8]}")
def oneway():
    """A ring of seven switches whose links go one way, with dateline lanes. No link comes in a pair."""
    return cube([7], ["one_way_ring"], num_vcs=2, dateline=True)


@recipe("complete", "{depth: 1, routing: shortest, arbiter: farthest, flit_width_bits: 24}", "{load: 0.8, length: [1, 3]}")
def complete():
    """Six switches, each linked to all others: shortest paths have one link, so nothing can wait in a circle."""
    return Graph(6, range(6), itertools.combinations(range(6), 2))


@recipe("parallel", "{num_vcs: 8, depth: 2, routing: shortest, arbiter: round_robin}", "{load: 0.6, length: [1, 16]}")
def parallel():
    """A line of three switches with three parallel links each; the number of the terminal says which of them a head
    takes. One link leads from the middle to itself, and nothing uses it."""
    links = [((s, 2 * i), (s + 1, 2 * i + 1)) for s in range(2) for i in range(3)]
    return Graph(3, [(s, 6 + c) for s in range(3) for c in range(4)], links, [((1, 10), (1, 11))])


# --- writing ---

def files_of(name):
    """Returns the text of each file of a scenario, the scenario's first."""
    make, switch, traffic, in_files = RECIPES[name]
    graph, remark = make(), f"{' '.join(make.__doc__.split())} Written by scripts/run draw-graph."
    lines = textwrap.wrap(remark, 116, initial_indent="# ", subsequent_indent="# ")
    lines += [f"network: {{topology: graph{f', graph: graphs/{name}.yaml' if in_files else ''}}}",
              f"switch: {switch}", f"traffic: {traffic}", "run: {cycles: 10000}"]
    if not in_files:
        lines += ["graph:", *(f"  {line}" for line in graph.lines() + graph.table_lines())]
    files = {SCENARIOS / f"graph_{name}.yaml": "\n".join(lines) + "\n"}
    if in_files:
        files[SCENARIOS / f"graphs/{name}.yaml"] = "\n".join(graph.lines()) + "\n"
        files[SCENARIOS / f"graphs/{name}.csv"] = graph.csv()
    return files


def main(_children):
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="draw-graph", description=__doc__, formatter_class=plain)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RECIPES))
    options = parser.parse_args()
    for name in options.names:
        if name not in RECIPES:
            raise Wrong(f"no recipe of {name}, expected one of {', '.join(RECIPES)}")
        print(next(iter(files_of(name).values())), end="")
    for name in RECIPES if not options.names else ():
        for path, text in files_of(name).items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    return 0
