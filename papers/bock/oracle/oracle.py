#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the model of sliding diagonals against a second reading of the paper (diagonals.py), on cases drawn here.

usage: oracle.py --build build [--short] [--seed N]
"""

import argparse
import csv
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from diagonals import Parameters, Torus, Worm, put_into_batches, run, run_batch

HERE = Path(__file__).resolve().parent
MASK = 2**64 - 1
CASE = "worms n d L a b c rounds batches seeds short steps least most".split()


class Verdicts:
    """Counts what agreed, and prints what did not."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, good, what):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print(f"FAIL  {what}")


# --- Cases ---------------------------------------------------------------------------------------------------------


def draw_parameters(rng, sides, d):
    """Parameters that hold the conditions of the page, small enough to make worms fail."""
    while True:
        p = Parameters(rng.choice(sides), d, rng.randint(1, 3), *(rng.randint(1, 4) for _ in "ab"), rng.randint(2, 8),
                       rng.choice(["paper", "short", "least"]))
        forward = 2 * p.c * (p.length if p.rounds == "paper" else 1)
        rest = p.n % (p.c * p.length)
        if p.n % (p.a * p.b * p.length) == p.n % p.c == 0 and p.c * p.length <= p.n and forward <= p.n and not 0 < rest <= p.length:
            return p


