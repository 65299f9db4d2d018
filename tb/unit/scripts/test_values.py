#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each legal value of a parameter is in some list, draw, bench or proof (docs/lockstep.md, "Every value").

usage: tb/unit/scripts/test_values.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import collections
import itertools
import random
import re
import subprocess
import sys
import tomllib
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, "scripts")
from annelid import features, random_networks
from annelid.regress import LISTS, read_list
from suite import expect, main

DRAWS = 2_600
KINDS_IN_TURN = (random_networks.ALL_KINDS, random_networks.GRAPHS, ("mesh",), ("cube",))  # some values are rare among all
MOST_VALUES = 64  # of more values, the least, the most, and those beside powers of two are asked for
BENCHES = Path("tb/rtl")
# What has no meaning for the switch, or has its own kinds of tests; the sizes of networks are drawn as far as they can be built.
OTHERS = {"network.graph", "network.k", "network.radix", "network.unsafe", "switch.a", "switch.b", "switch.c", "switch.table",
          "switch.rounds"}
PARAMETERS = {"Depth": "switch.depth", "NumVcs": "switch.num_vcs", "Cycles": "switch.link_cycles", "Classes": "switch.classes",
              "NumPorts": "network.concentration", "FlitW": "switch.flit_width_bits", "Weights": "switch.class_weights"}  # of RTL modules, by the keys that they come from
# In lock-step are the least and the most of these; benches have the rest: the ports that terminals make, and the bits of numbers.
EDGES = {"switch.flit_width_bits": {"8", "512"}, "switch.class_weights": {"1", "255"}, "network.concentration": {"1", "31"}}
ROUTINGS_OF_NO_CLASS = {"e_cube", "up_down_fixed", "up_down_random", "up_down_greedy"}  # those of cubes and graphs alone
PORTS = set(range(1, 33))
DEPTHS, LANES = set(range(1, 65)), set(range(1, 9))
# Benches that have every legal value of a parameter.
SWEPT = [("Depth", DEPTHS, "fifo front_fifo credits chained packet_count lane_memory lanes admit second_port eligible options"),
         ("Max", DEPTHS, "counter"), ("Size", DEPTHS, "pointer"), ("Cycles", set(range(1, 17)), "link_slices"), ("NumPorts", PORTS, "owners binding"),
         ("Size", PORTS, "mux select encode decode arb_cyclic arb_oldest arb_farthest arb_matrix"),
         ("NumVcs", LANES, "credits chained packet_count lane_memory lanes admit second_port eligible owners binding link_slices vc_select "
                           "dateline wide_grant wide_ports wide_input wide_output")]


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


def in_lists(seen, build):
    """Counts what scenarios of lists say, and their settings; what they do not say has its default somewhere."""
    for key, words in defaults(build).items():
        add(seen, key, words)
    for run in itertools.chain(*(read_list(path.stem) for path in LISTS.glob("*.list"))):
        text = run.scenario.read_text()
        for section in ("network", "switch"):
            for name, value in re.findall(r"(\w+): (\[[^]]*\]|[^\s,{}]+)", text):
                add(seen, f"{section}.{name}", value)
        for setting in run.settings:
            add(seen, *setting.split("=", 1))


def add_network(seen, scenario):
    for section in ("network", "switch"):
        for name, value in getattr(scenario, section).items():
            if name != "graph":
                add(seen, f"{section}.{name}", value)


def in_features(seen, _build):
    """Counts the list of features, which the standard list has."""
    for kind in features.KINDS:
        for chosen in features.chosen(kind):
            add_network(seen, features.scenario(kind, *chosen))


def in_draws(seen, _build):
    rng = random.Random("values")
    for number in range(DRAWS):
        add_network(seen, random_networks.draw(rng, KINDS_IN_TURN[number % len(KINDS_IN_TURN)]).network)


def weights_of(text):
    """Returns the weights of classes in a bench, a byte each."""
    words = re.findall(r"64'h([0-9A-F_]+)", text)
    return {byte for word in words for byte in bytes.fromhex(word.replace("_", "").rjust(16, "0"))} if "WeightsOf" in text else set()


