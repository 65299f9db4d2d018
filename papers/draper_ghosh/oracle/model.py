# SPDX-License-Identifier: Apache-2.0
"""The reconstructed model of Draper and Ghosh, a second time: every route of every pair of nodes is walked.

Written from the equations (1) to (8) of ../README.md and the table of docs/predict.md, for one lane a link (hypercube,
mesh) and for the pairs of virtual channels of a unidirectional torus.
"""

from collections import defaultdict
from math import inf


def hops(source, destination, k, n, ring):
    """The channels between two nodes, lowest dimension first: node, dimension, direction, virtual channel A or B."""
    at, to = ([node // k**d % k for d in range(n)] for node in (source, destination))
    for d in range(n):
        while at[d] != to[d]:
            which = "A" if ring and at[d] > to[d] else "B"  # A: the message still has to wrap
            step = 1 if ring or to[d] > at[d] else -1
            yield sum(x * k**i for i, x in enumerate(at)), d, step, which
            at[d] = (at[d] + step) % k


def route(source, destination, k, n, ring):
    return [("in", source), *hops(source, destination, k, n, ring), ("out", destination)]


def mate_of(channel):
    """The other virtual channel of a pair."""
    return channel[:3] + ("B" if channel[3] == "A" else "A",) if len(channel) == 4 else None


def ring_class(channel, k):
    """Of channels that are alike in rings: dimension, place in the ring, A or B; all of injection; all of ejection."""
    return channel[:1] if len(channel) == 2 else (channel[1], channel[0] // k ** channel[1] % k, channel[3])


def all_queued(a):
    """Erlang's C formula for two servers: the probability that both are busy."""
    return a * a / (2 + a)


class Model:
    """Rates of channels (of classes of them in rings) for messages of one length and a matrix of probabilities.

    In rings an ejection link has two lanes. pole and spread are those of "Two corrections, calibrated".
    """

    def __init__(self, k, n, length, matrix, ring, pole, spread):
        self.length, self.pole, self.spread = length, pole, spread
        rate, flow, self.hops = defaultdict(float), defaultdict(float), 0.0
        for source, row in enumerate(matrix):
            for destination, p in enumerate(row):
                if p > 0:
                    path = route(source, destination, k, n, ring)
                    self.hops += p * (len(path) - 2) / len(matrix)
                    for channel in path:
                        rate[channel] += p
                    for pair in zip(path, path[1:]):
                        flow[pair] += p
        self.merge(rate, flow, (lambda c: ring_class(c, k)) if ring else lambda c: c)
        self.out_lanes = 2 if ring else 1

    def merge(self, rate, flow, name):
        """A class has the mean rate of its channels, and the mean flow over the pairs of channels that meet."""
        rates, flows, others = defaultdict(list), defaultdict(list), defaultdict(list)
        for c, x in rate.items():
            rates[name(c)].append(x)
        for (u, v), x in flow.items():
            flows[name(u), name(v)].append(x)
            mate = mate_of(v)  # (7): what the mate of v carries and what does not come from the channel of u
            others[name(u), name(v)].append(rate.get(mate, 0) - sum(flow.get((w, mate), 0) for w in {u, mate_of(u)}))
        self.rate = {c: sum(x) / len(x) for c, x in rates.items()}
        self.apart = max(max(x) - min(x) for x in rates.values())
        self.flow = {pair: sum(x) / len(x) for pair, x in flows.items()}
        self.others = {pair: max(0, sum(x) / len(x)) for pair, x in others.items()}
        self.goes = {(u, v): sum(x) / sum(rates[u]) for (u, v), x in flows.items()}
        self.came = {(u, v): sum(x) / sum(rates[v]) for (u, v), x in flows.items()}
        self.after, self.before = defaultdict(list), defaultdict(list)
        for u, v in flows:
            self.after[u].append(v)
            self.before[v].append(u)

    def is_even(self):
        """What the paper says of uniform traffic: channels of a class, or of a dimension, are used alike."""
        use = defaultdict(list)
        for c, x in self.rate.items():
            if self.out_lanes == 1 and len(c) == 4:
                use[c[1]].append(x)
        return self.apart < 1e-12 and all(max(x) - min(x) < 1e-12 for x in use.values())

    def latency(self, load):
        """Cycles from creation to the last flit, at a load in flits a node and cycle; inf beyond saturation."""
        self.lam, self.times, self.hats = load / self.length, {}, {}
        total = 0.0
        for c in [c for c in self.rate if c[0] == "in"]:
            x, rate = self.service(c), self.lam * self.rate[c]
            if x == inf or rate * x >= 1:
                return inf
            wait = rate * (x * x + (self.spread * (x - self.length)) ** 2 - x) / 2 / (1 - rate * x)  # bernoulli: - x
            total += self.rate[c] * (wait + x)
        return total / sum(x for c, x in self.rate.items() if c[0] == "in") + self.hops + 1

    def service(self, c):
        """(3) and (5)"""
        if c not in self.times:
            self.times[c] = self.length if c[0] == "out" else sum(
                self.goes[c, v] * (self.wait(c, v) + self.loss(c, v) + self.service(v)) for v in self.after[c])
        return self.times[c]

    def loss(self, u, v):
        """(7); on an ejection link of two lanes the flits of the lane that is not u's"""
        if v[0] != "out" or self.out_lanes == 1:
            return self.length**2 * self.lam * self.others[u, v]
        a = self.lam * self.rate[v] * self.hat(v)
        return self.length**2 * self.lam * (self.rate[v] - self.flow[u, v]) * (1 - all_queued(a) / a)

    def hat(self, c):
        """(8); on an ejection link losses depend on the time, and the time on losses"""
        again = 60 if c not in self.hats and c[0] == "out" and self.out_lanes == 2 else c not in self.hats
        for _ in range(again):
            self.hats.setdefault(c, self.length)
            self.hats[c] = self.service(c) + sum(self.came[u, c] * self.loss(u, c) for u in self.before[c])
        return self.hats[c]

    def wait(self, u, v):
        """(1), (2), (4), with the pole moved: the queue without what comes over u, but arrivals as they are"""
        x, m = self.hat(v), self.out_lanes if v[0] == "out" else 1
        own = m * self.flow[u, v] / self.rate[v]
        busy = self.lam * self.rate[v] * x
        if busy >= m:
            return inf
        less = busy * (1 - self.pole * own)
        queue = less if m == 1 else all_queued(less)
        factor = max(0, 1 - own)
        return factor and factor * busy / less * queue * (x * x + (x - self.length) ** 2) / (2 * x * (m - less))

    def saturation(self):
        """The least load without an answer, bisected."""
        low, high = 0.0, 2.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (low, middle) if self.latency(middle) == inf else (middle, high)
        return low
