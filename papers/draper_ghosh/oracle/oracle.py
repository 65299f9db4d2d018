#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The oracle of the paper: a second program beside `annelid predict` and the golden model, on networks drawn at random.

model.py computes latency and saturation by walking every route, and switch.py simulates the paper's own switch. Both
were written from ../README.md and docs/predict.md, and not from the sources of what they are held against.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from math import inf
from pathlib import Path
from random import Random
from statistics import mean, stdev

from model import Model, route
from switch import Switches, Worm

LENGTHS = (1, 2, 3, 5, 8, 13, 16, 24, 40)  # in rings from 3 on, since a worm of 2 fits into a lane (docs/predict.md)
PATTERNS = {  # probabilities of the destinations of s, of t terminals
    "uniform": lambda s, t: [1 / t] * t,
    "uniform_others": lambda s, t: [0 if d == s else 1 / (t - 1) for d in range(t)],
    "complement": lambda s, t: [float(d == t - 1 - s) for d in range(t)],
    "bit_reverse": lambda s, t: [float(d == int(f"{s:0{t.bit_length() - 1}b}"[::-1], 2)) for d in range(t)],
    "hotspot": lambda s, t: [0.8 / t + (0.2 if d == 0 else 0) for d in range(t)],
    "sphere": lambda s, t: sphere(s, t, 1, 0.8),
    "sphere, sphere_radius: 2, sphere_fraction: 0.5": lambda s, t: sphere(s, t, 2, 0.5),
}


def sphere(s, t, radius, fraction):
    """In a hypercube, where two nodes are as many links apart as their numbers differ in bits."""
    inside = [0 < (s ^ d).bit_count() <= radius for d in range(t)]
    near, far = sum(inside), t - 1 - sum(inside)
    fraction = fraction if far else 1.0
    return [0 if d == s else fraction / near if inside[d] else (1 - fraction) / far for d in range(t)]


class Network:
    """A network of the paper's kind, drawn at random, and the scenario of it."""

    def __init__(self, random, ring, largest, shortest=1):
        self.ring, self.k = ring, random.choice((2, 3, 4, 5, 6, 7)) if ring else 2
        self.n = random.choice([n for n in range(1 if ring else 2, 7) if self.k**n <= largest])
        self.length = max(shortest, random.choice(LENGTHS[2:] if ring else LENGTHS))
        self.pattern = random.choice(("uniform", "uniform_others") if ring else tuple(PATTERNS))
        self.nodes = self.k**self.n
        self.topology = "unidirectional_torus" if ring else "hypercube"

    def __str__(self):
        return f"{self.topology} k={self.k} n={self.n}, {self.pattern}, worms of {self.length}"

    def scenario(self, traffic):
        return (f"network: {{topology: {self.topology}, k: {self.k}, n: {self.n}}}\n"
                f"switch: {{num_vcs: {2 if self.ring else 1}, depth: 2}}\ntraffic: {{{traffic}}}\n")

    def open_loop(self):
        return self.scenario(f"process: bernoulli, pattern: {self.pattern}, length: {self.length}, load: 0.1")

    def model(self):
        paper = self.pattern.startswith("uniform")
        matrix = [PATTERNS[self.pattern](s, self.nodes) for s in range(self.nodes)]
        return Model(self.k, self.n, self.length, matrix, self.ring, 0.25 if paper else 0.5, 1.5 if paper else 1.0)

    def route(self, source, destination):
        return route(source, destination, self.k, self.n, self.ring)


