#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A reset taken out of the RTL, one at a time, is found by the network in four states (tb/rtl/four_state.sv).

usage: tb/unit/scripts/test_four_state.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import corners
from annelid.corners import Network
from annelid.four_state import log_of
from annelid.sources import rtl_with

# For each reset of a register, `if (rst_i) x <= …; else` or `x <= rst_i ? … :`, of a file, in its order: the network that is to
# find it, in the words of tb/corners.toml. (A hypercube's switches have the fewest ports.) With all resets each of these networks
# passes in make test-four-state.
CUBE = {"topology": "hypercube", "scan": "fixed"}
DEEP = {"topology": "mesh", "scan": "rotating", "NumVcs": 1, "Depth": 5}
TURNING = CUBE | {"scan": "rotating"}
CLASSES, STAGES, WIDE = CUBE | {"classes": 2}, TURNING | {"stages": 2}, TURNING | {"link": "wide"}
SLICES = {"topology": "mesh", "scan": "rotating", "link_cycles": 3}
RESETS = {
    "rtl/common/anl_counter.sv": [CUBE, DEEP], "rtl/common/anl_pointer.sv": [CUBE],
    "rtl/common/anl_prng.sv": [CUBE | {"scan": "random", "admission": "cut_through"}],
    "rtl/switch/anl_binding.sv": [CUBE], "rtl/switch/anl_arbiter.sv": [TURNING], "rtl/switch/anl_owners.sv": [CUBE],
    "rtl/common/anl_arb_matrix.sv": [CUBE | {"scan": "matrix"}], "rtl/switch/anl_favour.sv": [CUBE | {"scan": "favour"}],
    "rtl/switch/anl_class_scan.sv": [CLASSES, CLASSES], "rtl/switch/anl_wide_grant.sv": [WIDE | {"admission": "cut_through"}],
    "rtl/terminal/anl_terminal.sv": [CUBE, CUBE], "rtl/switch/anl_output.sv": [STAGES],
    "rtl/switch/anl_switch.sv": [STAGES, WIDE | {"stages": 2}], "rtl/net/anl_link_slices.sv": [SLICES, SLICES],
}
RESET = re.compile(r"if \(rst_i\)\s+\w+ <= [^;]*;\s*else |(?<=<= )rst_i \? [^:;]+ : ")


# Other networks have tests of their own (make test-bufferless, test-discard, test-diagonals, test-snakes), and so have the
# terminals of AXI4-Streams.
OTHERS = "bufferless|discard|diagonals|replay|axis|one_bend|steps|supernodes|snakes|port_map"


def verdict(room, network, name, sources):
    """The last line that the network prints."""
    program = Path(room) / f"{name}.vvp"
    subprocess.run(["iverilog", "-g2012", "-Irtl/include", "-s", "four_state",
                    *(f"-D{macro}={value}" for macro, value in network.macros.items()), "-o", str(program), *sources,
                    "tb/rtl/four_state.sv"], check=True, capture_output=True)
    seen = subprocess.run(["timeout", "1200", "vvp", "-n", str(program)], capture_output=True, text=True, check=False)
    return ([line for line in seen.stdout.splitlines() if re.match("PASS|FAIL", line)] or ["no end"])[-1]


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
    for path in sorted(path for room in ("common", "net", "switch", "terminal") for path in Path("rtl", room).glob("*.sv")):
        resets = re.findall(r"(?:if \(|<= )rst_i\b", path.read_text())
        known = RESETS.get(str(path)) or ([None] * len(resets) if re.search(OTHERS, path.name) else [])
        expect(len(resets) == len(known), f"a network for each reset of {path}", len(resets))


# What the terminals of the bench, the kind or the number of lanes say: fields of a policy that no scan of a network has.
DERIVED = {"admission", "path", "early", "lines"}
FIELDS = {"scan": "scan", "cycles": "link_cycles", "stages": "stages", "classes": "classes", "wide": "link", "wide_chained": "space",
          "weight": "class_weights"}  # the others, and their keys
# Of each key the table has these words at least, and of these pairs of keys a network with both.
WORDS = {"scan": corners.SCANS, "admission": corners.ADMISSIONS[1:], "routing": ("adaptive", "odd_even", "north_last"),
         "topology": (*corners.CUBES, "fat_tree", "butterfly"), "graph": ("graph", "cube", "source", "class_routing"),
         "link": ("wide",), "space": ("chained",), "length_in_head": (True,), "link_cycles": (2, 3, 4), "stages": (2,), "classes": (2,),
         "class_weights": ([3, 1],)}
PAIRS = [({"space": "chained"}, {"topology": "fat_tree"}), ({"space": "chained"}, {"topology": "butterfly"}),
         ({"space": "chained"}, {"link": "wide"}),
         *(({"stages": 2}, other) for other in ({"topology": "hypercube"}, {"topology": "fat_tree"}, {"topology": "butterfly"},
                                                {"graph": "graph"}, {"link_cycles": 2}, {"link": "wide"}, {"classes": 2}))]


def every_feature_is_reset_in_traffic(_room, _build):
    """make test-four-state SHARE=1 and make test-reset have a network with each feature, and the features are all that there are."""
    fields = set(re.findall(r"function automatic \w+ (\w+)_of\(input logic \[PolicyW-1:0\]", Path("rtl/common/anl_pkg.sv").read_text()))
    expect(fields == FIELDS.keys() | DERIVED, "features for all fields of a policy", fields ^ (FIELDS.keys() | DERIVED))
    expect(set(FIELDS.values()) <= WORDS.keys(), "words of each field", FIELDS)
    listed = [network.settings | ({"graph": network.graph} if network.graph else {}) for network in corners.four_state()]
    wanted = [*({key: word} for key, words in WORDS.items() for word in words), *(one | other for one, other in PAIRS)]
    missing = [features for features in wanted if not any(all(settings.get(key) == word for key, word in features.items()) for settings in listed)]
    expect(not missing, "a network with each feature", missing)


TESTS = [each_reset_is_missed, nothing_is_missed_with_all, every_register_with_a_reset_is_tried, every_feature_is_reset_in_traffic]

if __name__ == "__main__":
    sys.exit(main("four-state-itself", TESTS, __doc__.splitlines()[2]))
