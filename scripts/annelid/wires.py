# SPDX-License-Identifier: Apache-2.0
"""Compare the wires of networks in the RTL, pin by pin, with the network of the golden model (docs/lockstep.md, "Wires").

Yosys elaborates the module of a network; its switches, and the slices of links of several cycles, are black boxes. Each bit of
each input of each switch must be the bit of the output at the other end of the link, by the program params: flits one way,
credits the other. What no link reaches must be 0, and every port of the network must be that of its terminal. Inputs of switches
that are constant, their labels and, in graphs, their routes, must be those that the model has. Networks are those of suites, or
of scenarios; each parameter set is looked at once.
"""

import json
import re

from annelid import regress
from annelid.children import Wrong, tool
from annelid.keys import GRAPHS, PARAMETER
from annelid.lockstep import graphs
from annelid.options import JOBS, JUNIT, parser
from annelid.results import attempt, run_campaign
from annelid.sources import RTL

BOXES = ("anl_cube_switch", "anl_fat_tree_switch", "anl_butterfly_switch", "anl_graph_switch", "anl_options_switch",
         "anl_source_switch", "anl_link_slices")
READ = """read_verilog -sv -DSYNTHESIS -Irtl/include {packages}
read_verilog -sv -lib -DSYNTHESIS -Irtl/include {boxes}
read_verilog -sv -DSYNTHESIS -Irtl/include {networks}
{chparam}
hierarchy -top {top}
proc
write_json {out}
"""
SWITCH = re.compile(r"g_switch\[(\d+)\]\.u_switch")
ZERO = "0"


def script(key, graph, out, rtl):
    """Returns what Yosys does for the network of a key."""
    family, _, rest = key.partition("_K")
    names = {path.stem: path for path in rtl}
    top = "anl_graph" if family in GRAPHS else f"anl_{family}"
    network = graph if family in GRAPHS else names[top]
    has = set(re.findall(r"^ *parameter +int +(\w+)", network.read_text(), re.MULTILINE))
    given = PARAMETER.findall("K" + re.sub("_[0-9a-f]{16}$", "", rest))
    sets = " ".join(f"-set {name} {value}" for name, value in given if name in has)
    return READ.format(packages=" ".join(str(path) for path in rtl if path.stem.endswith("_pkg")), networks=network, top=top,
                       boxes=" ".join(str(names[name]) for name in BOXES), out=out,
                       chparam=f"chparam {sets} {top}" if sets else "")


class Wires:
    """The bits of an elaborated network."""

    def __init__(self, module, wires, constants, lines):
        """wires: (instance, port, instance, port) of each link; constants: (switch, input, value); lines: of each link."""
        self.cells = {int(match[1]): cell["connections"] for name, cell in module["cells"].items() if (match := SWITCH.fullmatch(name))}
        self.slices = {tuple(cell["connections"]["valid_i"]): cell["connections"] for cell in module["cells"].values()
                       if "anl_link_slices" in cell["type"]}
        self.ports = {name: port["bits"] for name, port in module["ports"].items()}
        self.num, self.wires, self.constants = len(self.cells), wires, constants
        self.terminals = 1 + max(end for wire in wires for end in (wire[0], wire[2])) - self.num
        self.num_ports = len(next(iter(self.cells.values()))["valid_i"]) // lines

    def pins(self, instance, port, name):
        """Returns the bits of a port: name is valid, vc, flit or credit with _i or _o, as a switch has it."""
        if instance >= self.num:
            side = {"valid_o": "inj_valid_i", "vc_o": "inj_vc_i", "flit_o": "inj_flit_i", "credit_i": "inj_credit_o",
                    "valid_i": "ej_valid_o", "vc_i": "ej_vc_o", "flit_i": "ej_flit_o", "credit_o": "ej_credit_i"}[name]
            bits, of, at = self.ports[side], self.terminals, instance - self.num
        else:
            bits, of, at = self.bits(self.cells[instance], name), self.num_ports, port
        width = len(bits) // of
        return bits[at * width:][:width]

    @staticmethod
    def bits(cell, name):
        if name == "credit_i" and name not in cell:  # of a fat-tree
            return cell["down_credit_i"] + cell["up_credit_i"]
        return cell[name]

    def link(self, a, o, b, i):
        """Yields what is wrong with a link."""
        sent = {name: self.pins(a, o, f"{name}_o") for name in ("valid", "vc", "flit")}
        taken = {name: self.pins(b, i, f"{name}_i") for name in ("valid", "vc", "flit")}
        back, credit = self.pins(b, i, "credit_o"), self.pins(a, o, "credit_i")
        cell = self.slices.get(tuple(sent["valid"]))
        if cell:
            pairs = [(sent[name], cell[f"{name}_i"]) for name in sent] + [(cell[f"{name}_o"], taken[name]) for name in taken]
            pairs += [(back, cell["credit_i"]), (cell["credit_o"], credit)]
        else:
            pairs = [(sent[name], taken[name]) for name in sent] + [(back, credit)]
        if any(one != other for one, other in pairs):
            yield f"link from port {o} of {a} to port {i} of {b}"

    def constant(self, switch, name, value):
        """Yields what is wrong with an input of a switch that is constant."""
        bits = self.cells[switch][name]
        if bits != list(f"{value:0{len(bits)}b}"[::-1]):
            yield f"{name} of {switch} is not {value:x}"

    def wrong(self):
        """Yields what is wrong."""
        for each in self.constants:
            yield from self.constant(*each)
        for wire in self.wires:
            yield from self.link(*wire)
        reached = {(b, i) for _, _, b, i in self.wires}
        sent = {(a, o) for a, o, _, _ in self.wires}
        for s in self.cells:
            for p in range(self.num_ports):
                if (s, p) not in reached and set(self.pins(s, p, "valid_i")) != {ZERO}:
                    yield f"port {p} of {s}, which no link reaches, gets flits"
                if (s, p) not in sent and set(self.pins(s, p, "credit_i")) != {ZERO}:
                    yield f"port {p} of {s}, which no link leaves, gets credits"
        if sorted(self.cells) != list(range(self.num)):
            yield f"switches {sorted(self.cells)}"