class Oracle:
    def __init__(self, build, seed, short, folder):
        self.annelid, self.random, self.short, self.folder = build / "annelid", Random(seed), short, Path(folder)
        self.passed = self.failed = 0

    def check(self, good, what):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print(f"FAILED: {what}")

    def ask(self, command, scenario, *options):
        file = self.folder / "scenario.yaml"
        file.write_text(scenario)
        done = subprocess.run([self.annelid, command, *options, file], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"annelid {command} says {done.returncode}: {done.stderr}{scenario}")
        return done.stdout

    def predictions(self, count, largest):
        """Saturation and latencies at parts of it, to the nine digits that the command prints."""
        worst = 0.0
        for i in range(count):
            net = Network(self.random, i % 2 == 1, largest)
            model = net.model()
            full = model.saturation()
            self.check(model.is_even() or not net.pattern.startswith("uniform"), f"{net}: channels alike are not used alike")
            loads = [round(part * full, 6) for part in (0.1, 0.4, 0.7, 0.95)]
            said = json.loads(self.ask("predict", net.open_loop(), "--json", "--loads", ",".join(map(str, loads))))
            pairs = [("saturation", said["saturation"], min(full, 1.0))]
            pairs += [(f"latency at {p['load']}", p["latency"], model.latency(p["load"])) for p in said["points"]]
            for what, theirs, ours in pairs:
                error = abs(theirs / ours - 1) if theirs else 1.0
                worst = max(worst, error)
                self.check(error < 1e-7, f"{net}: {what}: predict says {theirs}, the oracle {ours}")
        print(f"predict: {count} networks, saturation and four latencies each; largest relative error {worst:.1e}")

    def simulate(self, net, worms, tie_seed):
        """The worms on the paper's switch."""
        switches, left, now = Switches(Random(tie_seed)), len(worms), 0
        births = {}
        for worm in worms:
            births.setdefault(worm.born, []).append(worm)
        while left:
            left -= len(switches.cycle(now, births.pop(now, [])))
            now += 1
        return switches

    def few_worms(self, count):
        """Some worms that meet, where no two heads ever wait for one channel: order and ties do not matter then.

        In hypercubes the golden model delivers in the same cycles. In rings a lane that is stopped takes one flit more
        over a link that a mate may want, which costs cycles and may change who comes next. So only worms that do not meet
        are exact there; the others are not faster than alone, and their latencies agree on average.
        """
        met, same, tried, differences = [0, 0], [0, 0], 0, []
        while tried < count:
            net = Network(self.random, tried % 2 == 1, 27, shortest=13)
            worms_of = min(net.nodes, 6)
            sources = self.random.sample(range(net.nodes), worms_of)
            ends = self.random.sample if net.ring else self.random.choices  # two worms share ejection in rings
            ends = ends(range(net.nodes), k=worms_of)
            messages = sorted((self.random.randrange(2 * net.length), s, d) for s, d in zip(sources, ends) if s != d)
            worms = [Worm(now, net.route(s, d), net.length) for now, s, d in messages]
            if not worms or self.simulate(net, worms, 1).disputed:
                continue
            tried += 1
            (self.folder / "messages").write_text("".join(f"{c} {s} {d} {net.length}\n" for c, s, d in messages))
            text = self.ask("run", net.scenario("process: replay, messages: messages"), "--worms=-")
            rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
            engine = [int(row["delivered"]) + 1 for row in rows]
            ours, alone = [w.end for w in worms], [w.born + net.length + len(w.path) - 1 for w in worms]
            meet = ours != alone
            met[net.ring] += meet
            same[net.ring] += meet and engine == ours
            if net.ring and meet and len(engine) == len(worms):
                differences += [(e - o) / (o - w.born) for e, o, w in zip(engine, ours, worms)]
                good = all(e >= least for e, least in zip(engine, alone))
            else:
                good = engine == ours
            self.check(good, f"{net}: {messages}: engine {engine}, oracle {ours}")
        self.check(abs(mean(differences)) < RINGS_LATE, f"in rings the latencies differ by {mean(differences)} on average")
        print(f"few worms: {count} runs; of those in which worms meet, the same in all cycles: hypercubes {same[0]} of "
              f"{met[0]}, rings {same[1]} of {met[1]} (latencies {100 * mean(differences):+.1f} % on average)")

    def replay(self, net, load, cycles):
        """The same worms on the paper's switch and in the golden model: the mean latency in each."""
        worms = []
        for now in range(cycles):
            for s in range(net.nodes):
                if self.random.random() < load / net.length:
                    worms.append(Worm(now, net.route(s, (s + self.random.randrange(1, net.nodes)) % net.nodes), net.length))
        self.simulate(net, worms, self.random.random())
        (self.folder / "messages").write_text(
            "".join(f"{w.born} {w.path[0][1]} {w.path[-1][1]} {net.length}\n" for w in worms))
        said = json.loads(self.ask("run", net.scenario("process: replay, messages: messages"), "--json", "--set",
                                   f"run.warmup_cycles={cycles // 5}"))
        return mean(w.end - w.born for w in worms if w.born >= cycles // 5), said["latency_mean"]

    def open_loop(self, cases):
        """Many worms: paper's switch against golden model, against the page's goals, and what predict promises."""
        for topology, k, n, length, part, engine_goal in cases:
            net = Network(self.random, topology == "rings", 32)
            net.k, net.n, net.length, net.nodes, net.pattern = k, n, length, k**n, "uniform_others"
            load = round(part * net.model().saturation(), 4)
            runs = [self.replay(net, load, (60 if self.short else 300) * length) for _ in range(8 if self.short else 20)]
            ours, theirs = mean(r[0] for r in runs), mean(r[1] for r in runs)
            error = stdev(r[0] for r in runs) / len(runs) ** 0.5 / ours
            paired = stdev(r[1] / r[0] for r in runs) / len(runs) ** 0.5
            self.check(abs(theirs / ours - 1) <= engine_goal + 4 * paired, f"{net} at {load}: engine {theirs}, oracle {ours}")
            point = json.loads(self.ask("predict", net.open_loop(), "--json", "--loads", str(load)))["points"][0]
            promise, predicted = point["validated_percent"], point["latency"] or inf  # null: saturated
            limit = min(next(goal for most, goal in GOALS if part <= most), promise / 100 if promise else inf)
            self.check(abs(predicted / ours - 1) <= limit + 4 * error,
                       f"{net} at {load}: predict {predicted} within {100 * limit:g} %, oracle {ours}")
            print(f"{net} at {load}: latency {ours:.2f} (standard error {100 * error:.1f} %); golden model "
                  f"{100 * (theirs / ours - 1):+.2f} % ({100 * paired:.2f} %), predict "
                  f"{100 * (predicted / ours - 1):+.1f} %, promised {promise or 'nothing'}")


GOALS = ((0.4, 0.02), (0.6, 0.05), (0.7, 0.10))  # up to which part of saturation latency is right to which part of it
RINGS_LATE = 0.03  # by which the mean latency of worms that meet in rings may differ

#        topology     k  n  flits, part of saturation, largest error of the engine
CASES = (("hypercube", 2, 4, 16, 0.4, 0.01), ("rings", 4, 2, 16, 0.4, 0.02), ("hypercube", 2, 5, 20, 0.6, 0.01),
         ("rings", 5, 2, 16, 0.5, 0.02), ("hypercube", 2, 4, 8, 0.7, 0.01), ("hypercube", 2, 4, 3, 0.5, 0.02),
         ("rings", 3, 2, 32, 0.7, 0.08), ("rings", 7, 1, 24, 0.6, 0.03))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True, help="where annelid is built")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="fewer cases, seconds")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        oracle = Oracle(options.build.resolve(), options.seed, options.short, folder)
        oracle.predictions(12 if options.short else 120, 27 if options.short else 64)
        oracle.few_worms(40 if options.short else 400)
        oracle.open_loop(CASES[:2] if options.short else CASES)
    print(f"{oracle.passed} passed, {oracle.failed} failed")
    return oracle.failed > 0


if __name__ == "__main__":
    sys.exit(main())
