# SPDX-License-Identifier: Apache-2.0
"""Run boards that check themselves to the end, as RTL and as netlists (docs/board.md).

Each scenario sim/scenarios/board_*.yaml is built into anl_board with the signature that the golden model
predicts. The board must pass, and say so; it must turn red if one flit is upset, and only then; it must turn
red if another signature is expected; the smallest is also run in four states, from power-up. Prints a
line a board and "N passed, N failed"; report in BUILD/board/board.json. `make board` calls it.
"""

import json
import pathlib
import re
import time

from annelid import netlists
from annelid.children import Wrong, tool
from annelid.corners import CUBES
from annelid.options import JUNIT, check_names, parser
from annelid.results import run_campaign
from annelid.sources import RTL, chparam, digest, kept, needed, write

BIT_CYCLES, LINE_CYCLES = 2, 1000      # of the UART: as quick as can be simulated
UPSET_DELAY = 2                        # cycles from upset_i to the link
SMALLEST = "board_pair"
FAMILIES = ("ice40", "generic")        # the first is in a short run, too
TOP = "anl_board"
FILES = needed(TOP)
SOURCES = [*FILES, *sorted(pathlib.Path("rtl/include").iterdir())]


class Scenario:
    """A scenario with its parameters and the signature that the golden model predicts."""

    def __init__(self, bench, path):
        self.name, self.path, self.bench = path.stem, path, bench
        self.room = bench.room / self.name
        self.room.mkdir(parents=True, exist_ok=True)
        line = bench.ask("annelid", "signature", "--parameters", path)
        self.parameters = dict(word.split("=") for word in line.split())
        self.parameters |= {"BitCycles": BIT_CYCLES, "LineCycles": LINE_CYCLES}
        self.cycles = int(self.parameters["Cycles"])
        self.terminals = int(self.parameters["K"]) ** int(self.parameters["N"])
        said = json.loads(bench.ask("annelid", "signature", "--json", path))
        self.signature, self.flits = said["signature"], said["flits"]

    def expecting(self, signature):
        return {**self.parameters, "Expected": f"32'h{signature}"}

    def crossings(self):
        """Returns the cycles in which a flit that can be upset crosses the ejection link of terminal 0."""
        trace = self.room / "trace"
        self.bench.ask("annelid", "run", "--trace", trace, self.path)
        ways = 2 if CUBES[int(self.parameters["Topology"])] in ("mesh", "torus") else 1  # ports of a switch in a dimension
        ports = ways * int(self.parameters["N"]) + 1
        words = (line.split() for line in trace.read_text().splitlines() if line.startswith("flit "))
        cycles = [int(cycle) for _, cycle, link, *_ in words if int(link) == ports - 1]
        return {cycle for cycle in cycles if UPSET_DELAY <= cycle < self.cycles}


class Bench:
    """Runs annelid, Yosys, make and programs."""

    def __init__(self, options, children):
        self.options, self.children, self.room = options, children, options.build / "board"
        self.yosys_version = children.output([*tool("YOSYS"), "-V"])[1]

    def ask(self, program, *words):
        return self.children.must([self.options.build / program, *words], 0, 1)


def netlist(bench, scenario, family):
    """Writes the board in the cells of a family to a file. Returns how many cells it has."""
    room = scenario.room / family.name
    room.mkdir(exist_ok=True)
    text = (f"{netlists.read(FILES, chparam(scenario.parameters, TOP))}{family.synth.format(top=TOP)}\n"
            f"check -assert\ntee -q -o {room}/cells.json stat -json\n"
            f"write_verilog -noattr -noexpr {room}/netlist.v\n")
    def make():
        write(room / "netlist.ys", text)
        bench.children.must([*tool("YOSYS"), "-q", room / "netlist.ys"])
        return json.loads((room / "cells.json").read_text())["design"]["num_cells_by_type"]
    cells = kept(room / "netlist.json", [bench.yosys_version, text, *SOURCES], make, room / "netlist.v")
    return room / "netlist.v", family.count(cells)


