#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each legal value of a parameter is in some suite, draw, bench or proof (docs/lockstep.md, "Every value").

usage: tb/unit/scripts/test_values.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import collections
import functools
import itertools
import os
import random
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, "scripts")
from annelid import arbiters, benches, corners, features, formal, random_networks, sources
from annelid.regress import read_suite
from annelid.slices import suite_names
from annelid.sources import declared_in
from suite import expect, main

DRAWS = 2_600
CUBES = 10_000  # networks alone, which cost little; one in thirty has a number of terminals that is drawn among many
KINDS_IN_TURN = (random_networks.ALL_KINDS, random_networks.GRAPHS, ("mesh",), ("cube",))  # some values are rare among all
MOST_VALUES = 64  # of more values, the least, the most, and those beside powers of two are asked for
RTL = {path.stem.removeprefix("anl_"): path for path in sources.RTL}
# What has no meaning for the switch, or has its own kinds of tests; the sizes of networks are drawn as far as they can be built.
OTHERS = {"network.graph", "network.k", "network.radix", "network.unsafe", "switch.a", "switch.b", "switch.c", "switch.table",
          "switch.rounds"}
PARAMETERS = {"Depth": "switch.depth", "NumVcs": "switch.num_vcs", "Cycles": "switch.link_cycles", "Classes": "switch.classes",
              "FlitW": "switch.flit_width_bits", "Weights": "switch.class_weights"}  # of RTL modules, by the keys that they come from
# In lock-step are the least and the most of these; benches have the rest, which are bits of numbers.
EDGES = {"switch.flit_width_bits": {"8", "512"}, "switch.class_weights": {"1", "255"}}
ROUTINGS_OF_NO_CLASS = {"e_cube", "up_down_fixed", "up_down_random", "up_down_greedy"}  # those of cubes and graphs alone
FEATURES = ("link", "arbiter", "flow_control", "select", "stages", "credits")  # each brings modules of its own, which have lanes

# Parameters whose every value the bench of a module has: those of the RTL that have the name of a key, and some that have not.
SWEPT = ("Depth", "NumVcs", "Cycles", "NumPorts")
SIZES = {"Depth": "pointer",
         "NumPorts": " ".join(["mux select encode decode arbiter", *(module for module in RTL if module.startswith("arb_"))])}

