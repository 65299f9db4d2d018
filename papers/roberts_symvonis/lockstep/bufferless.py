# SPDX-License-Identifier: Apache-2.0
"""the mesh without buffers in lock-step: 1,100 permutations, starts too early and at random

Schedules, starts too early and starts at random (papers/roberts_symvonis/bufferless.md).
"""

import csv
import dataclasses
import itertools
import json
import random

from annelid.kinds import MANY, Case, need
from annelid.random_kinds import RUNS, WIDTHS, KindSet, run_of, with_a_limit
from annelid.random_networks import Scenario

KIND = "bufferless"
NETWORK = "mesh without buffers"
WANTS = "RTL and model agree on every register in every step, also after a collision"
SUITE = "roberts_symvonis"
NO_WAVES = ""
SWITCHES = ("anl_one_bend_switch",)
MODULES = ("anl_bufferless", "anl_replay")

# --- draws of random networks (scripts/annelid/random_kinds.py) ---

def way(k, source, destination):
    """Yields the ports that a worm crosses, along its row, then along its column: each is (node, direction)."""
    node = source
    while node % k != destination % k:
        step = 1 if destination % k > node % k else -1
        yield node, step
        node += step
    while node != destination:
        step = k if destination > node else -k
        yield node, step
        node += step
    yield node, 0


def takes(k, worm, start):
    """Returns the port of each step at which a flit of the worm crosses it. Its source sends one worm at a time."""
    source, destination, length = worm
    ports = [(source, "source"), *way(k, source, destination)]
    return {(port, start + max(at - 1, 0) + flit) for at, port in enumerate(ports) for flit in range(length)}


def first_start(k, worm, taken, start):
    """Returns the first start from `start` on at which the worm meets nobody."""
    while takes(k, worm, start) & taken:
        start += 1
    return start


def draw_starts(rng, k, meets):
    """Returns messages; with `meets` their starts are drawn, and a source alone sends one worm at a time."""
    nodes, longest = k * k, rng.choice((1, 3, 8, 40))
    taken, free, messages = set(), [1] * nodes, []
    for _ in range(rng.randint(1, 6 * nodes)):
        worm = *rng.sample(range(nodes), 2), rng.randint(1, longest)
        start = free[worm[0]] + (rng.randrange(3 * longest * nodes) if meets else rng.randrange(longest))
        if not meets:
            start = first_start(k, worm, taken, start)
            taken |= takes(k, worm, start)
        free[worm[0]] = start + worm[2]
        messages.append((start, *worm))
    return sorted(messages), longest


def draw(rng):
    k, width = rng.randint(2, 6), rng.choice(WIDTHS)
    scenarios, facts = [], []
    for number in range(RUNS):
        meets = number % 2 == 1
        messages, longest = draw_starts(rng, k, meets)
        scenarios.append(Scenario({"topology": "mesh", "k": k, "n": 2}, {"kind": "bufferless", "flit_width_bits": width},
                                  {"process": "replay"}, run_of(rng, max_cycles=10**6), tuple(messages)))
        facts.append({"kind": "bufferless", "k": k, "width": width, "longest": longest, "may meet": meets})
    begin = scenarios[0].messages[0][0]
    return KindSet("bufferless", *with_a_limit(scenarios, facts, 0, begin + rng.randint(2, 80)))


def ends_are_right(ends):
    """Returns whether drawn runs met nobody where their starts were sought, and somebody in some of the others."""
    sought, others = ([end for one in ends for end in one[first::2]] for first in (0, 1))
    return set(sought) == {"complete"} and set(others) == {"complete", "fault"}


# --- runs of the target (scripts/annelid/kinds.py) ---

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


NETWORKS = [Mesh(4, range(1000), 10**6), Mesh(8, range(100), 10**6)]
SAMPLE = [Mesh(4, range(100), 10**5)]
LEAST = (10**6, 10**5)
MUST = ()