class Subject:
    """A board in a directory of its own: RTL or a netlist, and the signature that it expects."""

    def __init__(self, bench, scenario, kind, expected=None):
        self.bench, self.scenario, self.kind = bench, scenario, kind
        self.expected = expected or scenario.signature
        self.name = kind + ("-wrong" if expected else "")
        self.room, self.cells, self.remark = scenario.room / self.name, None, ""
        self.room.mkdir(exist_ok=True)
        if kind == "rtl":
            self.sources = [f"-I{self.room}", "-F", "rtl/annelid.f"]
            given = ", ".join(f".{key}({value})" for key, value in scenario.expecting(self.expected).items())
            self.parameters = f"#({given})"
        else:
            family = netlists.FAMILIES[kind]
            path, self.cells = netlist(bench, scenario, family)
            self.remark = f"// {digest(path)}\n"  # so that another netlist makes another program
            own = [str(netlists.ROOM / family.own)] if family.own else []
            self.sources, self.parameters = [f"-I{self.room}", str(path), *own, *family.verilator().split()], ""
        write(self.room / "board.svh",
              f"`define BOARD_PARAMETERS {self.parameters}\n`define BOARD_BIT_CYCLES {BIT_CYCLES}\n"
              f"`define BOARD_MOST_CYCLES {scenario.cycles + 5 * LINE_CYCLES}\n")

    def run(self, upsets):
        """Returns the result for each cycle in which a flit is upset; None: no flit is upset."""
        write(self.room / "sources.f", self.remark + "\n".join(self.sources) + "\n")
        self.bench.children.make(self.bench.options.build, self.room / "board")
        words = ["none" if cycle is None else cycle for cycle in upsets]
        status, output = self.bench.children.output([
            self.room / "board", "--cycles", self.scenario.cycles, "--terminals", self.scenario.terminals,
            "--expected", self.expected, "--bit-cycles", BIT_CYCLES, "--line-cycles", LINE_CYCLES, *words])
        if status:
            raise Wrong(output.strip()[:1500])  # the first error message
        return {row["upset"]: row for row in map(json.loads, output.splitlines())}

    def four_state(self):
        """Runs it in four states. Returns the error message of Icarus, or None."""
        program = self.room / "four_state.vvp"
        include = [word for word in self.sources if word not in ("-F", "rtl/annelid.f")]
        files = ["-Irtl/include", *RTL] if self.kind == "rtl" else []
        output = self.bench.children.must([*tool("IVERILOG"), "-g2012", *include, *files, "-s", "board_four_state", "-o",
                                           program, "tb/campaigns/board/board_four_state.sv"])
        if re.search("error", output):
            raise Wrong(output[-1500:])
        output = self.bench.children.must([*tool("VVP"), "-n", program])
        wanted = f"annelid pass {self.expected}"
        good = output.splitlines()[:2] == [wanted] * 2 and re.search("pass 1 fail 0 errors 0", output)
        return None if good else f"says {output.strip()[-600:]}"