def evaluated(expression, corner, listed, arrays):
    """Returns what an expression of a bench is in a corner: an element of an array, a number, or one of these."""
    if element := re.fullmatch(r"(\w+)Of\[g(?: % Listed)?\]", expression):
        return arrays[element[1]][corner % len(arrays[element[1]])]
    if choice := re.fullmatch(r"\((.*?)\) \? (.*?) : (.*)", expression):
        return evaluated(choice[2 if evaluated(choice[1], corner, listed, arrays) else 3], corner, listed, arrays)
    expression = expression.replace("/", "//").replace("'b", "0b")
    return eval(expression, {"__builtins__": {}}, {"g": corner, "S": corner - listed, "Listed": listed})  # pylint: disable=eval-used


def corners_of(path):
    """Returns {parameter: its values in the corners of a bench}."""
    text = path.read_text()
    arrays = {name: eval(f"[{words}]".replace("'b", "0b"), {"__builtins__": {}})  # pylint: disable=eval-used
              for name, words in re.findall(r"localparam (?:int|bit) (\w+)Of *\[\d+\] *= *'\{([^}]*)\};", text)}
    listed = int((re.search(r"Listed = (\d+);", text) or [0, 0])[1])
    count = re.search(r"for \(genvar g = 0; g < (?:Listed \+ )?(\d+);", text)
    corners = range(listed + int(count[1]) if count else 1)
    found = {}
    for name, expression in re.findall(r"^    localparam int (\w+) = (.*);", text, re.MULTILINE):
        expression = re.sub(r"g / (\d+)\]", r"g]", expression)
        try:
            found[name] = {evaluated(expression, corner, listed, arrays) for corner in corners}
        except (NameError, SyntaxError, KeyError, TypeError, IndexError):
            pass  # worked out from other parameters
    return found | {"Weights": weights_of(text)}


def in_benches(seen, _build):
    for path in BENCHES.glob("tb_anl_*.sv"):
        for name, values in corners_of(path).items():
            if name in PARAMETERS:
                add(seen, PARAMETERS[name], sorted(values))


def in_proofs(seen, _build):
    for proof in tomllib.loads(Path("tb/formal/proofs.toml").read_text()).values():
        for corner in proof.get("corners", []):
            for name, value in corner.items():
                if name in PARAMETERS:
                    add(seen, PARAMETERS[name], value)


# --- tests ---

def each_legal_value_is_run_somewhere(_room, build):
    sources = {source: collections.defaultdict(set) for source in (in_lists, in_features, in_draws, in_benches, in_proofs)}
    for source, seen in sources.items():
        source(seen, build)
    nowhere, unbuilt = {}, {}
    for key, values in legal_values(build).items():
        run = sources[in_lists][key] | sources[in_features][key] | sources[in_draws][key]
        nowhere[key] = sorted(values - run - sources[in_benches][key] - sources[in_proofs][key])
        unbuilt[key] = sorted((values & EDGES[key] if key in EDGES else values) - run)
    expect(not any(nowhere.values()), "each value in a list, draw, bench or proof", {key: some for key, some in nowhere.items() if some})
    expect(not any(unbuilt.values()), "each value in lock-step: in a list or a draw", {key: some for key, some in unbuilt.items() if some})


def benches_of_small_modules_have_every_value(_room, _build):
    for parameter, values, modules in SWEPT:
        for module in modules.split():
            seen = corners_of(BENCHES / f"tb_anl_{module}.sv").get(parameter, set())
            expect(values <= seen, f"every {parameter} in the bench of anl_{module}", sorted(values - seen))


def what_nobody_has_is_named(_room, build):
    """The test above fails for a value that nothing has."""
    values = legal_values(build)
    expect({"63", "64"} <= values["switch.depth"] and "65" not in values["switch.depth"], "the range of the depth", values["switch.depth"])
    expect({"8", "255", "256", "257", "512"} <= values["switch.flit_width_bits"] and "100" not in values["switch.flit_width_bits"],
           "edges of the width", values["switch.flit_width_bits"])
    fifo = corners_of(BENCHES / "tb_anl_fifo.sv")
    expect(fifo["Depth"] == DEPTHS and fifo["Width"] == {1, 2, 3, 8, 33, 40}, "corners of a bench", fifo)


TESTS = [each_legal_value_is_run_somewhere, benches_of_small_modules_have_every_value, what_nobody_has_is_named]

if __name__ == "__main__":
    sys.exit(main("values", TESTS, __doc__.splitlines()[2]))
