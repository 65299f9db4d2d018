# SPDX-License-Identifier: Apache-2.0
"""what the paper defines, counted the slow way: colours, worst networks, worms that wait, worms that are discarded

Written from the paper, section "Reading" of ../README.md, ../discard.md and docs/switch.md, and from no other program.
"""

import collections
import itertools
import math

def crossings(paths):
    """How many messages cross each link."""
    return collections.Counter(link for path in paths for link in path)

def first_fit(paths, lanes):
    """Definition 2.1.3: each message in turn takes the lowest colour of which no link of its path has `lanes` messages."""
    have, colours = collections.Counter(), []
    for path in paths:
        colour = next(c for c in itertools.count() if all(have[link, c] < lanes for link in path))
        have.update((link, colour) for link in path)
        colours.append(colour)
    return colours

def multiplex_size(paths, colours):
    """Definition 2.1.4."""
    return max(collections.Counter((link, c) for path, c in zip(paths, colours) for link in path).values())

def colours_of_theorem(congestion, dilation, lanes):
    """Cases 1 and 2a of Theorem 2.1.6, with the constants of its proof; a multiplex size is a whole number."""
    log, size, colours = math.log2(dilation), congestion, 1.0
    if size > lanes and size > log:
        colours, size = 32 * math.e * size / max(log, 1), max(math.floor(log), lanes)
    return colours if size <= lanes else colours * 3 * math.e * (dilation * size) ** (1 / lanes) * size / lanes

def most_in_a_lane(paths, starts, length, lane_steps=0):
    """Most messages at once on a link: flit j of an unblocked message crosses link i of its path in step start + i + j."""
    on = collections.Counter()
    for path, start in zip(paths, starts):
        for i, link in enumerate(path):
            on.update((link, start + i + j) for j in range(length + lane_steps))
    return max(on.values())

def worst_paths(lanes, distinct, dilation=0):
    """Theorem 2.2.1: all sets of B + 1 messages are primary links; a message takes its own in order, with secondary ones.

    If the dilation is larger than that, a path has links of its own at its end.
    """
    sets = list(itertools.combinations(range(distinct), lanes + 1))
    paths = []
    for message in range(distinct):
        mine = [one for one in sets if message in one]
        path = [mine[0]]
        for before, after in zip(mine, mine[1:]):
            path += [(before, after), after]
        paths.append(path + [("end", message, i) for i in range(dilation - len(path))])
    return paths

def copies_of(paths, copies, interleaved, more=0):
    """Each message so many times, and the first `more` once more."""
    return (paths * copies if interleaved else [path for path in paths for _ in range(copies)]) + paths[:more]

class Waiting:
    """Worms that wait, flit by flit: links with lanes that are queues of `depth` flits, wide and chained.

    port[link] is the input port at which a link ends. A path begins with an injection link, and ends with an ejection link.
    """

    def __init__(self, paths, lengths, port, lanes, depth=1):
        self.paths, self.lengths, self.port, self.lanes, self.depth = paths, lengths, port, lanes, depth
        self.place = [{link: i for i, link in enumerate(path)} for path in paths]
        self.queues = collections.defaultdict(collections.deque)    # worms not yet sent, of each injection link
        for worm, path in enumerate(paths):
            self.queues[path[0]].append(worm)
        self.held = collections.defaultdict(collections.deque)      # flits (worm, number) in a lane (link, lane)
        self.sent = {}                                               # lane of an injection link: the next flit of its source
        self.owned = set()                                           # lanes that carry a worm whose tail has not crossed
        self.taken = [[None] * len(path) for path in paths]          # lanes of each worm
        self.delivered = [None] * len(paths)

    def open_lanes(self, link):
        """Lanes that a head may take now: the empty ones first, each time from the lowest on."""
        open_ = [v for v in range(self.lanes) if (link, v) not in self.owned and len(self.held[link, v]) < self.depth]
        return sorted(open_, key=lambda v: (len(self.held[link, v]) > 0, v))

    def choose(self):
        """Heads take lanes, from the state at the start of the step: the lowest input port first, then the lowest lane."""
        wants, grants = collections.defaultdict(list), {}
        for lane, flits in self.held.items():
            if flits and flits[0][1] == 0:
                worm, i = flits[0][0], self.place[flits[0][0]][lane[0]]
                if i + 1 < len(self.paths[worm]):
                    wants[self.paths[worm][i + 1]].append((self.port[lane[0]] * self.lanes + lane[1], lane))
        for link, heads in wants.items():
            grants.update((lane, (link, v)) for (_, lane), v in zip(sorted(heads), self.open_lanes(link)))
        begins = [(queue.popleft(), (link, v)) for link, queue in self.queues.items() if queue
                  for v in self.open_lanes(link)[:len(queue)]]
        return grants, begins

    def put(self, worm, flit, lane, step):
        i = self.place[worm][lane[0]]
        self.taken[worm][i] = lane
        self.held[lane].append((worm, flit))
        (self.owned.discard if flit == self.lengths[worm] - 1 else self.owned.add)(lane)
        if i == len(self.paths[worm]) - 1 and flit == self.lengths[worm] - 1:
            self.delivered[worm] = step

    def leave(self, lane, grants, moved, step):
        """The front flit of a lane goes on if there is room, which the flits before it may just have made."""
        if lane in moved or not self.held[lane]:
            return
        moved.add(lane)
        worm, flit = self.held[lane][0]
        i = self.place[worm][lane[0]]
        if i + 1 == len(self.paths[worm]):
            self.held[lane].popleft()
            return
        goal = grants.get(lane) if flit == 0 else self.taken[worm][i + 1]
        if goal:
            self.leave(goal, grants, moved, step)
            if len(self.held[goal]) < self.depth:
                self.held[lane].popleft()
                self.put(worm, flit, goal, step)

    def run(self):
        """The step in which each tail crosses its ejection link, from 0."""
        for step in itertools.count():
            grants, begins = self.choose()
            moved = set()
            sending = list(self.sent.items())
            for lane in [lane for lane, flits in self.held.items() if flits]:
                self.leave(lane, grants, moved, step)
            for worm, lane in begins:
                self.put(worm, 0, lane, step)
                if self.lengths[worm] > 1:
                    self.sent[lane] = (worm, 1)
            for lane, (worm, flit) in sending:
                if len(self.held[lane]) < self.depth:
                    self.put(worm, flit, lane, step)
                    self.sent[lane] = (worm, flit + 1)
                    if flit + 1 == self.lengths[worm]:
                        del self.sent[lane]
            if None not in self.delivered:
                return self.delivered

