# SPDX-License-Identifier: Apache-2.0
"""`make regress REGRESS=random`: draw networks, run them in lock-step, and make the first failure small (docs/lockstep.md)."""

import json
import re
import secrets
import shutil
import threading
import time

from annelid import dut, regress
from annelid.children import Wrong
from annelid.lockstep import key_of
from annelid.random_networks import Sequence, all_pairs, can_deadlock, coverage_of, save, selects, size_of
from annelid.results import Screen, write_json
from annelid.shrink_scenario import shrink

FRESH = 10**6  # fresh seeds are below
TIME = 600     # seconds in which parameter sets are drawn


class Exploration:
    """The parameter sets of a seed. Several threads build and run them; the first failure ends it."""

    def __init__(self, options, children, seed):
        self.options, self.children, self.seed = options, children, seed
        self.sequence = Sequence(seed, keep_of(options.dut))
        self.room = options.logs / "random"
        self.screen, self.lock, self.begin = Screen(), threading.Lock(), time.monotonic()
        self.runs, self.failed, self.sets, self.covered = [], [], 0, set()

    # --- one parameter set ---

    def next(self):
        """Returns (number, set); None if the time is over or a run has failed."""
        with self.lock:
            if self.failed or time.monotonic() - self.begin >= self.options.time:  # it says how many sets, not which
                return None
            return self.sequence.next()

    def build(self, path):
        """Builds the program of a scenario. Returns its key."""
        key = key_of(self.children, self.options.build, path, *regress.rules_of(self.options))
        key = regress.in_mode(self.options, key)
        regress.build(self.options, self.children, key, drawn=True)
        return key

    def stalls(self, path, scenario):
        """Says whether a run must end in a deadlock: that the golden model does is asked of the RTL."""
        if not can_deadlock(scenario):
            return False
        status, said = self.children.output([self.options.build / "annelid", "run", "--json", path])
        if status == 2:
            raise Wrong(said)
        return json.loads(said)["end"] == "stalled"

    def execute(self, key, path, scenario):
        run = regress.Run(path, scenario.run["seed"], "stalls" if self.stalls(path, scenario) else "", key=key)
        regress.execute(self.options, self.children, run)
        return run

    def try_set(self, number, drawn):
        saved, begin = save(self.room, self.seed, number, drawn), time.monotonic()
        key = self.build(saved[0][0])
        built = time.monotonic()
        runs = [(self.execute(key, path, scenario), scenario) for path, scenario in saved]
        coverage = self.note(drawn, runs)
        self.tell(f"{self.seed}-{number:03} {drawn.text}  built in {built - begin:.0f} s, {len(runs)} runs in "
                  f"{time.monotonic() - built:.0f} s", [run for run, _ in runs], coverage)
        if not any(run.reason for run, _ in runs):
            shutil.rmtree(regress.program(self.options, key).parent, ignore_errors=True)

    def tell(self, what, runs, coverage):
        bad = [run for run in runs if run.reason]
        flits = sum(run.result.get("flits", 0) for run in runs)
        self.screen.say(f"{'FAIL' if bad else 'PASS'}  {what}, {flits:,} flits, {coverage}")
        for run in bad:
            self.screen.say(regress.line_of(run))

    def note(self, drawn, runs):
        """Counts a set that has run. Returns how many pairs are covered, in words."""
        with self.lock:
            self.sets += 1
            self.covered |= drawn.pairs
            self.runs += [run for run, _ in runs]
            self.failed += [(run, scenario) for run, scenario in runs if run.reason]
            return coverage_of(self.covered)

    def work(self):
        while drawn := self.next():
            self.try_set(*drawn)

    # --- a failure ---

    def shrink(self, run, scenario):
        """Writes the failing scenario in a smaller and smaller form, and says how to repeat it."""
        kind, path = kind_of(run), self.room / f"{run.scenario.stem}-small.yaml"
        self.screen.say(f"shrinks {run.scenario}, which fails with: {kind}")
        draft = self.room / f"{run.scenario.stem}-try.yaml"

        def fails(smaller):
            tried = self.attempt(smaller, draft)
            return failing_cycle(tried) if tried and tried.reason and kind_of(tried) == kind else None

        for smaller in shrink(scenario, failing_cycle(run), fails, self.worms_of):
            self.report(self.attempt(smaller, path), smaller)
        for name in (draft, draft.with_suffix(".txt")):
            name.unlink(missing_ok=True)

    def attempt(self, scenario, path):
        """Builds and runs a scenario. Returns None if it is not legal."""
        scenario.save(path)
        try:
            return self.execute(self.build(path), path, scenario)
        except Wrong:
            return None

    def worms_of(self, scenario):
        """Returns the worms of a scenario as messages, as the golden model has them."""
        path, trace = scenario.save(self.room / "worms.yaml"), self.room / "worms.trace"
        self.children.output([self.options.build / "annelid", "run", f"--trace={trace}", path])
        lines = re.findall(r"^worm \d+ (\d+) (\d+) (\d+) (\d+)(?: (\d+):\w+)?(?: after:\S+)?$", trace.read_text(), re.MULTILINE)
        trace.unlink()
        classes = "classes" in scenario.switch
        return [(int(cycle), int(source), int(destination), int(length), *([int(number or 0)] if classes else []))
                for source, destination, length, cycle, number in lines]

    def report(self, run, scenario):
        network, switch, worms = scenario.network, scenario.switch, len(scenario.messages)
        self.screen.say(f"{worms or 'all'} worms, {size_of(network)}, {switch['num_vcs']} lanes of "
                        f"{switch['depth']} flits, {switch['flit_width_bits']} bits:\n{regress.line_of(run)}")

    # --- all ---

    def end(self):
        """Prints the sums and writes the results. Returns how many runs passed and failed."""
        flits = sum(run.result.get("flits", 0) for run in self.runs)
        stalled = sum(run.end == "stalls" for run in self.runs)
        self.screen.say(f"seed {self.seed}: {self.sets:,} parameter sets, {len(self.runs):,} runs, {flits:,} flit events, "
                        f"{coverage_of(self.covered)}, {stalled} deadlocks as expected, {len(self.failed)} differences")
        suite = regress.suite_of("regress-random", self.runs)
        write_json(self.options.logs / "random.json", dict(
            seed=self.seed, sets=self.sets, runs=len(self.runs), flits=flits, stalled=stalled, failed=suite.failed,
            pairs=len(self.covered), all_pairs=len(all_pairs() | self.covered), seconds=round(time.monotonic() - self.begin)))
        return suite.end(self.options.logs / "junit-random.xml")


