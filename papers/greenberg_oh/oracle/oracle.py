#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The oracle of Greenberg and Oh: fattree.py, a second program, beside `annelid` on instances that it draws itself."""

import argparse
import csv
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

import fattree

SELECT = {"FP": "up_down_fixed", "RP": "up_down_random", "GP": "up_down_greedy"}
SCAN = {"FO": "fixed", "RR": "random", "FF": "farthest"}
CREDITS = {"root first": "bypass", "simultaneous": "registered"}
TABLE = pathlib.Path(__file__).parent.parent / "data" / "table1.csv"
LIMIT = 4.5  # standard errors between two means of the same thing: once in 150,000 comparisons


class Oracle:
    def __init__(self, build, seed, short, folder):
        self.annelid, self.short = pathlib.Path(build) / "annelid", short
        self.random, self.folder = random.Random(seed), pathlib.Path(folder)
        self.passed = self.failed = 0
        self.trees = {processors: fattree.Tree(processors) for processors in (4, 16, 64, 256)}

    def judge(self, good, what):
        self.passed += good
        self.failed += not good
        if not good:
            print(f"FAILED: {what}")

    # The model, by its public command

    def call(self, *arguments, fails=False):
        done = subprocess.run([self.annelid, *arguments], capture_output=True, text=True)
        if done.returncode and not fails:
            sys.exit(f"oracle: annelid {' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return done.stdout

    def scenario(self, tree, worms, rules):
        """The instance as a message file and a scenario that replays it. Only FP has paths, and no choice at N = 4."""
        path = " path={}" if rules.select == "FP" and tree.levels > 1 else ""
        lines = [f"0 {w.source} {w.destination} {w.length}{path.format(w.path)}" for w in worms]
        (self.folder / "messages.txt").write_text("\n".join(lines) + "\n")
        scenario = self.folder / "scenario.yaml"
        scenario.write_text(
            f"network: {{topology: fat_tree, n: {tree.levels}}}\n"
            f"switch: {{depth: {rules.queue}, routing: {SELECT[rules.select]}, arbiter: {SCAN[rules.scan]}, "
            f"credits: {CREDITS[rules.order]}}}\n"
            "traffic: {process: replay, messages: messages.txt}\nrun: {seed: 1}\n"
        )
        return scenario

    def delivered(self, tree, worms, rules):
        """The step in which each worm is delivered. In annelid the flit crosses an edge in the cycle that it prints."""
        table = self.folder / "worms.csv"
        self.call("run", "--worms", table, self.scenario(tree, worms, rules))
        rows = csv.DictReader(line for line in table.read_text().splitlines() if line[0] != "#")
        return [int(row["delivered"]) for row in rows]

    def sweep(self, scenario, seeds, *options):
        """The maximum and the mean latency of each seed. The paper counts steps from 0, annelid's latency from 1."""
        table = self.folder / "sweep.csv"
        self.call("sweep", "--workers", "1", "--restart", "--seeds", seeds, "-o", table, *options, scenario)
        rows = csv.DictReader(line for line in table.read_text().splitlines() if line[0] != "#")
        return [(int(row["cycles"]) - 1, float(row["latency"]) - 1) for row in rows]

    # Instances of our own

    def worms(self, tree, count, lengths, hot):
        ends = [self.random.randrange(tree.processors) for _ in range(hot)] or range(tree.processors)
        return [
            fattree.Worm(
                self.random.randrange(tree.processors),
                self.random.choice(ends),
                self.random.choice(lengths),
                fattree.path(tree.processors, self.random),
            )
            for _ in range(count)
        ]

    def any_worms(self):
        tree = self.trees[self.random.choice([4, 16, 16, 64] + [256] * (not self.short))]
        lengths = self.random.choice([[1], [32], [1, 2, 3], [1, 7, 32]])
        count = self.random.randint(2, tree.processors * (3 if lengths == [1] else 1))
        return tree, sorted(self.worms(tree, count, lengths, self.random.choice([0, 0, 1, 4])))

    # The checks

    def steps(self, cases):
        """Without randomness every worm must be delivered in the same step."""
        worms_seen = 0
        for _ in range(cases):
            tree, worms = self.any_worms()
            order = self.random.choice(list(CREDITS))
            rules = fattree.Rules(self.random.randint(1, 5), self.random.choice(["FP", "GP"]), "FO", order, None, None)
            ours = fattree.Machine(tree, worms, rules, 0).run()
            theirs = self.delivered(tree, worms, rules)
            worms_seen += len(worms)
            first = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]), None)
            self.judge(
                ours == theirs,
                f"N = {tree.processors}, {len(worms)} worms, {rules}: worm {first} {worms[first or 0]} is delivered in "
                f"step {ours[first or 0]}, in the model {theirs[first or 0]}",
            )
        print(f"delivery steps   {cases} instances, FP and GP with FO: equal for all {worms_seen} worms, or failed")

    def measures(self, cases):
        for _ in range(cases):
            tree, worms = self.any_worms()
            worms = [worm._replace(length=5) for worm in worms]
            rules = fattree.WORM._replace(select="FP")
            told = json.loads(self.call("bounds", "--fixed", "--json", self.scenario(tree, worms, rules), fails=True))
            ours = [tree.congestion(worms), max(map(len, map(tree.path, worms))), tree.load_factor(worms)]
            theirs = [told["congestion"], told["dilation"], told["load_factor"]]
            equal = ours[:2] == theirs[:2] and math.isclose(ours[2], theirs[2], rel_tol=1e-6)
            self.judge(equal, f"c, d, lambda: {ours}, model {theirs}, {worms}")
        print(f"c, d and lambda  {cases} instances with paths of their own: equal, or failed")

    def compare(self, ours, theirs, what):
        """Two samples of the same thing. Returns the difference of their means over its standard error."""
        error = math.hypot(*(statistics.stdev(x) / math.sqrt(len(x)) for x in (ours, theirs)))
        gap = statistics.fmean(ours) - statistics.fmean(theirs)
        if abs(gap) < 1e-5:  # annelid prints six digits of a mean
            gap = 0.0
        z = gap / error if error else math.copysign(math.inf, gap) if gap else 0.0
        means = f"{statistics.fmean(ours):.2f}, model {statistics.fmean(theirs):.2f}, z {z:.1f}"
        self.judge(abs(z) <= LIMIT, f"{what}: {means}")
        return z

    def draws(self, cases, runs):
        """With randomness the maximum and the mean latency of an instance have the same mean over seeds."""
        schemes = [("RP", "RR"), ("RP", "FO"), ("GP", "RR"), ("FP", "RR"), ("RP", "FF"), ("GP", "FF")]
        found = []
        for case in range(cases):
            tree = self.trees[16 if self.short or case % 2 else 64]
            hot = self.random.choice([0, 1, 3])
            worms = sorted(self.worms(tree, self.random.randint(6, 24), [1] if case % 3 else [8], hot))
            select, scan = schemes[case % len(schemes)]
            rules = self.random.choice([fattree.WORM, fattree.STORE])._replace(select=select, scan=scan)
            ours = [fattree.Machine(tree, worms, rules, self.random.random()).run() for _ in range(runs)]
            theirs = self.sweep(self.scenario(tree, worms, rules), str(4 * runs))
            what = f"N = {tree.processors}, {select}-{scan}, {rules.order}, {worms}"
            for k, name, measure in ((0, "maximum", max), (1, "mean", statistics.fmean)):
                found.append(self.compare(list(map(measure, ours)), [run[k] for run in theirs], f"{name}, {what}"))
        self.spread(f"draws            {cases} instances, {runs} runs of each here, {4 * runs} of the model", found)

    def first_of_two(self, runs):
        """RR begins at one of six ports: of inputs i < j that want one link, j wins with probability (j - i) / 6."""
        parts = []
        for i in range(6):
            for j in range(i + 1, 6):
                seen = self.race(i, j, runs)
                parts.append((seen - runs * (j - i) / 6) / math.sqrt(runs * (j - i) / 6 * (6 - j + i) / 6))
        square = sum(part * part for part in parts)
        # 15 degrees of freedom: 44.3 is exceeded once in 10,000 times.
        self.judge(square < 44.3, f"RR, who of two inputs is first: chi-squared {square:.0f} of 15")
        print(f"RR               {len(parts)} pairs of inputs, {runs} runs each: chi-squared {square:.1f}, expected 15")

    def race(self, i, j, runs):
        """How often input j is before i at switch 0 of 16 processors, both for processor 0. Parents' worms come from
        afar, by path 0 or 1, and the others start two steps later. Worms of 1 and 3 flits show who was first."""
        lines = []
        for port, length in ((i, 1), (j, 3)):
            start, source, path = (0, 4 + port, port - 4) if port > 3 else (2, port, 0)
            lines.append((start, source, length, path))
        scenario = self.scenario(self.trees[16], [], fattree.WORM._replace(select="FP", queue=4))
        text = "".join(f"{start} {source} 0 {length} path={path}\n" for start, source, length, path in sorted(lines))
        (self.folder / "messages.txt").write_text(text)
        means = [latency for _, latency in self.sweep(scenario, str(runs))]
        return sum(mean > min(means) for mean in means)

    def lemma_1(self, cases):
        """Pr{S >= m} <= exp(-(m - nKp)^2 / 2m) for any sum of binomials, beside the exact tail."""
        nearest = math.inf
        for _ in range(cases):
            trials, p = self.random.randint(1, 600), self.random.random() ** 3
            m = min(trials, math.ceil(trials * p + self.random.random() * 8 * math.sqrt(trials * p) + 1e-9))
            if m >= trials * p and tail(trials, p, m) > 0:
                nearest = min(nearest, bound(trials, p, m) / tail(trials, p, m))
        self.judge(nearest >= 1, f"Lemma 1: the bound is {nearest} times the exact tail")
        print(f"Lemma 1          {cases} binomials: the bound is at least {nearest:.2f} times the exact tail")

    def congestion_of_random(self, size, count):
        """c and lambda of random instances with random paths, of the model and ours, beside what Lemma 1 promises."""
        tree = self.trees[size]
        sets = ["--set", f"network.n={tree.levels}", "--set", "switch.routing=up_down_fixed", "--fixed", "--json"]
        theirs = []
        for seed in range(2001, 2001 + count):
            told = json.loads(self.call("bounds", *sets, "--seed", str(seed), TABLE.parent / "worm.yaml", fails=True))
            theirs.append((told["congestion"], told["load_factor"]))
        draw = [fattree.instance(size, "random", 1, self.random) for _ in range(count)]
        ours = [(tree.congestion(worms), tree.load_factor(worms)) for worms in draw]
        for which, name in ((0, "c"), (1, "lambda")):
            self.compare([pair[which] for pair in ours], [pair[which] for pair in theirs], f"{name} of N = {size}")
        both = ours + theirs
        most = max(c / (load + 2 * tree.levels) for c, load in both)
        self.judge(most <= 1.5, f"c is {most} (lambda + log N)")
        rare = {}
        for m in range(1, size + 1):
            seen, promised = sum(c >= m for c, _ in both) / len(both), self.any_link_has(tree, m)
            self.judge(seen <= promised + 1e-9, f"Pr(c >= {m}): {seen}, by Lemma 1 {promised}")
            for which, probability in (("seen", seen), ("promised", promised)):
                if probability < 0.01:
                    rare.setdefault(which, m)
        mean, load = (statistics.fmean(pair[i] for pair in both) for i in (0, 1))
        print(
            f"c and lambda     {len(both)} random instances, N = {size}: means {mean:.2f} and {load:.2f}, most "
            f"c / (lambda + lg N) {most:.2f};\n                 in 99 of 100 c is below {rare['seen']}, "
            f"by Lemma 1 below {rare.get('promised', size)}"
        )

    def any_link_has(self, tree, m):
        """Lemma 1 for each link of the tree and the sum of these: m of the packets of a random instance cross it."""
        total, size = 0.0, tree.processors
        for level in range(tree.levels):
            leaves, links = 4**level, 2**level
            for trials, p in ((leaves, 1 - leaves / size), (size - leaves, leaves / size)):
                if level == 0:  # a packet to its own processor crosses both links, too
                    trials, p = (1, 1.0) if trials == 1 else (size, 1 / size)
                if m > trials:
                    continue
                total += size / leaves * links * (bound(trials, p / links, m) if m >= trials * p / links else 1)
        return min(1.0, total)

    def spread(self, what, found):
        worst, root = max(map(abs, found)), math.sqrt(statistics.fmean(z * z for z in found))
        print(f"{what}: largest |z| {worst:.1f}, root mean square {root:.2f}")

    def table_1(self, sizes, runs):
        """Table 1: this program beside the model with seeds that the page does not use, and beside the paper."""
        found, printed = [], []
        for row in (row.split(",") for row in TABLE.read_text().splitlines() if row[0] != "#"):
            _, quantity, series, size, paper, unit, tolerance = row
            if int(size) not in sizes or tolerance == "shown":
                continue
            algorithm, _, pattern = series.removesuffix("-gp-fo").partition("-")
            tree, store, exact = self.trees[int(size)], algorithm == "store", tolerance == "exact"
            count, scale = 2 if exact else runs, 32 if store else 1
            draw = [fattree.instance(int(size), pattern or "random", 32 // scale, self.random) for _ in range(count)]
            if quantity == "time":
                rules = fattree.STORE if store else fattree.WORM
                ours = [scale * fattree.latency(tree, worms, rules, self.random.random()) for worms in draw]
                theirs = [scale * run[0] for run in self.table_1_of_model(algorithm, pattern, tree, 4 * count)]
                found.append(self.compare(ours, theirs, f"{series}, N = {size}"))
            else:
                ours = list(map(tree.load_factor if quantity == "load" else self.congestion_of(series, tree), draw))
            gap = float(paper) - statistics.fmean(ours)
            # The paper's mean is one of 30 runs, rounded to its unit.
            deviation = statistics.stdev(ours)
            error = math.hypot(deviation / math.sqrt(30), deviation / math.sqrt(count), float(unit) / math.sqrt(12))
            printed.append(0.0 if gap == 0 else gap / error)
            near = gap == 0 if exact else abs(printed[-1]) <= float(tolerance)
            self.judge(near, f"{series} {quantity}, N = {size}: {statistics.fmean(ours):.2f}, paper {paper}")
        self.spread(f"Table 1          {len(found)} cells, {runs} runs here, {4 * runs} of the model", found)
        self.spread(f"Table 1          {len(printed)} cells beside the paper", printed)

    def congestion_of(self, series, tree):
        """c of worms whose paths make no difference, or with the paths that GP and FO give."""
        if not series.endswith("-gp-fo"):
            return tree.congestion
        rules = fattree.WORM._replace(select="GP", scan="FO")
        return lambda worms: max(fattree.crossings(tree, worms, rules))

    def table_1_of_model(self, algorithm, pattern, tree, count):
        where = {"": "random_function", "complement": "complement", "many-to-1": "far_corner"}[pattern]
        sets = ["--set", f"network.n={tree.levels}", "--set", f"traffic.pattern={where}"]
        return self.sweep(TABLE.parent / f"{algorithm}.yaml", f"1001-{1000 + count}", *sets)


def tail(trials, p, m):
    """Pr{X >= m} of a binomial distribution, which a sum of n with K trials each is with n K trials."""
    return math.fsum(math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(m, trials + 1))


def bound(trials, p, m):
    return math.exp(-((m - trials * p) ** 2) / (2 * m))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="where annelid is")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="fewer and smaller instances")
    arguments = parser.parse_args()
    if not (pathlib.Path(arguments.build) / "annelid").exists():
        sys.exit(f"oracle: {arguments.build}/annelid is not there: make model builds it")
    with tempfile.TemporaryDirectory() as folder:
        oracle = Oracle(arguments.build, arguments.seed, arguments.short, folder)
        short = arguments.short
        oracle.steps(60 if short else 400)
        oracle.measures(30 if short else 200)
        oracle.draws(12 if short else 36, 100 if short else 250)
        oracle.first_of_two(1000 if short else 6000)
        oracle.lemma_1(200 if short else 3000)
        for size, count in ((64, 40),) if short else ((16, 200), (64, 200), (256, 100)):
            oracle.congestion_of_random(size, count)
        oracle.table_1((16,) if short else (16, 64, 256), 60)
    print(f"{oracle.passed} passed, {oracle.failed} failed")
    return oracle.failed > 0


if __name__ == "__main__":
    sys.exit(main())
