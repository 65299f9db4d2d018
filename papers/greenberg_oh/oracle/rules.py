#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The three rules that the paper does not state were found by its Table 1. This program puts others in their place and
prints what section 3.2.3 says beside the table: how far STORE with RP and RR is below STORE with other schemes."""

import argparse
import math
import random
import statistics

import fattree

OTHERS = {
    "ours": {},
    "order: what is full at the start takes nothing": {"order": "simultaneous"},
    "order: leaves first": {"order": "leaves first"},
    "order: random in each step": {"order": "any order"},
    "RR: start among the ports with flits": {"start": "those with flits"},
    "RR: children, then parents": {"start": "four and two"},
    "RR: any permutation": {"start": "any order"},
    "RP: sampled once a switch": {"draw": "once"},
    "RP: one sample a switch and step": {"draw": "one a node"},
}


class Means:
    """The mean latency of STORE under a scheme and its standard error; each is computed once."""

    def __init__(self, processors, runs, seed):
        self.tree, self.runs, self.known = fattree.Tree(processors), runs, {}
        generator = random.Random(seed)
        self.instances = [fattree.instance(processors, "random", 1, generator) for _ in range(runs)]

    def __call__(self, select, scan, change):
        rules = fattree.STORE._replace(**change)._replace(select=select, scan=scan)
        if scan == "FO":
            rules = rules._replace(start=None)
        if select != "RP":
            rules = rules._replace(draw=None)
        if rules not in self.known:
            times = [32 * fattree.latency(self.tree, worms, rules, run) for run, worms in enumerate(self.instances)]
            self.known[rules] = (statistics.fmean(times), statistics.stdev(times) / math.sqrt(self.runs))
        return self.known[rules]


def ties():
    """FF whose ties are broken in a fixed order: nearer to FO under RP, but then SPLIT GP-FF loses to SPLIT RP-FO."""
    for name, base, processors, runs, length, split, scale in (
        ("STORE", fattree.STORE, 1024, 50, 1, 1, 32),
        ("SPLIT", fattree.SPLIT, 256, 20, 1, 32, 1),
    ):
        tree, generator = fattree.Tree(processors), random.Random(3)
        draw = [fattree.instance(processors, "random", length, generator) for _ in range(runs)]
        for select, scan in (("RP", "FO"), ("RP", "FF"), ("RP", "FF fixed"), ("GP", "FF"), ("GP", "FF fixed")):
            rules = base._replace(select=select, scan=scan)
            packets = [[worm for worm in worms for _ in range(split)] for worms in draw]
            times = [scale * fattree.latency(tree, worms, rules, run) for run, worms in enumerate(packets)]
            error = statistics.stdev(times) / math.sqrt(runs)
            print(f"{name}, N = {processors}, {select}-{scan}: {statistics.fmean(times):.0f} ±{error:.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processors", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ties", action="store_true", help="other ties of FF instead")
    arguments = parser.parse_args()
    if arguments.ties:
        ties()
        return
    means = Means(arguments.processors, arguments.runs, arguments.seed)
    for name, change in OTHERS.items():
        low, low_error = means("RP", "RR", change)
        cells = [f"{low:.0f} ±{low_error:.0f}"]
        for select, scan in (("RP", "FO"), ("GP", "FO"), ("FP", "RR"), ("GP", "RR")):
            high, high_error = means(select, scan, change)
            error = 100 * low / high * math.hypot(low_error / low, high_error / high)
            cells.append(f"below {select}-{scan} by {100 * (1 - low / high):.1f} ±{error:.1f} %")
        print(f"{name}: " + ", ".join(cells), flush=True)


if __name__ == "__main__":
    main()
