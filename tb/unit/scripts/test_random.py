#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random networks: what is drawn is legal, the same for a seed, and counted; a failure is made small.

usage: tb/unit/scripts/test_random.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import argparse
import collections
import contextlib
import dataclasses
import io
import itertools
import json
import math
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import arbiters, features, random_axi, random_clocks, random_kinds, random_networks, random_pairs, random_regress, regress, slices
from annelid.children import Children, Wrong
from annelid.random_graphs import has_one_way, least_lanes
from annelid.random_networks import ALL_KINDS, FLIES, GRAPHS, Scenario, Sequence, can_deadlock, draw, fixed_sets, pairs_of, ports_of
from annelid.shrink_scenario import fitted, least_value, shrink, values_that_shrink

MODEL = Path("annelid")  # in the build directory
SMALL = Scenario({"topology": "mesh", "k": 4, "n": 2},
                 {"num_vcs": 3, "depth": 4, "arbiter": "fixed", "flow_control": "wormhole", "routing": "dimension_order",
                  "credits": "registered", "flit_width_bits": 40},
                 {"process": "bernoulli", "length": [1, 8], "load": 0.2, "pattern": "hotspot", "hotspot_terminal": 13},
                 {"seed": 3, "cycles": 500, "max_cycles": 2000})


def run_model(build, path):
    """Returns the result of a scenario in the golden model; a scenario that it refuses is an error."""
    answer = subprocess.run([build / MODEL, "run", "--json", path], capture_output=True, text=True, check=False)
    expect(answer.returncode in (0, 1), "a legal scenario", f"{path.read_text()}{answer.stderr}")
    return json.loads(answer.stdout)


# --- what is drawn ---

def the_model_accepts_every_draw(room, build):
    """Of the sequence, where pairs decide, and of plain draws, which are also rare ones. Only circles of routes stall."""
    sequence, rng = Sequence(7), random.Random(7)
    drawn = [sequence.next()[1] for _ in range(35)] + [draw(rng) for _ in range(35)]
    saved = [one for number, each in enumerate(drawn) for one in random_networks.save(room, 7, number, each)]
    expect(len(saved) >= 200, "200 scenarios", len(saved))
    ends = {}
    for path, scenario in saved:
        result = run_model(build, path)
        expect(result["flit_hops"], "flits", path.read_text())
        expect(result["end"] != "stalled" or can_deadlock(scenario), "no deadlock", path.read_text())
        ends[result["end"]] = ends.get(result["end"], 0) + 1
    expect(ends["complete"] > len(saved) / 2, "most runs to end by themselves", ends)
    expect(0 < ends["stalled"] < len(saved) / 20, "a few deadlocks on purpose", ends)
    expect(any(can_deadlock(each.network) for each in drawn[:35]), "some of them in the sequence")


def longest_of(scenario):
    """Returns the flits of its longest worm."""
    lengths = [scenario.traffic[name] for name in {"length", "reply_length"} & scenario.traffic.keys()]
    flat = (length if isinstance(length, list) else [length] for length in lengths)
    return max(itertools.chain(*flat, (message[3] for message in scenario.messages)))


def draws_cover_what_a_scenario_may_say(_room, _build):
    """Each topology, lane count, policy, process and pattern occurs, and so do the ends of the ranges."""
    rng = random.Random(1)
    drawn = [scenario for _ in range(1500) for scenario in draw(rng).scenarios]
    seen = {name: {scenario.switch[name] for scenario in drawn} for name in SMALL.switch}
    expect(seen["num_vcs"] == set(range(1, 9)), "1 to 8 lanes", seen["num_vcs"])
    expect({1, 64} <= seen["depth"] and max(seen["flit_width_bits"]) > 500 and min(seen["flit_width_bits"]) == 8,
           "depths 1 to 64, widths 8 to 512", seen)
    expect(len(seen["routing"]) == 16 and seen["arbiter"] == {*arbiters.ARBITERS} and len(seen["flow_control"]) == 3, "all policies", seen)
    expect({scenario.traffic["process"] for scenario in drawn} == set(random_networks.PROCESSES), "all processes")
    expect({scenario.traffic.get("pattern") for scenario in drawn} == {None, *random_networks.PATTERNS}, "all patterns")
    expect(max(scenario.network.get("k", 0) for scenario in drawn) > 64, "long lines")
    lengths = [scenario.traffic.get("length") for scenario in drawn]
    expect(max(one for one in lengths if isinstance(one, int)) > 250, "worms of up to 300 flits")
    expect(any(isinstance(one, list) and len(set(one)) > 2 for one in lengths), "mixed lengths")
    carrying = [scenario for scenario in drawn if "length_in_head" in scenario.switch]
    expect(len(drawn) / 30 < len(carrying) < len(drawn) / 3, "lengths in some heads", len(carrying))
    expect(all(scenario.switch["flow_control"] == "wormhole" for scenario in carrying), "under wormhole alone")
    expect(64 < max(map(longest_of, carrying)) <= 127, "worms of up to 127 flits")
    expect(("depth", "64-") in random_networks.values_of("mesh", SMALL.changed("switch", depth=64)).items(), "the largest depth", "")
    expect(any(one.switch["depth"] == one.traffic.get("length") == 64 and one.switch["flow_control"] != "wormhole" for one in drawn),
           "the longest worm that fills the deepest lane")
    busy = [one.run["cycles"] * one.traffic["load"] / one.traffic["length"] for one in drawn
            if one.traffic.get("length") == 2 and one.traffic.get("load", 0) >= 0.9]
    expect(max(busy) > 2**16, "links that carry more than 2^16 worms", busy)
    expect(any(one.messages[-1:] and one.messages[0][0] == 0 and one.messages[-1][0] == 2**15 for one in drawn),
           "worms whose stamps are just 2^15 apart")
    staged = [one for one in drawn if one.switch.get("stages") == 2]
    expect(len(drawn) / 10 < len(staged) < len(drawn) / 3, "two stages in some switches", len(staged))
    expect({one.switch["credits"] for one in staged} == {"registered"}, "with registered credits alone", "")
    expect({one.switch.get("link_cycles", 1) for one in staged} > {1, 2} and any(map(can_deadlock, staged)),
           "with links of several cycles, and with deadlocks", "")
    expect(any(map(can_deadlock, drawn)) and sum(map(can_deadlock, drawn)) < len(drawn) / 5, "few that can deadlock")