class Run:
    """All boards and their results."""

    def __init__(self, campaign):
        self.screen, self.suite, self.rows = campaign.screen, campaign.suite, []
        self.bench = Bench(campaign.options, campaign.children)
        campaign.children.make(campaign.options.build, "model")

    def case(self, group, name, reason):
        self.suite.case(group, name, reason)
        if reason:
            self.screen.say(f"FAIL  {group} {name}: {reason}")

    def subject(self, scenario, kind, upsets, crossings):
        """Runs a board unchanged, and upset in some cycles: it must fail if and only if a flit crosses then."""
        begin = time.monotonic()
        self.screen.progress(f"{scenario.name} {kind}: builds and runs")
        subject = Subject(self.bench, scenario, kind)
        seen = subject.run([None, *upsets])
        clean = seen.pop(None)
        good = clean["pass"] and clean["signature"] == scenario.signature
        self.case(scenario.name, f"{kind} passes", None if good else f"{clean}, expected {scenario.signature}")
        red = {cycle for cycle in upsets if cycle + UPSET_DELAY in crossings}
        wrong = [cycle for cycle, row in seen.items() if row["pass"] != (cycle not in red)]
        self.case(scenario.name, f"{kind} turns red if a flit is upset",
                  f"not as it should in cycles {wrong[:9]}" if wrong else None if red else "no flit was upset")
        self.rows.append(dict(scenario=scenario.name, kind=kind, signature=clean["signature"],
                              cycles=scenario.cycles, flits=scenario.flits, upsets=len(upsets), red=len(red),
                              cells=subject.cells, seconds=round(time.monotonic() - begin, 1)))
        cells = f", {subject.cells['luts']:,} LUTs, {subject.cells['flops']:,} flip-flops" if subject.cells else ""
        self.screen.say(f"{'PASS' if good and not wrong and red else 'FAIL'}  {scenario.name:18} {kind:8} "
                        f"{clean['signature']}  {scenario.flits} flits in {scenario.cycles} cycles, red in "
                        f"{len(red)} of {len(upsets)} upsets{cells}")
        return {cycle: row["signature"] for cycle, row in seen.items()}

    def scenario(self, scenario, kinds):
        """Tests a scenario. If the same flit is upset the signature must be the same for RTL and netlists."""
        crossings = sorted(scenario.crossings())
        every = range(scenario.cycles) if scenario.name == SMALLEST and not self.bench.options.short else \
            sorted({crossings[0] - UPSET_DELAY, *range(9, scenario.cycles, scenario.cycles // 20)})
        few = [crossings[i] - UPSET_DELAY for i in (0, len(crossings) // 2, -1)] + [scenario.cycles]
        rtl = None
        for kind in kinds:
            signatures = self.subject(scenario, kind, sorted({*every, *few}) if kind == "rtl" else few, set(crossings))
            rtl = rtl or signatures
            differ = [cycle for cycle in signatures if cycle in rtl and signatures[cycle] != rtl[cycle]]
            if kind != "rtl":
                self.case(scenario.name, f"{kind} upset as the RTL", f"in cycles {differ}" if differ else None)

    def wrong_expectation(self, scenario):
        other = f"{int(scenario.signature, 16) ^ 1 << 17:08x}"
        row = Subject(self.bench, scenario, "rtl", other).run([None])[None]
        bad = row["pass"] or row["signature"] != scenario.signature
        self.case(scenario.name, "red if another signature is expected", str(row) if bad else None)
        self.screen.say(f"{'FAIL' if bad else 'PASS'}  {scenario.name:18} red if {other} is expected")

    def four_state(self, scenario, kinds):
        for kind in kinds:
            self.screen.progress(f"{scenario.name} {kind}: four states")
            reason = Subject(self.bench, scenario, kind).four_state()
            self.case(scenario.name, f"{kind} in four states", reason)
            self.screen.say(f"{'FAIL' if reason else 'PASS'}  {scenario.name:18} {kind:8} in four states, from power-up")


def choose(options):
    paths = sorted(pathlib.Path("sim/scenarios").glob("board_*.yaml"))
    wanted = options.only or ([SMALLEST] if options.short else [path.stem for path in paths])
    check_names(wanted, [path.stem for path in paths], "scenario")
    return [path for path in paths if path.stem in wanted]


def run_all(campaign):
    run, options = Run(campaign), campaign.options
    for path in choose(options):
        scenario = Scenario(run.bench, path)
        smallest = scenario.name == SMALLEST
        run.scenario(scenario, ["rtl", *FAMILIES[:1 if options.short else None]])
        if smallest:
            run.wrong_expectation(scenario)
            run.four_state(scenario, ["rtl", "ice40"])
    return campaign.end(f"{len(run.rows)} boards, {sum(row['red'] for row in run.rows)} upset flits turned them red",
                        rows=run.rows)


def main(children):
    options = parser(__doc__, short="a sample: the smallest, as RTL and as one netlist", junit=JUNIT,
                     only="names of scenarios").parse_args()
    return run_campaign("board", options, children, run_all)
