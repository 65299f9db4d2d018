# SPDX-License-Identifier: Apache-2.0
"""`make regress REGRESS=random`: draw networks, run them in lock-step, have front ends read what `annelid rtl` writes of them, and
make the first failure small (docs/lockstep.md). REGRESS=pairs draws what has pairs of values that are missing."""

import collections
import json
import pathlib
import random
import re
import secrets
import shutil
import tempfile
import threading
import time

from annelid import dut, regress
from annelid.children import Wrong
from annelid.corners import CUBES
from annelid.front_ends import complaints
from annelid.lockstep import key_and_parts
from annelid.random_axi import axi_of, may_have_axi
from annelid.random_clocks import clocks_of, kind_of as kind_of_clocks
from annelid.random_kinds import EveryKind
from annelid.random_networks import Sequence, can_deadlock, has_lanes, head_bits, ports_of, save, selects, size_of, switches_of
from annelid.random_pairs import Missing
from annelid.results import Screen, write_json
from annelid.shrink_scenario import shrink

FRESH = 10**6  # fresh seeds are below
TIME = 600     # seconds in which parameter sets of a seed are drawn
PAIRS = "pairs"
TEXT = "text"  # in place of the key of a program: a run that reads what annelid rtl writes
MOST_TURNS_READ = 1500  # of all input lanes of a network whose text the front ends read: Icarus takes minutes for one with 2,048