def a_new_feature_changes_nothing_else(_room, _build):
    """Whatever place it has in its table: what else is drawn is the same, of the switch and of the traffic."""
    ours, plain = random_networks.SWITCH, [draw(random.Random(number)) for number in range(40)]
    for more in ({"new": lambda rng, *_: rng.random(), **ours}, {**ours, "new": lambda rng, *_: rng.random()}):
        random_networks.SWITCH = more
        try:
            drawn = [draw(random.Random(number)) for number in range(40)]
        finally:
            random_networks.SWITCH = ours
        for old, new in zip(plain, drawn):
            for one, other in zip(old.scenarios, new.scenarios, strict=True):
                switch = {key: value for key, value in other.switch.items() if key != "new"}
                expect(one == dataclasses.replace(other, switch=switch) and "new" in other.switch, "the same set", (old.text, new.text))


def correlation(pairs):
    """Returns how far two truths go together, in standard deviations of what chance does to independent ones."""
    count, (first, second) = len(pairs), map(sum, zip(*pairs))
    both = sum(one and other for one, other in pairs) - first * second / count
    return both * count ** 1.5 / math.sqrt(first * (count - first) * second * (count - second))


def features_do_not_hang_on_each_other(_room, _build):
    """Where nothing forbids one of them (docs/switch.md): network without circles of routes, with registered credits."""
    rng, seen = random.Random(12), []
    while len(seen) < 2000:
        scenario = draw(rng).scenarios[0]
        switch = scenario.switch
        if switch["credits"] == "registered" and switch["flow_control"] == "wormhole" and not can_deadlock(scenario):
            seen.append(("stages" in switch, "link_cycles" in switch, "classes" in switch, "length_in_head" in switch,
                         switch["arbiter"] not in arbiters.WIDE, switch["depth"] > 4, scenario.traffic["first_id"] == 0))
    for one, other in itertools.combinations(range(len(seen[0])), 2):
        far = correlation([(row[one], row[other]) for row in seen])
        expect(abs(far) < 4, f"features {one} and {other} that are independent", far)


def a_flit_may_be_as_narrow_as_a_head(room, build):
    """The model takes the width that the fields of a head need, also with the length among them, and none below it."""
    for more in ({}, {"length_in_head": "true"}):
        scenario = SMALL.changed("switch", arbiter="age", **more)
        bits = random_networks.head_bits(scenario.network, scenario.switch)
        for width, status in ((bits, 0), (bits - 1, 2)):
            path = scenario.changed("switch", flit_width_bits=width).save(room / "narrow.yaml")
            answer = subprocess.run([build / MODEL, "describe", path], capture_output=True, text=True, check=False)
            expect(answer.returncode == status, f"status {status} with {width} bits", answer)


def wide_links_are_for_routes_with_one_option(_room, _build):
    """So they are with tables, which some of them have, but never with escape lanes, which are a second option."""
    rng, seen = random.Random(5), []
    for _ in range(1500):
        switch = draw(rng, ("graph",)).network.switch
        seen += [switch["routing"]] if "link" in switch else []
        expect(not {"link", "escape_vcs"} <= switch.keys(), "one of both", switch)
    expect(set(seen) == {"shortest", "up_down", "source", "table"}, "each routing of a graph", set(seen))


def graphs_and_cubes_are_of_every_sort(_room, _build):
    """Of the graphs: one-way links, ports by order, several links between two switches, switches with no terminal and with
    several, lanes by name; of the cubes: each kind of dimension, one to three of them, one to three terminals."""
    rng = random.Random(2)
    networks = [draw(rng, GRAPHS).network.network for _ in range(300)]
    graphs = [network["graph"] for network in networks if "graph" in network]
    homes = [[str(one).partition(".")[0] for one in graph["terminals"]] for graph in graphs]
    expect({graph["switches"] for graph in graphs} == set(range(3, 13)), "3 to 12 switches")
    expect(any(map(has_one_way, graphs)) and not all(map(has_one_way, graphs)), "links of both sorts")
    expect({"ports" in graph for graph in graphs} == {True, False}, "ports by number and by order")
    expect(any(len(set(one)) < graph["switches"] for one, graph in zip(homes, graphs)), "switches without a terminal")
    expect(any(max(map(one.count, one)) == 3 for one in homes), "switches with three")
    expect({least_lanes(graph) for graph in graphs} == {1, 2, 3, 4}, "lanes that routes name")
    cubes = [network for network in networks if "radix" in network]
    expect({kind for cube in cubes for kind in cube["dimensions"]} == {"line", "ring", "one_way_ring"}, "all kinds of dimensions")
    expect({len(cube["radix"]) for cube in cubes} == {1, 2, 3}, "1 to 3 dimensions")
    expect({1, 2, 3} < {cube["concentration"] for cube in cubes} and max(map(ports_of, cubes)) == 32, "1 to 3 terminals, or up to 32 ports")
    expect(any(len(set(zip(cube["radix"], cube["dimensions"]))) == 3 for cube in cubes), "three different dimensions")


