# SPDX-License-Identifier: Apache-2.0
"""Many worms through networks whose switches have no lanes to wait in, RTL against golden model (docs/lockstep.md).

Draws the worms of a kind of switch, always the same ones for a seed, runs each in lock-step, and asks beside it what no single run
shows: that worms of all fates were there, and that wide and multiplexed links do the same. Prints a line a network and
"N passed, N failed". `make bufferless`, `make diagonals` and `make discard` call it; --short is their sample in make test.
"""

import collections
import csv
import dataclasses
import itertools
import json
import random

from annelid.children import Wrong
from annelid.lockstep import difference, key_of, result_of
from annelid.options import JOBS, JUNIT, parser
from annelid.random_kinds import takes
from annelid.random_networks import Scenario
from annelid.results import attempt, run_campaign

MANY = {"max_cycles": 10**6}


@dataclasses.dataclass(frozen=True)
class Case:
    """A run: its scenario, whether it must end in a fault, and whether its flits are asked for."""
    name: str
    scenario: Scenario
    faults: bool = False
    traced: bool = False


@dataclasses.dataclass(frozen=True)
class Seen:
    """What came of a run: the result that the lock-step printed, and the flits that the RTL sent."""
    case: Case
    result: dict
    flits: tuple = ()


@dataclasses.dataclass(frozen=True)
class Flit:
    cycle: int
    link: int
    lane: int
    worm: int
    index: int


def flits_of(text):
    """Returns the flits of a trace in text (docs/trace.md)."""
    records = (line.split() for line in text.splitlines() if line.startswith("flit "))
    return tuple(Flit(int(cycle), int(link), int(lane), int(worm), int(index)) for _, cycle, link, lane, _, worm, index in records)


# --- kind bufferless: schedules, starts too early, starts at random ---

NAMES = ("transpose", "reversal", "shift", "rotate", "bitrev")  # then random ones
ORDERS = ("row-major", "lex-desc(h,v)", "lex-asc(h,v)", "longest", "shortest", "lex-desc(v,h)", "h-desc,v-asc", "random")
LENGTHS = (1, 4, 8)
MOST_ROUNDS = 3


@dataclasses.dataclass(frozen=True)
class Mesh:
    """A mesh of n x n nodes, permutations by number, and how many flits must move in all."""
    n: int
    numbers: range
    least: int

    @property
    def name(self):
        return f"n = {self.n}"

    def scenario(self, worms):
        return Scenario({"topology": "mesh", "k": self.n, "n": 2}, {"kind": "bufferless", "flit_width_bits": 40},
                        {"process": "replay"}, {"seed": 1 + len(worms) % 5, **MANY}, tuple(sorted(worms)))

    def schedule(self, tools, number, length):
        """Returns the worms of a permutation with their starts, and the step in which the last flit moves."""
        powers = self.n & (self.n - 1) == 0
        named = NAMES if powers else NAMES[:-1]
        name, order = named[number] if number < len(named) else "random", ORDERS[(number + length) % len(ORDERS)]
        path = tools.room / f"{self.n}-{number}-{length}.csv"
        seed = ["-s", 1 + number] if "random" in (name, order) else []
        said = json.loads(tools.annelid("schedule", "-n", self.n, "-k", length, "-p", name, "-O", order, "--json", "-o", path, *seed))
        rows = [tuple(map(int, row)) for row in itertools.islice(csv.reader(path.read_text().splitlines()), 1, None)]
        path.unlink()
        return [(start, source, to, length) for source, to, start in rows if source != to], said["makespan"]

    def cases_of(self, schedules, number, length):
        """Yields the runs of a permutation: up to MOST_ROUNDS schedules behind each other, its own with a worm that starts a step
        too early, and its worms with starts at random."""
        rng, name = random.Random(f"bufferless {self.n} {number} {length}"), f"{self.n}-{number:04}-{length}"
        first, after = schedules[number, length]
        worms = list(first)
        for turn in range(1, 1 + number % MOST_ROUNDS):
            more, steps = schedules[(number + turn) % len(self.numbers), LENGTHS[(LENGTHS.index(length) + turn) % len(LENGTHS)]]
            worms += [(after + start, *rest) for start, *rest in more]
            after += steps
        yield Case(f"{name}-schedule", self.scenario(worms))
        early = [at for at, (start, *_) in enumerate(first) if start > 1]
        if early:
            at = rng.choice(early)
            start, *rest = first[at]
            yield Case(f"{name}-early", self.scenario([*first[:at], (start - 1, *rest), *first[at + 1:]]), faults=True)
        wild = [(1 + rng.randrange(2 * length), *rest) for _, *rest in first]
        yield Case(f"{name}-wild", self.scenario(wild), faults=self.some_meet(wild))

    def some_meet(self, worms):
        """Says whether two flits of worms of different sources want one port in one step."""
        taken = [takes(self.n, worm, start) for start, *worm in worms]
        return len(set().union(*taken)) < sum(map(len, taken))

    def cases(self, tools):
        pairs = list(itertools.product(self.numbers, LENGTHS))
        schedules = dict(zip(pairs, tools.each(lambda pair: self.schedule(tools, *pair), pairs)))
        return [case for pair in pairs for case in self.cases_of(schedules, *pair)]

    def judge(self, seen):
        flits, faults = sum(one.result["flits"] for one in seen), sum("fault" in one.result for one in seen)
        need(flits >= self.least, f"at least {self.least} flits", flits)
        need(faults >= len(self.numbers), "a fault for each permutation", faults)
        return f"{len(self.numbers)} permutations, {faults} of the runs with a fault"