# The benches that have some values of such a parameter, at least these, and why not all.
PARTS = "it takes long to build; its parts have each value in benches of their own, and networks in lock-step have it"
SQUARE = "its inputs grow with the square of its lanes, and a bench has 2,048 bits for them; networks in lock-step have the others"
SOME = {
    "switch": (PARTS, {"Depth": {1, 2, 3, 64}, "NumVcs": {1, 2, 3, 8}, "NumPorts": {2, 3, 7}}),
    "graph_switch": (PARTS, {"Depth": {1, 2, 3}, "NumVcs": {1, 2, 4}, "NumPorts": {1, 2, 7}}),
    "options_switch": (PARTS, {"Depth": {1, 2, 3}, "NumVcs": {1, 2, 4}, "NumPorts": {1, 3, 5}}),
    "source_switch": (PARTS, {"Depth": {1, 2, 3}, "NumVcs": {1, 2, 4}, "NumPorts": {1, 2, 7}}),
    "cube_switch": (PARTS, {"Depth": {1, 2, 3}, "NumVcs": {1, 2, 3, 8}}),
    "fat_tree_switch": (PARTS, {"Depth": {1, 2, 3}, "NumVcs": {1, 2, 3}}),
    "butterfly_switch": (PARTS, {"Depth": {1, 2, 3}, "NumVcs": {1, 2, 3}}),
    "cube": (PARTS, {"Depth": {1, 2, 3}, "NumVcs": {1, 2}}),
    "fat_tree": (PARTS, {"Depth": {2, 4}, "NumVcs": {1, 2}}),
    "butterfly": (PARTS, {"Depth": {2, 4}, "NumVcs": {1, 2, 3}}),
    "axi_cube": (PARTS, {"Depth": {1, 2, 4}}),
    "axis_terminal": ("it holds an anl_terminal, which has each depth", {"Depth": {1, 2, 3, 63, 64}}),
    "axis_packets": ("with one lane there is no choice", {"NumVcs": {2, 3, 4, 5, 6, 7, 8}}),
    "wide_ports": (PARTS, {"Depth": {1, 2, 3, 63, 64}, "NumPorts": {1, 2, 3, 6}}),
    "wide_input": (PARTS, {"NumPorts": {2, 3, 6}}),
    "wide_output": (PARTS, {"NumPorts": {1, 2, 3, 5}}),
    "wide_grant": (PARTS, {"NumPorts": {1, 2, 3, 5}}),
    "options": (SQUARE, {"NumPorts": {2, 3, 7}}),
    "route_options": ("a port is a bit in its entries", {"NumPorts": {1, 2, 3, 7, 32}}),
    "route_table": ("a port is a number in its entries", {"NumPorts": {1, 2, 3, 7, 31, 32}}),
    "route_source": ("a port is a number in its lists", {"NumPorts": {1, 2, 3, 7, 17, 32}}),
    "route_adaptive": ("a lane at least is an escape lane", {"NumVcs": {2, 3, 4, 5, 6, 7, 8}}),
    "registered_priority": ("with one lane there is no choice", {"NumVcs": {2, 3, 4, 5, 6, 7, 8}}),
    "board": ("a board is one network, and its Cycles are those of a run", {"Depth": set(), "NumVcs": set(), "Cycles": set()}),
    "board_signer": ("a board is one network", {"NumVcs": set()}),
    "gray_fifo": ("its slots are a power of two", {"Depth": {1, 2, 4, 8, 16, 32, 64, 128, 512}}),
    "link_checker": ("lanes are alike, and so are credits", {"Depth": {1, 2, 3, 4, 64}, "NumVcs": {1, 2, 3, 8}}),
    "switch_checker": ("ports, lanes and slots are alike", {"Depth": {1, 2, 3, 4}, "NumVcs": {1, 2, 3}, "NumPorts": {2, 3, 4}}),
    "discard_butterfly": ("its lanes hold no more than a flit, and are alike", {"NumVcs": {1, 2, 3}}),
}
# How many corners the bench of a module has at least, so that none is lost from the table by mistake. A module that is not here has
# a value of its own in each corner.
LEAST = {name: int(number) + int(times or 0) * len(arbiters.ARBITERS) for name, number, times in re.findall(r"(\w+) (\d+)(?: and each arbiter (\d+) times)?", """
    counter 70, pointer 70, fifo 70, front_fifo 70, prng 2, arb_cyclic 45, arb_age 39, arb_farthest 39,
    mux 38, encode 39, decode 39, select 40, lane_memory 69, lanes 75, packet_count 69, credits 69,
    link_slices 22, credit_bypass 69, admit 71, vc_select 8, arbiter 32 and each arbiter 9 times, class_scan 61, registered_priority 7, binding 38,
    owners 37, eligible 72, second_port 69, options 72, wide_scan 89, wide_grant 45, wide_output 75, input 80, output 81,
    wide_input 75, wide_ports 17, switch 23, cube_switch 25, fat_tree_switch 10, butterfly_switch 8, graph_switch 7,
    head_fields 0 and each arbiter 4 times, input_lanes 72, offer 7 and each arbiter 9 times, ask 69,
    options_switch 9, source_switch 6, cube 12, fat_tree 5, butterfly 6, terminal 78, axis_terminal 20, axis_packets 7, bufferless 3,
    replay 3, bufferless_mesh 3, choose 2, snakes_clock 2, command 3, discard 9, discard_butterfly 4, diagonals 5,
    diagonals_clock 6, diagonals_torus 3, uart 5, board_source 9, board_signature 1, board_signer 6,
    board_checker 64, board_reporter 6, board 5, dateline 9, route_mesh 10, route_torus 11, route_ring 11,
    route_hypercube 9, route_fat_tree 40, route_butterfly 12, route_table 10, route_turn_model 14, route_adaptive 14,
    route_options 9, route_source 9, list_shift 8, credit_to_ready 71, credit_to_lane_ready 71, credit_to_stop 71,
    ready_to_credit 71, lane_ready_to_credit 71, stop_to_credit 71, pulse_to_credit 71,
    link_checker 23, switch_checker 22, axis_checker 5, synchronizer 6, reset_synchronizer 3, gray_pointer 10, gray_fifo 9, credit_cdc 66, link_cdc 76,
    axi_checker 4, axi_subordinate 6, axi_lite_subordinate 3, axi_cube 11, arb_matrix 32, credit_to_pulse 8
""")}
# Modules without a bench of their own, and the module in whose bench they are.
INSIDE = {"option_select": "options", "settle": "synchronizer", "gray_writer": "gray_fifo", "gray_reader": "gray_fifo", "lanes_in_turn": "credit_to_ready", "discard_switch": "discard_butterfly", "discard_multiplexed_switch": "discard_butterfly"}

