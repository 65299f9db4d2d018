# SPDX-License-Identifier: Apache-2.0
"""Measure the tests of the RTL by mutants of it (docs/mutants.md).

Each mutant of tb/campaigns/mutants/mutants.toml must be killed: by the lock-step with the golden model, or by the
bench of its module. What survives is put to a proof: harmless, or a gap in the tests. Prints a table
and "N passed, N failed"; report in BUILD/mutate/mutate.json. `make mutate` calls it.
"""

import collections
import dataclasses
import json
import os
import pathlib
import re
import time

from annelid import aig, dut, lockstep, mutants, rare
from annelid.children import Wrong, abc, tool
from annelid.options import JOBS, JUNIT, choose, parser
from annelid.results import Results, chapters, markdown, run_campaign, write_json
from annelid.sources import RTL, digest, kept, write

PROOF = 200_000  # most conflicts for a question in the search for an invariant; no proof has needed 20,000,
SHORT = 20_000   # which are all that a short run allows
SEEDS = range(11, 31)  # more seeds of the bench, for mutants that survive its own ones
SAMPLE = 12      # so many killed mutants of a set test the first proof, which must not call them harmless
DOUBTED = 2      # so many test the second proof
TRIAL = 1_000    # most conflicts for each question of such a test
VERDICTS = ("lock-step", "bench", "harmless", "gap")


class Workshop:
    """Makes the netlists and programs of one set, and runs them."""

    def __init__(self, options, children, one):
        self.options, self.children, self.one = options, children, one
        self.room = options.build / "mutate" / one.name
        self.room.mkdir(parents=True, exist_ok=True)
        self.programs = []  # (kind, command) of the programs that try to kill, in this order

    def yosys(self, name, script, results, *sources):
        """Runs a script, unless its results are there and text and sources are the same."""
        def make():
            write(self.room / f"{name}.ys", script)
            self.children.must([*tool("YOSYS"), "-q", self.room / f"{name}.ys"])
        kept(self.room / f"{name}.json", [script, *sources], make, *(self.room / result for result in results))

    def make(self, *words):
        """Runs make. Runs of rare mutants are long, so that their programs are worth optimizing."""
        self.children.make(self.options.build, "VOPT=-O1" if self.one.triggers else "VOPT=-O0", *words)

    def netlist(self):
        """Makes one file with all mutants. Returns their list."""
        include = mutants.ROOM / "include/anl_assert.svh"
        self.yosys("design", mutants.design_script(self.one, self.room), ["design.il", "list.txt"],
                   include, *RTL)
        listed = mutants.read_suite(self.room)
        self.yosys("mutants", mutants.mutants_script(self.one, self.room, listed),
                   ["mutants.il", "netlist.v"], self.room / "design.il")
        write(self.room / "mutants.sv", mutants.stand_in(self.one, self.room))
        write(self.room / "world.sv", mutants.world(self.one, self.room))
        return listed

    def build(self):
        """Builds the programs that try to kill mutants."""
        source = os.path.normpath(self.room / "mutants.sv")
        of_lockstep, of_bench = self.seeds()
        for name, text in self.one.scenarios.items():
            scenario = self.room / f"{name}.yaml"
            write(scenario, text)
            mutated = dut.read(source)
            network = lockstep.network_of(self.children, self.options.build, scenario, whole=not mutated.is_inside_switches)
            rtl = self.options.build / "rtl" / mutated.name
            self.make(f"DUT={source}", *network.targets(rtl))
            command = [rtl / network.program, "--json", *network.words, "--dut", source]  # foreign: also what is idle is evaluated
            for seed in [[], *(["--seed", str(number)] for number in of_lockstep)]:
                self.programs.append(("lock-step", name, [*command, *seed, scenario], {}))
        if self.one.bench:
            write(self.room / "bench.sv", mutants.bench(self.one))
            self.make(f"MODULE={self.one.module}", self.room / "bench")
            for seed in [{}, *({"ANL_SEED": str(number)} for number in of_bench)]:
                self.programs.append(("bench", self.one.module, [self.room / "bench"], seed))

    def seeds(self):
        """Returns the seeds of the lock-step, and those of the bench, besides their own."""
        return ((2,), SEEDS[:2]) if self.options.short else (rare.SEEDS if self.one.triggers else (2, 3), SEEDS)

    def run(self, program, number, trigger=0):
        """Returns (what a program says about a mutant, None if it has noticed nothing; its counts of triggers)."""
        kind, name, command, seed = program
        selected = {mutants.ENVIRONMENT: str(number), rare.ENVIRONMENT: str(trigger)}
        status, output = self.children.output(command, {**selected, **seed})
        output, counts = rare.counted(output)
        seen = noticed(kind, status, output)
        return seen and f"{name}: {seen}", counts

    def try_one(self, number, trigger=0):
        """Returns (kind, message) of the first program that notices the mutant; None if none does."""
        for program in self.programs:
            seen, _ = self.run(program, number, trigger)
            if seen:
                return program[0], seen
        return None

    def graph(self):
        self.yosys("graph", mutants.graph_script(self.one, self.room), ["graph.aag"],
                   self.room / "mutants.il", self.room / "world.sv", mutants.ROOM / "anl_contract.sv")
        return aig.Pair(aig.Graph(self.room / "graph.aag"))

    def never(self, pair, literal, number):
        """Returns whether a literal is 0 in all states and for all inputs."""
        if literal <= 1:
            return literal == 0
        output = self.ask(pair.question(literal), "iprove")
        if not re.search(r"^(UN)?SATISFIABLE", output, re.MULTILINE):
            raise Wrong(f"set {self.one.name}, mutant {number}: abc says {output[-1500:]}")
        return "UNSATISFIABLE" in output

    def step(self, pair, number):
        """Returns whether a proof shows that from any state the mutant does the same as the module in every cycle."""
        return self.never(pair, pair.difference(number), number)

    @property
    def patience(self):
        return SHORT if self.options.short else PROOF

    def invariant(self, pair, number, conflicts=None):
        """Returns whether a proof shows this for every state that can follow a reset, which may come in any state. False:
        it is not true, or was not proved within so many conflicts."""
        difference = pair.difference(number)
        if not self.never(pair, pair.in_reset(difference), number):
            return False
        graph = pair.run(difference)
        return aig.proved(aig.asked(
            lambda engine: self.ask(graph, f"fold; strash; dc2; {engine} -C {conflicts or self.patience}")))

    def doubt(self, pair, number):
        """Does the same with fewer conflicts, which are enough to find out that the proof method is wrong."""
        return self.invariant(pair, number, TRIAL)

    def ask(self, graph, commands):
        place = self.room / "question.aig"
        place.write_bytes(graph)
        return self.children.output([*abc(), "-c", f"read_aiger {place}; {commands}"])[1]

    def harmless(self, pair, number):
        """Returns why a mutant is harmless; None if there is no proof that it is."""
        proofs = {"from every state": self.step, "from every state after a reset": self.invariant}
        for words, proof in list(proofs.items())[:1 if self.one.clocks > 1 else 2]:
            good = proof(pair, number)
            pair.forget()
            if good:
                return f"same outputs and next state {words}"
        return None


