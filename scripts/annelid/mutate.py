# SPDX-License-Identifier: Apache-2.0
"""Measure the tests of the RTL by mutants of it (docs/mutants.md).

Each mutant of tb/campaigns/mutants/mutants.toml must be killed: by the lock-step with the golden model, or by the
bench of its module. What survives is put to a proof: harmless, or a gap in the tests. Prints a table
and "N passed, N failed"; report in BUILD/mutate/mutate.json. `make mutate` calls it.
"""

import collections
import json
import os
import pathlib
import re
import time

from annelid import aig, lockstep, mutants
from annelid.children import Wrong
from annelid.options import JOBS, JUNIT, choose, parser
from annelid.results import markdown, run_campaign, write_json
from annelid.sources import RTL, digest, kept, write

PROOF = 200_000  # most conflicts for a question in the search for an invariant; no proof has needed 20,000
SEEDS = range(11, 31)  # more seeds of the bench, for mutants that survive its own ones
SAMPLE = 12      # so many killed mutants of a set test the first proof, which must not call them harmless
DOUBTED = 2      # so many test the second proof
TRIAL = 1_000    # most conflicts for each question of such a test
PAGE = pathlib.Path("docs/mutants.md")
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
            self.children.must(["yosys", "-q", self.room / f"{name}.ys"])
        kept(self.room / f"{name}.json", [script, *sources], make, *(self.room / result for result in results))

    def make(self, *words):
        self.children.make(self.options.build, "VOPT=-O0", *words)

    def netlist(self):
        """Makes one file with all mutants. Returns their list."""
        include = mutants.ROOM / "include/anl_assert.svh"
        self.yosys("design", mutants.design_script(self.one, self.room), ["design.il", "list.txt"],
                   include, *RTL)
        listed = mutants.read_list(self.room)
        self.yosys("mutants", mutants.mutants_script(self.one, self.room, listed),
                   ["mutants.il", "netlist.v"], self.room / "design.il")
        write(self.room / "mutants.sv", mutants.stand_in(self.one, self.room))
        write(self.room / "world.sv", mutants.world(self.one, self.room))
        return listed

    def build(self):
        """Builds the programs that try to kill mutants."""
        source = os.path.normpath(self.room / "mutants.sv")
        for name in self.one.scenarios:
            scenario = mutants.ROOM / f"scenarios/{name}.yaml"
            key = lockstep.key_of(self.children, self.options.build, scenario)
            target = self.options.build / "rtl" / source.replace("/", "+") / key / "lockstep"
            self.make(f"DUT={source}", target)
            for seed in [[], *(["--seed", str(number)] for number in (2, 3))]:
                self.programs.append(("lock-step", name, [target, "--json", *seed, scenario], {}))
        if self.one.corner is not None:
            write(self.room / "bench.sv", mutants.bench(self.one))
            self.make(f"MODULE={self.one.module}", self.room / "bench")
            for seed in [{}, *({"ANL_SEED": str(number)} for number in SEEDS)]:
                self.programs.append(("bench", self.one.module, [self.room / "bench"], seed))

    def try_one(self, number):
        """Returns (kind, message) of the first program that notices the mutant; None if none does."""
        for kind, name, command, seed in self.programs:
            status, output = self.children.output(command, {mutants.ENVIRONMENT: str(number), **seed})
            seen = noticed(kind, status, output)
            if seen:
                return kind, f"{name}: {seen}"
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

    def invariant(self, pair, number, conflicts=PROOF):
        """Returns whether a proof shows this for every state that can follow a reset, which may come in any state. False:
        it is not true, or was not proved within so many conflicts."""
        difference = pair.difference(number)
        if not self.never(pair, pair.in_reset(difference), number):
            return False
        output = self.ask(pair.run(difference), f"fold; strash; dc2; pdr -C {conflicts}")
        return "Property proved" in output

    def doubt(self, pair, number):
        """Does the same with fewer conflicts, which are enough to find out that the proof method is wrong."""
        return self.invariant(pair, number, TRIAL)

    def ask(self, graph, commands):
        place = self.room / "question.aig"
        place.write_bytes(graph)
        return self.children.output(["yosys-abc", "-c", f"read_aiger {place}; {commands}"])[1]

    def harmless(self, pair, number):
        """Returns why a mutant is harmless; None if there is no proof that it is."""
        proofs = {"from every state": self.step, "from every state after a reset": self.invariant}
        for words, proof in proofs.items():
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
        self.options, self.rows, self.begin = campaign.options, [], time.monotonic()

    def prepare(self):
        self.screen.progress(f"{self.one.name}: netlist")
        self.mutants = self.shop.netlist()
        self.screen.progress(f"{self.one.name}: programs")
        self.shop.build()
        seen = self.shop.try_one(0)
        if seen:
            raise Wrong(f"set {self.one.name}: without any mutant {seen[0]} {seen[1]}")

    def known(self):
        """Returns the rows of an earlier trial with the same programs, if there is one."""
        parts = [self.shop.room / name for name in ("design.il", "list.txt", "mutants.sv", "world.sv")]
        parts += [word for _, _, command, _ in self.shop.programs for word in command]
        parts += [self.one, mutants.ROOM / "anl_contract.sv"]
        self.stamp = digest(*parts, *map(pathlib.Path, (__file__, aig.__file__, lockstep.__file__, mutants.__file__)))
        path = self.shop.room / "result.json"
        data = json.loads(path.read_text()) if path.exists() else {}
        return data.get("rows") if data.get("stamp") == self.stamp else None

    def kill(self, mutant):
        seen = self.shop.try_one(mutant.number)
        verdict, text = seen or (None, "")
        self.rows.append(dict(number=mutant.number, place=mutant.place, files=mutant.files,
                              verdict=verdict, text=text))
        self.screen.progress(f"{self.one.name}: {len(self.rows)} of {len(self.mutants)} mutants")

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
            list(pool.map(self.kill, self.mutants))
            self.rows.sort(key=lambda row: row["number"])
            self.prove()
            write_json(self.shop.room / "result.json", dict(stamp=self.stamp, rows=self.rows))
        for row in self.rows:
            quiet = row["verdict"] == "harmless" and not self.options.survivors
            if row["verdict"] not in ("lock-step", "bench") and not quiet:
                self.screen.say(f"{row['verdict']:<9} {self.one.name} {row['number']}: {row['place']}")
        self.screen.say(f"{line_of(self.one.name, self.rows)}   {time.monotonic() - self.begin:6.0f} s")