def mix(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


class Random:
    """The generator of a pattern: xoshiro256** (docs/random.md)."""

    def __init__(self, seed, stream):
        z = (seed ^ mix(stream + 1)) & MASK
        self.words = [mix((z + i * 0x9E3779B97F4A7C15) & MASK) for i in range(1, 5)]

    def next(self):
        turn = lambda x, k: (x << k | x >> (64 - k)) & MASK
        a, b, c, d = self.words
        self.words = [a ^ b ^ d, b ^ a ^ c, c ^ a ^ (b << 17 & MASK), turn(d ^ b, 45)]
        return turn(b * 5 & MASK, 7) * 9 & MASK

    def below(self, n):
        while (product := (self.next() >> 32) * n) & (2**32 - 1) < 2**32 % n:
            pass
        return product >> 32


def via(seed, number, nodes):
    """The intermediate destination of a worm (docs/random.md)."""
    return (mix((mix(seed) + number + 1) & MASK) >> 32) % nodes


class Model:
    """Calls the command annelid in a folder of its own."""

    def __init__(self, build, folder):
        self.command, self.folder = Path(build).resolve() / "annelid", Path(folder)

    def call(self, *arguments):
        done = subprocess.run([self.command, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)
        if done.returncode == 2:
            sys.exit(f"oracle: annelid {' '.join(map(str, arguments))}: {done.stderr.strip()}")

    def scenario(self, p, traffic, routing="", cycles=""):
        path = self.folder / "case.yaml"
        path.write_text(
            f"network: {{topology: torus, k: {p.n}, n: {p.d}}}\n"
            f"switch: {{kind: diagonals, a: {p.a}, b: {p.b}, c: {p.c}, rounds: {p.rounds}{routing}}}\n"
            f"traffic: {{{traffic}, length: {p.length}}}\nrun: {{max_cycles: 300000{cycles}}}\n")
        return path

    def exits(self, path, p, seed):
        """The worms of a run, and what their heads left by: (step, node, register) of each, in the order of time."""
        self.call("run", "--seed", seed, "--trace", "case.txt", path)
        worms, exits, terminal = {}, {}, 2 * p.d
        with open(self.folder / "case.txt") as lines:
            for line in lines:
                word = line.split()
                if word[0] == "worm":
                    worms[int(word[1])] = (int(word[2]), int(word[3]))
                elif word[0] == "flit" and word[6] == "0" and int(word[2]) % (2 * p.d + 1) == terminal:
                    exits.setdefault(int(word[5]), []).append((int(word[1]) - 1, int(word[2]) // (2 * p.d + 1), int(word[3])))
        return worms, exits

    def latencies(self, path, seed):
        self.call("run", "--seed", seed, "--worms", "case.csv", path)
        with open(self.folder / "case.csv") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            return {int(row["id"]): (int(row["source"]), int(row["destination"]), int(row["delivered"] or 0)) for row in rows}


def matrix_of(rng, folder, p):
    """A random function of some nodes, drawn here, as rates of worms that are all created in cycle 0."""
    nodes = p.n**p.d
    goes = {node: rng.randrange(nodes) for node in range(nodes) if rng.random() < 0.7} or {0: 0}
    rows = "".join(f"{node},{there},1\n" for node, there in goes.items())
    (folder / "case_matrix.csv").write_text("source,destination,rate\n" + rows)
    return "process: bernoulli, pattern: matrix, matrix: case_matrix.csv", ", cycles: 1"


# --- Checks --------------------------------------------------------------------------------------------------------


def check_exits(verdicts, model, rng, count):
    """Every exit of every worm of small tori on which many fail: its step, its node, its register."""
    worms_seen = exits_seen = 0
    for _ in range(count):
        d = rng.choice([2, 2, 2, 3, 3, 4])
        p = draw_parameters(rng, {2: [4, 6, 8, 9, 12, 16], 3: [4, 6], 4: [4]}[d], d)
        kind, seed = rng.choice(["uniform", "permutation", "tornado", "q_relation", "matrix"]), rng.randrange(2**32)
        valiant, cycles = rng.random() < 0.4, ""
        traffic = f"process: batch, pattern: {kind}" + (", worms_per_terminal: 2" if kind == "q_relation" else "")
        if kind == "matrix":
            traffic, cycles = matrix_of(rng, model.folder, p)
        path = model.scenario(p, traffic, ", routing: valiant" if valiant else "", cycles)
        given, exits = model.exits(path, p, seed)
        worms = [Worm(k, source, [there]) for k, (source, there) in given.items()]
        for worm in worms if valiant else []:
            if (node := via(seed, worm.number, p.n**p.d)) != worm.targets[0]:
                worm.targets.insert(0, node)
        run(Torus(p), worms)
        wrong = [worm.number for worm in worms if [tuple(e) for e in worm.exits] != exits.get(worm.number)]
        verdicts.check(not wrong, f"exits, {p}, {kind}, valiant {valiant}, seed {seed}: {len(wrong)} worms, first {wrong[:1]}")
        worms_seen += len(worms)
        exits_seen += sum(len(worm.exits) for worm in worms)
    print(f"exits: {count} tori, {worms_seen} worms with {exits_seen} exits, {exits_seen - worms_seen} of them before the end")


def check_latencies(verdicts, model, rng, cases):
    """The cycle of delivery of every worm of one random function."""
    for p in cases:
        seed = rng.randrange(2**32)
        given = model.latencies(model.scenario(p, "process: batch"), seed)
        worms = [Worm(k, source, [there]) for k, (source, there, _) in given.items()]
        torus = Torus(p)
        run(torus, worms)
        late = [k for k, worm in zip(given, worms) if worm.exits[-1].step + p.length != given[k][2]]
        verdicts.check(not late, f"deliveries, {p}, seed {seed}: worm {late[:1]}")
        print(f"deliveries: n {p.n}, d {p.d}, L {p.length}, ({p.a}, {p.b}, {p.c}), {p.rounds}: {len(worms)} worms, "
              f"{sum(len(worm.exits) > 1 for worm in worms)} failed first")


def check_steps(verdicts):
    """The numbers of steps of the data, by the paper's sum for a stage."""
    with open(HERE.parent / "data/cases.csv") as lines:
        cases = [dict(zip(CASE, row)) for row in csv.reader(line for line in lines if not line.startswith("#"))]
    stated = [case for case in cases if int(case["steps"])]
    for case in stated:
        p = parameters_of(case)
        torus = Torus(p)
        steps = torus.total(int(case["batches"]) or torus.spacing)
        verdicts.check(steps == int(case["steps"]), f"steps of {case}: {steps} here")
    print(f"steps: {len(stated)} rows of data/cases.csv")


def parameters_of(row):
    return Parameters(*(int(row[key]) for key in "n d L a b c".split()), row["rounds"])


def runs_of(build):
    path = Path(build) / "papers/bock/runs.csv"
    if not path.exists():
        sys.exit(f"oracle: no {path}: make paper-bock writes it")
    with open(path) as lines:
        return [row for row in csv.DictReader(lines) if row["worms"] == "function"]


def rounds_of(row):
    if int(row["F"]) == 2 * int(row["c"]) * int(row["L"]) and row["R"] == row["c"]:
        return "paper"
    return "short" if row["R"] == "8" else "least"


def failed_of(torus, load):
    return sum(e.register != 2 * torus.d - 1 for e in load.exits)


def check_runs(verdicts, build, most_worms, seeds):
    """Runs of the paper's program, with the same random functions: what it counts of them."""
    worms_seen = count = failed_seen = 0
    for row in runs_of(build):
        if int(row["worms_in_all"]) > most_worms or int(row["seed"]) > seeds:
            continue
        p = parameters_of(dict(row, rounds=rounds_of(row)))
        torus, rng, nodes = Torus(p), Random(int(row["seed"]), p.n**p.d), p.n**p.d
        torus.all_in = int(row["batches"])
        worms = [Worm(k, k, [rng.below(nodes)]) for k in range(nodes)]
        loads = run(torus, worms)
        here = {"steps": torus.total(torus.all_in), "failed": failed_of(torus, loads[0]), "rounds": max(w.rounds for w in worms),
                "reservoir": max(torus.sizes["stood"]), "clean_up_passes": len(loads) - 1,
                "clean_up_steps": sum(torus.total(load.batches) for load in loads[1:])}
        apart = {key: (value, row[key]) for key, value in here.items() if value != int(row[key])}
        verdicts.check(not apart, f"runs.csv, {p}, seed {row['seed']}: here and there {apart}")
        worms_seen, failed_seen, count = worms_seen + nodes, failed_seen + here["failed"], count + 1
    print(f"runs: {count} rows of runs.csv, {worms_seen} worms, {failed_seen} failed")


def lemmas(torus):
    """The experiments of Lemmas 3.2 to 3.4 in all batches, and the paper's bound that t worms or more are in one of them."""
    n, c, q = torus.n, torus.c, torus.all_in
    stages = q * n ** (torus.d - 2) * (torus.d - 1)  # of one (n, 2)-subtorus
    yield "block", "Lemma 3.3", stages * n // (torus.b * torus.length) * (n // c), lambda t: math.comb(n // torus.a, t) * (c / n) ** t
    yield "wanted", "Lemma 3.4", stages * n * -(-n // (c * torus.length)), lambda t: math.comb(c * c // torus.b, t) / c**t
    if torus.d == 3:
        yield "row", "Lemma 3.2", q * n**2, lambda t: math.comb(n**2 // q, t) / n**t


def check_lemmas(verdicts, torus, functions):
    """Holds how often t worms or more came together against the paper's bound: within four standard deviations."""
    for what, name, experiments, bound in lemmas(torus):
        sizes, shown = torus.sizes[what], []
        for t in range(1, max(sizes) + 1):
            here, most = sum(k for size, k in sizes.items() if size >= t), bound(t) * experiments * functions
            verdicts.check(here <= most + 4 * math.sqrt(most) + 1, f"{name}, n {torus.n}: {here} with {t} or more, bound {most:.1f}")
            if bound(t) < 0.5:
                shown.append(f"{t}: {here} / {most:.3g}")
        print(f"  {name}: {experiments * functions} experiments, t worms or more, here / bound: {', '.join(shown) or 'no t'}")


def check_rates(verdicts, build, rng, kinds):
    """How many worms fail of random functions that are drawn here, beside those that the paper's program ran."""
    for p, functions in kinds:
        torus, nodes = Torus(p), p.n**p.d
        same = [row for row in runs_of(build) if parameters_of(dict(row, rounds=rounds_of(row))) == p]
        there, of = sum(int(row["failed"]) for row in same), sum(int(row["worms_in_all"]) for row in same)
        here = 0
        for _ in range(functions):
            worms = [Worm(k, k, [rng.randrange(nodes)]) for k in range(nodes)]
            for j, batch in enumerate(put_into_batches(torus, worms)):
                run_batch(torus, batch, j * torus.period)
            here += sum(worm.exits[-1].register != 2 * p.d - 1 for worm in worms)
        mean = (here + there) / (functions * nodes + of)
        error = math.sqrt(mean * (1 / (functions * nodes) + 1 / max(of, 1)))
        apart = (here / (functions * nodes) - there / max(of, 1)) / (error or 1)
        verdicts.check(of and abs(apart) <= 4, f"failures, {p}: {here} here, {there} of {of} there")
        print(f"failures: n {p.n}, d {p.d}, L {p.length}, ({p.a}, {p.b}, {p.c}), {p.rounds}: here {here} of {functions * nodes}, "
              f"there {there} of {of}: {apart:+.1f} standard errors")
        check_lemmas(verdicts, torus, functions)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--seed", type=int, default=1996)
    options = parser.parse_args()
    rng, verdicts = random.Random(options.seed), Verdicts()
    with tempfile.TemporaryDirectory() as folder:
        model = Model(options.build, folder)
        check_steps(verdicts)
        check_exits(verdicts, model, rng, 20 if options.short else 300)
        short = options.short
        function = [Parameters(64, 2, 1, 4, 1, 8, "paper"), Parameters(12, 3, 1, 2, 1, 6, "paper")]
        more = [Parameters(64, 2, 2, 4, 1, 16, "short"), Parameters(16, 3, 2, 2, 1, 4, "short"), Parameters(8, 4, 1, 2, 1, 4, "least")]
        check_latencies(verdicts, model, rng, function[:1] if short else function + more)
        check_runs(verdicts, options.build, *((4096, 1) if short else (40000, 1)))
        function += [] if short else [Parameters(64, 2, 2, 2, 2, 8, "paper"), Parameters(64, 2, 1, 4, 4, 8, "paper")]
        check_rates(verdicts, options.build, rng, [(p, 2 if short else 40) for p in function])
    print(f"{verdicts.passed} passed, {verdicts.failed} failed")
    return verdicts.failed > 0


if __name__ == "__main__":
    sys.exit(main())