# --- kind diagonals: one worm from each node, and clean-up ---

ROUNDS = {"short": lambda c, length: (8, 2 * c, max(4 * c + 2 * length, 2 * c + 2 * c * length + length)),
          "paper": lambda c, length: (c, 2 * c * length, 4 * c * length + 2 * length)}
X_PLUS, X_MINUS, Y_PLUS, Y_MINUS = range(4)
SIDES = 4
FATES = {X_PLUS: "left", X_MINUS: "row full", Y_PLUS: "reservoir full", Y_MINUS: "delivered"}  # by the register that a tail leaves


@dataclasses.dataclass(frozen=True)
class Torus:
    n: int
    length: int
    a: int
    b: int
    c: int
    rounds: str
    runs: int

    @property
    def name(self):
        return f"n {self.n}, L {self.length}, a {self.a}, b {self.b}, c {self.c}, rounds {self.rounds}"

    def cases(self, _tools):
        keys = {"a": self.a, "b": self.b, "c": self.c, "rounds": self.rounds, "flit_width_bits": 40}
        traffic = {"process": "batch", "pattern": "random_function", "length": self.length, "worms_per_terminal": 1}
        stem = f"{self.n}-{self.length}-{self.a}-{self.b}-{self.c}-{self.rounds}"
        return [Case(f"{stem}-{seed:02}", Scenario({"topology": "torus", "k": self.n, "n": 2}, {"kind": "diagonals", **keys}, traffic,
                                                   {"seed": seed, **MANY}), traced=True) for seed in range(1, 1 + self.runs)]

    def period(self):
        """Returns the steps of a batch (papers/bock/diagonals.md)."""
        rounds, _, steps = ROUNDS[self.rounds](self.c, self.length)
        return 3 * (self.n + self.length) + self.c + 2 * self.length + rounds * steps + self.n + self.length

    def fates(self, flits):
        """Counts how worms have left, and those that have strayed: their heads have turned from +x to +y in phase 1b."""
        counts, before, phase, period = collections.Counter(), {}, self.n + self.length, self.period()
        for flit in flits:
            port, step = flit.link % (SIDES + 1), (flit.cycle - 1) % period
            if port == SIDES:
                counts[FATES[flit.lane]] += flit.index + 1 == self.length
            if flit.index == 0:
                counts["strayed"] += port == Y_PLUS and before.get(flit.worm) == X_PLUS and 2 * phase <= step < 3 * phase
                before[flit.worm] = port
        return counts

    def judge(self, seen):
        counts = sum((self.fates(one.flits) for one in seen), collections.Counter())
        worms = self.runs * self.n**2
        need(counts["delivered"] == worms, f"{worms} worms delivered", counts)
        return ", ".join(f"{counts[fate]} {fate}" for fate in (*FATES.values(), "strayed"))


# --- switches that discard: wide and multiplexed links, which do the same ---

MOST_WORMS = 4000


