#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The estimate of cells and clocks (docs/cost.md) against a second reading of its page.

usage: tb/unit/scripts/test_cost.py BUILD JUNIT_FILE

An oracle counts the terms of the page for cubes, with the turns of docs/switch.md, fits them by other steps than the command, and
has the same estimates; it finds the nearest set in its own way. docs/results/cost.md is what the command says now.

Prints failures only; exit status 1 if any.
"""
import csv
import itertools
import json
import math
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import cost, cost_figures
from annelid.children import Children, Wrong
from annelid.options import parser
from annelid.sources import read_toml

TOML = Path("tb/campaigns/fpga/fpga.toml")
BEYOND_FIXED = ("round_robin", "random", "age", "farthest", "matrix", "registered_priority")
TWO = ("west_first", "north_last", "negative_first", "odd_even", "adaptive")


def describe(build, *words):
    done = subprocess.run([build / "annelid", "describe", *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def table(build):
    status, text, error = describe(build, "--area-sets")
    expect(status == 0 and not error, "the sets", error)
    return {row["set"]: row for row in csv.DictReader(text.splitlines())}


# --- the oracle ---

def ports_of(place, k, n, topology):
    """Returns the input and the output ports of a switch of a cube that have a link, with the terminal's, which is the last."""
    def there(p):
        if topology != "mesh":
            return True
        return place[p // 2] < k - 1 if p % 2 == 0 else place[p // 2] > 0
    ports = range(n if topology == "unidirectional_torus" else 2 * n)
    return [p for p in ports if there(p)] + [len(ports)]


def makes_turn(one, other, topology, routing):
    """Returns whether a route may turn from a port to another one of a cube, by their numbers (docs/switch.md, "Turns")."""
    if topology == "unidirectional_torus":
        return one <= other
    if one == other:
        return False  # back where it came from
    if one // 2 == other // 2:
        return True
    if routing in TWO:
        return routing != "west_first" or other != 1
    return one // 2 < other // 2


def turns(place, k, n, topology, routing):
    """Returns the set of the turns of a switch. The terminal has turns to and from all ports."""
    ports = ports_of(place, k, n, topology)
    last = n if topology == "unidirectional_torus" else 2 * n
    return {(i, o) for i in ports for o in ports
            if last in (i, o) or makes_turn(i, o, topology, routing)}


def terms_of(made, one):
    """Returns the terms of a switch with a set of turns, in the order of the page, as {name: value}."""
    lanes, depth, bits, stages = one["num_vcs"], one["depth"], one["flit_width_bits"] + 2, one.get("stages", 1)
    leading = [sum(o == to for _, o in made) for to in {o for _, o in made}]
    inputs, outputs, all_of = len({i for i, _ in made}), len(leading), len(made)
    arbiter, options = one["arbiter"], one.get("routing") in TWO
    return {"crossbar": bits * sum(-(-n // 2) for n in leading if n > 1), "front": bits * inputs,
            "flops": bits * inputs * lanes * depth * (1 in (stages, lanes)), "ram": inputs * -(-bits // 4) * -(-lanes * depth // 16),
            "blocks": inputs * -(-(bits - 4) // 16) * -(-lanes * depth // 256) * (stages == 2 and lanes > 1), "lanes": inputs * lanes,
            "turns": all_of, "lane turns": all_of * lanes, "lane pairs": all_of * lanes ** 2, "stage": bits * outputs * (stages == 2),
            "options": all_of * lanes * options, "option pairs": all_of * lanes ** 2 * options,
            "dateline": inputs * lanes * ("torus" in one["topology"] and not options),
            "whole worms": inputs * lanes * (one["flow_control"] != "wormhole"),
            "counts": inputs * lanes * math.ceil(math.log2(depth)),
            **{name: all_of * lanes * (arbiter == name) for name in BEYOND_FIXED},
            "favoured pairs": all_of * lanes ** 2 * (arbiter == "registered_priority")}


def used(figure):
    """Returns the terms that a figure does not have."""
    if figure == "ice40_bram":
        return {"only": "blocks"}
    return {"without": {*(["ram"] if figure.startswith("ice40") else ["flops", "blocks"]), *(["crossbar"] if figure.endswith("ff") else [])}}


def chosen(terms, figure):
    rule = used(figure)
    return {name: value for name, value in terms.items() if name == rule.get("only", name) and name not in rule.get("without", ())}


def fitted(rows, wanted):
    """Returns the factors, none below 0, for which the squares of wanted - rows · factors are least: by the active set of Lawson
    and Hanson, where the command goes from factor to factor."""
    names = sorted({name for row in rows for name in row})
    scale = {name: max(abs(row.get(name, 0)) for row in rows) or 1 for name in names}
    matrix = [[row.get(name, 0) / scale[name] for name in names] for row in rows]
    factors, active = [0.0] * len(names), set()
    while True:
        rest = [want - sum(a * x for a, x in zip(row, factors)) for row, want in zip(matrix, wanted)]
        slope = [sum(row[j] * r for row, r in zip(matrix, rest)) for j in range(len(names))]
        open_to = [j for j in range(len(names)) if j not in active and slope[j] > 1e-9]
        if not open_to:
            return {name: factor / scale[name] for name, factor in zip(names, factors)}
        active.add(max(open_to, key=lambda j: slope[j]))
        while True:
            order = sorted(active)
            best = dict(zip(order, least_squares([[row[j] for j in order] for row in matrix], wanted)))
            if all(best[j] > 1e-12 for j in order):
                factors = [best.get(j, 0.0) for j in range(len(names))]
                break
            step = min(factors[j] / (factors[j] - best[j]) for j in order if best[j] <= 1e-12 and factors[j] != best[j])
            factors = [factors[j] + step * (best.get(j, 0.0) - factors[j]) if j in active else 0.0 for j in range(len(names))]
            active -= {j for j in order if factors[j] <= 1e-12}


def least_squares(matrix, wanted):
    """Returns the solution of the normal equations, with a trace of damping where they have none."""
    size = len(matrix[0])
    rows = [[sum(row[i] * row[j] for row in matrix) + (1e-10 if i == j else 0) for j in range(size)]
            + [sum(row[i] * want for row, want in zip(matrix, wanted))] for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(size):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def scenario(name, one):
    """Returns the keys of a set without their sections; None: it is no set of the estimate, or none of a cube."""
    settings = cost_figures.settings_of(one)
    defaults = dict(arbiter="round_robin", flow_control="wormhole")
    keys = settings and defaults | {key.partition(".")[2]: value for key, value in settings.items()}
    return keys if keys and keys["topology"] in ("mesh", "torus", "unidirectional_torus") else None


TREE = {(i, o) for i, o in itertools.product(range(6), range(6)) if i < 4 or o < 4}  # not from a parent to a parent


def switch_terms(keys):
    """Returns the terms of the switch with the most turns: one in the middle."""
    k, n = min(keys["k"], 4), keys["n"]
    places = itertools.product(range(k), repeat=n)
    made = max((turns(place, k, n, keys["topology"], keys.get("routing")) for place in places), key=len)
    return terms_of(made, keys)


def network_terms(keys):
    k, n = keys["k"], keys["n"]
    each = [terms_of(turns(place, k, n, keys["topology"], keys.get("routing")), keys) for place in itertools.product(range(k), repeat=n)]
    return {name: sum(one[name] for one in each) for name in each[0]}


def terminal_terms(keys):
    lanes, bits, entries = keys["num_vcs"], keys["flit_width_bits"] + 2, keys["num_vcs"] * keys["depth"]
    return {"one": 1, "bits": bits, "flops": entries * bits, "ram": -(-bits // 4) * -(-entries // 16), "lanes": lanes, "pairs": lanes ** 2,
            "counts": lanes * math.ceil(math.log2(keys["depth"]))}


def store(bits, entries, large=True):
    """Returns the terms of a store of a port: distributed memory, or block memories."""
    if large and entries >= 26 and bits * entries >= 2048:
        return {"ram": 0, "blocks": bits}
    return {"ram": -(-bits // 4) * -(-entries // 16) * (entries > 1), "blocks": 0}


def port_terms(kind, label, one):
    """Returns the terms of a port of AXI4: of a manager ("users"), of AXI4-Lite ("lite") or of a memory ("memories")."""
    data, address, ids, bursts, slots = one["data"], one["address"], one["id"], one["bursts"], one["reorder"] * (kind == "users")
    if kind == "memories":
        stores = [store(ids + label, bursts), store(2, bursts), store(8 + ids + label, bursts), store(data + 2, 2)]
        terms = {"axi": 1, "data": data, "address": address + 24, "counts": math.ceil(math.log2(bursts))}
    else:
        room = one["room"] if kind == "users" else bursts
        stores = [*[store(26 + label + address + ids, 2)] * 2, store(data + data // 8, room)]
        stores += ([store(3, slots, False), store(data + 3, slots * one["beats"], False)] if slots else
                   [store(2 + ids, bursts), store(data + 3 + ids, room)])
        terms = {"axi" if kind == "users" else "lite": 1, "data": data, "pairs": slots ** 2, "slot ids": slots * ids,
                 "entries": bursts * (ids + label + 2) * (not slots)}
    return terms | {name: sum(one[name] for one in stores) for name in ("ram", "blocks")}


def ports_of_set(one):
    """Returns {kind: how many} of the ports of AXI4 of a set, and what they are like."""
    numbers = dict(zip((*cost_figures.COUNTS, *cost_figures.PORT), cost_figures.ports_of(one)))
    return {kind: numbers[kind] for kind in cost_figures.COUNTS if numbers[kind]}, numbers


def terms_of_ports(one, kinds, label, figure):
    """Returns the sum of the terms of the ports of a set that are of some kinds."""
    counts, like = ports_of_set(one)
    terms = [{name: number * value for name, value in port_terms(kind, label, like).items()} for kind, number in counts.items() if kind in kinds]
    rows = {name: sum(row.get(name, 0) for row in terms) for name in {name for row in terms for name in row}}
    return {name: value for name, value in rows.items() if not figure.endswith("ff") or name not in ("ram", "data")}


USERS = ("users", "lite")
PORT_KINDS = {"port of users": USERS, "port of memories": ("memories",)}


def product(factors, terms):
    return sum(factors.get(name, 0) * value for name, value in terms.items())


def estimates_are_those_of_the_page(room, build):
    found, sets = table(build), read_toml(TOML)
    keys = {name: scenario(name, one) for name, one in sets.items() if name in found}
    tree = {name: cost_figures.settings_of(sets[name]) for name in found if keys[name] is None}
    expect(list(tree) == ["tree_1x2"], "one set that is no cube", tree)
    tree = {key.partition(".")[2]: value for key, value in tree["tree_1x2"].items()}
    compared = 0
    for figure in cost.CELLS:
        rows, wanted, parts = [], [], []
        for kind, terms in (("switch", switch_terms), ("terminal", terminal_terms)):
            chosen_sets = [name for name in found if found[name]["kind"] == kind and float(found[name][figure])]
            rows = [chosen(terms(keys[name]) if keys[name] else terms_of(TREE, tree), figure) for name in chosen_sets]
            wanted = [float(found[name][figure]) for name in chosen_sets]
            if not rows:
                continue
            factors = fitted([{name: value / want for name, value in row.items()} for row, want in zip(rows, wanted)], [1.0] * len(rows))
            parts.append(factors)
            for name, row in zip(chosen_sets, rows):
                said, right = float(found[name][f"{figure}_estimate"]), product(factors, row)
                expect(abs(said - right) <= max(1, 0.004 * right), f"{figure} of {name}: {right:.1f}", said)
                compared += 1
        of_ports = {}
        for kind, kinds in PORT_KINDS.items():
            chosen_sets = [name for name in found if found[name]["kind"] == kind and float(found[name][figure])]
            if not chosen_sets:
                continue
            rows = [terms_of_ports(sets[name], kinds, 4, figure) for name in chosen_sets]
            wanted = [float(found[name][figure]) for name in chosen_sets]
            of_ports[kinds] = fitted([{name: value / want for name, value in row.items()} for row, want in zip(rows, wanted)], [1.0] * len(rows))
            for name, row in zip(chosen_sets, rows):
                said, right = float(found[name][f"{figure}_estimate"]), product(of_ports[kinds], row)
                expect(abs(said - right) <= max(1, 0.004 * right), f"{figure} of {name}: {right:.1f}", said)
                compared += 1
        for name in (name for name, row in found.items() if row["kind"] in ("network", "design") and parts):
            right = product(parts[0], chosen(network_terms(keys[name]), figure))
            if found[name]["kind"] == "design" and len(parts) > 1:
                right += keys[name]["k"] ** keys[name]["n"] * product(parts[1], chosen(terminal_terms(keys[name]), figure))
            for kinds, factors in of_ports.items():
                label = keys[name]["n"] * max(1, math.ceil(math.log2(keys[name]["k"])))
                right += product(factors, terms_of_ports(sets[name], kinds, label, figure))
            said = float(found[name][f"{figure}_estimate"])
            expect(abs(said - right) <= max(1, 0.004 * right), f"{figure} of {name}: {right:.1f}", said)
            compared += 1
    expect(compared > 300, "all sets and figures", compared)


# --- clocks ---

def ratio(a, b):
    return abs(math.log2(a / b))


def away(one, other):
    """Returns how far two sets are from each other, by the sum of the page."""
    (a, kind), (b, _) = one, other
    def ports(keys):
        return keys["n"] + 1 if keys["topology"] == "unidirectional_torus" else 2 * keys["n"] + 1
    def options(keys):
        return keys.get("routing") in TWO
    return (1000 * (a.get("stages", 1) != b.get("stages", 1)) + 1000 * (options(a) != options(b)) + 500 * (a["arbiter"] != b["arbiter"])
            + 200 * ratio(a["num_vcs"], b["num_vcs"]) + 20 * abs(ports(a) - ports(b)) + 10 * ratio(a["flit_width_bits"], b["flit_width_bits"])
            + 8 * (a["topology"] != b["topology"]) + 4 * ratio(1 if kind == "switch" else a["k"] ** a["n"], b["k"] ** b["n"])
            + 2 * ratio(a["depth"], b["depth"]))


def clocks_are_those_of_the_nearest_sets(room, build):
    found, sets = table(build), read_toml(TOML)
    keys = {name: (scenario(name, sets[name]), row["kind"]) for name, row in found.items()}
    cubes = {name: one for name, one in keys.items() if one[0] and one[1] in ("switch", "network", "design") and min(one[0]["k"], 4) > 2}
    compared = 0
    for figure, name in itertools.product(("ice40_mhz", "ecp5_mhz"), cubes):
        near = {other: away(cubes[other], cubes[name]) for other in cubes if other != name and float(found[other][figure])}
        least = min(near.values())
        right = {float(found[other][figure]) for other, distance in near.items() if distance <= least + 1e-9}
        right |= {float(found["tree_1x2"][figure])} if least > 20 and cubes[name][0]["num_vcs"] == 1 else set()  # it is no cube
        said = float(found[name][f"{figure}_estimate"])
        expect(any(abs(said - one) < 0.01 for one in right), f"{figure} beside {name}: {right}", said)
        compared += 1
    expect(compared > 45, "clocks", compared)


def advice_is_the_fastest_of_the_same_shape(room, build):
    found = table(build)
    status, text, _ = describe(build, "--area", "--part", "ecp5-25f", "--set", "switch.num_vcs=2", "sim/scenarios/mesh8_uniform.yaml")
    seen = re.search(r"for clock: switch.arbiter (\w+), stages (\d): (\d+) MHz instead of (\d+)$", text, re.M)
    nearest = re.search(r"^ +.* \((\w+)\)$", text, re.M)
    fastest = max((float(found[name]["ecp5_mhz"]), name) for name in ("mesh_2x4", "favour_2x4", "stages_2x4", "stages_favour_2x4"))
    expect(status == 0 and nearest and seen, "an advice", text)
    expect(seen[1] == "registered_priority" and float(seen[4]) == round(float(found[nearest[1]]["ecp5_mhz"])), "the nearest clock", text)
    _, text, _ = describe(build, "--area", "sim/scenarios/mesh8_uniform.yaml")  # the same switch is faster in another set
    expect("for clock: switch.arbiter round_robin, stages 1" not in text, "no advice to leave all as it is", text)
    if nearest[1] == "mesh_2x4":
        expect(int(seen[3]) == round(fastest[0]), f"the clock of {fastest[1]}", text)


# --- tables ---

def results_are_what_the_command_says_now(room, build):
    """The text below the head of docs/results/cost.md is written from the command and the history."""
    options = parser("x").parse_args(["--build", str(build)])
    now = cost.tables(cost.rows(options, Children()))
    expect(cost.RESULTS.path.read_text().endswith(now), "the tables; scripts/run cost --docs writes them", "others")


def sets_that_the_estimate_cannot_read_are_refused(room, build):
    one = dict(module="anl_cube_switch", parameters=dict(K=8, Odd=1))
    try:
        cost_figures.settings_of(one)
    except Wrong as wrong:
        return expect("no key for Odd" in str(wrong), "the name of the key", wrong)
    expect(False, "a refusal", "nothing")


def figures_of_the_command_are_the_last_of_the_history(room, build):
    found = table(build)
    last = {}
    with Path("tb/campaigns/fpga/history.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            last.setdefault(row["set"], {}).update({name: float(row[name]) for name in cost_figures.FIGURES if row[name]})
    wrong = {name: json.dumps(row) for name, row in found.items()
             if any(abs(float(row[figure]) - last[name].get(figure, 0)) > 0.01 for figure in cost_figures.FIGURES)}
    expect(not wrong and len(found) > 50, "the figures of the history", wrong)


TESTS = [estimates_are_those_of_the_page, clocks_are_those_of_the_nearest_sets, advice_is_the_fastest_of_the_same_shape,
         results_are_what_the_command_says_now, sets_that_the_estimate_cannot_read_are_refused,
         figures_of_the_command_are_the_last_of_the_history]

if __name__ == "__main__":
    sys.exit(main("cost", TESTS, __doc__))
