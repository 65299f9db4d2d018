#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A reset taken out of the RTL, one at a time, is found by the network in four states (tb/rtl/four_state.sv).

usage: tb/unit/scripts/test_four_state.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import corners
from annelid.children import Children
from annelid.corners import Network
from annelid.four_state import log_of, simulate
from annelid.arbiters import ARBITERS
from annelid.sources import RTL, rtl_with

# For each reset of a register, `if (rst_i) x <= …; else` or `x <= rst_i ? … :`, of a file, in its order: the network that is to
# find it, in the words of tb/corners.toml. (A hypercube's switches have the fewest ports.) With all resets each of these networks
# passes in make test-four-state.
CUBE = {"topology": "hypercube", "arbiter": "fixed"}
DEEP = {"topology": "mesh", "arbiter": "round_robin", "NumVcs": 1, "Depth": 5}
TURNING = CUBE | {"arbiter": "round_robin"}
CLASSES, STAGES, WIDE = CUBE | {"classes": 2}, TURNING | {"stages": 2}, TURNING | {"link": "wide"}
SLICES = {"topology": "mesh", "arbiter": "round_robin", "link_cycles": 3}
RESETS = {
    "rtl/common/anl_counter.sv": [CUBE, DEEP], "rtl/common/anl_pointer.sv": [CUBE],
    "rtl/common/anl_prng.sv": [CUBE | {"arbiter": "random", "flow_control": "cut_through"}],
    "rtl/switch/anl_binding.sv": [CUBE], "rtl/switch/anl_arbiter.sv": [TURNING], "rtl/switch/anl_owners.sv": [CUBE],
    "rtl/switch/anl_registered_priority.sv": [CUBE | {"arbiter": "registered_priority"}],
    "rtl/switch/anl_class_scan.sv": [CLASSES, CLASSES], "rtl/switch/anl_wide_grant.sv": [WIDE | {"flow_control": "cut_through"}],
    "rtl/terminal/anl_terminal.sv": [CUBE, CUBE], "rtl/switch/anl_output.sv": [STAGES],
    "rtl/switch/anl_switch.sv": [STAGES, WIDE | {"stages": 2}], "rtl/net/anl_link_slices.sv": [SLICES, SLICES],
}
RESET = re.compile(r"if \(rst_i\)\s+\w+ <= [^;]*;\s*else |(?<=<= )rst_i \? [^:;]+ : ")
# The arbiters of policies that have one of their own.
for policy, module in ((policy, Path(f"rtl/common/anl_arb_{policy}.sv")) for policy in ARBITERS):
    if module in RTL and (resets := RESET.findall(module.read_text())):
        RESETS[str(module)] = [CUBE | {"arbiter": policy}] * len(resets)


# The terminals of AXI4-Streams have tests of their own, and so have the networks of papers (make test-<kind>, test-snakes).
OTHERS = "axis"


def verdict(room, network, name, sources):
    """The last line that the network prints."""
    _, said = simulate(Children(), network.macros, Path(room) / f"{name}.log", sources)
    return ([line for line in said.splitlines() if re.match("PASS|FAIL", line)] or ["no end"])[-1]


def without(file, number, network, room):
    """What the network prints without that reset of the file."""
    text = Path(file).read_text()
    reset = list(RESET.finditer(text))[number]
    name = f"{Path(file).stem}-{number}"
    own = Path(room) / name
    own.mkdir()
    return verdict(room, network, name, rtl_with(file, text[:reset.start()] + text[reset.end():], own))


def each_reset_is_missed(room, build):
    del build  # Icarus builds nothing there
    trials = [(file, number, Network(network)) for file, networks in RESETS.items() for number, network in enumerate(networks)]
    for file, networks in RESETS.items():
        found = len(RESET.findall(Path(file).read_text()))
        expect(found == len(networks), f"{len(networks)} resets in {file}", str(found))
    trials = trials[::1 if os.environ.get("FULL") == "1" else 3]
    with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        seen = list(pool.map(lambda trial: without(*trial, room), trials))
    for (file, number, _), words in zip(trials, seen):
        expect(words.startswith("FAIL"), f"a failure without reset {number} of {file}", words)


