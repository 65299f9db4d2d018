# SPDX-License-Identifier: Apache-2.0
"""Draw graphs at random: connected networks of any wiring, as the section graph of a scenario (docs/scenario.md).

The first links of a graph lead from each switch to an earlier one, so they are a tree; a table leads along it.
"""

SWITCHES = ((3, 4), (5, 8), (9, 12))
MOST_LINKS = 4      # of a switch, but for those that connect the graph
MOST_LANES = 4      # that a table names
MOST_TERMINALS = 3  # of a switch


class Ports:
    """The free ports of a switch, in any order. Links of one way need only a side of a port."""

    def __init__(self, rng, count):
        self.outputs = rng.sample(range(count), count)
        self.inputs = list(self.outputs)

    def both(self):
        port = self.outputs.pop()
        self.inputs.remove(port)
        return port


def draw_pairs(rng, switches):
    """Returns links there and back as pairs of switches: a tree, and a few more."""
    links = [(switch, rng.randrange(switch)) for switch in range(1, switches)]
    for _ in range(rng.randint(0, switches)):
        link = rng.randrange(switches), rng.randrange(switches)
        if all(sum(link.count(end) for link in links) < MOST_LINKS for end in link):
            links.append(link)
    return links


def draw_one_way(rng, switches):
    """Returns links of one way as pairs of switches: a circle through all, and a few more."""
    order = rng.sample(range(switches), switches)
    links = list(zip(order, order[1:] + order[:1]))
    return links + [(rng.randrange(switches), rng.randrange(switches)) for _ in range(rng.randint(0, switches))]


def draw_terminals(rng, switches):
    """Returns the switches of at least two terminals: some have several, some may have none."""
    terminals = [switch for switch in range(switches) for _ in range(rng.choice((0, 1, 1, 1, 2, MOST_TERMINALS)))]
    terminals = terminals if len(terminals) > 1 else [0, switches - 1]
    return rng.sample(terminals, len(terminals))


def next_hop(links, here, home):
    """Returns which link of the tree leads from a switch towards another one, and whether that is by its first end."""
    parents = {switch: parent for switch, parent in links}
    above = [home]
    while above[-1]:
        above.append(parents[above[-1]])
    if here in above:  # down to the switch before it on the way up from home
        return above[above.index(here) - 1] - 1, False
    return here - 1, True


def draw_lanes(rng, num_vcs):
    first = rng.randrange(num_vcs)
    last = rng.randrange(first, num_vcs)
    return rng.choice(("all", str(first) if first == last else f"{first}-{last}"))


def draw_routes(rng, switches, tree, terminals):
    """Returns routes [switch, destination, port, lanes] along the tree of links, given as pairs of (switch, port)."""
    routes, lanes = [], rng.randint(1, MOST_LANES)
    for here in range(switches):
        for destination, (home, port) in enumerate(terminals):
            if here != home:
                number, first = next_hop([(one[0], other[0]) for one, other in tree], here, home)
                port = tree[number][0 if first else 1][1]
            if here != home or rng.random() < 0.5:
                routes.append([here, destination, port, draw_lanes(rng, lanes)])
    return rng.sample(routes, len(routes))


def place(switch, port):
    return f"{switch}.{port}"


def in_order(links, homes, one_way):
    """Returns terminals and links without ports: these follow from the order of the text."""
    return {"terminals": homes, "links": [{"from": begin, "to": end} if one_way else [begin, end] for begin, end in links]}


def one_way_places(links, ports):
    return [{"from": place(begin, ports[begin].outputs.pop()), "to": place(end, ports[end].inputs.pop(0))}
            for begin, end in links]


def draw_ports(rng, switches, links, homes, one_way):
    """Returns the keys of a graph whose ports have numbers in any order, with gaps."""
    ends = [end for link in links for end in link] + homes
    count = max(map(ends.count, range(switches))) + rng.randint(0, 2)
    ports = [Ports(rng, count) for _ in range(switches)]
    terminals = [(home, ports[home].both()) for home in homes]
    graph = {"ports": count, "terminals": [place(*one) for one in terminals]}
    if one_way:
        return {**graph, "links": one_way_places(links, ports)}
    pairs = [((one, ports[one].both()), (other, ports[other].both())) for one, other in links]
    graph["links"] = [[place(*one), place(*other)] for one, other in pairs]
    if rng.random() < 2 / 3:
        graph["routes"] = draw_routes(rng, switches, pairs[:switches - 1], terminals)
    return graph


def draw_graph(rng):
    """Returns the section graph. If it has routes, they are for routing table; links of one way are for shortest."""
    switches, one_way = rng.randint(*rng.choice(SWITCHES)), rng.random() < 0.15
    links = (draw_one_way if one_way else draw_pairs)(rng, switches)
    homes = draw_terminals(rng, switches)
    if rng.random() < 0.25:
        return {"switches": switches, **in_order(links, homes, one_way)}
    return {"switches": switches, **draw_ports(rng, switches, links, homes, one_way)}


def draw_class_tables(rng, graph, routings, num_vcs):
    """Returns a graph with the same routes, by other lanes, for each class whose routing is the table; a class has so many
    lanes."""
    rows = [[class_, *row, draw_lanes(rng, num_vcs)] for class_, routing in enumerate(routings) if routing == "table"
            for *row, _ in graph["routes"]]
    return {**{key: value for key, value in graph.items() if key != "routes"}, "class_routes": rng.sample(rows, len(rows))}


def without_classes(graph, classes):
    """Returns a graph with the tables of the first classes alone; that of a single class is one for all."""
    graph = dict(graph)
    rows = [row for row in graph.pop("class_routes", ()) if row[0] < classes]
    if rows:
        graph |= {"class_routes": rows} if classes > 1 else {"routes": [row for _, *row in rows]}
    return graph


def least_lanes(graph):
    """Returns how many lanes of a class the routes name."""
    rows = [*graph.get("routes", ()), *graph.get("class_routes", ())]
    return 1 + max((int(lanes[-1]) for *_, lanes in rows if lanes != "all"), default=0)


def num_ports(graph):
    """Returns how many ports each switch has, by its text or by its order."""
    if "ports" in graph:
        return graph["ports"]
    ends = [end for link in graph["links"] for end in (link.values() if isinstance(link, dict) else link)]
    return max(map((ends + graph["terminals"]).count, range(graph["switches"])))


def has_one_way(graph):
    return isinstance(graph["links"][0], dict)
