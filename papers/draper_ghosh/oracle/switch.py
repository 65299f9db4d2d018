# SPDX-License-Identifier: Apache-2.0
"""A simulator of the paper's own switch, flit by flit and cycle by cycle.

Each virtual channel has a buffer of one flit, which is filled again in the cycle in which it is emptied. A channel is
granted again in the cycle in which the tail leaves its buffer, to the head that waits longest (ties at random). A pair
of virtual channels takes turns on its physical channel if both have a flit that can move. Injection has a buffer, too,
and a queue without end before it; ejection is one channel that always sinks.
"""

from collections import defaultdict, deque


class Worm:
    def __init__(self, born, path, length):
        self.born, self.path, self.length = born, path, length
        self.sent = [0] * len(path)  # flits that have crossed each channel of the path
        self.end = None  # cycle in which the tail is at its destination


class Switches:
    def __init__(self, random):
        self.random, self.disputed = random, False  # disputed: two heads waited for one channel
        self.owner, self.queue, self.last = {}, defaultdict(deque), {}
        self.active = {}  # channels with an owner or with a queue, as keys, since a set has no order to repeat

    def mate(self, channel):
        return channel[:3] + ("B" if channel[3] == "A" else "A",) if len(channel) == 4 else None

    def candidate(self, channel):
        """The worm whose next flit wants to cross the channel, and whether the buffer behind it is free then."""
        worm = self.owner.get(channel)
        free = True
        if worm is not None:
            at = worm.place[channel]
            full = channel[0] != "out" and worm.sent[at] > worm.sent[at + 1]
            if full:
                free = self.crosses(worm.path[at + 1]) is worm
            if worm.sent[at] < worm.length:
                there = at == 0 or worm.sent[at - 1] > worm.sent[at]
                return (worm if there else None), free
        queue = self.queue[channel]
        return (queue[0] if queue else None), free

    def crosses(self, channel):
        """The worm of which a flit crosses the channel in this cycle, or None."""
        if channel not in self.decided:
            self.decided[channel] = None  # asked again while it is being decided: no
            worm, free = self.candidate(channel)
            mate = self.mate(channel)
            if worm is not None and free and mate in self.active and self.last.get(channel[:3]) == channel:
                free = self.crosses(mate) is None
            elif worm is not None and free and mate in self.decided:
                free = self.decided[mate] is None
            self.decided[channel] = worm if free else None
        return self.decided[channel]

    def wait(self, worms):
        """Heads that come in one cycle stand behind each other in random order."""
        self.random.shuffle(worms)
        for worm, at in worms:
            self.queue[worm.path[at]].append(worm)
            self.active[worm.path[at]] = None
            self.disputed |= len(self.queue[worm.path[at]]) > 1

    def cycle(self, now, born):
        for worm in born:
            worm.place = {c: i for i, c in enumerate(worm.path)}
        self.wait([(worm, 0) for worm in born])
        self.decided = {}
        moves = [(c, worm) for c in self.active if (worm := self.crosses(c)) is not None]
        heads, done = [], []
        for channel, worm in moves:
            at = worm.place[channel]
            worm.sent[at] += 1
            if self.mate(channel):
                self.last[channel[:3]] = channel
            if worm.sent[at] == 1:
                self.queue[channel].popleft()
                self.owner[channel] = worm
                if at + 1 < len(worm.path):
                    heads.append((worm, at + 1))
            if worm.sent[at] == worm.length and at + 1 == len(worm.path):
                worm.end = now + 1
                done.append(worm)
        for channel, worm in moves:  # the tail has left the buffer before this channel, or the sink has it
            at = worm.place[channel]
            if worm.sent[at] == worm.length:
                for left in worm.path[at - 1:at] + ([channel] if channel[0] == "out" else []):
                    if self.owner.get(left) is worm:
                        del self.owner[left]
        self.active = {c: None for c in self.active if c in self.owner or self.queue[c]}
        self.wait(heads)
        return done
