# SPDX-License-Identifier: Apache-2.0
"""Write the measured sets, as the command annelid contains them (docs/cost.md).

usage: scripts/run cost-figures FILE.inc

Each set of tb/campaigns/fpga/fpga.toml that is a switch, a network, a design or a terminal by a formula becomes a line of C,
with its figures of tb/campaigns/fpga/history.csv that are in force. The makefile of the model calls it.
"""

import json
import pathlib
import sys

from annelid.children import Wrong
from annelid.fpga_history import last, read_history
from annelid.sources import read_toml, write

ROOM = pathlib.Path("tb/campaigns/fpga")
# The columns of the history, in the order of enum cost_figure (cmodel/cli/cost/cost.h).
FIGURES = ("ice40_lut", "ice40_ff", "ice40_bram", "ecp5_narrow_lut", "ecp5_ff", "ecp5_sites", "ice40_mhz", "ecp5_mhz")
KINDS = {"anl_cube_switch": "COST_SWITCH", "anl_inner_switch": "COST_SWITCH", "anl_fat_tree_switch": "COST_SWITCH",
         "anl_cube": "COST_NETWORK", "anl_axis_terminal": "COST_TERMINAL", "anl_user_port": "COST_USER", "anl_axi_manager": "COST_MEMORY"}
# Keys of scenarios for what a set names as a parameter, or by a key without its section.
KEYS = {"K": "network.k", "N": "network.n", "topology": "network.topology", "NumVcs": "switch.num_vcs", "Depth": "switch.depth",
        "FlitW": "switch.flit_width_bits", "arbiter": "switch.arbiter", "routing": "switch.routing", "stages": "switch.stages",
        "flow_control": "switch.flow_control", "atomic": "switch.atomic"}
INNER = {"network.topology": "mesh", "network.n": 2}
AROUND = {"network.topology": "mesh", "network.k": 4, "network.n": 2}  # of a terminal with labels of 4 bits
OPTIONS = {"switch.routing": "adaptive", "switch.atomic": "adaptive"}  # of an inner switch with Table = 2
PLAIN = {"Table", "Level", "DstW"}  # what the counts of the estimate do not depend on
# Fields of struct cost_ports: how many there are of each kind, and parameters of the ports.
COUNTS = ("users", "lite", "memories")
PORT = {"data": "DataW", "address": "AddrW", "id": "IdW", "bursts": "Bursts", "beats": "MaxBeats", "room": "Room", "reorder": "Reorder"}
OF_PORTS = {"anl_user_port": {*PORT.values(), "Lite", "Rows"}, "anl_axi_manager": {"Bursts", "IdW", "AddrW", "DataW"}}


def settings_of(table):
    """Returns the settings of a scenario for a set; None: it is no set of the estimate."""
    if "scenario" in table:
        return table["settings"] if "network.topology" in table.get("settings", {}) else None
    if table["module"] not in KINDS:
        return None
    given = table["parameters"]
    fixed = {"anl_inner_switch": INNER | (OPTIONS if given.get("Table") == 2 else {}), "anl_axis_terminal": AROUND, "anl_user_port": AROUND,
             "anl_axi_manager": AROUND}
    if strange := given.keys() - KEYS.keys() - PLAIN - OF_PORTS.get(table["module"], set()):
        raise Wrong(f"{ROOM}/fpga.toml: the estimate has no key for {', '.join(sorted(strange))}")
    return fixed.get(table["module"], {}) | {KEYS[name]: value for name, value in given.items() if name in KEYS}


def ports_of(table):
    """Returns the numbers of struct cost_ports for a set: those of its ports of AXI4."""
    given, module = table.get("parameters", {}), table.get("module")
    if module not in OF_PORTS:
        axi = table.get("axi", {})
        return [axi.get(name, 0) for name in (*COUNTS, *PORT)]
    of_users = module == "anl_user_port"
    counts = [int(of_users and not given["Lite"]), int(of_users and given["Lite"]), int(not of_users)]
    return counts + [given.get(name, 0) for name in PORT.values()]


def scenario_of(settings):
    """Returns the text of a scenario."""
    sections = {}
    for key, value in settings.items():
        section, _, name = key.partition(".")
        if (name, value) != ("k", 4) or settings["network.topology"] != "fat_tree":
            sections.setdefault(section, []).append(f"{name}: {value}")
    sections["traffic"] = ["length: 1"]
    return "".join(f"{section}: {{{', '.join(keys)}}}\n" for section, keys in sections.items())


def figures():
    """Returns {set: {figure: value}}."""
    rows = read_history()
    lines_in_force = {name: last(rows, name) for name in dict.fromkeys(row["set"] for row in rows)}
    return {name: {figure: row[figure] for figure in FIGURES if row[figure]} for name, row in lines_in_force.items()}


def lines():
    """Yields a line of C for each set of the estimate that was measured."""
    measured = figures()
    for name, table in read_toml(ROOM / "fpga.toml").items():
        settings = settings_of(table)
        if settings is None or name not in measured:
            continue
        kind = KINDS.get(table.get("module"), "COST_DESIGN")
        numbers = ", ".join(measured[name].get(figure, "0") for figure in FIGURES)
        texts = ", ".join(json.dumps(text, ensure_ascii=False) for text in (name, table["text"]))
        yield f"{{{texts}, {kind}, {json.dumps(scenario_of(settings))}, {{{', '.join(map(str, ports_of(table)))}}}, {{{numbers}}}}},\n"


def main(_children):
    if len(sys.argv) != 2:
        raise Wrong("expected one file: scripts/run cost-figures FILE.inc")
    write(pathlib.Path(sys.argv[1]), "".join(lines()))
    return 0
