# SPDX-License-Identifier: Apache-2.0
"""Draw networks whose switches have no lanes to wait in, as papers/<slice>/lockstep/<target>.py says (docs/lockstep.md).

A draw is legal by construction, as those of random_networks are. What such a network has is said by `facts`, of which all
pairs are counted.
"""

import dataclasses
import random

from annelid.random_networks import ParameterSet, Sequence, pairs_among, size_of
from annelid.slices import kinds

EVERY = 5  # one set in so many is of another kind than buffered
WIDTHS = (32, 33, 40, 64, 65, 100)
RUNS = 4   # of a set, and one more that ends early, in any cycle
SHORT_BURSTS = {"burst_cycles": 5}  # at low loads the time between longer ones is longer than a run


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


def draws():
    """Returns {kind: what draws a set of it}."""
    return {module.KIND: module.draw for module in kinds().values()}


class EveryKind(Sequence):
    """The parameter sets of a seed, of which one in EVERY is of another kind than buffered, if it is built; the others are those
    of Sequence."""

    def __init__(self, seed):
        super().__init__(seed)
        self.other = random.Random(f"annelid kinds {seed}")
        self.taken = 0
        self.draws = draws()

    def next(self):
        self.taken += 1
        if self.taken % EVERY or not self.draws:
            return self.taken, super().next()[1]
        return self.taken, self.draws[self.other.choice(list(self.draws))](self.other)
