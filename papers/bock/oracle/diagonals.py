# SPDX-License-Identifier: Apache-2.0
"""The algorithm of Bock, Meyer auf der Heide and Scheideler (1996), worm by worm.

It has no links, no flits and no steps of nodes. As in the paper's proofs, a worm is a place on a diagonal. On diagonals
x + y only the worms of one diagonal compete, and each of them meets each column once. So who takes which column follows
from sorting what worms try. What the paper leaves open is chosen as in ../README.md ("Reading") and in ../diagonals.md
(slots, batches, where failed worms go on).
"""

import heapq
from collections import Counter, defaultdict, namedtuple
from dataclasses import dataclass, field

Parameters = namedtuple("Parameters", "n d length a b c rounds")  # rounds: paper, short, least
Exit = namedtuple("Exit", "step node register")  # what the head of a worm leaves by: 2 i for +, 2 i + 1 for - of dimension i
Load = namedtuple("Load", "start batches exits")


@dataclass
class Worm:
    """One worm: where it is, where it goes, and what became of it."""

    number: int
    place: int
    targets: list  # the last one is the destination; before it perhaps Valiant's intermediate one
    exits: list = field(default_factory=list)
    rounds: int = 0  # rounds of phase 2 that it needed, at most
    strayed: int = 0


class Torus:
    """A torus, with the lengths of all phases."""

    def __init__(self, parameters):
        self.__dict__.update(parameters._asdict())
        n, length, c = self.n, self.length, self.c
        self.forward, self.count = (2 * c * length, c) if self.rounds == "paper" else (2 * c, 8 if self.rounds == "short" else 6)
        self.round = 4 * c * length + 2 * length  # the paper's
        if self.rounds != "paper":
            self.round = max(2 * self.forward + 2 * length, self.forward + 2 * c * length + length)
        self.stage = (n + length) + 2 * (n + length) + (c + 2 * length) + self.count * self.round
        self.delivery = n + length
        self.period = self.stage + self.delivery if self.d == 2 else 2 * self.stage
        self.spacing = self.a * self.b * length  # of the slots of a row
        # How many worms were in a row of a later stage, wanted a block of a diagonal, wanted a reservoir, and stood in one.
        self.sizes = {"row": Counter(), "block": Counter(), "wanted": Counter(), "stood": Counter()}
        self.begin = max(1, n // (self.spacing * (1 if self.d == 2 else 6)))  # worms of a batch that begin in one row
        self.all_in = self.spacing if self.d == 2 else next((q for q in range(6 * self.spacing, n) if n % q == 0), n)

    def total(self, batches):
        """Steps of so many batches, one behind the other, without clean-up."""
        later = 0 if self.d == 2 else (batches - 1) * self.period + (self.d - 1) * self.stage + self.delivery
        return later or batches * self.period

    def coordinates(self, node):
        return [node // self.n**i % self.n for i in range(self.d)]

    def node(self, coordinates):
        return sum(x * self.n**i for i, x in enumerate(coordinates))


def groups_of(worms, key):
    groups = defaultdict(list)
    for worm in worms:
        groups[key(worm)].append(worm)
    return groups


def leave(torus, worm, step, i, register):
    worm.exits.append(Exit(step, torus.node(worm.at), 2 * i + register))
    worm.at = None


def distribute(torus, worms, i, first, start):
    """Gives the worms of one row, which run against x, the slots whose turn nodes they come to first."""
    n, y = torus.n, worms[0].at[i + 1]
    slots = {(g * torus.b * torus.length - y) % n for g in range(n // (torus.b * torus.length)) if (g - y) % torus.a == 0}
    free = {(slot - torus.length) % n for slot in slots}
    tries = sorted(((worm.at[i] - node) % n or (n if first else 0), node, k) for k, worm in enumerate(worms) for node in free)
    tries += [(n, worm.at[i], k) for k, worm in enumerate(worms) if not first and worm.at[i] in free]
    placed = set()
    for _, node, k in tries:
        if node in free and k not in placed:
            free.remove(node)
            placed.add(k)
            worms[k].slot = (node + torus.length) % n
    for k, worm in enumerate(worms):
        if k in placed:
            worm.at[i] = worm.slot
        else:
            leave(torus, worm, start + n, i, 1)


def turn_anywhere(torus, worms, i, columns_of, taken, passed):
    """Each worm of one diagonal turns into the first of its columns that no other one took; returns those that did not."""
    n = torus.n
    tries = sorted(((column - worm.at[i] - passed) % n, k, column) for k, worm in enumerate(worms) for column in columns_of(worm))
    turned = set()
    for _, k, column in tries:
        if k not in turned and column not in taken:
            taken.add(column)
            turned.add(k)
            worms[k].at[i] = column
    return [worm for k, worm in enumerate(worms) if k not in turned]


def phase_1(torus, worms, i):
    """The worms of one diagonal turn into columns of their coarse destinations, and go back a block."""
    n, c = torus.n, torus.c
    where, taken = (worms[0].at[i] + worms[0].at[i + 1]) % n, set()
    block = lambda worm: worm.to[i] // c
    torus.sizes["block"].update(map(len, groups_of(worms, block).values()))
    late = turn_anywhere(torus, worms, i, lambda worm: range(block(worm) * c, block(worm) * c + c), taken, 0)
    for worm in late:
        worm.strayed += 1
    if turn_anywhere(torus, late, i, lambda _: range(n), taken, n + torus.length):
        raise AssertionError("more worms on a diagonal than columns")
    for worm in worms:
        worm.at[i + 1] = (where + 2 * (n + torus.length) - worm.at[i]) % n
        worm.at[i] = (worm.at[i] - c) % n


class Reservoir:
    """A block of one column in phase 2: the worms that climb in this round, and those that stand."""

    def __init__(self, torus, block):
        self.bottom = block * torus.c * torus.length
        height = min(torus.c * torus.length, torus.n - self.bottom)
        self.top, self.room = self.bottom + height - 1, (height - 1) // torus.length
        self.bottom += (height - 1) % torus.length
        self.stand, self.climb = [], []

    def has_climber_at(self, row, u):
        return any(began < u and y + u - began == row for y, began in self.climb)


def phase_2(torus, worms, i, start):
    """The worms that want one block of one column, round by round."""
    n, waiting = torus.n, worms
    reservoir = Reservoir(torus, worms[0].at[i + 1] // (torus.c * torus.length))
    torus.sizes["wanted"][len(worms)] += 1
    for number in range(torus.count):
        reservoir.climb.clear()
        events = [((worm.to[i] - worm.at[i]) % n, True, worm.number, worm) for worm in waiting]
        events = [event for event in events if event[0] < torus.forward]
        heapq.heapify(events)
        while events:
            u, in_row, _, worm = heapq.heappop(events)
            row = worm.at[i + 1]
            full = len(reservoir.stand) == reservoir.room
            if in_row and (reservoir.has_climber_at(row, u) or (row == reservoir.top and full)):
                continue
            if in_row:
                worm.at[i] = worm.to[i]
                worm.rounds = max(worm.rounds, number + 1)
                waiting = [other for other in waiting if other is not worm]
            if row == reservoir.top and not full:
                reservoir.stand.append(worm)
            elif row == reservoir.top:
                leave(torus, worm, start + number * torus.round + u, i + 1, 0)
            else:
                reservoir.climb.append((row, u))
                worm.at[i + 1] = reservoir.top
                heapq.heappush(events, (u + reservoir.top - row, False, worm.number, worm))
    torus.sizes["stood"][len(reservoir.stand)] += 1
    for place, worm in enumerate(reservoir.stand):
        worm.at[i + 1] = reservoir.bottom + place * torus.length
    for worm in waiting:
        leave(torus, worm, start + torus.count * torus.round, i, 0)


def run_stage(torus, worms, i, start):
    """A stage in all (n, 2)-subtori of dimensions i and i + 1; returns the worms that are still under way."""
    rows = groups_of(worms, lambda worm: tuple(x for j, x in enumerate(worm.at) if j != i))
    if i:
        torus.sizes["row"].update(map(len, rows.values()))
    for row in rows.values():
        distribute(torus, row, i, i == 0, start)
    rest = lambda worm: tuple(x for j, x in enumerate(worm.at) if j not in (i, i + 1))
    alive = [worm for worm in worms if worm.at]
    for diagonal in groups_of(alive, lambda worm: (rest(worm), (worm.at[i] + worm.at[i + 1]) % torus.n)).values():
        phase_1(torus, diagonal, i)
    block = torus.c * torus.length
    phase = start + 3 * (torus.n + torus.length) + torus.c + 2 * torus.length
    for wanted in groups_of(alive, lambda worm: (rest(worm), worm.to[i], worm.at[i + 1] // block)).values():
        phase_2(torus, wanted, i, phase)
    return [worm for worm in alive if worm.at]


def run_batch(torus, worms, start):
    for worm in worms:
        worm.at, worm.to = torus.coordinates(worm.place), torus.coordinates(worm.targets[0])
    for i in range(torus.d - 1):
        worms = run_stage(torus, worms, i, start + i * torus.stage)
    last = torus.d - 1
    for worm in worms:
        steps = (worm.at[last] - worm.to[last]) % torus.n
        worm.at[last] = worm.to[last]
        leave(torus, worm, start + last * torus.stage + steps, last, 1)


def put_into_batches(torus, worms):
    """One worm from each node goes by the sum of its coordinates; all others to the first batch with room in their row."""
    at_node = groups_of(worms, lambda worm: worm.place)
    q, batches = torus.all_in, defaultdict(list)
    if len(at_node) == torus.n**torus.d and len(set(map(len, at_node.values()))) == 1:
        for node, here in at_node.items():
            for j, worm in enumerate(here):
                batches[j * q + sum(torus.coordinates(node)) % q].append(worm)
        return [batches[j] for j in sorted(batches)]
    rows = defaultdict(list)
    for worm in sorted(worms, key=lambda worm: (worm.place, worm.number)):
        x, row, j = worm.place % torus.n, worm.place // torus.n, 0
        while len(rows[j, row]) == torus.begin or any(
            min((x - other) % torus.n, (other - x) % torus.n) < torus.length for other in rows[j, row]
        ):
            j += 1
        rows[j, row].append(x)
        batches[j].append(worm)
    return [batches[j] for j in range(len(batches))]


def run(torus, worms):
    """Routes all worms, which wait from the beginning, in as many loads as they take; returns the loads."""
    loads, start = [], 0
    while waiting := [worm for worm in worms if worm.targets]:
        batches = put_into_batches(torus, waiting)
        for j, batch in enumerate(batches):
            run_batch(torus, batch, start + j * torus.period)
        for worm in waiting:
            worm.place = worm.exits[-1].node
            if worm.exits[-1].register == 2 * torus.d - 1:  # from the last -: it came to the end of its way
                worm.targets.pop(0)
        loads.append(Load(start, len(batches), [worm.exits[-1] for worm in waiting]))
        start += -(-torus.total(len(batches)) // torus.period) * torus.period
    return loads
