# SPDX-License-Identifier: Apache-2.0
"""Prove netlists equal to the RTL, and replay them against the golden model (docs/gates.md).

Each set of tb/campaigns/gates/gates.toml is synthesized for every family of cells. The netlist, as it stands in its
file, must be proved equal to the RTL, must do in the lock-step what the golden model does, and one
changed bit in it must be noticed by both. Prints a line a netlist and "N passed, N failed"; report in
BUILD/gates/gates.json. `make gates` calls it.
"""

import dataclasses
import json
import os
import pathlib
import re

from annelid import aig, miter, netlists
from annelid.children import TIMED, Wrong, abc, tool, untimed
from annelid.corners import NAMES
from annelid.lockstep import difference, key_of, result_of
from annelid.options import JOBS, JUNIT, choose, parser
from annelid.results import Results, attempt, markdown, number, run_campaign
from annelid.sources import WRITTEN, kept, write

TRIES = 20      # so many faults are tried, as some are harmless, or noticed by the proof alone
LEAST = 1_000_000  # a whole run must compare so many flit events
INCLUDED = sorted(pathlib.Path("rtl/include").iterdir())
ASKED = [*TIMED, *map(pathlib.Path, (aig.__file__, miter.__file__))]  # files on which a proof's question and its answer depend
ONES = ("Arbiter", "LinkCycles", "Stages", "Classes")  # parameters whose default is 1; that of the others is 0


class Bench:
    """Runs Yosys, its abc, make and programs."""

    def __init__(self, options, children):
        self.options, self.children = options, children
        self.room = options.build / "gates"
        self.yosys_version = children.output([*tool("YOSYS"), "-V"])[1]

    def yosys(self, name, text, directory):
        """Runs Yosys. Returns the seconds of processor time that it took."""
        write(directory / f"{name}.ys", text)
        return untimed(self.children.must([*TIMED, *tool("YOSYS"), "-q", directory / f"{name}.ys"]))[1]

    def once(self, path, parts, action, *products):
        """Returns the result of action(), or that of an earlier run with the same parts if its products are still there."""
        return kept(path, [self.yosys_version, *parts], action, *products)

    def gold(self, one):
        """Returns the RTL of a set as a graph."""
        directory, text = self.room / one.name, netlists.gold_script(one, self.room / one.name)
        self.once(directory / "gold.json", [text, *one.files, *INCLUDED],
                  lambda: self.yosys("gold", text, directory), directory / "gold.il")
        return directory / "gold.il"

    def key(self, one):
        """Returns the lock-step's key of the parameters that a set's scenario needs. Wrong: they are not those of the
        set, so the netlist would not be run."""
        key, has = key_of(self.children, self.options.build, one.path), one.parameters
        needed = {name: int(value) for name, value in re.findall(r"_([A-Z][A-Za-z]*)(\d+)", key)}  # tb/lockstep/drive/key.h
        family = one.module.removeprefix("anl_").removesuffix("_switch")
        declared = NAMES.values() if one.module == WRITTEN else one.declared
        names = {*needed} & {*declared} | {*has} - {"Level"}  # a key has no level
        if not key.startswith(f"{family}_K") or any(needed.get(name, name in ONES) != has.get(name, name in ONES) for name in names):
            raise Wrong(f"{one.path} needs {key}, the set {one.name} is {family}{''.join(f'_{name}{has[name]}' for name in has)}")
        return key

    def place(self, one):
        """Returns a set with the file of its module, if it is the network of a graph."""
        if one.module != WRITTEN:
            return one
        key = key_of(self.children, self.options.build, one.path)
        one = dataclasses.replace(one, written=self.options.build / f"graph/{key}.sv")
        netlists.check_parameters(one)
        self.key(one)
        return one