@dataclasses.dataclass(frozen=True)
class Butterfly:
    """Both networks of a size: a step of that with multiplexed links has as many cycles as there are lanes."""
    levels: int
    passes: int
    lanes: int
    runs: int

    @property
    def name(self):
        return f"{1 << self.levels} inputs, passes {self.passes}, lanes {self.lanes}"

    def fill(self, rng):
        """Returns worms of 1 to 8 flits as (start, source, path, destination, length), of which some start in each step, at few or
        at many outputs; numbers are those of columns, and starts count from 0."""
        columns, longest = 1 << self.levels, rng.randint(1, 8)
        some, few = rng.randint(1, columns), rng.randrange(3) == 0
        return [(start, rng.randrange(columns), rng.randrange(columns), rng.randrange(2 if few else columns), rng.randint(1, longest))
                for start in range(40) for _ in range(rng.randint(0, some))]

    def fill_colours(self, rng):
        """Returns the worms of six colours, each one from most inputs, which follow each other in the lanes without a gap."""
        length, columns, some = rng.randint(1, 6), 1 << self.levels, rng.randint(1, self.lanes + 2)
        return [(colour * length, source, rng.randrange(columns), rng.randrange(columns), length)
                for colour in range(6) for source in range(columns) for _ in range(some) if rng.randrange(8)]

    def at_most(self, worms):
        """Returns the worms but those that would be more than lanes + 2 of a column at once: more than a link has lanes, so that
        sources, too, discard."""
        ends, kept = collections.defaultdict(list), []
        for start, source, *rest in worms:
            busy = [end for end in ends[source] if end > start]
            if len(busy) < self.lanes + 2 and len(kept) < MOST_WORMS:
                kept.append((start, source, *rest))
                busy.append(start + rest[-1])
            ends[source] = busy
        return kept

    def scenario(self, worms, link, seed):
        cycles = self.lanes if link == "shared" else 1
        paths = self.passes == 2
        messages = tuple((start * cycles, 2 * source + number % 2, 2 * to + number % 2, length, *([f"path={path}"] if paths else []))
                         for number, (start, source, path, to, length) in enumerate(worms))
        return Scenario({"topology": "butterfly", "k": 2, "n": self.levels + 1, "passes": self.passes},
                        {"when_blocked": "discard", "num_vcs": self.lanes, "link": link, "flit_width_bits": 44},
                        {"process": "replay"}, {"seed": seed, **MANY}, messages)

    def cases(self, _tools):
        made = []
        for number in range(self.runs):
            rng = random.Random(f"discard {self.name} {number}")
            worms = self.at_most((self.fill_colours if number % 3 == 2 else self.fill)(rng)) or [(0, 0, 0, 0, 1)]
            made += [Case(f"{self.levels}-{self.passes}-{self.lanes}-{link}-{number:03}", self.scenario(worms, link, 1 + number),
                          traced=True) for link in ("wide", "shared")]
        return made

    def judge(self, seen):
        wide, shared = ([one for one in seen if one.case.scenario.switch["link"] == link] for link in ("wide", "shared"))
        for one, other in zip(wide, shared, strict=True):
            what = pair_differs(one.flits, other.flits, self.lanes)
            need(what is None, f"{one.case.name} and {other.case.name}: the same flits in the same lanes and steps", what)
        arrived = sum(delivered(one, self) for one in wide)
        discarded = sum(one.result["worms"] for one in wide) - arrived
        need(min(arrived, discarded) > self.runs, "worms of both fates", (arrived, discarded))
        return f"worms {arrived} delivered, {discarded} discarded"


