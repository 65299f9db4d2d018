# SPDX-License-Identifier: Apache-2.0
"""the torus of sliding diagonals in lock-step: tori of 8 x 8 to 16 x 16, failures and clean-up

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

# --- draws of random networks (scripts/annelid/random_kinds.py) ---

def shapes():
    """Yields all (k, a, b, c, length, rounds) of small tori."""
    for k, a, b, c, length in itertools.product(range(2, 13), range(1, 7), range(1, 4), range(2, 7), range(1, 5)):
        if k % (a * b * length) == 0 and k % c == 0 and c * length <= k and 2 * c <= k:
            yield k, a, b, c, length, "short"
            if 2 * c * length <= k:
                yield k, a, b, c, length, "paper"


SHAPES = tuple(shapes())


def draw(rng):
    k, a, b, c, length, rounds = rng.choice(SHAPES)
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
        scenarios.append(Scenario({"topology": "torus", "k": k, "n": 2}, switch,
                                  {"process": process, "pattern": pattern, "length": length, **load},
                                  run_of(rng, **run, max_cycles=NODE_CYCLES // k**2)))
        facts.append({"kind": "diagonals", "k": k, **{key: value for key, value in switch.items() if key != "kind"},
                      "length": length, "process": process, "pattern": pattern})
    return KindSet("diagonals", *with_a_limit(scenarios, facts, 0, rng.randint(20, 400)))


def ends_are_right(ends):
    """Returns whether drawn runs come to an end."""
    return {end for one in ends for end in one} <= {"complete", "cycles", "max_cycles"}


# --- runs of the target (scripts/annelid/kinds.py) ---

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


# Worms of 1 and 2 flits; both kinds of rounds; slots and blocks that leave worms over (a = 2, small c, and rows in which c L
# does not divide n).
NETWORKS = [Torus(*shape, runs=12) for shape in (
    (8, 1, 2, 2, 2, "short"), (8, 1, 2, 1, 4, "paper"), (8, 2, 2, 2, 2, "short"), (16, 1, 2, 2, 4, "short"),
    (16, 1, 2, 1, 2, "short"), (16, 2, 2, 2, 4, "short"), (16, 2, 2, 1, 2, "short"), (12, 2, 1, 2, 4, "short"))]
SAMPLE = [Torus(4, 2, 1, 1, 2, "short", runs=60)]
LEAST = (10**6, 2 * 10**4)
MUST = ("delivered", "reservoir full", "left", "strayed")