@functools.cache
def legal_values(build):
    """Returns {key: its legal values, as texts} for the keys of networks and switches, as annelid describe --keys says them."""
    said = subprocess.run([f"{build}/annelid", "describe", "--keys"], capture_output=True, text=True, check=True).stdout
    found = {}
    for key, text in re.findall(r"^((?:network|switch)\.\w+)\n    (.*)$", said, re.MULTILINE):
        if number := re.match(r"(\d+)\.\.(\d+)", text):
            found[key] = set(map(str, asked_of(int(number[1]), int(number[2]))))
        else:
            words = re.sub(r" \(.*|, or a list of .*", "", text)
            found[key] = set(words.split(", "))
    found["switch.class_routing"] -= ROUTINGS_OF_NO_CLASS
    return {key: values for key, values in found.items() if key not in OTHERS}


def asked_of(least, most):
    """Returns the values of a range that must be somewhere."""
    if most - least < MOST_VALUES:
        return range(least, most + 1)
    beside = {2 ** power + step for power in range(3, most.bit_length() + 1) for step in (-1, 0, 1)}
    return {least, most} | {value for value in beside if least <= value <= most}


# --- who has a value ---

def add(seen, key, text):
    """Counts the words of a value, which may be a list, for its key."""
    seen[key].update(re.findall(r"[\w-]+", str(text)))


def defaults(build):
    said = subprocess.run([f"{build}/annelid", "describe", "--keys"], capture_output=True, text=True, check=True).stdout
    return {key: words for key, words in re.findall(r"^(\S+)\n    .*\n    default: (.*)$", said, re.MULTILINE)}


def in_suites(seen, build):
    """Counts what scenarios of suites say, and their settings; what they do not say has its default somewhere."""
    for key, words in defaults(build).items():
        add(seen, key, words)
    for run in itertools.chain(*(read_suite(name) for name in suite_names())):
        text = run.scenario.read_text()
        for section in ("network", "switch"):
            for name, value in re.findall(r"(\w+): (\[[^]]*\]|[^\s,{}]+)", text):
                add(seen, f"{section}.{name}", value)
        for setting in run.settings:
            add(seen, *setting.split("=", 1))


def add_keys(seen, section, keys):
    for name, value in keys.items():
        if name != "graph":
            add(seen, f"{section}.{name}", value)


def add_network(seen, scenario):
    add_keys(seen, "network", scenario.network)
    add_keys(seen, "switch", scenario.switch)


def in_features(seen, _build):
    """Counts the suite of features, which the standard suite has."""
    for kind in features.KINDS:
        for chosen in features.chosen(kind):
            add_network(seen, features.scenario(kind, *chosen))


@functools.cache
def drawn_networks():
    """Returns scenarios of many networks, always the same ones."""
    rng = random.Random("values")
    return [random_networks.draw(rng, KINDS_IN_TURN[number % len(KINDS_IN_TURN)]).network for number in range(DRAWS)]


def in_draws(seen, _build):
    for scenario in drawn_networks():
        add_network(seen, scenario)
    rng = random.Random("cubes")
    for _ in range(CUBES):
        add_keys(seen, "network", random_networks.draw_cube(rng))


@functools.cache
def loaded(path=corners.TABLE):
    return benches.load(path)