def some_networks_have_classes(room, build):
    """Each class has as many lanes as another, messages name theirs, and requests may be refused, but never in one class."""
    rng, seen, reservations, saved = random.Random(2), set(), set(), 0
    for number in range(600):
        drawn = draw(rng)
        classes = drawn.network.switch.get("classes", 1)
        seen.add(classes)
        expect(drawn.network.switch["num_vcs"] % classes == 0, "as many lanes for each class", drawn.text)
        for scenario in drawn.scenarios:
            expect(scenario.switch == drawn.network.switch, "one network", drawn)
            reservations.add((classes > 1, scenario.traffic.get("reply_queue", 0)))
            columns = {len([one for one in message if isinstance(one, int)]) for message in scenario.messages}
            expect(columns <= {5 if classes > 1 else 4}, "a class for each message", scenario)
        if classes > 1 and saved < 12:
            saved += 1
            for path, _ in random_networks.save(room, 2, number, drawn):
                expect(len(run_model(build, path)["classes"]) == classes, "latencies of each class", path.read_text())
    expect(seen >= {1, 2, 3, 4, 5, 8}, "one class and several", seen)
    expect(reservations == {(False, 0), (True, 0), (True, 1), (True, 2), (True, 5)}, "reservations where there are classes",
           reservations)


def some_messages_wait(room, build):
    """For none, one or several earlier ones; the model creates them later than their lines alone say."""
    rng, waiting, all_of_them, late = random.Random(3), 0, 0, 0
    for number in range(200):
        drawn = draw(rng)
        for scenario in drawn.scenarios:
            all_of_them += bool(scenario.messages)
            waiting += any("after=" in str(message[-1]) for message in scenario.messages)
        if any("after=" in str(message[-1]) for scenario in drawn.scenarios for message in scenario.messages) and late < 5:
            for path, scenario in random_networks.save(room, 3, number, drawn):
                if scenario.messages and "after=" in path.with_suffix(".txt").read_text():
                    trace = subprocess.run([build / MODEL, "run", "-t", "-", "--referee", path], capture_output=True,
                                           text=True, check=False)
                    expect(trace.returncode in (0, 1) and "no rule broken" in trace.stderr, "the referee", path.read_text())
                    late += " after:" in trace.stdout
    expect(late >= 5, "worms that have waited", late)
    expect(all_of_them / 6 < waiting < all_of_them / 2, "a third of those with messages", (waiting, all_of_them))


def some_classes_have_routings_of_their_own(room, build):
    """In cubes and graphs, with heads that select and without, by tables of classes and without; also with fewer classes."""
    rng, seen, number = random.Random(3), set(), 0
    while number < 30:
        drawn = draw(rng, GRAPHS)
        switch, graph = drawn.network.switch, drawn.network.network.get("graph", {})
        if "class_routing" not in switch:
            continue
        number += 1
        routings = switch["class_routing"]
        expect(len(routings) == switch["classes"] and switch["routing"] == routings[0], "a routing for each class", drawn.text)
        tables = {row[0] for row in graph.get("class_routes", ())}
        expect(tables == {c for c, one in enumerate(routings) if one == "table"}, "a table for each class that goes by one", graph)
        seen |= {(drawn.kind, random_networks.selects(switch)), (drawn.kind, bool(tables)), len(set(routings)) > 1}
        for path, _ in random_networks.save(room, 3, number, drawn)[:1]:
            expect("class_routing" in path.read_text() and " routing:" not in path.read_text(), "one of both keys", path.read_text())
            run_model(build, path)
        for classes in range(1, switch["classes"]):
            fewer = fitted(drawn.network, "switch", "classes", classes)
            if fewer.traffic.get("pattern") not in ("bit_reverse", "shuffle") and (classes > 1 or not can_deadlock(fewer)):
                run_model(build, fewer.save(room / "fewer.yaml"))
    expect(seen == {("cube", True), ("cube", False), ("graph", True), ("graph", False), True, False}, "every sort", seen)


def a_scenario_of_each_set_fills_lanes(room, build):
    """Enough terminals create worms of one flit for one of them twice as fast as it takes them, and for long enough."""
    rng = random.Random(4)
    for number in range(20):
        drawn = draw(rng)
        floods = [one for one in random_networks.save(room, 4, number, drawn) if one[1].traffic.get("length") == 1
                  and one[1].traffic.get("load") == 1 and one[1].traffic["pattern"] == "many_to_one"]
        expect(floods, "a flood", drawn)
        path, scenario = floods[-1]
        taken = scenario.switch["num_vcs"] if "link" in scenario.switch else 1  # flits a cycle, in twice as many cycles
        if random_networks.terminals_of(scenario.network) <= 2 * taken or can_deadlock(scenario):
            continue
        result, lanes = run_model(build, path), scenario.switch["num_vcs"] * scenario.switch["depth"]
        left = result["worms"] - result["delivered"]
        expect(result["end"] == "max_cycles" and left > lanes, f"more than {lanes} worms that wait", path.read_text())