def noticed(kind, status, output):
    """Returns a program's message about a mutant; None if it has noticed nothing."""
    if status == 0:
        return None
    if "converge" in output:
        return "does not settle"
    if kind == "bench":
        cycle = re.search(r"cycle (\d+)", output)
        fields = re.findall(r"(\w+)=\S+ \(EXPECTED", output)
        if status < 0 or not cycle:
            raise Wrong(f"bench ends with {status}: {output[-1500:]}")
        return f"cycle {cycle[1]}: {', '.join(fields[:3]) or 'assertion'}"
    return lockstep.difference(lockstep.result_of(status, output))


class Trial:
    """One set: all its mutants and their results."""

    def __init__(self, campaign, one):
        self.shop, self.one, self.screen = Workshop(campaign.options, campaign.children, one), one, campaign.screen
        self.options, self.rows, self.fired, self.begin = campaign.options, [], {}, time.monotonic()

    def prepare(self):
        self.screen.progress(f"{self.one.name}: netlist")
        self.mutants = self.shop.netlist()
        self.screen.progress(f"{self.one.name}: programs")
        self.shop.build()

    def calibrate(self, pool):
        """Runs all programs without a mutant; they must pass. Sees how often each trigger fires."""
        runs = list(pool.map(lambda program: self.shop.run(program, 0), self.shop.programs))
        for seen, _ in runs:
            if seen:
                raise Wrong(f"set {self.one.name}: without any mutant {seen}")
        if self.one.triggers:
            self.fired = rare.check_counts(self.one, [sum(column) for column in zip(*(counts for _, counts in runs))])

    def known(self):
        """Returns the rows of an earlier trial with the same programs, if there is one."""
        parts = [self.shop.room / name for name in ("design.il", "list.txt", "mutants.sv", "world.sv")]
        parts += [word for _, _, command, _ in self.shop.programs for word in command]
        parts += [dataclasses.replace(self.one, text="", least=0.0), self.shop.patience, mutants.ROOM / "anl_contract.sv"]
        self.stamp = digest(*parts, *map(pathlib.Path, (__file__, aig.__file__, lockstep.__file__, mutants.__file__, rare.__file__)))
        path = self.shop.room / "result.json"
        data = json.loads(path.read_text()) if path.exists() else {}
        self.fired = data.get("fired", {})
        return data.get("rows") if data.get("stamp") == self.stamp else None

    def kill(self, mutant):
        seen = self.shop.try_one(mutant.number)
        verdict, text = seen or (None, "")
        self.rows.append(dict(number=mutant.number, place=mutant.place, files=mutant.files, trigger=rare.ALWAYS,
                              verdict=verdict, text=text))
        self.screen.progress(f"{self.one.name}: {len(self.rows)} of {len(self.mutants)} mutants")

    def kill_rare(self, mutant):
        """Returns the row of a rare mutant. If its trigger does not fire without the mutant, it does not fire with it."""
        name = rare.names(self.one)[mutant.trigger]
        seen = self.shop.try_one(mutant.number, mutant.trigger) if self.fired[name] else None
        verdict, text = seen or (("gap", f"fired in {self.fired[name]} cycles") if self.fired[name] else ("not met", ""))
        self.screen.progress(f"{self.one.name}: mutant {mutant.number} after {name}: {verdict}")
        return dict(number=mutant.number, place=mutant.place, files=mutant.files, trigger=name, verdict=verdict, text=text)

    def quick(self):
        """Returns the mutants of which rare ones are made. Wrong: there is none, or one of them is noticed although its
        trigger never fires."""
        numbers = {row["number"] for row in self.rows if rare.is_quick(row)}
        chosen = [mutant for mutant in self.mutants if mutant.number in numbers]
        if not chosen:
            raise Wrong(f"set {self.one.name}: no mutant is noticed within {rare.QUICK} cycles")
        seen, _ = self.shop.run(self.shop.programs[0], chosen[0].number, len(rare.names(self.one)) - 1)
        if seen:
            raise Wrong(f"set {self.one.name}, mutant {chosen[0].number}: its trigger never fires, but {seen}")
        return chosen

    def prove(self):
        """Tries to prove that survivors are harmless. Some killed mutants, and the unchanged module, test the proofs."""
        left = [row for row in self.rows if not row["verdict"]]
        killed = [row for row in self.rows if row["verdict"]]
        self.screen.progress(f"{self.one.name}: proofs of {len(left)} survivors")
        pair = self.shop.graph()
        if not self.shop.step(pair, 0):
            raise Wrong(f"set {self.one.name}: the proof finds the module different from itself")
        for proof, trials in (self.shop.step, SAMPLE), (self.shop.doubt, DOUBTED):
            for row in killed[::max(1, len(killed) // trials)]:
                if proof(pair, row["number"]):
                    raise Wrong(f"set {self.one.name}, mutant {row['number']}: killed, and proved harmless")
                pair.forget()
        for row in left:
            why = self.shop.harmless(pair, row["number"])
            row["verdict"] = "harmless" if why else "gap"
            row["text"] = why or "no proof"

    def run(self, pool):
        self.prepare()
        self.rows = self.known() or []
        if not self.rows:
            self.measure(pool)
            write_json(self.shop.room / "result.json", dict(stamp=self.stamp, fired=self.fired, rows=self.rows))
        self.show()

    def measure(self, pool):
        self.calibrate(pool)
        list(pool.map(self.kill, self.mutants))
        self.rows.sort(key=lambda row: row["number"])
        chosen = rare.sample(self.one, self.quick()) if self.one.triggers else []
        self.prove()
        self.rows += pool.map(self.kill_rare, chosen)

    def show(self):
        for row in self.rows:
            quiet = row["verdict"] == "harmless" and not self.options.survivors
            if row["verdict"] not in rare.KILLED and not quiet:
                after = f" after {row['trigger']}" if row["trigger"] != rare.ALWAYS else ""
                self.screen.say(f"{row['verdict']:<9} {self.one.name} {row['number']}: {row['place']}{after}")
        self.screen.say(f"{line_of(self.one.name, self.rows)}   {time.monotonic() - self.begin:6.0f} s")


    def report(self):
        """Returns the set's part of the report."""
        one = self.one
        more = dict(score=rare.score(self.rows), least=one.least, fired=self.fired) if one.triggers else {}
        counts = (rare.count if one.triggers else count)(self.rows)
        return dict(text=one.text, module=one.module, parameters=one.parameters, count=counts, mutants=self.rows) | more


def count(rows):
    return {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in VERDICTS}


def line_of(name, rows):
    seen = count(rows)
    return f"{name:<34} {len(rows):>7} " + " ".join(f"{seen[verdict]:>9}" for verdict in VERDICTS)


def heading(name):
    return f"{name:<34} {'mutants':>7} " + " ".join(f"{verdict:>9}" for verdict in VERDICTS)


def show_files(rows):
    """Prints a table of the RTL's files. Returns {file: its rows}."""
    by_file = collections.defaultdict(list)
    for row in rows:
        by_file[mutants.innermost(row["files"])].append(row)
    print("\n" + heading("file of the RTL"))
    for name in sorted(by_file):
        print(line_of(name, by_file[name]))
    print(line_of("all", rows))
    return by_file


def show_rare(sets):
    """Prints a table of the sets with rare mutants."""
    if sets:
        print(f"\n{'set':<12} {'trigger':<18} {'fired':>8} " + " ".join(f"{word:>8}" for word in rare.HEAD))
    for name, some in sets.items():
        for first, trigger, fired, *numbers in rare.lines(name, some):
            print(f"{first:<12} {trigger:<18} {fired:>8} " + " ".join(f"{number:>8}" for number in numbers))


def judge(suite, trial):
    """Adds the cases of a set: each mutant must be killed or harmless; of a set with rare mutants, enough of them."""
    name, rows = trial.one.name, trial.rows
    if trial.one.triggers:
        found = rare.score(rows)
        suite.case(name, "score", f"score {found:.2f}, less than {trial.one.least}" if found < trial.one.least else None)
        return
    for row in rows:
        suite.case(name, f"{row['number']} {row['place']}",
                   "killed by nothing, and not proved harmless" if row["verdict"] == "gap" else None)


def report(campaign, trials):
    rows = [row for trial in trials if not trial.one.triggers for row in trial.rows]
    by_file, seen = show_files(rows), count(rows)
    sets = {trial.one.name: trial.report() for trial in trials}
    scarce = {name: some for name, some in sets.items() if "score" in some}
    show_rare(scarce)
    for trial in trials:
        judge(campaign.suite, trial)
    scores = "".join(f"; {name}: score {some['score']:.2f}" for name, some in scarce.items())
    return campaign.end(
        f"{seen['lock-step'] + seen['bench']} of {len(rows)} mutants killed, {seen['harmless']} proved harmless, "
        f"{seen['gap']} gaps{scores}", count=seen, files={name: count(some) for name, some in sorted(by_file.items())},
        sets={name: some for name, some in sets.items() if name not in scarce}, rare=scarce,
        weak=sum(some["score"] < some["least"] for some in scarce.values()))


def rtl_section(data):
    head, seen = ["mutants", *(f"{verdict}s" if verdict == "gap" else verdict for verdict in VERDICTS)], data["count"]
    def numbers(some):
        return [sum(some.values()), *(some[verdict] for verdict in VERDICTS)]
    cycles = sorted(int(found[1]) for one in data["sets"].values() for row in one["mutants"]
                    if row["verdict"] == "lock-step" and (found := re.search(r"cycle (\d+)", row["text"])))
    sets = [[name, one["text"], *numbers(one["count"])] for name, one in data["sets"].items()]
    files = [[name.removeprefix("rtl/"), *numbers(some)] for name, some in data["files"].items()]
    words = (f"Killed: {seen['lock-step'] + seen['bench']} of {sum(seen.values())}. {seen['lock-step']} fall to the "
             f"lock-step, half of them by cycle {cycles[len(cycles) // 2]}, nine of ten by cycle "
             f"{cycles[len(cycles) * 9 // 10]}.\n")
    return "\n".join([markdown(["set", "module and parameters", *head], [*sets, ["all", "", *numbers(seen)]]), words,
                      markdown(["file of the RTL, where the mutated cell stands", *head], files)])


def rare_section(sets):
    texts = [[name, some["text"], some["least"]] for name, some in sets.items()]
    rows = [line for name, some in sets.items() for line in rare.lines(name, some)]
    return (markdown(["set", "module and parameters", "least"], texts) + "\n"
            + markdown(["set", "trigger", "cycles", *rare.HEAD], rows))


RESULTS = Results("mutants", "Mutants of the RTL", "mutants.md", "mutate --docs", tools=("YOSYS", "VERILATOR"),
                  tables=lambda data: chapters({"All sets": rtl_section(data), "Rare mutants": rare_section(data["rare"])}))


def run_all(campaign):
    options, children = campaign.options, campaign.children
    sets = choose(options, mutants.load())
    children.make(options.build, f"-j{options.jobs}", f"{options.build}/lockstep/all")
    print(heading("set"))
    trials = [Trial(campaign, one) for one in sets]
    with children.pool(options.jobs) as pool:
        campaign.each(lambda trial: trial.run(pool), trials, "sets")
    return report(campaign, trials)


def parse():
    one = parser(__doc__, jobs=JOBS, short="the sets marked short only", junit=JUNIT, only="names of sets",
                 docs=f"write {RESULTS.path} from the last report; measure nothing")
    one.add_argument("--survivors", action="store_true", help="name those proved harmless, too")
    return one.parse_args()


def main(children):
    return run_campaign("mutate", parse(), children, run_all, results=RESULTS)
