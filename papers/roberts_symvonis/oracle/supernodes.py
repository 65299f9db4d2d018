# SPDX-License-Identifier: Apache-2.0
"""Section 3 of Roberts and Symvonis: the arithmetic of supernodes, and a judge of the flits of a superstep.

f worms of k flits are stored in a supernode of (s + 1) x (s + 1) cells, s = sqrt((f + 4) k). The paper adds a delay of k + 4
steps to a cycle, and the page k + 6.
"""
from math import isqrt


def figures(f, k):
    s = isqrt((f + 4) * k)
    period = f * k // 2 + s + k + 6
    half = period - s + 2
    rounds = [period + 2 * s + 4 * period * u + 4 * half - 1 - s // 2 for u in (1, 2, 3)]
    return {"s": s, "period": period, "half": half, "row": [f, k, period, 4 * period, *rounds]}


def sorting_supersteps(side):
    """Supersteps of the packet algorithm that sorts, and brings packets along rows and columns."""
    def sort(b):
        return 0 if b == 1 else sort(b - 1) + 6 * b + 2 if b % 2 else sort(b // 2) + 4 * b + 3
    return sort(side) + 2 * (side - 1)


def theorem_2(f, k, side):
    """Steps of all (s + 1)^4 rounds, and the same over (f k)^2.5 n."""
    it = figures(f, k)
    a_round = it["row"][4] + 4 * it["period"] * (sorting_supersteps(side) - 1)
    steps = (it["s"] + 1) ** 4 * a_round
    return steps, steps / ((f * k) ** 2.5 * side * (it["s"] + 1))


class Superstep:
    """The flits of a text trace; a flit crosses the link (cell, direction) in a step. Cells are (x, y), y to the south."""
    MOVES = ((1, 0), (-1, 0), (0, 1), (0, -1), (0, 0))

    def __init__(self, text, side):
        self.side, self.worms, self.at = side, {}, {}
        for line in text.splitlines():
            word = line.split()
            if word[0] == "worm":
                self.worms[int(word[1])] = int(word[4])
            elif word[0] == "flit":
                node, port = divmod(int(word[2]), 5)
                self.at.setdefault((int(word[5]), int(word[6])), {})[int(word[1])] = ((node % side, node // side), port)
                self.last = int(word[1])

    def broken(self):
        """Rules that do not hold: one flit a link, always moving, bodies follow their heads."""
        seen, bad = set(), 0
        for (worm, index), way in self.at.items():
            for step, (cell, port) in way.items():
                bad += (step, cell, port) in seen
                seen.add((step, cell, port))
                there = tuple(a + b for a, b in zip(cell, self.MOVES[port]))
                bad += step < self.last and way.get(step + 1, (None,))[0] != there
                bad += index > 0 and self.at[worm, index - 1].get(step - 1) != (cell, port)
            bad += sorted(way) != list(range(min(way), max(way) + 1))
        return bad

    def heads(self):
        return {worm: sorted((step, *where) for step, where in way.items()) for (worm, index), way in self.at.items() if not index}
