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
from annelid.sources import rtl_with

# For each reset of a register, `if (rst_i) x <= …; else` or `x <= rst_i ? … :`, of a file, in its order: the network that is to find it, as macros of the bench. (A
# hypercube's switches have the fewest ports.) With all resets each of these networks passes in make test-four-state.
CUBE = {"KIND": 3, "SCAN": 0, "ADMISSION": 0, "CHAINED": 0}
DEEP = {"KIND": 0, "SCAN": 1, "ADMISSION": 0, "CHAINED": 0, "LANES": 1, "DEPTH": 5}
CLASSES = CUBE | {"SCAN": 131072}  # two classes of messages
STAGES, WIDE_STAGES = CUBE | {"SCAN": 16385}, CUBE | {"SCAN": 1064961}  # switches of two stages, rotating
SLICES = CUBE | {"KIND": 0, "SCAN": 2049}  # links of three cycles
RESETS = {
    "rtl/common/anl_counter.sv": [CUBE, DEEP], "rtl/common/anl_pointer.sv": [CUBE], "rtl/common/anl_prng.sv": [CUBE | {"SCAN": 2, "ADMISSION": 1}],
    "rtl/switch/anl_binding.sv": [CUBE], "rtl/switch/anl_arbiter.sv": [CUBE | {"SCAN": 1}], "rtl/switch/anl_owners.sv": [CUBE],
    "rtl/common/anl_arb_matrix.sv": [CUBE | {"SCAN": 5}], "rtl/switch/anl_favour.sv": [CUBE | {"SCAN": 6}],
    "rtl/switch/anl_class_scan.sv": [CLASSES, CLASSES], "rtl/switch/anl_wide_grant.sv": [CUBE | {"SCAN": 1048577, "ADMISSION": 1}],  # wide, rotating
    "rtl/terminal/anl_terminal.sv": [CUBE, CUBE], "rtl/switch/anl_output.sv": [STAGES], "rtl/switch/anl_switch.sv": [STAGES, WIDE_STAGES],
    "rtl/net/anl_link_slices.sv": [SLICES, SLICES],
}
RESET = re.compile(r"if \(rst_i\)\s+\w+ <= [^;]*;\s*else |(?<=<= )rst_i \? [^:;]+ : ")


# Other networks have tests of their own (make test-bufferless, test-discard, test-diagonals, test-snakes), and so have the
# terminals of AXI4-Streams.
OTHERS = "bufferless|discard|diagonals|replay|axis|one_bend|steps|supernodes|snakes|port_map"


