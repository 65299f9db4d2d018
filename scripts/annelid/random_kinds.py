# SPDX-License-Identifier: Apache-2.0
"""Draw networks whose switches have no lanes to wait in: kinds bufferless, diagonals and discarding (docs/lockstep.md).

A draw is legal by construction, as those of random_networks are. What such a network has is said by `facts`, of which all
pairs are counted.
"""

import dataclasses
import itertools
import random

from annelid.random_networks import ParameterSet, Scenario, Sequence, pairs_among, size_of
from annelid.slices import kinds

EVERY = 5  # one set in so many is of another kind than buffered
WIDTHS = (32, 33, 40, 64, 65, 100)
RUNS = 4   # of a set, and one more that ends early, in any cycle
SHORT_BURSTS = {"burst_cycles": 5}  # at low loads the time between longer ones is longer than a run
NODE_CYCLES = 500_000  # nodes times cycles of a run on sliding diagonals


@dataclasses.dataclass(frozen=True)
class KindSet(ParameterSet):
    """Scenarios of one network, with what each is, by name."""
    facts: tuple  # of dicts

    @property
    def pairs(self):
        return set().union(*map(pairs_among, self.facts))

    @property
    def text(self):
        network, switch = self.network.network, self.network.switch
        return " ".join([f"{self.kind} {network['topology']} {size_of(network)}",
                         *(f"{key} {value}" for key, value in switch.items() if key not in ("kind", "when_blocked"))])


def run_of(rng, **keys):
    return {"seed": rng.randrange(1, 2**32), **keys}


def with_a_limit(scenarios, facts, number, cycles):
    """Returns a set's scenarios and facts with one more of each: that of a number, which ends after so many cycles."""
    other = scenarios[number].changed("run", max_cycles=cycles)
    other = dataclasses.replace(other, messages=tuple(message for message in other.messages if message[0] < cycles))
    if "cycles" in other.run:
        other = other.changed("run", cycles=min(cycles, other.run["cycles"]))
    return (*scenarios, other), (*facts, {**facts[number], "limit": "early"})


# --- kind bufferless: worms with starts, of which some sets meet nobody, and others do ---

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


def draw_bufferless(rng):
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


# --- kind diagonals ---

def shapes():
    """Yields all (k, a, b, c, length, rounds) of small tori."""
    for k, a, b, c, length in itertools.product(range(2, 13), range(1, 7), range(1, 4), range(2, 7), range(1, 5)):
        if k % (a * b * length) == 0 and k % c == 0 and c * length <= k and 2 * c <= k:
            yield k, a, b, c, length, "short"
            if 2 * c * length <= k:
                yield k, a, b, c, length, "paper"


SHAPES = tuple(shapes())


def draw_diagonals(rng):
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


# --- kind discarding ---

def draw_discarding(rng):
    n, passes, lanes = rng.randint(2, 5), rng.randint(1, 2), rng.randint(1, 8)
    link = rng.choice(("shared", "wide"))
    network = {"topology": "butterfly", "k": 2, "n": n, "passes": passes}
    switch = {"when_blocked": "discard", "num_vcs": lanes, "link": link, "flit_width_bits": rng.choice(WIDTHS)}
    scenarios, facts = [], []
    for number in range(RUNS):
        process = ("bernoulli", "bursty", "batch", "replay")[number % 4]
        lengths = rng.choice(([1], [2], [1, 4], [3, 9], [12]))
        traffic, run, messages = draw_discarded(rng, 2**n, process, lengths)
        scenarios.append(Scenario(network, switch, traffic, run_of(rng, **run), messages))
        facts.append({"kind": "discarding", "n": n, "passes": passes, "lanes": lanes, "link": link, "process": process,
                      "width": switch["flit_width_bits"], "lengths": lengths, "pattern": traffic.get("pattern", "none")})
    begin = scenarios[3].messages[0][0]
    return KindSet("discarding", *with_a_limit(scenarios, facts, 3, begin + rng.randint(2 * lanes, 150)))


def draw_discarded(rng, terminals, process, lengths):
    """Returns traffic, run and messages. Sources send at once, and the lock-step has 16 injection lanes for two terminals."""
    limit = {"max_cycles": 10**6}
    if process == "replay":
        cycles = sorted(rng.randrange(3000) for _ in range(rng.randint(1, 600)))
        return {"process": process}, limit, tuple(
            (cycle, rng.randrange(terminals), rng.randrange(terminals), rng.choice(lengths)) for cycle in cycles)
    pattern = rng.choice(("uniform", "complement", "transpose", "bit_reverse", "shuffle", "permutation", "hotspot"))
    traffic = {"process": process, "pattern": pattern, "length": lengths}
    if process == "batch":
        return {**traffic, "worms_per_terminal": rng.randint(1, 7)}, limit, ()
    traffic |= SHORT_BURSTS if process == "bursty" else {}
    return {**traffic, "load": rng.choice((0.02, 0.1, 0.2))}, {"cycles": rng.randint(3000, 8000), **limit}, ()


DRAW = {"bufferless": draw_bufferless, "diagonals": draw_diagonals, "discarding": draw_discarding}


class EveryKind(Sequence):
    """The parameter sets of a seed, of which one in EVERY is of another kind than buffered, if it is built; the others are those
    of Sequence."""

    def __init__(self, seed):
        super().__init__(seed)
        self.other = random.Random(f"annelid kinds {seed}")
        self.taken = 0
        self.built = kinds()

    def next(self):
        self.taken += 1
        kind = self.other.choice(list(DRAW)) if self.taken % EVERY == 0 else None
        if kind not in self.built:
            return self.taken, super().next()[1]
        return self.taken, DRAW[kind](self.other)