@dataclasses.dataclass
class Variant:
    """A netlist in its own directory, as it was made or with a fault."""
    bench: Bench
    one: netlists.Set
    family: netlists.Family
    directory: pathlib.Path

    @property
    def netlist(self):
        return self.directory / "netlist.v"

    def synthesize(self):
        """Makes the netlist. Returns {type of cell: how many}."""
        text = netlists.netlist_script(self.one, self.family, self.directory)

        def made():
            self.bench.yosys("netlist", text, self.directory)
            cells = json.loads((self.directory / "cells.json").read_text())
            return cells["design"]["num_cells_by_type"]
        return self.bench.once(self.directory / "netlist.json", [text, *self.one.files, *INCLUDED], made,
                               self.netlist)

    def prove(self, gold):
        """Returns the cycle in which the netlist differs from the RTL, None if never, and seconds of processor time."""
        text = netlists.graph_script(self.one, self.family, self.directory)

        def decided():
            seconds = self.bench.yosys("graph", text, self.directory)
            gates = self.directory / "gates.il"
            write(self.directory / "miter.v", miter.miter(gold, gates))
            script = miter.SCRIPT.format(gold=gold, gates=gates, room=self.directory)
            seconds += self.bench.yosys("miter", script, self.directory)

            def ask(engine):
                nonlocal seconds
                _, said = self.bench.children.output(
                    [*TIMED, *abc(), "-c", f"read_aiger {self.directory}/question.aig; {miter.QUESTION}; {engine}"])
                output, more = untimed(said)
                seconds += more
                return output
            return dict(cycle=miter.verdict(aig.asked(ask)), seconds=round(seconds, 1))
        return self.bench.once(self.directory / "proof.json", [text, gold, self.netlist, *ASKED], decided)

    @property
    def dut(self):
        return os.path.normpath(self.directory / f"{self.one.module}.sv")

    def program(self):
        """Builds the lock-step with this netlist in it. Returns its path."""
        write(pathlib.Path(self.dut), netlists.stand_in(self.one, self.family, self.netlist.read_text()))
        program = (self.bench.options.build / "rtl" / self.dut.replace("/", "+")
                   / f"{self.bench.key(self.one)}-{self.one.mode}/lockstep")
        self.bench.children.make(self.bench.options.build, f"DUT={self.dut}", f"VEXTRA={self.family.verilator()}", "VOPT=-O0", program)
        return program

    def again(self):
        """Returns the command that replays the netlist with the whole report."""
        return (f"VEXTRA='{self.family.verilator()}' make regress BUILD={self.bench.options.build} "
                f"SCENARIO={self.one.path} MODE={self.one.mode} DUT={self.dut}")

    def replay(self):
        """Runs the lock-step. Returns its result; unless "pass" is true there was a difference."""
        program = self.program()

        def said():
            return result_of(*self.bench.children.output([program, "--json", self.one.path]))
        return self.bench.once(self.directory / "replay.json", [program, self.one.path], said)


class Gate:
    """One set in one family of cells, and its results."""

    def __init__(self, bench, one, family):
        self.bench, self.one, self.family = bench, one, family
        self.whole = Variant(bench, one, family, bench.room / one.name / family.name)
        self.row = dict(set=one.name, family=family.name)
        self.steps = []  # (what, why it failed or None, seconds)

    def step(self, what, action, *arguments):
        _, reason, seconds = attempt(action, *arguments)
        self.steps.append((what, reason, seconds))
        return reason is None

    def run(self, gold):
        self.whole.directory.mkdir(parents=True, exist_ok=True)
        if not self.step("netlist", self.synthesize):
            return
        proved = self.step("proof", self.prove, gold)
        done = proved and (not self.one.scenario or self.step("replay", self.replay))
        if self.one.faults and done:
            self.step("fault", self.find_fault, gold)

    def synthesize(self):
        self.row["types"] = self.whole.synthesize()
        self.row["cells"] = self.family.count(self.row["types"])

    def prove(self, gold):
        self.row["proof"] = result = self.whole.prove(gold)
        if result["cycle"] is not None:
            raise Wrong(f"differs from the RTL in cycle {result['cycle']}")

    def replay(self):
        result = self.whole.replay()
        if not result.get("pass"):
            raise Wrong(f"{difference(result)}\n        again: {self.whole.again()}")
        if not result["flits"]:
            raise Wrong("no flit crossed a link: nothing was compared")
        self.row["replay"] = {name: result[name] for name in ("cycles", "flits", "rtl_digest")}

    @property
    def replays_faults(self):
        """Most faults of a sample would be built for a replay that does not notice them."""
        return self.one.scenario and not self.bench.options.short

    def find_fault(self, gold):
        replayed = [self.whole.program(), self.one.path] if self.replays_faults else []
        parts = [self.whole.netlist, gold, *replayed, *ASKED]
        self.row["fault"] = self.bench.once(self.whole.directory / "fault.json", parts,
                                            lambda: self.search(gold))

    def search(self, gold):
        """Finds the first fault that proof and replay notice; without a replay, that the proof notices. Says
        how many were harmless, or noticed by the proof alone."""
        broken = Variant(self.bench, self.one, self.family, self.whole.directory / "fault")
        harmless = unseen = 0
        name, text = f"{self.one.name} {self.family.name}", self.whole.netlist.read_text()
        for _, fault in zip(range(TRIES), netlists.faults(self.family, text, name)):
            write(broken.netlist, fault.text)
            cycle, seen = broken.prove(gold)["cycle"], None
            if self.replays_faults:
                result = broken.replay()
                seen = None if result.get("pass") else difference(result)
            if cycle is None and seen:
                raise Wrong(f"{fault.place}: proved to be harmless, and seen in {seen}")
            if seen or (cycle is not None and not self.replays_faults):
                return dict(place=fault.place, harmless=harmless, unseen=unseen, proof=cycle, replay=seen)
            harmless += cycle is None
            unseen += cycle is not None
        raise Wrong(f"of {TRIES} changed bits {harmless} harmless, {unseen} seen by the proof alone, "
                    "none by both")

    @property
    def failed(self):
        return [f"{what}: {reason}" for what, reason, _ in self.steps if reason]

    def line(self):
        cells, replay = self.row.get("cells", {}), self.row.get("replay", {})
        numbers = " ".join(f"{cells.get(kind, '-'):>6}" for kind in ("luts", "flops", "memory", "other"))
        proof = self.row.get("proof", {}).get("seconds", "-")
        text = (f"{'FAIL' if self.failed else 'PASS'}  {self.one.name:<11} {self.family.name:<8} {numbers} "
                f"{proof:>9} {replay.get('flits', '-'):>9}")
        fault = self.row.get("fault")
        if fault:
            text += f"  {fault['place']}: proof in cycle {fault['proof']}"
            text += f", replay in {fault['replay']}" if fault["replay"] else ""
        return "\n".join([text.rstrip(), *(f"      {reason}" for reason in self.failed)])