def a_seed_always_draws_the_same(room, _build):
    first, again, other = (Sequence(seed) for seed in (5, 5, 6))
    sets = [first.next() for _ in range(4)]
    expect(sets == [again.next() for _ in range(4)], "the same sets")
    expect(sets != [other.next() for _ in range(4)], "other sets of another seed")
    names = {path.name: path.read_text() for path, _ in random_networks.save(room, 5, *sets[0])}
    expect(set(names) >= {"5-001-a.yaml", "5-001-b.yaml", "5-001-c.yaml"}, "files named by seed and set", names)


def the_fixed_sets_are_free_of_deadlocks(room, _build):
    long, short = (fixed_sets(room, "fixed", count, ALL_KINDS) for count in (4, 2))
    expect(short == long[:len(short)] and 6 <= len(short) < len(long), "the short sample first in the long one")
    expect(not any(can_deadlock(scenario) for _, scenario in long), "no network that can deadlock")
    expect(not fixed_sets(room, "fixed", 0, ALL_KINDS), "nothing of nothing")
    flies = fixed_sets(room, "fixed-butterfly", 8, FLIES)
    expect({scenario.network["passes"] for _, scenario in flies} == {1, 2}, "one pass and two", flies)


def messages_of_two_butterflies_give_columns(room, build):
    """In some networks; each column is one that the network has, also after the network has become smaller."""
    rng, seen = random.Random(3), 0
    for _ in range(40):
        for scenario in draw(rng, ("two butterflies",)).scenarios:
            given = [field for message in scenario.messages for field in map(str, message[4:]) if "path=" in field]
            if given:
                seen += 1
                smaller = fitted(scenario, "network", "k", 2) if scenario.network["k"] > 2 else scenario
                for one in (scenario, smaller):
                    run_model(build, one.save(room / "columns.yaml"))
    expect(seen > 5, "messages with columns", seen)
    sample = regress.drawn_runs(argparse.Namespace(golden=False, regress="smoke", logs=room))
    sets = sorted({run.scenario.stem[:-2] for run in sample})
    expect(sets == [f"fixed-00{i}" for i in range(1, 8)], "seven sets in smoke", sets)
    expect(all(run.drawn for run in sample), "drawn ones", sample)
    for other in (dict(golden=True, regress="smoke"), dict(golden=False, regress="long")):
        expect(not regress.drawn_runs(argparse.Namespace(**other, logs=room)), "none in others", other)


def known_deadlocks_are_known(_room, _build):
    for topology, k, routing, dead in (("torus", 5, "dimension_order", True), ("torus", 4, "dimension_order", False),
                                       ("torus", 5, "dateline", False), ("mesh", 9, "dimension_order", False),
                                       ("unidirectional_torus", 3, "dimension_order", True),
                                       ("unidirectional_torus", 2, "dimension_order", False),
                                       ("graph", 0, "shortest", True), ("graph", 0, "up_down", False),
                                       ("graph", 0, "table", False)):
        network = SMALL.changed("network", topology=topology, k=k).changed("switch", routing=routing)
        expect(can_deadlock(network) == dead, f"{topology} {k} {routing}: {dead}")
    for radix, kinds, routing, dead in (([9, 4], ["line", "ring"], "dimension_order", False),
                                        ([2, 5], ["line", "ring"], "dimension_order", True),
                                        ([2, 5], ["line", "ring"], "dateline", False),
                                        ([3, 2], ["one_way_ring", "line"], "dimension_order", True)):
        network = SMALL.changed("network", topology="cube", radix=radix, dimensions=kinds).changed("switch", routing=routing)
        expect(can_deadlock(network) == dead, f"{radix} {kinds} {routing}: {dead}")
        both = network.changed("switch", classes=2, routing="dateline", class_routing=["dateline", routing])
        expect(can_deadlock(both) == dead, f"{radix} {kinds} {routing} in class 1: {dead}")


# --- pairs ---