def keep_of(text):
    """Returns which networks have the switch that DUT= replaces; the others would not test it."""
    if not text:
        return lambda scenario: True
    switches = dut.read(text).switches
    return lambda scenario: made_of(scenario) in switches


def made_of(scenario):
    """Returns the switch of a drawn network."""
    topology, switch = scenario.network["topology"], scenario.switch
    if topology in ("graph", "cube") and switch["routing"] == "source":
        return "anl_source_switch"
    if topology in ("graph", "cube"):
        return "anl_options_switch" if selects(switch) else "anl_graph_switch"
    return {"fat_tree": "anl_fat_tree_switch", "butterfly": "anl_butterfly_switch"}.get(topology, "anl_cube_switch")


def kind_of(run):
    """Returns in what way a run failed: what a smaller one must do as well."""
    result = run.result
    if "cycles" not in result:
        return "no result"
    if "assertion" in result:
        return f"assertion {result['assertion']}"
    if result.get("what") in ("stalled", "deadlock"):
        return result["what"]
    return "difference" if "what" in result else run.reason.partition(" in cycle")[0]


def failing_cycle(run):
    return run.result.get("cycle", run.result.get("cycles", 10**6))


def seed_of(options):
    if not options.seed:
        return secrets.randbelow(FRESH)
    if not re.fullmatch("[0-9]+", options.seed):
        raise Wrong(f"SEED={options.seed}: random networks expect one number")
    return int(options.seed)


def explore(options, children):
    """Runs parameter sets for so many seconds. Returns the exit status."""
    if options.set or options.golden or options.waves:
        raise Wrong("random networks take no SET=, and have no golden digests and no waves: they have SCENARIO= of the failing one")
    options.time = TIME if options.time is None else options.time
    seed = seed_of(options)
    replaced = f" {dut.typed(options.dut)}" if options.dut else ""
    print(f"random networks, seed {seed}, new ones for {options.time} s; make regress REGRESS=random SEED={seed}{replaced} draws "
          "the same ones in the same order", flush=True)
    regress.make_common(options, children, "annelid")
    exploration = Exploration(options, children, seed)
    try:
        with children.pool(options.jobs) as pool:
            for done in [pool.submit(exploration.work) for _ in range(options.jobs)]:
                done.result()
        if exploration.failed:
            exploration.shrink(*exploration.failed[0])
    except KeyboardInterrupt:
        exploration.end()
        raise
    return exploration.end()