def count(rows):
    return {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in VERDICTS}


def line_of(name, rows):
    seen = count(rows)
    return f"{name:<34} {len(rows):>7} " + " ".join(f"{seen[verdict]:>9}" for verdict in VERDICTS)


def heading(name):
    return f"{name:<34} {'mutants':>7} " + " ".join(f"{verdict:>9}" for verdict in VERDICTS)


def report(campaign, trials):
    rows = [row for trial in trials for row in trial.rows]
    by_file = collections.defaultdict(list)
    for row in rows:
        by_file[mutants.innermost(row["files"])].append(row)
    print("\n" + heading("file of the RTL"))
    for name in sorted(by_file):
        print(line_of(name, by_file[name]))
    print(line_of("all", rows))
    seen = count(rows)
    for trial in trials:
        for row in trial.rows:
            campaign.suite.case(trial.one.name, f"{row['number']} {row['place']}",
                       "killed by nothing, and not proved harmless" if row["verdict"] == "gap" else None)
    return campaign.end(
        f"{seen['lock-step'] + seen['bench']} of {len(rows)} mutants killed, {seen['harmless']} proved harmless, "
        f"{seen['gap']} gaps", count=seen, files={name: count(some) for name, some in sorted(by_file.items())},
        sets={trial.one.name: dict(text=trial.one.text, module=trial.one.module, parameters=trial.one.parameters,
                                   count=count(trial.rows), mutants=trial.rows) for trial in trials})


def sections(data):
    """Returns the text between the marks `rtl` of docs/mutants.md."""
    head, seen = ["mutants", *(f"{verdict}s" if verdict == "gap" else verdict for verdict in VERDICTS)], data["count"]
    def numbers(some):
        return [sum(some.values()), *(some[verdict] for verdict in VERDICTS)]
    cycles = sorted(int(found[1]) for one in data["sets"].values() for row in one["mutants"]
                    if row["verdict"] == "lock-step" and (found := re.search(r"cycle (\d+)", row["text"])))
    sets = [[name, one["text"], *numbers(one["count"])] for name, one in data["sets"].items()]
    files = [[name.removeprefix("rtl/"), *numbers(some)] for name, some in data["files"].items()]
    words = (f"Killed: {seen['lock-step'] + seen['bench']} of {sum(seen.values())}. {seen['lock-step']} fall to the lock-step, half of them "
             f"by cycle {cycles[len(cycles) // 2]}, nine of ten by cycle {cycles[len(cycles) * 9 // 10]}.\n")
    return {"rtl": "\n".join([markdown(["set", "module and parameters", *head], [*sets, ["all", "", *numbers(seen)]]),
                              words, markdown(["file of the RTL, where the mutated cell stands", *head], files)])}


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
                 docs=f"write the tables of {PAGE} from the last report; measure nothing")
    one.add_argument("--survivors", action="store_true", help="name those proved harmless, too")
    return one.parse_args()


def main(children):
    return run_campaign("mutate", parse(), children, run_all, page=PAGE, sections=sections)