class Exploration:
    """The parameter sets of a seed, or those of the pairs that are missing. Several threads build and run them; the first failure
    ends it."""

    def __init__(self, options, children, seed, sequence):
        self.options, self.children, self.seed, self.sequence = options, children, seed, sequence
        self.room = options.logs / "random"
        self.screen, self.lock, self.begin = Screen(), threading.Lock(), time.monotonic()
        self.runs, self.failed, self.sets, self.building = [], [], 0, {}
        self.ports = collections.Counter()  # of the designs whose texts were read
        self.clocks = collections.Counter()  # of the same

    # --- one parameter set ---

    def next(self):
        """Returns (number, set); None if the time is over or a run has failed."""
        with self.lock:
            over = self.options.time is not None and time.monotonic() - self.begin >= self.options.time
            return None if self.failed or over else self.sequence.next()  # the time says how many sets, not which

    def build(self, path, together):
        """Builds the program of a scenario, or, to put it together, the parts of its network, if it has parts. Returns its key,
        and these parts."""
        key, parts = key_and_parts(self.children, self.options.build, path, *regress.rules_of(self.options))
        key, parts = regress.in_mode(self.options, key), regress.in_folder(self.options, parts) if together else ()
        for what in parts or (key,):
            with self.lock:
                building = self.building.setdefault(what, threading.Lock())  # sets may have parts in common
            with building:
                regress.build(self.options, self.children, what, quick=True)
        return key, parts

    def must_end(self, path, scenario):
        """Returns how a suite would say that a run ends, if not whole: in what the golden model does is asked of the RTL."""
        if has_lanes(scenario) and not can_deadlock(scenario):
            return ""
        status, said = self.children.output([self.options.build / "annelid", "run", "--json", path])
        if status == 2:
            raise Wrong(said)
        return {"stalled": "stalls", "fault": "faults"}.get(json.loads(said)["end"], "")

    def execute(self, built, path, scenario):
        key, parts = built
        run = regress.Run(path, scenario.run["seed"], self.must_end(path, scenario), key=key, parts=parts)
        regress.execute(self.options, self.children, run)
        return run

    def read(self, path, scenario):
        """Has the front ends read what annelid rtl writes of a network, of one in two with AXI4-Stream ports, and of half of the
        others with AXI4 ports; some have several clocks."""
        with tempfile.TemporaryDirectory(dir=self.room) as directory:
            written, ports = design_of(scenario, pathlib.Path(directory).resolve())
            clocks = clocks_of(written)
            wider = with_data(written).save(pathlib.Path(directory) / "text.yaml")
            begin = time.monotonic()
            said = complaints(self.children, (self.options.build / "annelid").resolve(), wider.resolve(),
                              pathlib.Path(directory) / "design", f"{ports} {clocks}")
        with self.lock:
            self.ports[ports.split()[0]] += 1
            self.clocks[kind_of_clocks(clocks) or "one"] += 1
        return regress.Run(path, scenario.run["seed"], key=TEXT, reason=said, seconds=time.monotonic() - begin)

    def try_set(self, number, drawn):
        saved, begin = save(self.room, self.seed, number, drawn), time.monotonic()
        program = self.build(saved[0][0], together=number % 2 and regress.by_switches(self.options))
        built = time.monotonic()
        runs = [(self.execute(program, path, scenario), scenario) for path, scenario in saved]
        if not self.options.dut and is_read(saved[0][1]):
            runs.append((self.read(*saved[0]), saved[0][1]))
        coverage = self.note(drawn, runs)
        self.tell(f"{self.seed}-{number:03} {drawn.text}{'  by switches' if program[1] else ''}  built in {built - begin:.0f} s, {len(runs)} runs in "
                  f"{time.monotonic() - built:.0f} s", [run for run, _ in runs], coverage)
        if not any(run.reason for run, _ in runs):
            shutil.rmtree(regress.program(self.options, program[0]).parent, ignore_errors=True)

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
            self.runs += [run for run, _ in runs]
            failed = [(run, scenario) for run, scenario in runs if run.reason]
            self.failed += failed
            if not failed:
                self.sequence.count(drawn)
            return in_words(self.sequence.coverage())

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
            tried = self.attempt(smaller, draft, run)
            return failing_cycle(tried) if tried and tried.reason and kind_of(tried) == kind else None

        for smaller in shrink(scenario, failing_cycle(run), fails, self.worms_of):
            self.report(self.attempt(smaller, path, run), smaller)
        for name in (draft, draft.with_suffix(".txt")):
            name.unlink(missing_ok=True)

    def attempt(self, scenario, path, run):
        """Builds and runs a scenario as another one has run, or has its text read. Returns None if it is not legal."""
        scenario.save(path)
        try:
            if run.key == TEXT:
                return self.read(path, scenario)
            return self.execute(self.build(path, bool(run.parts)), path, scenario)
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
        ran = [run for run in self.runs if run.key != TEXT]
        flits, texts = sum(run.result.get("flits", 0) for run in ran), len(self.runs) - len(ran)
        stalled, (pairs, every) = sum(run.end == "stalls" for run in ran), self.sequence.coverage()
        what, name = ("seed " + str(self.seed), "random") if self.options.regress == "random" else (PAIRS, PAIRS)
        self.screen.say(f"{what}: {self.sets:,} parameter sets, {len(ran):,} runs, {texts:,} texts read by three front ends, "
                        f"{flits:,} flit events, {in_words((pairs, every))}, {stalled} deadlocks as expected, "
                        f"{len(self.failed)} differences")
        suite = regress.suite_of(f"regress-{name}", self.runs)
        write_json(self.options.logs / f"{name}.json", dict(
            seed=self.seed, sets=self.sets, runs=len(ran), texts=texts, ports=dict(self.ports), clocks=dict(self.clocks), flits=flits, stalled=stalled,
            failed=suite.failed, pairs=pairs, all_pairs=every, rounds=self.sequence.rounds(), seconds=round(time.monotonic() - self.begin)))
        return suite.end(self.options.logs / f"junit-{name}.xml")


def in_words(coverage):
    pairs, every = coverage
    return f"pairs {pairs:,} of {every:,}"


def is_read(scenario):
    """Says whether front ends read what annelid rtl writes of a network."""
    turns = switches_of(scenario.network) * ports_of(scenario.network) ** 2 * scenario.switch.get("num_vcs", 0)
    return has_lanes(scenario) and turns <= MOST_TURNS_READ