def elaborated(children, build, room, run, rtl=RTL):
    """Returns the wires of a network. rtl: the files of the RTL."""
    status, said = children.output([build / "lockstep/params", *graphs(build), "--wires", *run.words])
    if status:
        raise Wrong(said.strip())
    first, *lines = said.splitlines()
    key, switches = first.split()[:2]
    room.mkdir(parents=True, exist_ok=True)
    out = room / "wires.json"
    (room / "wires.ys").write_text(script(key, build / "graph" / f"{key}.sv", out, rtl))
    status, said = children.logged([*tool("YOSYS"), "-q", str(room / "wires.ys")], room / "yosys.log")
    if status:
        raise Wrong(f"yosys: {said[-800:]}")
    modules = json.loads(out.read_text())["modules"]
    out.unlink()
    top = next(module for module in modules.values() if module["attributes"].get("top"))
    lanes = re.search(r"_NumVcs(\d+)", key)
    told = [line.split() for line in lines]
    links = [tuple(map(int, words)) for words in told if len(words) == 4]
    constants = [(int(words[0]), words[1], int(words[2], 16)) for words in told if len(words) == 3]
    wires = Wires(top, links, constants, int(lanes[1]) if "_Wide1" in key else 1)
    if wires.num != int(switches):
        raise Wrong(f"{wires.num} switches, not {switches}")
    return wires


def check(children, build, room, run, rtl=RTL):
    """Returns the result of a network in words. Wrong: a wire leads elsewhere, or a constant is another one."""
    wires = elaborated(children, build, room, run, rtl)
    if bad := list(wires.wrong()):
        raise Wrong(f"{len(bad)} wrong: {'; '.join(bad[:3])}")
    return f"{wires.num} switches, {len(wires.wires)} links"


def run_all(campaign):
    options, children = campaign.options, campaign.children
    options.regress, options.scenario, options.mode, options.dut, options.waves, options.all = options.suite, "", "exact", "", False, False
    options.whole, options.golden, options.seed, options.logs = True, False, "", options.build / "regress"
    runs = [regress.Run(regress.scenario_path(name), None) for name in options.scenarios] if options.scenarios else \
        regress.suite_runs(options) + regress.drawn_runs(options)
    regress.find_keys(options, children, runs)
    networks = {run.key: run for run in runs if run.key.partition("_K")[0] in (*GRAPHS, "cube", "fat_tree", "butterfly")}
    def one(item):
        key, run = item
        text, reason, seconds = attempt(check, children, options.build, options.build / "wires" / key, run)
        campaign.screen.say(f"{'FAIL' if reason else 'PASS'}  {run.name:<40} {seconds:5.1f} s  {reason or text}")
        campaign.suite.case("wires", key, reason, seconds=seconds)
    campaign.each(one, list(networks.items()), "networks")
    return campaign.end(f"{len(networks)} networks", bool(options.scenarios), networks=len(networks))


def parse():
    one = parser(__doc__, jobs=JOBS, junit=JUNIT)
    one.add_argument("--suite", default="default", help="the networks of a suite")
    one.add_argument("--scenarios", nargs="*", default=[], help="those of some scenarios alone")
    return one.parse_args()


def main(children):
    return run_campaign("wires", parse(), children, run_all)