def butterfly_path(bits, source, destination):
    """Links (level, column, bit) of one pass, and the input port at which each ends: the bit of the column that it left."""
    path, port, column = [], {}, source
    for level in range(bits):
        place = bits - 1 - level
        bit = destination >> place & 1
        path.append((level, column, bit))
        port[path[-1]] = column >> place & 1
        column = column & ~(1 << place) | bit << place
    return path, port

def discard(bits, lanes, worms, passes):
    """Steps in which the tails of worms (start, source, intermediate, destination, length) are delivered, None if discarded.

    A head that finds all lanes of its link busy is discarded. Order at a node: input link, then lane (at inputs the number).
    """
    levels, busy, ends = passes * bits, {}, [None] * len(worms)
    heads = collections.defaultdict(list)       # at the start of a step: (level, node), what decides the order, worm
    for number, worm in enumerate(worms):
        heads[worm[0]].append((0, worm[1], 0, number, number))
    while heads:
        step = min(heads)
        for level, column, _, _, number in sorted(heads.pop(step)):
            place = bits - 1 - level % bits
            bit = worms[number][2 if passes == 2 and level < bits else 3] >> place & 1
            link = (level, column, bit)
            lane = next((v for v in range(lanes) if busy.get((link, v), 0) < step), None)
            if lane is None:
                continue
            busy[link, lane] = step + worms[number][4] - 1
            if level + 1 == levels:
                ends[number] = busy[link, lane]
            else:
                below = column & ~(1 << place) | bit << place
                heads[step + 1].append((level + 1, below, column >> place & 1, lane, number))
    return ends

def delivered_part(bits, lanes):
    """Kruskal and Snir, Koch: the part of n messages to random outputs that one pass delivers, exactly."""
    part = [0.5, 0.5] + [0.0] * (lanes - 1)     # part[x]: x messages cross a link of level 0
    for _ in range(bits - 1):
        both = [sum(part[x] * part[s - x] for x in range(lanes + 1) if 0 <= s - x <= lanes) for s in range(2 * lanes + 1)]
        part = [0.0] * (lanes + 1)
        for s, p in enumerate(both):
            for x in range(s + 1):
                part[min(x, lanes)] += p * math.comb(s, x) / 2**s
    return 2 * sum(x * p for x, p in enumerate(part))

def subrounds(q, bits, lanes, beta):
    return math.ceil(beta * q * bits ** (1 / lanes) / lanes - 1e-9)

def relation(rng, n, q):
    """q messages from each input, q to each output."""
    ends = [w for w in range(n) for _ in range(q)]
    rng.shuffle(ends)
    return [(i // q, ends[i]) for i in range(n * q)]

def round_of(rng, bits, copies, colours, length):
    """Step 2 and 3 of a round: worms of the copies (message, source, destination), in the order of their colours."""
    worms = [(1 + rng.randrange(colours) * length, source, rng.randrange(1 << bits), destination, length, message)
             for message, source, destination in copies]
    return sorted(worms, key=lambda worm: worm[0])

def all_rounds(rng, bits, q, lanes, colours, length, duplicates=1):
    """The algorithm of section 3.1: of each round its worms, when each is delivered, and the messages that are missing then."""
    messages = relation(rng, 1 << bits, q)
    copies = [(m, *ends) for m, ends in enumerate(messages) for _ in range(duplicates)]
    missing = set(range(len(messages)))
    while missing:
        worms = round_of(rng, bits, copies, colours, length)
        ends = discard(bits, lanes, worms, 2)
        assert all(end is None or end <= colours * length + 2 * bits - 1 for end in ends)
        missing = missing - {worm[5] for worm, end in zip(worms, ends) if end is not None}
        yield worms, ends, missing
        copies = [copy for copy in copies if copy[0] in missing for _ in range(2)]

def rounds(rng, bits, q, lanes, beta):
    """What part of the messages round 0 does not deliver, how many rounds it takes, how many steps."""
    colours = subrounds(q, bits, lanes, beta)
    done = [len(missing) for _, _, missing in all_rounds(rng, bits, q, lanes, colours, q)]
    return done[0] / (q << bits), len(done), len(done) * (colours * q + 2 * bits)

def no_full_bin(lanes, balls, bins):
    """The probability that no bin has more than B balls, bin by bin."""
    ways = [1.0] + [0.0] * balls         # ways[m]: m balls are in the bins so far, and which ones
    for left in range(bins, 0, -1):      # each ball that is left is in the next bin with probability 1 / left
        after = [0.0] * (balls + 1)
        for m, p in enumerate(ways):
            rest = balls - m
            for k in range(min(lanes, rest) + 1):
                after[m + k] += p * math.comb(rest, k) * (1 / left) ** k * (1 - 1 / left) ** (rest - k)
        ways = after
    return ways[balls]