def pairs_are_counted(_room, _build):
    values = random_networks.values_of("mesh", SMALL)
    expect(len(values) == 15 and len(pairs_of("mesh", SMALL)) == 15 * 14 // 2, "all pairs of 15 values", values)
    expect(values["switches"] == "9-16" and values["width"] == "33-63" and values["length"] == "mixed", "ranges", values)
    closed = SMALL.with_messages([(0, 1, 2, 3)], 10)
    expect(len(random_networks.values_of("mesh", closed)) == 12, "no pattern, length and load of messages")
    wider = SMALL.changed("switch", flit_width_bits=64)
    expect(len(pairs_of("mesh", wider) - pairs_of("mesh", SMALL)) == 14, "one other value: 14 other pairs")
    for value, name in ((1, "1"), (2, "2-3"), (3, "2-3"), (4, "4-")):
        expect(random_networks.bin_of(value, 1, 2, 4) == name, name, value)


def pairs_decide_which_set_is_taken(_room, _build):
    """So many pairs take fewer seconds of builds and runs than with plain draws."""
    sequence, rng, plain = Sequence(3), random.Random(3), set()
    chosen, cost = sum(random_networks.cost_of(sequence.next()[1]) for _ in range(20)), 0
    while len(plain) < len(sequence.covered):
        drawn = draw(rng)
        plain, cost = plain | drawn.pairs, cost + random_networks.cost_of(drawn)
    expect(cost > 1.25 * chosen, "less cost", (chosen, cost))
    share = len(sequence.covered & random_networks.all_pairs()) / len(sequence.covered)
    expect(0.98 < share <= 1 and len(sequence.covered) < len(random_networks.all_pairs()), "some of all pairs", share)


# --- pairs of features ---

def features_are_legal_together(room, build):
    """What may stand together is what the golden model accepts: of all products a sample, and all networks of the suite."""
    for kind in features.KINDS:
        every, chosen = list(features.product(kind)), features.chosen(kind)
        for one in every[::9] + chosen[::4]:
            path = features.scenario(kind, *one).save(room / "features.yaml")
            said = subprocess.run([build / MODEL, "describe", "--rtl", path], capture_output=True, text=True, check=False)
            expect((said.returncode == 0) == features.is_legal(kind, *one), f"{kind} {one}: legal or not", said)


def every_pair_of_features_is_in_the_suite(room, _build):
    """As the suite is written, each kind of network has each pair; without one of its networks a pair would be missing."""
    for kind in features.KINDS:
        legal = [one for one in features.product(kind) if features.is_legal(kind, *one)]
        chosen = features.chosen(kind)
        pairs = set().union(*map(features.pairs_of, legal))
        expect(set().union(*map(features.pairs_of, chosen)) == pairs, f"all pairs of {kind}", chosen)
        expect(set().union(*map(features.pairs_of, chosen[:-1])) < pairs, f"no network of {kind} in vain", chosen[-1])
        expect(2 * len(chosen) < len(legal) or len(legal) < 15, f"few networks of {kind}", (len(chosen), len(legal)))
    written = [path for path, _ in features.in_lockstep(room / "features")]
    expect(len(set(written)) == sum(len(features.chosen(kind)) for kind in features.KINDS), "a file each", written)


# --- a failure is made small ---

def worms_of(scenario):
    return scenario.messages or [(cycle, cycle % 16, (3 * cycle) % 16, 1 + 8 * (cycle % 9)) for cycle in range(200)]


def a_failure_becomes_one_worm_in_a_small_network(_room, _build):
    """It fails where a worm of more than five flits goes to another terminal, in two lanes and six columns' worth of
    terminals; it does not fail in one lane, nor with flits of less than 20 bits."""
    def fails(scenario):
        network, switch = scenario.network, scenario.switch
        if switch["num_vcs"] < 2 or switch["flit_width_bits"] < 20 or network["k"] ** network["n"] < 4:
            return None
        return next((one[0] for one in worms_of(scenario) if one[3] > 5 and one[1] != one[2]), None)

    first, last = shrink(SMALL, fails(SMALL), fails, worms_of)
    expect(len(first.messages) == 1 and first.messages[0][0] == 0 and first.messages[0][3] == 6, "one short worm", first)
    expect((first.network, first.switch) == (SMALL.network, SMALL.switch), "the same network", first)
    expect((last.switch["num_vcs"], last.switch["depth"], last.switch["flit_width_bits"]) == (2, 1, 20), "a small switch", last)
    expect(last.network["n"] == 1 and last.network["k"] == 4 and fails(last) == 0, "a small network that fails", last)
    expect(len(last.messages) == 1 and max(last.messages[0][1:3]) < 4, "one worm between its terminals", last)


def a_failure_of_no_single_worm_keeps_its_traffic(_room, _build):
    """Here only the drawn traffic fails, never messages."""
    def fails(scenario):
        return None if scenario.messages else 50

    first, last = shrink(SMALL, 50, fails, worms_of)
    expect(first == SMALL, "the same scenario", first)
    expect(last.network["k"] == 1 and last.traffic["hotspot_terminal"] == 0, "a terminal that exists", last)


def a_failure_that_needs_its_traffic_in_a_smaller_network_gets_it(_room, _build):
    """Here messages fail in the network that was drawn alone, and the drawn traffic fails in all of at least 3 columns."""
    def fails(scenario):
        return None if scenario.network["k"] < 3 or (scenario.messages and scenario.network["k"] < 4) else 5

    first, last = shrink(SMALL, 5, fails, worms_of)
    expect(len(first.messages) == 1 and first.messages[0][3] == 1, "one flit", first)
    expect(last.network["k"] == 3 and last.traffic["process"] == "bernoulli", "the drawn traffic", last)


CLASSES = SMALL.changed("switch", num_vcs=6, classes=3, class_weights=[1, 2, 5])


def worms_of_classes(scenario):
    """Returns worms of all classes of the scenario in turn."""
    classes = scenario.switch.get("classes", 1)
    return scenario.messages or [(*one, *([i % classes] if classes > 1 else [])) for i, one in enumerate(worms_of(SMALL))]


def a_failure_of_a_class_keeps_that_class(_room, _build):
    """It fails where a worm of class 1 or higher has two lanes of its class; then where any worm has."""
    def failing(least):
        def fails(scenario):
            enough = scenario.switch["num_vcs"] >= 2 * scenario.switch.get("classes", 1)
            return next((one[0] for one in worms_of_classes(scenario) if enough and one[4:] >= least), None)
        return fails

    for least, switch in (((1,), {"num_vcs": 4, "classes": 2, "class_weights": [1, 2]}), ((), {"num_vcs": 2})):
        *_, last = shrink(CLASSES, failing(least)(CLASSES), failing(least), worms_of_classes)
        found = {key: value for key, value in last.switch.items() if key in ("num_vcs", "classes", "class_weights")}
        expect(found == switch, "as few classes as fail, with two lanes each", found)
        expect(len(last.messages) == 1 and last.messages[0][4:] == least, "one worm", last)


def worms_become_messages_of_their_class(room, build):
    """The same worms, so the same digest, if they are replayed as messages."""
    options = argparse.Namespace(build=build, logs=room, dut="")
    exploration = random_regress.Exploration(options, Children(), 1, Sequence(1))
    exploration.room.mkdir(exist_ok=True)
    for scenario in (SMALL, CLASSES):
        replayed = scenario.with_messages(exploration.worms_of(scenario), 10**4)
        both = [json.loads(subprocess.run([build / MODEL, "run", "--json", "--digest", one.save(room / "one.yaml")],
                                          capture_output=True, text=True, check=False).stdout) for one in (scenario, replayed)]
        expect(both[0]["digest"] == both[1]["digest"] and both[0]["worms"] > 50, "the same digest", both)


def smaller_networks_are_legal(room, build):
    """Whatever is drawn: each value that the shrinking tries, with the traffic that it makes of it."""
    rng, seen = random.Random(11), 0
    for kinds in 25 * (ALL_KINDS, GRAPHS):
        scenario = draw(rng, kinds).scenarios[0]
        for section, key in values_that_shrink(scenario):
            for value in {least_value(scenario, key), max(least_value(scenario, key), getattr(scenario, section)[key] - 1)}:
                smaller = fitted(scenario, section, key, value)
                pattern = smaller.traffic.get("pattern")
                if pattern not in ("bit_reverse", "shuffle"):  # of a power of two of terminals alone
                    run_model(build, smaller.save(room / "smaller.yaml"))
                    seen += 1
    expect(seen > 80, "many smaller networks", seen)


# --- kinds without lanes ---

def ends_of(room, build, drawn):
    """Returns how the golden model ends each scenario of a set, which must be legal and have worms."""
    ends = []
    for scenario in drawn.scenarios:
        path = scenario.save(room / "kind.yaml")
        result = run_model(build, path)
        expect(result["worms"] > 0 and result["flit_hops"] > 0, "a worm that moves", (path.read_text(), result))
        ends.append(result["end"])
    return ends


def networks_of_other_kinds_are_legal(room, build):
    """Their runs end as the slice of the kind says."""
    rng, ends = random.Random(9), {}
    for module in slices.kinds().values():
        ends[module.KIND] = []
        for _ in range(15):
            drawn = module.draw(rng)
            expect(drawn.kind == module.KIND and not any(map(random_networks.has_lanes, drawn.scenarios)), "its kind", drawn)
            ends[module.KIND].append(ends_of(room, build, drawn))
    early = {kind: {one.pop() for one in each} for kind, each in ends.items()}
    expect(all("max_cycles" in each for each in early.values()), "some that end early", early)
    for module in slices.kinds().values():
        expect(module.ends_are_right(ends[module.KIND]), "ends as the slice says", (module.KIND, ends[module.KIND]))


def every_kind_that_is_built_is_drawn(_room, _build):
    drawn = sorted(module.KIND for module in slices.kinds().values())
    expect(drawn == sorted(slices.machines()), "a file that draws each kind of parts.inc", drawn)


def one_set_in_some_is_of_another_kind(_room, _build):
    mixed, plain = random_kinds.EveryKind(7), Sequence(7)
    drawn = [mixed.next() for _ in range(3 * random_kinds.EVERY)]
    kinds = [one.kind for _, one in drawn]
    expect([number for number, _ in drawn] == list(range(1, len(drawn) + 1)), "their numbers", drawn)
    expect(all((kind in random_kinds.draws()) == (number % random_kinds.EVERY == 0) for number, kind in enumerate(kinds, 1)), "which", kinds)
    others = [one for number, one in drawn if number % random_kinds.EVERY]
    expect(others[:4] == [plain.next()[1] for _ in range(4)], "the others are those of the seed", others[:4])


# --- the whole ---

KEY_AND_PARTS = "cube_K1_N1_Topology0_Routing0_NumVcs1_Depth1_FlitW8_Arbiter1", ("switch/cube_K1", "terminal/DstW1")


@contextlib.contextmanager
def lockstep_that(fails, text=lambda scenario: False):
    """A lock-step that needs no RTL and front ends that read nothing, in place of ours: fails(text of the scenario) says whether
    a run fails, and text(of it) whether what annelid rtl writes is wrong."""
    def execute(_options, _children, run):
        bad = fails(run.scenario.read_text())
        run.result = dict(seed=run.seed, cycles=100, flits=10, worms=1, model_seconds=0, rtl_seconds=0, rtl_digest="0" * 16)
        run.result |= dict(what="flit", cycle=90) if bad else {}
        run.reason = "flit in cycle 90 at 0(0).T" if bad else ""

    def complaints(_children, _annelid, scenario, _directory, ports):
        return f"Yosys of {ports}: status 1\nsyntax error" if text(scenario.read_text()) else ""

    ours = regress.make, regress.execute, random_regress.key_and_parts, random_regress.complaints
    regress.make, regress.execute = lambda *_: None, execute
    random_regress.key_and_parts, random_regress.complaints = lambda *_: KEY_AND_PARTS, complaints
    try:
        yield
    finally:
        regress.make, regress.execute, random_regress.key_and_parts, random_regress.complaints = ours


@contextlib.contextmanager
def place_in(room, build):
    """Yields options of a call with a build directory of its own, in which there is the command alone."""
    with tempfile.TemporaryDirectory(dir=room) as name:
        place = Path(name)
        (place / "annelid").symlink_to((build / "annelid").resolve())
        yield argparse.Namespace(build=place, logs=place / "regress", dut="", mode="exact", jobs=2, seed="7", set="", golden=False,
                                 waves=False, whole=False, launcher=None, regress="random")


def call(options, fails=lambda text: False, **words):
    """Returns (exit status, what was printed, the result as JSON)."""
    said = io.StringIO()
    with lockstep_that(fails, **words), contextlib.redirect_stdout(said):
        status = random_regress.explore(options, Children())
    return status, said.getvalue(), json.loads((options.logs / f"{options.regress}.json").read_text())


def explore(room, build, fails, seconds, seed="7", **words):
    with place_in(room, build) as options:
        options.time, options.seed = seconds, seed
        return call(options, fails, **words)


def what_was_run_is_said(room, build):
    status, said, result = explore(room, build, lambda text: False, 1)
    expect(status == 0 and "make regress REGRESS=random SEED=7 " in said.splitlines()[0], "how to repeat it", said)
    found = re.search(r"^seed 7: (\d+) parameter sets, (\d+) runs, \d+ texts read by three front ends, ([\d,]+) flit events, "
                      r"pairs ([\d,]+) of [\d,]+, \d+ deadlocks as expected, 0 differences\n(\d+) passed, 0 failed\n\Z", said, re.M)
    expect(found and result["runs"] >= 3 * result["sets"] and result["sets"] >= 1, "the sums", (said, result))
    lines = [line.split()[1] for line in said.splitlines() if line.startswith("PASS ") and "  by switches  built" in line]
    expect(lines and all(int(name.split("-")[1]) % 2 for name in lines), "every second set put together", said)
    sequence = random_kinds.EveryKind(7)
    drawn = [sequence.next()[1].scenarios[0] for _ in range(result["sets"])]
    read = [one for one in drawn if random_networks.has_lanes(one)
            and random_networks.switches_of(one.network) * ports_of(one.network) ** 2 * one.switch["num_vcs"] <= 1500]
    expect(result["texts"] == len(read) and int(found[5]) == result["runs"] + result["texts"], "a text of each small one", result)
    expect(result["flits"] == 10 * result["runs"] and result["pairs"] == int(found[4].replace(",", "")), "the same sums", result)


TWO_LANES = "8"  # a seed whose first failure is no adaptive routing on rings, which has three lanes at least


def the_first_failure_ends_it_and_becomes_small(room, build):
    status, said, result = explore(room, build, lambda text: "num_vcs: 1," not in text, 60, TWO_LANES)
    expect(status == 1 and result["failed"] >= 1 and result["sets"] < 9, "a failure that ends it", said)
    small = re.findall(r"^(\d+) worms, (\d+)\^(\d+), (\d+) lanes of (\d+) flits, (\d+) bits:$", said, re.M)
    expect(len(small) == 2 and small[1][0] == "1" and small[1][2:5] == ("1", "2", "1"), "one worm, two lanes of one flit", said)
    expect(re.search(r"^FAIL  \S+-small.yaml ", said, re.M), "the file that holds it", said)


def a_text_that_is_wrong_is_a_failure_and_becomes_small(room, build):
    status, said, result = explore(room, build, lambda text: False, 60, TWO_LANES, text=lambda text: "num_vcs: 1," not in text)
    expect(status == 1 and result["failed"] >= 1 and "differences" in said, "a failure", said)
    expect(re.search(r"^shrinks .*, which fails with: Yosys of (links|axis[^:]*): status 1$", said, re.M), "its kind", said)
    small = re.findall(r"^(\d+) worms, (\d+)\^(\d+), (\d+) lanes of (\d+) flits", said, re.M)
    expect(small and small[-1][2:] == ("1", "2", "1") and said.count("syntax error") > 1, "a small network", said)


def a_design_is_written_of_whatever_is_drawn(room, build):
    """With the ports that are asked for, and flits that have a bit for data."""
    rng, with_axi, clocks = random.Random(17), 0, collections.Counter()
    for number in range(24):
        scenario = draw(rng, ("two butterflies", "graph") if number % 6 == 0 else ALL_KINDS).network
        if number % 3 == 0 and random_axi.may_have_axi(scenario):
            scenario, ports = random_axi.axi_of(scenario, room)
            with_axi += 1
        else:
            ports = random_regress.streams_of(scenario) if random_regress.may_have_streams(scenario) else "links"
        own = random_clocks.clocks_of(scenario)
        clocks[random_clocks.kind_of(own)] += 1
        ports = f"{ports} {own}"
        path = random_regress.with_data(scenario).save(room / "design.yaml")
        design = room / f"design-{number}"
        said = subprocess.run([build / MODEL, "rtl", path, "-o", design, "--name", "top", "--ports", *ports.split()],
                              capture_output=True, text=True, check=False)
        expect(said.returncode == 0 and said.stdout + said.stderr in (design / "top.md").read_text(), f"a design with {ports}", (said, path.read_text()))
    expect(with_axi >= 3, "designs with AXI4 ports", with_axi)
    expect(all(clocks[kind] for kind in ("", "terminals", "regions", "terminals and regions")), "designs with clocks of each kind", clocks)


# --- missing pairs ---

@contextlib.contextmanager
def missing_pairs_of(room, build, draws):
    """Yields options with which the pairs of so many draws are all that there are."""
    ours = random_regress.Missing
    random_regress.Missing = lambda path: random_pairs.Missing(path, draws)
    try:
        with place_in(room, build) as options:
            options.seed, options.regress, options.time = "", "pairs", None
            yield options
    finally:
        random_regress.Missing = ours


def what_is_missing_is_drawn_until_nothing_is(room, build):
    with missing_pairs_of(room, build, 25) as options:
        every = set().union(*(random_pairs.draw_of(number).pairs for number in range(25)))
        options.time = 0
        status, said, result = call(options)
        expect(result["sets"] == 0 and f"pairs 0 of {len(every):,} counted in round 1" in said, "all of them are missing", said)
        options.time = None
        status, said, result = call(options)
        sums = (result["pairs"], result["all_pairs"], result["rounds"], result["failed"])
        expect((status, sums) == (0, (len(every), len(every), 1, 0)) and 5 < result["sets"] <= 25, "a whole round", said)
        counted = [int(found.replace(",", "")) for found in re.findall(r"pairs ([\d,]+) of", said)]
        expect(counted[:-1] == sorted(set(counted[:-1])), "each set has new pairs", said)
        options.time = 0
        expect("pairs 0 of" in call(options)[1] and "counted in round 2" in call(options)[1], "the next round", said)


def what_has_been_counted_is_not_drawn_again(room, build):
    """Also of calls that were ended; a set that has failed does not count."""
    with missing_pairs_of(room, build, 40) as options:
        half, path = set(), options.logs / "pairs-counted.json"
        counted = random_pairs.Counted(path)
        sets = random_pairs.Missing(path, 40)
        for _ in range(6):
            number, drawn = sets.next()
            new = set(map(random_pairs.name_of, drawn.pairs)) - half
            every = set(map(random_pairs.name_of, random_pairs.draw_of(number).pairs)) - half
            expect(new and new == every, "the scenarios that are left out have nothing new", number)
            half |= new
        path.parent.mkdir(parents=True)
        counted.add(half, sets.every)
        again = random_pairs.Missing(path, 40)
        expect(again.coverage() == (len(half), len(sets.every)), "the same that were counted", again.coverage())
        expect(again.next()[0] == sets.next()[0], "the set that comes next")
        status, said, result = call(options, lambda text: True)
        expect(status == 1 and random_pairs.Counted(path).pairs == half, "nothing counted of what failed", said)
        for wrong in ("", "[]", '{"rounds": 1}', '{"rounds": "x", "pairs": []}'):
            path.write_text(wrong)
            try:
                random_pairs.Missing(path, 2)
            except Wrong as refused:
                expect(str(path) in str(refused) and "expected the pairs" in str(refused), "the file by name", refused)
            else:
                expect(False, "a refusal", wrong)


def what_makes_no_sense_is_refused(room, _build):
    for words, said in ((["--regress", "random", "--set", "network.k=3"], "take no SET="),
                        (["--regress", "random", "--seed", "1-3"], "SEED=1-3: random networks expect one number"),
                        (["--regress", "smoke", "--time", "5"], "TIME= is for REGRESS=random and REGRESS=pairs alone"),
                        (["--regress", "pairs", "--seed", "5"], "it takes no SEED="),
                        (["--regress", "pairs", "--mode", "rules"], "it takes no SEED=")):
        answer = subprocess.run([sys.executable, "scripts/run", "regress", "--build", room, *words], capture_output=True, text=True,
                                check=False)
        expect(answer.returncode == 2 and said in answer.stderr, said, answer.stderr)


TESTS = [the_model_accepts_every_draw, draws_cover_what_a_scenario_may_say, a_new_feature_changes_nothing_else,
         features_do_not_hang_on_each_other, a_flit_may_be_as_narrow_as_a_head,
         some_networks_have_classes, some_classes_have_routings_of_their_own, some_messages_wait, a_scenario_of_each_set_fills_lanes, graphs_and_cubes_are_of_every_sort,
         wide_links_are_for_routes_with_one_option,
         a_seed_always_draws_the_same, the_fixed_sets_are_free_of_deadlocks,
         messages_of_two_butterflies_give_columns, known_deadlocks_are_known, pairs_are_counted,
         pairs_decide_which_set_is_taken, features_are_legal_together,
         every_pair_of_features_is_in_the_suite, a_failure_becomes_one_worm_in_a_small_network,
         a_failure_that_needs_its_traffic_in_a_smaller_network_gets_it, a_failure_of_no_single_worm_keeps_its_traffic,
         a_failure_of_a_class_keeps_that_class, worms_become_messages_of_their_class,
         smaller_networks_are_legal, networks_of_other_kinds_are_legal, every_kind_that_is_built_is_drawn, one_set_in_some_is_of_another_kind, what_makes_no_sense_is_refused, what_was_run_is_said,
         the_first_failure_ends_it_and_becomes_small, a_text_that_is_wrong_is_a_failure_and_becomes_small,
         a_design_is_written_of_whatever_is_drawn,
         what_is_missing_is_drawn_until_nothing_is, what_has_been_counted_is_not_drawn_again]


if __name__ == "__main__":
    sys.exit(main("random", TESTS, __doc__.splitlines()[2]))
