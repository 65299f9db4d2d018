# SPDX-License-Identifier: Apache-2.0
"""WORM, STORE and SPLIT of Greenberg and Oh on the butterfly fat-tree, written from section 3 of the paper and from the
table "Reading" of the page alone. It is slow and plain on purpose. The rules that the paper does not state are
parameters, so that others can be put in their place."""

import random
from collections import deque, namedtuple

Worm = namedtuple("Worm", "source destination length path")  # path: bit l - 1 is the up link at level l, for FP
Rules = namedtuple("Rules", "queue select scan order start draw")
# select: FP, RP, GP. scan: FO, RR, FF, or "FF fixed" for FF whose ties are in a fixed order. order: how queues are
# updated in a step, see step(). start: where RR begins. draw: when RP draws its up link.
WORM = Rules(2, "RP", "RR", "simultaneous", "six ports", "each step")
STORE = Rules(1, "RP", "RR", "root first", "six ports", "each step")
SPLIT = STORE._replace(queue=2)


class Tree:
    """The network: switch (l, a) is number first[l] + a; its links are 6 s + port, children 0 to 3, parents 4 and 5."""

    def __init__(self, processors):
        self.processors, self.levels = processors, (processors.bit_length() - 1) // 2
        assert 4**self.levels == processors
        self.first, count = [None, 0], processors // 4
        for _ in range(self.levels):
            self.first.append(self.first[-1] + count)
            count //= 2
        self.switches = self.first.pop()
        self.level = [level for level in range(1, self.levels + 1) for _ in range(self.width(level))]
        self.to = [None] * (6 * self.switches)  # the queue at the end of a link: 6 s + port, or a processor's
        for a in range(processors):
            self.to[6 * (a // 4) + a % 4] = 6 * self.switches + a
        for level in range(1, self.levels):
            for a in range(self.width(level)):
                child = self.number(level, a)
                for port, shift in ((4, 0), (5, 2 ** (level - 1))):
                    high = a // 2 ** (level + 1) * 2**level + (a + shift) % 2**level
                    self.join(child, port, self.number(level + 1, high), a % 2 ** (level + 1) // 2 ** (level - 1))

    def width(self, level):
        return self.processors // 2 ** (level + 1)

    def number(self, level, a):
        return self.first[level] + a

    def join(self, child, up, parent, down):
        assert self.to[6 * child + up] is None and self.to[6 * parent + down] is None
        self.to[6 * child + up], self.to[6 * parent + down] = 6 * parent + down, 6 * child + up

    def down_port(self, switch, destination):
        """The port down to a destination, or None if it is not in the subtree of the switch."""
        level = self.level[switch]
        subtree = (switch - self.first[level]) // 2 ** (level - 1)
        inside = destination // 4**level == subtree
        return destination // 4 ** (level - 1) % 4 if inside else None

    def top(self, source, destination):
        """The level at which a shortest path turns."""
        return next(level for level in range(1, self.levels + 1) if source // 4**level == destination // 4**level)

    def path(self, worm):
        """The queues that a worm with a fixed path passes: one for each edge, injection and ejection too."""
        queue, edges = 6 * (worm.source // 4) + worm.source % 4, []
        while True:
            edges.append(queue)
            if queue >= 6 * self.switches:
                return edges
            switch = queue // 6
            port = self.down_port(switch, worm.destination)
            if port is None:
                port = 4 + (worm.path >> (self.level[switch] - 1)) % 2
            queue = self.to[6 * switch + port]

    def congestion(self, worms):
        crossed = {}
        for worm in worms:
            for edge in self.path(worm):
                crossed[edge] = crossed.get(edge, 0) + 1
        return max(crossed.values())

    def load_factor(self, worms):
        """The largest ratio of packets in a channel to its links. A channel of level l has 2^l links."""
        crossing = {}
        for worm in worms:
            for level in range(self.top(worm.source, worm.destination)):
                for way, end in (("up", worm.source), ("down", worm.destination)):
                    key = (way, level, end // 4**level)
                    crossing[key] = crossing.get(key, 0) + 1
        return max(packets / 2 ** key[1] for key, packets in crossing.items())


class Machine:
    """The queues of a tree, and the worms in them. A queue holds [worm, first?, last?, step in which it entered]."""

    def __init__(self, tree, worms, rules, seed):
        self.tree, self.worms, self.rules, self.random = tree, worms, rules, random.Random(seed)
        self.queues = [deque() for _ in range(6 * tree.switches + tree.processors)]
        self.popped = [-1] * len(self.queues)  # step in which a queue gave up its last flit
        self.used = [-1] * len(self.queues)  # step in which a link was crossed last
        self.owner = [None] * len(self.queues)  # the worm that has a link
        self.out = [None] * len(self.queues)  # where the head of the worm in this queue went
        self.crossed = [0] * len(self.queues)  # how many worms crossed a link
        self.kept = {}  # draws of RP that are kept
        self.waiting = [deque() for _ in range(tree.processors)]
        for number, worm in enumerate(worms):
            self.waiting[worm.source].append([number, worm.length])
        self.distance = [tree.top(worm.source, worm.destination) for worm in worms]
        self.flits = [0] * tree.switches
        self.time, self.delivered = 0, [None] * len(worms)
        self.left = len(worms)

    def run(self):
        """Delivery step of each worm: steps count from 0, in which the first flits leave their processors."""
        while self.left:
            self.step()
            self.time += 1
        return self.delivered

    def step(self):
        """'root first': nodes act one after another, roots first and processors last, on the queues as they are then.
        'simultaneous': a queue that is full at the start of a step takes nothing in it. 'leaves first', 'any order':
        other orders of the same kind."""
        nodes = [switch for switch in range(self.tree.switches - 1, -1, -1) if self.flits[switch]]
        processors = range(self.tree.processors)
        if self.rules.order == "leaves first":
            self.processors(processors)
            nodes = [switch for switch in range(self.tree.switches) if self.flits[switch]]
        if self.rules.order == "any order":
            self.random.shuffle(nodes)
        self.coin = self.random.getrandbits(1)
        for switch in nodes:
            self.scan(switch)
        if self.rules.order != "leaves first":
            self.processors(processors)

    def processors(self, processors):
        for processor in processors:
            end = 6 * self.tree.switches + processor
            if self.queues[end] and self.queues[end][0][3] < self.time:
                self.pop(end)
            if self.waiting[processor]:
                self.inject(processor, self.waiting[processor][0])

    def inject(self, processor, worm):
        queue = 6 * (processor // 4) + processor % 4
        if not self.has_room(queue):
            return
        number, flits = worm
        self.push(queue, number, flits == self.worms[number].length, flits == 1)
        worm[1] -= 1
        if not worm[1]:
            self.waiting[processor].popleft()

    def has_room(self, queue):
        held = len(self.queues[queue])
        if self.rules.order == "simultaneous":
            held += self.popped[queue] == self.time
        return held < self.rules.queue

    def push(self, queue, number, first, last):
        self.queues[queue].append((number, first, last, self.time))
        self.used[queue] = self.time
        self.crossed[queue] += first
        if queue < 6 * self.tree.switches:
            self.flits[queue // 6] += 1
        elif last:
            self.delivered[number] = self.time
            self.left -= 1

    def pop(self, queue):
        self.popped[queue] = self.time
        if queue < 6 * self.tree.switches:
            self.flits[queue // 6] -= 1
        return self.queues[queue].popleft()

    def scan(self, switch):
        """One node: each input sends its front flit, if the link is free and the queue at its end has room."""
        inputs = [6 * switch + port for port in self.scan_order(switch)]
        fronts = [queue for queue in inputs if self.queues[queue] and self.queues[queue][0][3] < self.time]
        if self.rules.scan.startswith("FF"):  # sort() keeps the order of ties
            fronts.sort(key=lambda queue: -self.distance[self.queues[queue][0][0]])
        self.node_coin = self.random.getrandbits(1) if self.rules.draw == "one a node" else None
        for queue in fronts:
            number, first, last, _ = self.queues[queue][0]
            link = self.head_goes(queue, number) if first else self.out[queue]
            if link is None or not self.has_room(link):
                continue
            self.pop(queue)
            self.push(link, number, first, last)
            self.out[queue] = link
            self.owner[link] = None if last else number

    def scan_order(self, switch):
        if self.rules.scan in ("FO", "FF fixed"):
            return range(6)
        if self.rules.start == "any order":
            return self.random.sample(range(6), 6)
        if self.rules.start == "four and two":
            child, parent = self.random.randrange(4), self.random.randrange(2)
            return [(child + i) % 4 for i in range(4)] + [4 + (parent + i) % 2 for i in range(2)]
        starts = range(6)
        if self.rules.start == "those with flits":
            starts = [port for port in range(6) if self.queues[6 * switch + port]]
        start = self.random.choice(starts)
        return [(start + i) % 6 for i in range(6)]

    def head_goes(self, queue, number):
        """The link that a head goes by in this step, or None. It may be used by nobody, now or still."""
        switch = queue // 6
        port = self.tree.down_port(switch, self.worms[number].destination)
        ports = [port]
        if port is None:
            ports = (4, 5) if self.rules.select == "GP" else [self.up(queue, number)]
        for port in ports:
            link = self.tree.to[6 * switch + port]
            if self.owner[link] is None and self.used[link] != self.time and self.has_room(link):
                return link
        return None

    def up(self, queue, number):
        if self.rules.select == "FP":
            return 4 + (self.worms[number].path >> (self.tree.level[queue // 6] - 1)) % 2
        if self.rules.draw == "one a node":
            return 4 + self.node_coin
        if self.rules.draw == "once":
            return self.kept.setdefault((queue, number), 4 + self.random.getrandbits(1))
        return 4 + self.random.getrandbits(1)


def latency(tree, worms, rules, seed):
    return max(Machine(tree, worms, rules, seed).run())


def crossings(tree, worms, rules):
    """How many worms cross each link, with the paths that they take in a run."""
    machine = Machine(tree, worms, rules, 0)
    machine.run()
    return machine.crossed


def path(processors, generator):
    """A shortest path that a packet selects at its source: an up link for each level but the last."""
    levels = (processors.bit_length() - 1) // 2
    return generator.randrange(2 ** (levels - 1))


def instance(processors, pattern, length, generator, split=1):
    """The paper's three communication patterns; with split each packet goes as so many packets."""
    ends = {
        "random": lambda a: generator.randrange(processors),
        "complement": lambda a: processors - 1 - a,
        "many-to-1": lambda a: processors - 1 if a < processors // 2 else 0,
    }[pattern]
    worms = []
    for source in range(processors):
        destination = ends(source)
        worms += [Worm(source, destination, length, path(processors, generator)) for _ in range(split)]
    return worms