@functools.cache
def benched(module, path=corners.TABLE):
    """Returns {parameter: its values in the corners of a bench}; weights are those of classes, a byte each."""
    found = collections.defaultdict(set)
    for corner in loaded(path).get(f"anl_{module}", ()):
        for name, value in corner.parameters.items():
            found[name].add(value)
    weights = found.pop("Weights", set()) | found.pop("WeightBytes", set())
    return dict(found) | {"Weights": {byte for value in weights for byte in value.to_bytes(8, "big")}}


def in_benches(seen, _build):
    for module in loaded():
        for name, values in benched(module.removeprefix("anl_")).items():
            if name in PARAMETERS:
                add(seen, PARAMETERS[name], sorted(values))


def in_proofs(seen, _build):
    for proof in formal.tables().values():
        for corner in proof.get("corners", []):
            for name, value in corner.items():  # parameters, or keys of scenarios
                key = PARAMETERS.get(name, f"switch.{name}")
                if key in PARAMETERS.values():
                    add(seen, key, value)


# --- tests ---

def arbiters_have_one_number(_room, build):
    """In the library, whose table the scripts read, and in the RTL."""
    said = subprocess.run([f"{build}/annelid", "describe", "--keys"], capture_output=True, text=True, check=True).stdout
    words = re.search(r"^switch\.arbiter\n    ([\w, ]+\w)", said, re.MULTILINE)[1].split(", ")
    expect(words == [*arbiters.ARBITERS], words, arbiters.ARBITERS)
    package = Path("rtl/common/anl_pkg.sv").read_text()
    block = package[package.index("localparam int Fixed"):].split("\n\n")[0]
    numbers = {corners.macro(name).lower(): int(number) for name, number in re.findall(r"localparam int (\w+) += (\d+);", block)}
    expect(numbers == {name: number for number, name in enumerate(arbiters.ARBITERS)}, "the numbers of anl_pkg", numbers)


def each_legal_value_is_run_somewhere(_room, build):
    sources = {source: collections.defaultdict(set) for source in (in_suites, in_features, in_draws, in_benches, in_proofs)}
    for source, seen in sources.items():
        source(seen, build)
    nowhere, unbuilt = {}, {}
    for key, values in legal_values(build).items():
        run = sources[in_suites][key] | sources[in_features][key] | sources[in_draws][key]
        nowhere[key] = sorted(values - run - sources[in_benches][key] - sources[in_proofs][key])
        unbuilt[key] = sorted((values & EDGES[key] if key in EDGES else values) - run)
    expect(not any(nowhere.values()), "each value in a suite, draw, bench or proof", {key: some for key, some in nowhere.items() if some})
    expect(not any(unbuilt.values()), "each value in lock-step: in a suite or a draw", {key: some for key, some in unbuilt.items() if some})


def legal_of_parameters(build):
    """Returns {parameter: its legal values}. A switch has a port for each terminal, and one for a link at least."""
    legal = {name: set(map(int, legal_values(build)[key])) for name, key in PARAMETERS.items() if name in SWEPT}
    return legal | {"NumPorts": set(range(1, 2 + max(map(int, legal_values(build)["network.concentration"]))))}


def parameters_of(module):
    """Returns the parameters in the header of a module, by what they are called where they have no other name than Size."""
    named = re.findall(r"^  parameter +(?:int +)?(\w+)", (RTL[module]).read_text(), re.MULTILINE)
    sizes = {"Size": kind for kind, modules in SIZES.items() if module in modules.split()}
    sizes |= {"Max": "Depth"} if module == "counter" else {}
    return {name: sizes.get(name, name) for name in named}


def products():
    """Returns {module: the two parameters whose product a width of it grows with}. A product with the terminals of a network has
    no most; tb/unit/scripts/test_cdg.py has a table of more than 256."""
    found = {}
    for module, path in RTL.items():
        for factors in re.findall(r"(?:\$clog2|anl_pkg::index_width)\((\w+) ?\* ?(\w+)", path.read_text()):
            names = [{"ClassVcs": "NumVcs"}.get(name, name) for name in factors]
            found |= {module: names} if {*names} <= {*PARAMETERS} else {}
    return found