def verdict(room, network, name, sources):
    """The last line that the network prints."""
    program = Path(room) / f"{name}.vvp"
    subprocess.run(["iverilog", "-g2012", "-Irtl/include", "-s", "four_state",
                    *(f"-D{macro}={value}" for macro, value in network.items()), "-o", str(program), *sources,
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
    trials = [(file, number, network) for file, networks in RESETS.items() for number, network in enumerate(networks)]
    for file, networks in RESETS.items():
        found = len(RESET.findall(Path(file).read_text()))
        expect(found == len(networks), f"{len(networks)} resets in {file}", str(found))
    with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        seen = list(pool.map(lambda trial: without(*trial, room), trials))
    for (file, number, _), words in zip(trials, seen):
        expect(words.startswith("FAIL"), f"a failure without reset {number} of {file}", words)


def nothing_is_missed_with_all(_room, build):
    for network in (network for networks in RESETS.values() for network in networks):
        log = build / f"rtl-test/four_state-{'.'.join(map(str, network.values()))}.done"
        words = log.read_text() if log.exists() else "it was not run"
        expect("PASS" in words, f"a pass with all resets, {network}", words)


def every_register_with_a_reset_is_tried(_room, _build):
    """All files of the RTL of networks and terminals that have a reset are in the table, and no other form of a reset."""
    for path in sorted(path for room in ("common", "net", "switch", "terminal") for path in Path("rtl", room).glob("*.sv")):
        resets = re.findall(r"(?:if \(|<= )rst_i\b", path.read_text())
        known = RESETS.get(str(path)) or ([None] * len(resets) if re.search(OTHERS, path.name) else [])
        expect(len(resets) == len(known), f"a network for each reset of {path}", len(resets))


def networks():
    """Returns the networks of FOUR_STATE: those of a foreach, and those in words of their own."""
    text = re.search(r"^FOUR_STATE +:= ((?:[^\\\n]|\\\n)*)", Path("rtl/rtl.mk").read_text(), re.MULTILINE)[1]
    kinds, rest = re.search(r"foreach k,([\d ]+),\$\(addprefix \$k\.,([\d. ]+)\)", text).groups()
    words = [f"{kind}.{words}" for kind in kinds.split() for words in rest.split()]
    return [Network(word) for word in [*words, *re.findall(r"\b[a-z_\d]+(?:\.\d+){3}(?:\.\d+\.\d+)?(?![.\d])", text.split("))", 1)[1])]]


class Network:
    """What a name of FOUR_STATE says (rtl/common/anl_pkg.sv)."""

    def __init__(self, word):
        kind, scan, admission, chained = word.split(".")[:4]
        policy = int(scan)
        self.kind, self.admission, self.chained = kind, int(admission), int(chained)
        self.base, self.options = (int(kind) % 32, int(kind) // 32 % 8) if kind.isdigit() else (kind, 0)
        self.scan, self.cycles, self.stages = policy % 8, 1 + policy // 1024 % 16, 1 + policy // 16384 % 2
        self.classes, self.wide = max(1, policy >> 16 & 15), policy >> 20 & 1
        self.wide_chained, self.weight = policy >> 21 & 1, policy >> 24


def choices(first):
    """Returns {name: number} of the choices in the package of which that is the first one."""
    block = re.search(rf"localparam int {first} .*?\n\n", Path("rtl/common/anl_pkg.sv").read_text(), re.DOTALL)[0]
    return {name: int(number) for name, number in re.findall(r"localparam int (\w+) *= (\d+);", block)}


# What the terminals of the bench, the kind or the number of lanes say: fields of a policy that no scan of a network has.
DERIVED = {"admission", "path", "early", "lines"}
FIELDS = {"scan", "cycles", "stages", "classes", "wide", "wide_chained", "weight"}
FEATURES = {
    **{f"scan {name}": lambda one, number=number: one.scan == number for name, number in choices("Fixed").items()},
    **{f"admission {name}": lambda one, number=number: one.admission == number for name, number in choices("Wormhole").items()},
    **{f"kind {base}": lambda one, base=base: one.base == base
       for base in (0, 1, 2, 3, 8, 9, 10, 11, 12, 13, "graph", "cube", "source", "class_routing")},
    "a turn model": lambda one: one.options in range(1, 5), "adaptive": lambda one: one.options == choices("NoOptions")["Adaptive"],
    "chained space in a fat-tree": lambda one: one.chained and one.base in range(8, 12),
    "chained space in a butterfly": lambda one: one.chained and one.base in (12, 13),
    "links of several cycles": lambda one: one.cycles > 1, "classes": lambda one: one.classes > 1, "weights": lambda one: one.weight,
    "wide links": lambda one: one.wide, "wide and chained": lambda one: one.wide_chained,
    "two stages in a cube": lambda one: one.stages == 2 and one.base in range(4),
    "two stages in a fat-tree": lambda one: one.stages == 2 and one.base in range(8, 12),
    "two stages in a butterfly": lambda one: one.stages == 2 and one.base in (12, 13),
    "two stages in a graph": lambda one: one.stages == 2 and one.base == "graph",
    "two stages and links of several cycles": lambda one: one.stages == 2 and one.cycles > 1,
    "two stages and wide links": lambda one: one.stages == 2 and one.wide,
    "two stages and classes": lambda one: one.stages == 2 and one.classes > 1,
}


def every_feature_is_reset_in_traffic(_room, _build):
    """make test-four-state SHARE=1 and make test-reset have a network with each feature, and the features are all that there are."""
    fields = set(re.findall(r"function automatic \w+ (\w+)_of\(input logic \[PolicyW-1:0\]", Path("rtl/common/anl_pkg.sv").read_text()))
    expect(fields == FIELDS | DERIVED, "features for all fields of a policy", fields ^ (FIELDS | DERIVED))
    missing = [name for name, has in FEATURES.items() if not any(has(one) for one in networks())]
    expect(not missing, "a network with each feature", missing)


TESTS = [each_reset_is_missed, nothing_is_missed_with_all, every_register_with_a_reset_is_tried, every_feature_is_reset_in_traffic]

if __name__ == "__main__":
    sys.exit(main("four-state", TESTS, __doc__.splitlines()[2]))