def design_of(scenario, folder):
    """Returns what is written, which differs from the scenario where the ports ask for other classes, and its ports with their
    options. What these name is in the folder."""
    seed = scenario.run["seed"]
    if seed % 2:
        return scenario, streams_of(scenario) if may_have_streams(scenario) else "links"
    return axi_of(scenario, folder) if seed % 4 == 0 and may_have_axi(scenario) else (scenario, "links")


def may_have_streams(scenario):
    """Says whether annelid rtl has AXI4-Stream ports for a network: not for all that must know distances, and not where the
    column in the middle of two passes cannot be drawn as bits."""
    network = scenario.network
    return scenario.switch["arbiter"] != "farthest" and (network.get("passes") != 2 or network["k"] & (network["k"] - 1) == 0)


def streams_of(scenario):
    """Returns the ports of a design with streams: each of their options in one of two, by the seed of the run. Packets
    interleave only where a stream has several lanes."""
    rng = random.Random(scenario.run["seed"])
    switch = scenario.switch
    alone = switch.get("link") == "wide" or switch["num_vcs"] == switch.get("classes", 1)
    options = [f"--tdata {8 * rng.randint(1, 16)}", "--tkeep", f"--tuser {rng.randint(1, 9)}", "--tid", "--interleave", "--aresetn",
               "--per-terminal"]
    return " ".join(["axis", *(option for option in options if rng.random() < 0.5 and not (alone and option == "--interleave"))])


def with_data(scenario):
    """Returns the scenario with a bit for data beside the fields of a head, which a design must have."""
    least = 1 + head_bits(scenario.network, scenario.switch)
    return scenario.changed("switch", flit_width_bits=max(least, scenario.switch["flit_width_bits"]))


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
    return f"anl_{'cube' if topology in CUBES else topology}_switch"


def kind_of(run):
    """Returns in what way a run failed: what a smaller one must do as well."""
    result = run.result
    if run.key == TEXT:
        return run.reason.partition("\n")[0]
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


def sets_of_seed(options):
    """Returns a seed and its sets."""
    seed = seed_of(options)
    options.time = TIME if options.time is None else options.time
    replaced = f" {dut.typed(options.dut)}" if options.dut else ""
    print(f"random networks, seed {seed}, new ones for {options.time} s; make regress REGRESS=random SEED={seed}{replaced} draws "
          "the same ones in the same order", flush=True)
    return seed, Sequence(seed, keep_of(options.dut)) if options.dut or options.mode == "ends" else EveryKind(seed)


def sets_of_pairs(options):
    """Returns the word that begins the names of files, and the sets that have pairs which are missing."""
    if options.seed or options.dut or options.mode != "exact":
        raise Wrong("REGRESS=pairs counts what has been run of our switches in mode exact: it takes no SEED=, DUT= and MODE=")
    sets = Missing(options.logs / "pairs-counted.json")
    print(f"{in_words(sets.coverage())} counted in round {sets.rounds() + 1}; draws what has the others, "
          f"{'until all are' if options.time is None else f'for {options.time} s'}", flush=True)
    return PAIRS, sets


def explore(options, children):
    """Runs parameter sets for so many seconds. Returns the exit status."""
    if options.set or options.golden or options.waves:
        raise Wrong("random networks take no SET=, and have no golden digests and no waves: they have SCENARIO= of the failing one")
    seed, sets = (sets_of_seed if options.regress == "random" else sets_of_pairs)(options)
    regress.make_common(options, children, "annelid", *regress.program_of_parts(options))
    exploration = Exploration(options, children, seed, sets)
    try:
        with children.pool(options.jobs) as pool:
            for done in [pool.submit(exploration.work) for _ in range(options.jobs)]:
                done.result()
        if exploration.failed and has_lanes(exploration.failed[0][1]):
            exploration.shrink(*exploration.failed[0])
    except KeyboardInterrupt:
        exploration.end()
        raise
    return exploration.end()