def steps_of(flits, cycles):
    """Returns where each flit crosses links, and in which steps of so many cycles."""
    return sorted((flit.cycle // cycles, flit.link, flit.lane, flit.worm, flit.index) for flit in flits)


def pair_differs(wide, shared, lanes):
    """Returns the first flit, as (step, link, lane, worm, index), that one of the two networks has and the other has not; None if
    multiplexed links do what wide ones do, in as many times more cycles as there are lanes."""
    return next((one or other for one, other in itertools.zip_longest(steps_of(wide, 1), steps_of(shared, lanes)) if one != other),
                None)


def delivered(seen, butterfly):
    """Returns how many worms have left by the last links."""
    first = (butterfly.passes * butterfly.levels - 1) * 2 * (1 << butterfly.levels)
    return sum(flit.link >= first and flit.index + 1 == seen.case.scenario.messages[flit.worm][3] for flit in seen.flits)


# --- the networks of each kind ---

NETWORKS = {
    "bufferless": ([Mesh(4, range(1000), 10**6), Mesh(8, range(100), 10**6)], [Mesh(4, range(100), 10**5)]),
    # Worms of 1 and 2 flits; both kinds of rounds; slots and blocks that leave worms over (a = 2, small c, and rows in which c L
    # does not divide n).
    "diagonals": ([Torus(*shape, runs=12) for shape in (
        (8, 1, 2, 2, 2, "short"), (8, 1, 2, 1, 4, "paper"), (8, 2, 2, 2, 2, "short"), (16, 1, 2, 2, 4, "short"),
        (16, 1, 2, 1, 2, "short"), (16, 2, 2, 2, 4, "short"), (16, 2, 2, 1, 2, "short"), (12, 2, 1, 2, 4, "short"))],
        [Torus(4, 2, 1, 1, 2, "short", runs=60)]),
    # Of two passes with 16 inputs, which take longest to build, 1 to 3 lanes.
    "discard": ([Butterfly(*size, lanes, runs=300) for lanes in (1, 2, 3, 4) for size in ((3, 1), (3, 2), (4, 1), (4, 2))
                 if (*size, lanes) != (4, 2, 4)], [Butterfly(3, 2, 2, runs=60)]),
}
# Flits that all runs of a kind must have moved, and fates that worms of one run in six must have had.
LEAST = {"bufferless": (10**6, 10**5), "diagonals": (10**6, 2 * 10**4), "discard": (10**7, 10**5)}
MUST = {"diagonals": ("delivered", "reservoir full", "left", "strayed")}


# --- runs ---

def need(holds, what, seen):
    if not holds:
        raise Wrong(f"expected {what}; seen: {seen}")


class Tools:
    """The programs that cases need."""

    def __init__(self, campaign):
        self.campaign, self.options, self.children = campaign, campaign.options, campaign.children
        self.room = campaign.room

    def annelid(self, *words):
        return self.children.must([self.options.build / "annelid", *words])

    def each(self, action, items):
        return self.campaign.each(action, items)

    def program_of(self, path):
        key = key_of(self.children, self.options.build, path)
        program = self.options.build / "rtl" / key / "lockstep"
        self.children.make(self.options.build, "VOPT=-O0", program)
        return program

    def run(self, job):
        """Runs a case. Returns what was seen; Wrong: it failed, and its files stay."""
        program, path, case = job
        trace = path.with_suffix(".anlt")
        words = ["--expect-fault"] * case.faults + ["--trace", trace] * case.traced
        status, output = self.children.output([program, "--json", *words, path])
        result = result_of(status, output)
        if status or not result["pass"]:
            raise Wrong(f"{path}: {difference(result)}\n{output}")
        flits = ()
        if case.traced:
            text = path.with_suffix(".trace")
            self.annelid("trace", "convert", trace, text)
            flits = flits_of(text.read_text())
            text.unlink()
            trace.unlink()
        path.unlink()
        path.with_suffix(".txt").unlink(missing_ok=True)
        return Seen(case, result, flits)


def shape_of(case):
    return json.dumps([case.scenario.network, case.scenario.switch])


def run_network(tools, network):
    """Runs all cases of a network. Returns them as seen, and a line about them."""
    cases, programs = network.cases(tools), {}
    jobs = []
    for case in cases:
        path = case.scenario.save((tools.room / f"{case.name}.yaml").absolute())
        if shape_of(case) not in programs:
            programs[shape_of(case)] = tools.program_of(path)
        jobs.append((programs[shape_of(case)], path, case))
    seen = tools.each(tools.run, jobs)
    flits = sum(one.result["flits"] for one in seen)
    cycles = sum(one.result["cycles"] for one in seen)
    said = network.judge(seen)
    return flits, f"{network.name}: {len(seen):,} runs, {said}, {cycles:,} cycles, {flits:,} flit events"


def run_kind(campaign, kind):
    options, tools = campaign.options, Tools(campaign)
    networks = NETWORKS[kind][options.short]
    campaign.children.make(options.build, options.build / "lockstep/all", options.build / "annelid")
    total, lines = 0, []
    for network in networks:
        found, reason, _ = attempt(run_network, tools, network)
        total += found[0] if found else 0
        lines += [found[1]] if found else []
        campaign.screen.say(f"FAIL  {network.name}: {reason}" if reason else found[1])
        campaign.suite.case(kind, network.name, reason)
    least = LEAST[kind][options.short]
    rare = [fate for fate in MUST.get(kind, ()) if sum(number_before(fate, line) for line in lines) < networks[0].runs // 6]
    campaign.suite.case(kind, "flits and fates", f"expected {least:,} flits, seen {total:,}" if total < least else
                        f"few worms {rare[0]}" if rare else None)
    return campaign.end(f"{len(networks)} networks, {total:,} flit events", flits=total, networks=len(networks))


def number_before(word, line):
    """Returns the number in front of a word in a line; 0 if it is not there."""
    return next((int(part.strip().split()[0]) for part in line.split(",") if part.strip().endswith(f" {word}")), 0)


def main(children):
    one = parser(__doc__, jobs=JOBS, junit=JUNIT, short="a sample")
    one.add_argument("kind", choices=NETWORKS)
    options = one.parse_args()
    return run_campaign(options.kind, options, children, lambda campaign: run_kind(campaign, options.kind))