def nothing_is_missed_with_all(_room, build):
    for network in (Network(network) for networks in RESETS.values() for network in networks):
        logs = [log_of(build / "four-state", known, rounds) for known in corners.four_state() if known.macros == network.macros
                for rounds in (1, 2)]
        expect(any(log.exists() and "PASS" in log.read_text() for log in logs), f"a pass with all resets, {network.name}", logs)


def every_register_with_a_reset_is_tried(_room, _build):
    """All files of the RTL of networks and terminals that have a reset are in the table, and no other form of a reset."""
    for path in sorted(path for path in RTL if path.parent.name in ("common", "net", "switch", "terminal")):
        resets = re.findall(r"(?:if \(|<= )rst_i\b", path.read_text())
        known = RESETS.get(str(path)) or ([None] * len(resets) if re.search(OTHERS, path.name) else [])
        expect(len(resets) == len(known), f"a network for each reset of {path}", len(resets))


def one_with(**wanted):
    """Returns whether a network has such settings. A set has the words that will do, True stands for any."""
    def has(settings):
        return all(key in settings and (value is True or settings[key] in (value if isinstance(value, set) else {value}))
                   for key, value in wanted.items())
    return has


# What the terminals of the bench say by themselves, and what has a size.
PLAIN = {"escape_set"}
FEATURES = {
    **{f"{key} {word}": one_with(**{key: word}) for key, words in (("arbiter", ARBITERS), ("flow_control", corners.FLOW_CONTROLS))
       for word in words if word != "wormhole"},
    **{f"{topology} {routing}": one_with(topology=topology, routing=routing) for topology, routing in (
        *((one, routing) for one in ("fat_tree", "butterfly", "hypercube") for routing in set(corners.ROUTINGS_OF[one])),
        ("mesh", "dimension_order"), ("mesh", "adaptive"), ("torus", "dateline"), ("unidirectional_torus", "dateline"))},
    **{f"graph {graph}": one_with(graph=graph) for graph in ("graph", "cube", "source", "class_routing")},
    "a turn model": one_with(routing={"west_first", "north_last", "negative_first", "odd_even"}),
    "another selection": one_with(select={"random", "straight_first"}), "atomic lanes": one_with(atomic="adaptive"),
    "credit bypass in a fat-tree": one_with(credits="bypass", topology="fat_tree"),
    "credit bypass in a butterfly": one_with(credits="bypass", topology="butterfly"),
    "links of several cycles": one_with(link_cycles=True), "classes": one_with(classes=True), "weights": one_with(class_weights=True),
    "wide links": one_with(link="wide"), "wide and chained": one_with(link="wide", credits="bypass"),
    "two stages in a cube": one_with(stages=2, topology=set(corners.CUBES)), "two stages in a fat-tree": one_with(stages=2, topology="fat_tree"),
    "two stages in a butterfly": one_with(stages=2, topology="butterfly"), "two stages in a graph": one_with(stages=2, graph="graph"),
    "two stages and links of several cycles": one_with(stages=2, link_cycles=True),
    "two stages and wide links": one_with(stages=2, link="wide"), "two stages and classes": one_with(stages=2, classes=True),
    "length in heads": one_with(length_in_head=True),
}


def every_feature_is_reset_in_traffic(_room, _build):
    """make test-four-state FULL=1 and make test-reset have a network with each feature, and the features are all that there are."""
    seen = [one.settings | {"graph": one.graph} if one.graph else corners.with_topology(one.settings) for one in corners.four_state()]
    missing = [name for name, has in FEATURES.items() if not any(map(has, seen))]
    expect(not missing, "a network with each feature", missing)
    keys = {key for settings in seen for key in settings}
    expect({*corners.PARAMETERS} - PLAIN <= keys, "a network that says something with each key", {*corners.PARAMETERS} - PLAIN - keys)


TESTS = [each_reset_is_missed, nothing_is_missed_with_all, every_register_with_a_reset_is_tried, every_feature_is_reset_in_traffic]

if __name__ == "__main__":
    sys.exit(main("four-state-itself", TESTS, __doc__.splitlines()[2]))
