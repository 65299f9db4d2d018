# SPDX-License-Identifier: Apache-2.0
"""The pairs of parameter values as a list of work: `make regress REGRESS=pairs` builds and runs what has those that are missing.

Legal pairs are those of a large number of draws, always the same ones, each known by its number; so every pair is in some draw
that can be taken next. What has been counted is kept in a file, so that several calls come to the end of a *round*.
"""

import dataclasses
import json
import random

from annelid.children import Wrong
from annelid.random_networks import build_cost, cost_of_run, draw, pairs_of
from annelid.results import write_json

DRAWS = 20_000


def draw_of(number):
    return draw(random.Random(f"pairs {number}"))


def name_of(pair):
    """Returns a pair of values as text."""
    return ", ".join(f"{name} {value}" for name, value in pair)


class Counted:
    """What has been counted, in a file: the rounds that are complete, and the pairs of the one that is not."""

    def __init__(self, path):
        self.path, self.rounds, self.pairs = path, 0, set()
        if path.exists():
            self.read()

    def read(self):
        try:
            found = json.loads(self.path.read_text())
            self.rounds, self.pairs = int(found["rounds"]), set(map(str, found["pairs"]))
        except (ValueError, KeyError, TypeError) as wrong:
            raise Wrong(f"{self.path}: expected the pairs that have been counted, found {wrong}; without the file they are "
                        "counted anew") from wrong

    def add(self, pairs, every):
        """Counts pairs; a round is complete with every one. Returns whether it is."""
        self.pairs |= pairs
        complete = every <= self.pairs
        if complete:
            self.rounds, self.pairs = self.rounds + 1, set()
        write_json(self.path, {"rounds": self.rounds, "pairs": sorted(self.pairs)})
        return complete


class Missing:
    """The sets of a round that is not complete, in place of the Sequence of a seed: each has most pairs, for its cost, that are
    in no set before it, and of its scenarios only those that have some."""

    def __init__(self, path, draws=DRAWS):
        self.counted, self.complete = Counted(path), False
        self.bits, self.draws = {}, []
        for number in range(draws):
            one = draw_of(number)
            self.draws.append((build_cost(one.network), [(self.mask_of(map(name_of, pairs_of(one.kind, scenario))),
                                                          cost_of_run(scenario)) for scenario in one.scenarios]))
        self.every = set(self.bits)
        self.missing = self.mask_of(self.every - self.counted.pairs)

    def mask_of(self, names):
        """Returns a set of pairs as a number; names that are new get a bit."""
        mask = 0
        for name in names:
            mask |= 1 << self.bits.setdefault(name, len(self.bits))
        return mask

    def choose(self, number):
        """Returns what a draw is worth, which is new pairs for a CPU second, and which of its scenarios have them."""
        cost, scenarios = self.draws[number]
        rest, chosen = self.missing, []
        while True:
            best = max(range(len(scenarios)), key=lambda i: (scenarios[i][0] & rest).bit_count() / scenarios[i][1])
            if not scenarios[best][0] & rest:
                return (self.missing ^ rest).bit_count() / cost, sorted(chosen)
            rest &= ~scenarios[best][0]
            cost += scenarios[best][1]
            chosen.append(best)

    def next(self):
        """Returns the number of a set and the set; None if every pair is in one that has been taken."""
        if not self.missing:
            return None
        number = max(range(len(self.draws)), key=lambda one: self.choose(one)[0])
        chosen = self.choose(number)[1]
        for i in chosen:
            self.missing &= ~self.draws[number][1][i][0]
        one = draw_of(number)
        return number, dataclasses.replace(one, scenarios=tuple(one.scenarios[i] for i in chosen))

    def count(self, drawn):
        """Counts the pairs of a set that has passed."""
        self.complete |= self.counted.add(set(map(name_of, drawn.pairs)) & self.every, self.every)

    def rounds(self):
        """Returns how many rounds are complete."""
        return self.counted.rounds

    def coverage(self):
        """Returns how many pairs of the round have been counted, of how many."""
        return len(self.every) if self.complete else len(self.counted.pairs & self.every), len(self.every)
