# SPDX-License-Identifier: Apache-2.0
"""the torus of sliding diagonals in lock-step: tori of 2 to 4 dimensions and up to 256 nodes, failures and clean-up

One worm from each node, and clean-up (papers/bock/diagonals.md).
"""

import collections
import dataclasses
import itertools

from annelid.kinds import MANY, Case, need
from annelid.random_kinds import RUNS, SHORT_BURSTS, WIDTHS, KindSet, run_of, with_a_limit
from annelid.random_networks import Scenario

KIND = "diagonals"
NETWORK = "sliding diagonals"
WANTS = "RTL and model agree on every register in every step, worms that fail and clean-up included"
SUITE = "bock"
NO_WAVES = "kind: diagonals"
SWITCHES = ("anl_diagonals",)
MODULES = ("anl_diagonals",)
NODE_CYCLES = 500_000  # nodes times cycles of a run
NODES = 256            # of a torus, at most

# --- draws of random networks (scripts/annelid/random_kinds.py) ---

def shapes():
    """Yields all (k, a, b, c, length, rounds) of small tori."""
    for k, a, b, c, length in itertools.product(range(2, 13), range(1, 7), range(1, 4), range(2, 7), range(1, 5)):
        if k % (a * b * length) == 0 and k % c == 0 and c * length <= k and 2 * c <= k:
            yield k, a, b, c, length, "short"
            if 2 * c * length <= k:
                yield k, a, b, c, length, "paper"


SHAPES = tuple(shapes())


def dimensions(rng, k):
    """Draws the dimensions of a torus of side k."""
    return rng.choice([n for n in (2, 2, 3, 4) if k**n <= NODES])


def draw(rng):
    k, a, b, c, length, rounds = rng.choice(SHAPES)
    n = dimensions(rng, k)
    switch = {"kind": "diagonals", "a": a, "b": b, "c": c, "rounds": rounds, "flit_width_bits": rng.choice(WIDTHS)}
    if rng.random() < 0.5:
        switch["routing"] = "valiant"
    scenarios, facts = [], []
    for number in range(RUNS):
        process = ("batch", "bernoulli", "bursty")[number % 3]
        pattern = rng.choice(("uniform", "complement", "tornado", "permutation", "q_relation", "random_function"))
        load = {"worms_per_terminal": rng.randint(1, 3)} if process == "batch" else {"load": rng.choice((0.01, 0.05, 0.3))}
        load |= SHORT_BURSTS if process == "bursty" else {}
        run = {} if process == "batch" else {"cycles": rng.randint(800, 2000)}
        scenarios.append(Scenario({"topology": "torus", "k": k, "n": n}, switch,
                                  {"process": process, "pattern": pattern, "length": length, **load},
                                  run_of(rng, **run, max_cycles=NODE_CYCLES // k**n)))
        facts.append({"kind": "diagonals", "k": k, "n": n, **{key: value for key, value in switch.items() if key != "kind"},
                      "length": length, "process": process, "pattern": pattern})
    return KindSet("diagonals", *with_a_limit(scenarios, facts, 0, rng.randint(20, 400)))


def ends_are_right(ends):
    """Returns whether drawn runs come to an end."""
    return {end for one in ends for end in one} <= {"complete", "cycles", "max_cycles"}


# --- runs of the target (scripts/annelid/kinds.py) ---

ROUNDS = {"short": lambda c, length: (8, 2 * c, max(4 * c + 2 * length, 2 * c + 2 * c * length + length)),
          "paper": lambda c, length: (c, 2 * c * length, 4 * c * length + 2 * length)}
DELIVERED, ROW_FULL, RESERVOIR_FULL, LEFT, STRAYED = FATES = ("delivered", "row full", "reservoir full", "left", "strayed")


@dataclasses.dataclass(frozen=True)
class Torus:
    n: int
    length: int
    a: int
    b: int
    c: int
    rounds: str
    runs: int
    d: int = 2

    @property
    def name(self):
        return f"n {self.n}, d {self.d}, L {self.length}, a {self.a}, b {self.b}, c {self.c}, rounds {self.rounds}"

    def cases(self, _tools):
        keys = {"a": self.a, "b": self.b, "c": self.c, "rounds": self.rounds, "flit_width_bits": 40}
        traffic = {"process": "batch", "pattern": "random_function", "length": self.length, "worms_per_terminal": 1}
        stem = f"{self.n}-{self.d}-{self.length}-{self.a}-{self.b}-{self.c}-{self.rounds}"
        return [Case(f"{stem}-{seed:02}", Scenario({"topology": "torus", "k": self.n, "n": self.d}, {"kind": "diagonals", **keys}, traffic,
                                                   {"seed": seed, **MANY}), traced=True) for seed in range(1, 1 + self.runs)]

    def stage(self):
        """Returns the steps of a stage (papers/bock/diagonals.md)."""
        rounds, _, steps = ROUNDS[self.rounds](self.c, self.length)
        return 3 * (self.n + self.length) + self.c + 2 * self.length + rounds * steps

    def period(self):
        """Returns the steps from one batch to the next."""
        return self.stage() + self.n + self.length if self.d == 2 else 2 * self.stage()

    def fate(self, lane, step):
        """Returns what became of a worm whose head has left a register in a step of a stage."""
        if lane == 2 * self.d - 1:
            return DELIVERED
        return ROW_FULL if lane % 2 else LEFT if step < self.n + self.length else RESERVOIR_FULL

    def fates(self, flits):
        """Counts how worms have left, and those that have strayed: their heads have turned from +x to +y in phase 1b."""
        counts, before, phase = collections.Counter(), {}, self.n + self.length
        for flit in flits:
            port, step = flit.link % (2 * self.d + 1), (flit.cycle - 1) % self.period() % self.stage()
            if flit.index == 0:
                if port == 2 * self.d:
                    counts[self.fate(flit.lane, step)] += 1
                turned = port % 2 == 0 and before.get(flit.worm) == port - 2
                counts[STRAYED] += turned and 2 * phase <= step < 3 * phase
                before[flit.worm] = port
        return counts

    def nodes(self):
        return self.n**self.d

    def judge(self, seen):
        counts = sum((self.fates(one.flits) for one in seen), collections.Counter())
        worms = self.runs * self.nodes()
        need(counts[DELIVERED] == worms, f"{worms} worms delivered", counts)
        return ", ".join(f"{counts[fate]} {fate}" for fate in FATES)


# Worms of 1 and 2 flits; both kinds of rounds; slots and blocks that leave worms over (a = 2, small c, and rows in which c L
# does not divide n); 2 to 4 dimensions.
NETWORKS = [Torus(*shape, runs=12) for shape in (
    (8, 1, 2, 2, 2, "short"), (8, 1, 2, 1, 4, "paper"), (8, 2, 2, 2, 2, "short"), (16, 1, 2, 2, 4, "short"),
    (16, 1, 2, 1, 2, "short"), (16, 2, 2, 2, 4, "short"), (16, 2, 2, 1, 2, "short"), (12, 2, 1, 2, 4, "short"))]
NETWORKS += [Torus(*shape) for shape in (
    (4, 1, 2, 1, 2, "short", 12, 3), (4, 2, 1, 1, 2, "short", 12, 3), (6, 1, 2, 1, 3, "paper", 6, 3), (4, 1, 2, 1, 2, "short", 2, 4))]
SAMPLE = [Torus(4, 2, 1, 1, 2, "short", runs=60), Torus(4, 1, 2, 1, 2, "short", runs=3, d=3)]
LEAST = (10**6, 2 * 10**4)
MUST = (DELIVERED, RESERVOIR_FULL, LEFT, STRAYED)
