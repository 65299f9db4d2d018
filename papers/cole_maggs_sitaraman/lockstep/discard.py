# SPDX-License-Identifier: Apache-2.0
"""the butterfly that discards in lock-step: 1 to 4 lanes, wide and multiplexed links

Wide and multiplexed links, which do the same (papers/cole_maggs_sitaraman/discard.md).
"""

import collections
import dataclasses
import itertools
import random

from annelid.kinds import MANY, Case, need
from annelid.random_kinds import RUNS, SHORT_BURSTS, WIDTHS, KindSet, run_of, with_a_limit
from annelid.random_networks import Scenario

KIND = "discarding"
NETWORK = "butterfly that discards"
WANTS = "RTL and model agree on every lane in every step, and wide and multiplexed links do the same"
SUITE = "discard"
NO_WAVES = "when_blocked: drop"
SWITCHES = ("anl_discard_switch", "anl_discard_multiplexed_switch")
MODULES = ("anl_discard",)


def thinned(worms, most, column, lasts):
    """Returns the worms (start, source, ..., length) but those that would be more than `most` of a column at once. Column is a
    function of a source, and lasts one of a length."""
    ends, kept = collections.defaultdict(list), []
    for start, source, *rest in worms:
        busy = [end for end in ends[column(source)] if end > start]
        if len(busy) < most:
            kept.append((start, source, *rest))
            busy.append(start + lasts(rest[-1]))
        ends[column(source)] = busy
    return kept


# --- draws of random networks (scripts/annelid/random_kinds.py) ---

INJECTIONS = 16  # lanes of the lock-step for the two terminals of a column (tb/lockstep/compare/injections.h)
# Longest steps in cycles at which the two have as many worms at most even in a burst: each creates a flit a cycle, and a worm of
# one flit takes less than two steps.
BURSTY = INJECTIONS // 4
MOST = 0.8  # of load times cycles of a step; at random, more than 16 worms at once are then of no weight


def draw(rng):
    n, passes, lanes = rng.randint(2, 5), rng.randint(1, 2), rng.randint(1, 8)
    link = rng.choice(("shared", "wide"))
    network = {"topology": "butterfly", "k": 2, "n": n, "passes": passes}
    switch = {"when_blocked": "drop", "num_vcs": lanes, "link": link, "flit_width_bits": rng.choice(WIDTHS)}
    step = lanes if link == "shared" else 1
    scenarios, facts = [], []
    for number in range(RUNS):
        process = ("bernoulli", "bursty" if step <= BURSTY else "bernoulli", "batch", "replay")[number % 4]
        lengths = rng.choice(([1], [2], [1, 4], [3, 9], [12]))
        traffic, run, messages = draw_discarded(rng, 2**n, process, lengths, step)
        scenarios.append(Scenario(network, switch, traffic, run_of(rng, **run), messages))
        facts.append({"kind": "discarding", "n": n, "passes": passes, "lanes": lanes, "link": link, "process": process,
                      "width": switch["flit_width_bits"], "lengths": lengths, "pattern": traffic.get("pattern", "none")})
    begin = scenarios[3].messages[0][0]
    return KindSet("discarding", *with_a_limit(scenarios, facts, 3, begin + rng.randint(2 * lanes, 150)))


def draw_discarded(rng, terminals, process, lengths, step):
    """Returns traffic, run and messages; a step has so many cycles. Sources send at once, whatever is under way."""
    limit = {"max_cycles": 10**6}
    if process == "replay":
        cycles = sorted(rng.randrange(3000) for _ in range(rng.randint(1, 600)))
        worms = [(cycle, rng.randrange(terminals), rng.randrange(terminals), rng.choice(lengths)) for cycle in cycles]
        return {"process": process}, limit, tuple(thinned(worms, INJECTIONS, lambda source: source // 2, lambda length: (length + 1) * step))
    pattern = rng.choice(("uniform", "complement", "transpose", "bit_reverse", "shuffle", "permutation", "hotspot"))
    traffic = {"process": process, "pattern": pattern, "length": lengths}
    if process == "batch":
        return {**traffic, "worms_per_terminal": rng.randint(1, 7)}, limit, ()
    traffic |= SHORT_BURSTS if process == "bursty" else {}
    return {**traffic, "load": rng.choice([load for load in (0.02, 0.1, 0.2) if load * step <= MOST])}, \
        {"cycles": rng.randint(3000, 8000), **limit}, ()


def ends_are_right(ends):
    """Returns whether drawn runs never stop."""
    return {end for one in ends for end in one} == {"complete"}


# --- runs of the target (scripts/annelid/kinds.py) ---

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
        return thinned(worms, self.lanes + 2, lambda source: source, lambda length: length)[:MOST_WORMS]

    def scenario(self, worms, link, seed):
        cycles = self.lanes if link == "shared" else 1
        paths = self.passes == 2
        messages = tuple((start * cycles, 2 * source + number % 2, 2 * to + number % 2, length, *([f"path={path}"] if paths else []))
                         for number, (start, source, path, to, length) in enumerate(worms))
        return Scenario({"topology": "butterfly", "k": 2, "n": self.levels + 1, "passes": self.passes},
                        {"when_blocked": "drop", "num_vcs": self.lanes, "link": link, "flit_width_bits": 44},
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


# Of two passes with 16 inputs, which take longest to build, 1 to 3 lanes.
NETWORKS = [Butterfly(*size, lanes, runs=300) for lanes in (1, 2, 3, 4) for size in ((3, 1), (3, 2), (4, 1), (4, 2))
            if (*size, lanes) != (4, 2, 4)]
SAMPLE = [Butterfly(3, 2, 2, runs=60)]
LEAST = (10**7, 10**5)
MUST = ()