def too_small(build, path=corners.TABLE):
    """Returns the modules with such a width in whose bench, even without FULL=1, no corner has the largest product."""
    legal, some = legal_of_parameters(build), []
    for module, names in products().items():
        most = {name: max(legal[name]) for name in names}
        if not any(corner.sample and most.items() <= corner.parameters.items() for corner in loaded(path)[f"anl_{module}"]):
            some.append(module)
    return some


def is_in_a_bench(module):
    """Says whether a module has a bench, or is in the one that the table INSIDE names."""
    if f"anl_{module}" in loaded():
        return True
    return module in INSIDE and f"anl_{module} #(" in RTL[INSIDE[module]].read_text()


def lacking(build, path=corners.TABLE):
    """Returns the values of parameters with a range in SWEPT that the bench of a module has not, but must; and the parameters of
    which it has all, though the table SOME names them."""
    legal, missing, stale = legal_of_parameters(build), {}, []
    for module in (module.removeprefix("anl_") for module in loaded(path)):
        for name, kind in parameters_of(module).items() if module in RTL else ():
            some, has = SOME.get(module, ("", {}))[1].get(name), benched(module, path).get(name, set())
            if kind not in SWEPT:
                continue
            lacks = (legal[kind] if some is None else some) - has
            missing |= {f"{module}.{name}": sorted(lacks)} if lacks else {}
            stale += [f"{module}.{name}"] if some is not None and legal[kind] <= has else []
    return missing, stale


def each_bench_has_every_value(_room, build):
    """Of the parameters of its module that have a range in SWEPT, but for those that the table SOME names."""
    missing, stale = lacking(build)
    alone = [module for module in sorted(RTL) if set(parameters_of(module).values()) & set(SWEPT) and not is_in_a_bench(module)]
    expect(not alone, "a bench of each module with such a parameter, or of one that holds it", alone)
    expect(not missing, "each value of these parameters in the bench of the module", missing)
    expect(not stale, "no module in the table SOME whose bench has every value", stale)
    unknown = [f"{module}.{name}" for module, (_, names) in SOME.items() for name in names if name not in parameters_of(module)]
    expect(not unknown, "only parameters that there are in the table SOME", unknown)


def each_bench_has_the_largest_product(_room, build):
    """A width that is right for each of two parameters may be a bit too narrow for both together."""
    expect({*products()} >= {"lane_memory", "options"}, "widths of products", products())
    expect(not too_small(build), "a corner with the largest product of two parameters", too_small(build))


def widest(weights):
    """Returns the class of the weight that has more bits than all others; None if two have most. weights has a byte for each."""
    bits = [weight.bit_length() for weight in weights.to_bytes(8, "little")]
    return bits.index(max(bits)) if bits.count(max(bits)) == 1 else None


def each_class_has_the_widest_weight(_room, _build):
    """The quota of a scan over classes is as wide as the widest weight, whichever class has it."""
    corners_of_scan = loaded()["anl_class_scan"]
    seen = {widest(corner.parameters["WeightBytes"]) for corner in corners_of_scan if corner.sample}
    expect({*range(8)} <= seen, "a corner for each class whose weight is the widest", seen)


def each_bench_gives_its_module_what_the_table_says(_room, _build):
    """A bench that is written by hand passes on the parameters that have names of the module's; and the makefile runs each bench."""
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    made = subprocess.run(["make", "-pn", "help"], capture_output=True, text=True, check=False, env=alone).stdout
    listed = re.findall(r"\banl_\w+", re.search(r"^BENCH_STAMPS := (.*)$", made, re.MULTILINE)[1])
    expect(sorted(listed) == sorted(loaded()), "the modules of the table among those of make", set(listed) ^ set(loaded()))
    for module in loaded():
        name, path = benches.parameters_in(module)
        own = parameters_of(module.removeprefix("anl_")) if name != module and module.removeprefix("anl_") in RTL else ()
        for parameter in {*declared_in(path, name)} & {*own}:
            expect(f".{parameter}({parameter})" in path.read_text(), f"{parameter} for {module} in its bench", path)
    files = {path.stem.removeprefix("tb_") for path in benches.bodies()}
    expect(files <= set(loaded()), "corners of each bench", files - set(loaded()))