HEADING = (f"      {'set':<11} {'family':<8} {'LUTs':>6} {'flops':>6} {'memory':>6} {'other':>6} "
           f"{'proof s':>9} {'flits':>9}  fault")


def run_all(campaign):
    options, children = campaign.options, campaign.children
    bench = Bench(options, children)
    children.make(options.build, f"-j{options.jobs}", f"{options.build}/lockstep/all")
    chosen = [bench.place(one) for one in choose(options, netlists.load())]
    print(HEADING)
    golds = dict(zip((one.name for one in chosen), campaign.each(bench.gold, chosen, "graphs of the RTL")))

    def one(gate):
        gate.run(golds[gate.one.name])
        campaign.screen.say(gate.line())
        return gate
    return report(campaign, campaign.each(one, [Gate(bench, one, family) for one in chosen for family in netlists.FAMILIES.values()
                                                if not (options.short and one.scenario) or family.name == "ice40"], "netlists"))


def report(campaign, gates):
    suite, rows = campaign.suite, [gate.row for gate in gates]
    for gate in gates:
        for what, reason, took in gate.steps:
            suite.case(gate.one.name, f"{gate.family.name} {what}", reason, seconds=took)
    flits = sum(row.get("replay", {}).get("flits", 0) for row in rows)
    if not campaign.part:
        suite.case("sum", "flit events", f"{flits:,} flit events, {LEAST:,} wanted" if flits < LEAST else None)
    proved = sum(not any(what == "proof" and reason for what, reason, _ in gate.steps)
                 and "proof" in gate.row for gate in gates)
    faults = sum("fault" in row for row in rows)
    return campaign.end(f"{proved} of {len(rows)} netlists proved equal, {flits:,} flit events replayed without a "
                        f"difference, {faults} faults caught", netlists=len(rows), proved=proved, flits=flits,
                        faults=faults, sets={gate.one.name: gate.one.what for gate in gates}, rows=rows)


def tables(data):
    """Returns sets, netlists and faults."""
    made, faults = [], []
    for row in data["rows"]:
        cells, fault = row["cells"], row.get("fault")
        made.append([row["set"], row["family"], number(cells["luts"]), number(cells["flops"]), cells["memory"],
                     number(cells["other"]), row["proof"]["seconds"], number(row["replay"]["flits"]) if "replay" in row else "–"])
        if fault:
            faults.append([row["set"], row["family"], fault["place"], f"cycle {fault['proof']}", fault["replay"] or "–",
                           fault["harmless"], fault["unseen"]])
    return "\n".join([
        "".join(f"- **{name}**: {what}\n" for name, what in data["sets"].items()),
        markdown(["set", "cells", "LUTs", "flip-flops", "memory cells", "other", "proof, CPU s", "flit events"], made),
        f"{data['proved']} netlists proved equal; {data['flits']:,} flit events replayed, no difference.\n",
        markdown(["set", "cells", "one bit changed", "proof", "replay", "harmless before it", "seen by the proof alone"],
                 faults)])


RESULTS = Results("gates", "Netlists", "gates.md", "gates --docs", tables, ("YOSYS", "VERILATOR"))


def main(children):
    options = parser(
        __doc__, jobs=JOBS, junit=JUNIT, only="names of sets", docs=f"write {RESULTS.path} from the last report",
        short="a sample: the sets marked short; those that are replayed in one family, and their faults proved alone").parse_args()
    return run_campaign("gates", options, children, run_all, results=RESULTS)