def each_feature_meets_every_number_of_lanes(_room, build):
    """In lock-step: in a suite or a draw."""
    seen, lanes = collections.defaultdict(set), legal_values(build)["switch.num_vcs"]
    for scenario in drawn_networks():
        for name in FEATURES:
            seen[name, str(scenario.switch.get(name))].add(str(scenario.switch["num_vcs"]))
    words = [(name, value) for name in FEATURES for value in legal_values(build)[f"switch.{name}"] - {"shared", "1"}]
    lacks = {f"{name} {value}": sorted(lanes - seen[name, value]) for name, value in words if lanes - seen[name, value]}
    expect(not lacks, "each number of lanes with each feature", lacks)


def what_nobody_has_is_named(_room, build):
    """The test above fails for a value that nothing has."""
    values = legal_values(build)
    expect({"63", "64"} <= values["switch.depth"] and "65" not in values["switch.depth"], "the range of the depth", values["switch.depth"])
    expect({"8", "255", "256", "257", "512"} <= values["switch.flit_width_bits"] and "100" not in values["switch.flit_width_bits"],
           "edges of the width", values["switch.flit_width_bits"])
    fifo = benched("fifo")
    expect(fifo["Depth"] == set(range(1, 65)) and fifo["Width"] == {1, 2, 3, 8, 33, 40}, "corners of a bench", fifo)


def lost(path=corners.TABLE):
    """Returns {module: how many corners its bench has} where these are fewer than the table LEAST says."""
    there = {module.removeprefix("anl_"): len(some) for module, some in loaded(path).items()}
    return {module: there.get(module, 0) for module in {*LEAST, *there} if there.get(module, 0) < LEAST.get(module, 1)}


def no_corner_is_lost(_room, _build):
    expect(not lost(), "as many corners of each bench as the table LEAST says", lost())


def forget():
    """Lets a table be read again that has changed."""
    loaded.cache_clear()
    benched.cache_clear()


def a_corner_that_is_taken_out_is_missed(room, build):
    """Some rows of benches, one at a time, and the end of a span."""
    table, text = room / "table.toml", corners.TABLE.read_text()
    begin = text.index(f"\n[{corners.BENCH}]\n")
    rows = [row.start() for row in re.finditer(r"^ +\{.*\},\n", text, re.MULTILINE) if row.start() > begin]
    expect(len(rows) > 300, "rows of benches", len(rows))
    for row in rows[::40]:
        table.write_text(text[:row] + text[text.index("\n", row) + 1:])
        forget()
        expect(lost(table) or lacking(build, table)[0], "a corner that is missed", text[row:text.index("\n", row)])
    for old, new, said in (
            ('{Depth = "1..64", Width = 2,', '{Depth = "1..62", Width = 2,', {"fifo.Depth": [63], "front_fifo.Depth": [63]}),
            ('anl_vc_select = [\n    {NumVcs = "1..8"', 'anl_vc_select = [\n    {NumVcs = "1..7"', {"vc_select.NumVcs": [8]})):
        expect(old in text, "the corner in the table", old)
        table.write_text(text.replace(old, new).replace('["7..63 step 8", 64]', "true"))
        forget()
        seen = lacking(build, table)[0]
        expect(seen == said and lost(table), said, seen)
    table.write_text(text.replace('{NumPorts = 2, NumVcs = "1..8 each 8", Depth = "1..64"', '{NumPorts = 2, NumVcs = 1, Depth = "1..64"'))
    forget()
    expect(too_small(build, table) == ["options"], "a bench without the largest product", too_small(build, table))
    forget()


TESTS = [arbiters_have_one_number, each_legal_value_is_run_somewhere, each_bench_has_every_value, each_bench_has_the_largest_product,
         each_class_has_the_widest_weight, each_bench_gives_its_module_what_the_table_says,
         each_feature_meets_every_number_of_lanes, what_nobody_has_is_named, no_corner_is_lost,
         a_corner_that_is_taken_out_is_missed]

if __name__ == "__main__":
    sys.exit(main("values", TESTS, __doc__.splitlines()[2]))
