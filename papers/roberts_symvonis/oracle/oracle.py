#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second reading of Roberts and Symvonis, from the text of the paper and the section "Reading" of the page.

usage: papers/roberts_symvonis/oracle/oracle.py --build build [--short] [--seed N] [--all] [--write-means FILE]

It draws worms, computes their schedules by the algorithm as it is printed (offline.py), and compares them with those of
build/annelid. It reads what the paper's program left in build/papers/roberts_symvonis. Prints a line for each kind of check
and, at the end, N passed, N failed; exit status 1 if any failed. --all: all permutations of n = 3 for all k and orders, some
minutes. --write-means: makes means.csv and checks nothing.
"""
import argparse
import csv
import json
import random
import statistics
import subprocess
import sys
import tempfile
from itertools import permutations
from pathlib import Path

sys.dont_write_bytecode = True
import offline
import supernodes

DATA = Path(__file__).parent.parent / "data"


class Checks:
    """Counts what holds; a line for each kind of check, and what was expected of the first five that do not hold."""

    def __init__(self):
        self.passed, self.failed, self.kinds = 0, 0, {}

    def same(self, kind, what, theirs, ours):
        good = theirs == ours
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        right, wrong = self.kinds.get(kind, (0, 0))
        self.kinds[kind] = right + good, wrong + (not good)
        if not good and wrong < 5:
            print(f"FAIL {kind}: {what}: the model has {theirs}, the oracle {ours}", file=sys.stderr)

    def end(self):
        for kind, (right, wrong) in self.kinds.items():
            print(f"  {kind:58} {right:7,} agree, {wrong} do not")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def rows_of(path):
    """Rows of a CSV file. The names of its columns are in its first row, or in its last remark."""
    if not path.exists():
        sys.exit(f"oracle: {path} is not there; make paper-roberts-symvonis writes it")
    lines = path.read_text().splitlines()
    names = [line.lstrip("# ") for line in lines if line.startswith("#")][-1:]
    return list(csv.DictReader(names + [line for line in lines if not line.startswith("#")]))


def squeezed(name):
    return "".join(letter for letter in name if letter.isalpha())


class Model:
    """build/annelid in a folder of its own."""

    def __init__(self, build, room):
        self.command, self.room = build / "annelid", Path(room)
        if not self.command.exists():
            sys.exit(f"oracle: {self.command} is not there; make model builds it")

    def run(self, *words, status=(0,)):
        done = subprocess.run([self.command, *map(str, words)], cwd=self.room, capture_output=True, text=True, check=False)
        if done.returncode not in status:
            sys.exit(f"oracle: annelid {' '.join(map(str, words))}: exit status {done.returncode}\n{done.stderr}")
        return done.stdout

    def write(self, name, rows):
        (self.room / name).write_text("".join(",".join(map(str, row)) + "\n" for row in rows))

    def schedule(self, n, k, worms, *words):
        self.write("worms.csv", sorted(worms))
        said = json.loads(self.run("schedule", "--n", n, "--k", k, "--file", "worms.csv", "--json", "-o", "starts.csv", *words))
        with open(self.room / "starts.csv", encoding="utf-8") as file:
            return said, {(int(row["source"]), int(row["destination"])): int(row["start"]) for row in csv.DictReader(file)}


def draw(rng, n):
    """A permutation of the nodes, whole or in part; one of four keeps its worms near each other, so that many meet."""
    nodes = list(range(n * n))
    if rng.random() < 0.25:
        half = [node for node in nodes if node % n < (n + 1) // 2]
        worms = list(zip(half, rng.sample([node for node in nodes if node % n >= n // 2], len(half))))
    else:
        worms = list(zip(nodes, rng.sample(nodes, len(nodes))))
    return rng.sample(worms, rng.randint(1, len(worms))) if rng.random() < 0.3 else worms


def compare_schedule(checks, model, rng, n, k):
    """One instance: starts, figures, the order of the user, the best order, a search, broken schedules, the flits of a run."""
    worms, where = draw(rng, n), f"n = {n}, k = {k}"
    order = rng.choice(sorted(offline.ORDERS))
    ours = offline.off_line_mesh_routing(n, k, offline.ordered(n, order, worms))
    said, starts = model.schedule(n, k, worms, "--order", order)
    checks.same("starts, an order of the page", f"{where}, {order}", starts, ours)
    figures = {"worms": len(worms), "moving": sum(a != b for a, b in worms), **offline.figures(n, k, ours),
               **offline.theorem_1(n, k), **offline.lower_bounds(n, k, worms)}
    for name, value in figures.items():
        checks.same(f"{name.replace('_', ' ')} of a schedule", where, said[name], value)

    mine = rng.sample(worms, len(worms))
    model.write("order.csv", [(source,) for source, _ in mine])
    _, starts = model.schedule(n, k, worms, "--order-file", "order.csv")
    checks.same("starts, any order", where, starts, offline.off_line_mesh_routing(n, k, mine))

    best = min(offline.makespan(n, k, offline.off_line_mesh_routing(n, k, offline.ordered(n, each, worms)))
               for each in offline.ORDERS)
    checks.same("the best of the seven orders", where, model.schedule(n, k, worms)[0]["makespan"], best)
    said, starts = model.schedule(n, k, worms, "--tries", 50, "--seed", rng.randint(1, 99))
    checks.same("a search is valid, not longer, not below the lower bound", where,
                (offline.first_clash(n, k, starts), said["lower_one_bend"] <= offline.makespan(n, k, starts) <= best), (None, True))
    check_broken(checks, model, rng, n, k, ours)
    compare_flits(checks, model, n, k, ours)


def check_broken(checks, model, rng, n, k, starts):
    """Starts that were changed: the machine must refuse those that are no valid solution, in the stage of the first clash."""
    for most in (1, 3, 4 * n * k):
        last = max(1, offline.theorem_1(n, k)["bound"])  # later starts are refused
        changed = {worm: min(last, max(1, start + rng.randint(-most, most) * rng.randint(0, 1))) for worm, start in starts.items()}
        model.write("changed.csv", [(*worm, start) for worm, start in changed.items()])
        said = json.loads(model.run("schedule", "--n", n, "--k", k, "--check", "changed.csv", "--json", status=(0, 1)))
        clash = offline.first_clash(n, k, changed)
        checks.same(f"the verdict on changed schedules, {'valid' if clash is None else 'broken'} ones", f"n = {n}, k = {k}",
                    said["fault"] and said["fault"]["step"], clash)


def compare_flits(checks, model, n, k, starts):
    """All flits of the bufferless switch, as a run records them, are the paths in the multistage graph."""
    moving = sorted((start, *worm) for worm, start in starts.items() if worm[0] != worm[1])
    if not moving or n < 2:
        return
    (model.room / "worms.txt").write_text("".join("%d %d %d %d\n" % (*worm, k) for worm in moving))
    (model.room / "worms.yaml").write_text(f"network: {{topology: mesh, k: {n}, n: 2}}\nswitch: {{kind: bufferless}}\n"
                                           "traffic: {process: replay, messages: worms.txt}\n")
    model.run("run", "--trace", "trace.txt", "worms.yaml")
    theirs = set()
    for line in (model.room / "trace.txt").read_text().splitlines():
        word = line.split()
        if word[0] == "flit":
            theirs.add((int(word[1]), int(word[2]), int(word[5]), int(word[6])))
    ours = set()
    for worm, (start, source, destination) in enumerate(moving):
        for place, (here, there) in enumerate([*offline.links(n, (source, destination)), (destination, destination)]):
            port = {1: 0, -1: 1, n: 2, -n: 3, 0: 4}[there - here]
            ours.update((start + place + flit, 5 * here + port, worm, flit) for flit in range(k))
    checks.same("all flits of a run without buffers", f"n = {n}, k = {k}", theirs, ours)


def walk(rng, nodes, length):
    """A walk that takes no link twice, on the graph in which each node leads to the three behind it."""
    at = [rng.randrange(nodes)]
    while len(at) <= length:
        step = (at[-1] + rng.randint(1, 3)) % nodes
        if (at[-1], step) in zip(at, at[1:]):
            break
        at.append(step)
    return at


def check_paths(checks, model, rng, count):
    """Worms with given paths, many of a source and many of a destination."""
    keys = {"row-major": lambda w: w[1], "longest": lambda w: (-w[0], w[1]), "shortest": lambda w: (w[0], -w[1])}
    for _ in range(count):
        k, order, nodes = rng.randint(1, 6), rng.choice(list(keys)), rng.randint(4, 12)
        walks = [walk(rng, nodes, rng.randint(0, 9)) for _ in range(rng.randint(1, 20))]
        paths = [list(zip(at, at[1:])) for at in walks]
        model.write("paths.csv", [(" ".join(map(str, at)),) for at in walks])
        said = json.loads(model.run("schedule", "--paths", "paths.csv", "-k", k, "--order", order, "--json", "-o", "given.csv"))
        theirs = [int(row["start"]) for row in rows_of(model.room / "given.csv")]
        in_order = sorted(range(len(paths)), key=lambda worm: keys[order]((len(paths[worm]), worm)))
        ours = offline.multistage(k, paths, in_order)
        checks.same("given paths: starts", f"k = {k}, {order}", theirs, ours)
        ways, ends = offline.meetings(paths), [[at[end] for at in walks] for end in (0, -1)]
        moving = [(len(path), 1 + (2 * k - 1) * way) for path, way in zip(paths, ways) if path]
        figures = {"makespan": max((start + len(path) + k - 2 for path, start in zip(paths, ours) if path), default=0),
                   "meetings": max(ways), "bound": max((start + d + k - 2 for d, start in moving), default=0),
                   **{f"h{i + 1}": max(map(each.count, each)) for i, each in enumerate(ends)}}
        checks.same("given paths: figures", f"k = {k}", {key: said[key] for key in figures}, figures)
        changed = [max(1, min(start - rng.randint(0, 2), said["bound"])) for start in ours]
        model.write("changed.csv", enumerate(changed))
        said = json.loads(model.run("schedule", "--paths", "paths.csv", "-k", k, "--check", "changed.csv", "--json", status=(0, 1)))
        used = [edge for path, start in zip(paths, changed) for edge in offline.edges(path, k, start)]
        clash = min((edge[2] for edge in used if used.count(edge) > 1), default=None)
        checks.same("given paths: the verdict on changed schedules", f"k = {k}", said["fault"] and said["fault"]["step"], clash)


def check_chain(checks, model, count):
    """Figure 1: permutations of a chain of 5 nodes, worms of one flit, take at most 4 steps."""
    most = 0
    for goals in list(permutations(range(5)))[-count:]:
        walks = [range(a, b + 1) if a <= b else range(a, b - 1, -1) for a, b in enumerate(goals)]
        model.write("paths.csv", [(" ".join(map(str, at)),) for at in walks])
        said = json.loads(model.run("schedule", "--paths", "paths.csv", "-k", 1, "--json"))
        starts = offline.multistage(1, [list(zip(at, at[1:])) for at in walks], range(5))
        ours = max(start + len(at) - 2 for at, start in zip(walks, starts) if len(at) > 1) if max(map(len, walks)) > 1 else 0
        checks.same("figure 1: permutations of a chain", goals, said["makespan"], ours)
        most = max(most, ours)
    checks.same("figure 1: the most steps of a chain of 5", f"{count} permutations", most, 4)


def check_named(checks, model, rng, count):
    """Fixed permutations: the rows of anchors.csv, which unit tests read, and others."""
    for row in rows_of(DATA.parent / "unit" / "anchors.csv"):
        n, k, *_, makespan, total, largest = row.values()
        worms = offline.ordered(int(n), row["order"], offline.named(int(n), row["permutation"]))
        ours = offline.figures(int(n), int(k), offline.off_line_mesh_routing(int(n), int(k), worms))
        checks.same("fixed permutations, rows of anchors.csv", list(row.values())[:4], (makespan, total, largest),
                    tuple(map(str, ours.values())))
    for _ in range(count):
        name, order, n, k = rng.choice(list(offline.NAMED)), rng.choice(list(offline.ORDERS)), rng.randint(2, 9), rng.randint(1, 9)
        n = rng.choice((2, 4, 8)) if name == "bitrev" else n
        said = json.loads(model.run("schedule", "--n", n, "--k", k, "--permutation", name, "--order", order, "--json"))
        ours = offline.figures(n, k, offline.off_line_mesh_routing(n, k, offline.ordered(n, order, offline.named(n, name))))
        checks.same("fixed permutations, others", (n, k, name, order), {key: said[key] for key in ours}, ours)


def check_lemma_1(checks, rng, pairs):
    """Two worms of a permutation: one forbids at most 2 k - 1 starts to the other. (This asks nothing of the model.)"""
    most = {}
    for _ in range(pairs):
        n, k = rng.randint(2, 6), rng.randint(1, 5)
        p, q = zip(rng.sample(range(n), 2), rng.sample(range(n * n), 2))  # both begin in the first row
        most[k] = max(most.get(k, 0), offline.pairs_forbid(n, k, p, q))
    checks.same("Lemma 1: starts that a worm forbids, the most for each k", "pairs", most, {k: 2 * k - 1 for k in most})


def check_exhaustive(checks, short, whole):
    """All permutations of n = 2, and of n = 3 with one k for each order, or with each."""
    for row in rows_of(DATA / "exhaustive.csv"):
        n, k, order = int(row["n"]), int(row["k"]), row["order"]
        if n == 3 and (short or not whole and list(offline.ORDERS).index(order) % 4 != k - 1):
            continue
        spans = [offline.makespan(n, k, offline.off_line_mesh_routing(n, k, offline.ordered(n, order, enumerate(goals))))
                 for goals in permutations(range(n * n))]
        checks.same(f"all permutations of n = {n}: largest makespan and mean", f"k = {k}, {order}",
                    (row["largest"], row["mean"]), (str(max(spans)), f"{statistics.fmean(spans):.4f}"))


def means_of(n, k, count):
    """The mean makespan of random permutations in each order, the same ones for all orders."""
    spans = {}
    for number in range(count):
        rng = random.Random(f"{n},{k},{number}")
        worms = list(enumerate(rng.sample(range(n * n), n * n)))
        for order in MEAN_ORDERS:
            in_order = rng.sample(worms, len(worms)) if order == "random" else offline.ordered(n, order, worms)
            spans.setdefault(order, []).append(offline.makespan(n, k, offline.off_line_mesh_routing(n, k, in_order)))
    return {order: statistics.fmean(each) for order, each in spans.items()}


MEAN_ORDERS = ("row-major", "random", "lex-desc-h-v", "longest", "lex-desc-v-h", "shortest")


def check_means(checks, short):
    """The means that stand in means.csv are those of this program. (The paper's program holds its own against them.)"""
    cells = {}
    for row in rows_of(DATA / "means.csv"):
        cells.setdefault((int(row["n"]), int(row["k"]), int(row["permutations"])), {})[row["order"]] = row["mean"]
    for (n, k, count), means in cells.items():
        if n <= (8 if short else 16) and k <= (1 if short else 8):
            ours = {order: f"{mean:.2f}" for order, mean in means_of(n, k, count).items()}
            checks.same("means of random permutations in means.csv", f"n = {n}, k = {k}", means, ours)


def check_supernodes(checks, model, left):
    """Formulas of layouts, rounds and Theorem 2, and each flit of a superstep of 2 x 2 supernodes, f = 12, k = 4."""
    for row in rows_of(left / "layouts.csv"):
        ours = supernodes.figures(int(row["f"]), int(row["k"]))["row"]
        checks.same("steps of cycle, superstep and rounds", f"f, k = {ours[:2]}", [int(row[key]) for key in list(row)[:7]], ours)
    for row in rows_of(left / "packets.csv"):
        if row["algorithm"] == "sorting":
            checks.same("supersteps of the algorithm that sorts", f"N = {row['n']}", int(row["supersteps"]),
                        supernodes.sorting_supersteps(int(row["n"])))
    for row in rows_of(left / "snakes.csv"):
        if row["algorithm"] == "sorting":
            f, k, side = (int(row[key]) for key in ("f", "k", "supernodes"))
            checks.same("Theorem 2: steps of all rounds", f"f, k, N = {f, k, side}", int(row["total"]),
                        supernodes.theorem_2(f, k, side)[0])
    ours = max(supernodes.theorem_2(f, k, side)[1] for f, k in ((12, 4), (32, 4), (12, 16), (12, 36)) for side in range(2, 1025))
    theirs = next(row["value"] for row in rows_of(left / "claims.csv") if row["kind"] == "theorem")
    checks.same("Theorem 2: the largest constant", "N = 2 ... 1024", float(theirs), float(f"{ours:.6g}"))
    model.run("trace", "convert", (left / "superstep.anlt").resolve(), "superstep.txt")
    judge_superstep(checks, supernodes.Superstep((model.room / "superstep.txt").read_text(), 18), 12, 4)


def judge_superstep(checks, seen, f, k):
    """Heads pass the centre once in review and balance, in slots, a period apart; those that are sent take s + 1 links."""
    it = supernodes.figures(f, k)
    s, period, m, side, slots = it["s"], it["period"], it["s"] // 2, it["s"] + 1, set()
    checks.same("a superstep: one flit a link, no flit waits, bodies follow", "superstep.anlt", seen.broken(), 0)
    tau = period + 2 * s
    for worm, head in seen.heads().items():
        local = [(step + 1 - (x // side + y // side) % 2, (x // side, y // side), (x % side, y % side), port)
                 for step, (x, y), port in head]
        centre = [(time - tau - 1, *rest) for time, *rest in local if rest[1] == (m, m) and time <= tau + 2 * period]
        times = [time for time, *_ in centre]
        slot = times[0] // k
        checks.same("a superstep: the centre is passed in slots, a period apart", f"worm {worm}", times, [slot * k, slot * k + period])
        checks.same("a superstep: slots of a train", f"worm {worm}", slot < f // 2 and (*centre[0][1:],slot) not in slots, True)
        slots.add((*centre[0][1:], slot))
        sent = next((i for i, (a, b) in enumerate(zip(local, local[1:]), 1) if a[1] != b[1]), None)
        if sent:
            entry = {(m + a, m + b) for a in (1, -1) for b in (1, -1)}
            leaves = next(i for i in range(sent, 0, -1) if local[i][2] in entry)
            comes = next(i for i in range(sent, len(local)) if local[i][2] in entry)
            to_odd = sum(local[comes][1]) % 2
            checks.same("a superstep: links from buffer to buffer", f"worm {worm}", comes - leaves, s + 1 + 2 * to_odd)
            checks.same("a superstep: when worms leave and come, in local time", f"worm {worm}",
                        (local[leaves][0], local[comes][0]), (tau + 2 * period + f * k // 2 + 3, tau + 2 * period + f * k // 2 + s + 5))
    checks.same("a superstep: worms are sent", "superstep.anlt", "a superstep: links from buffer to buffer" in checks.kinds, True)


def main():
    options = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    options.add_argument("--build", type=Path, required=True)
    options.add_argument("--short", action="store_true")
    options.add_argument("--all", action="store_true")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--write-means", type=Path)
    given = options.parse_args()
    rng, checks = random.Random(given.seed), Checks()
    if given.write_means:
        cells = [(8, 1, 200), (8, 4, 200), (16, 1, 200), (16, 4, 100), (16, 8, 100), (32, 4, 30), (32, 8, 20), (64, 4, 6)]
        remarks = [line + "\n" for line in (DATA / "means.csv").read_text().splitlines() if line.startswith("#")]
        given.write_means.write_text("".join(remarks) + "".join(f"{n},{k},{order},{mean:.2f},{count},3\n" for n, k, count in cells
                                             for order, mean in means_of(n, k, count).items()))
        return 0
    with tempfile.TemporaryDirectory() as room:
        model = Model(given.build.resolve(), room)
        for _ in range(20 if given.short else 200):
            compare_schedule(checks, model, rng, rng.randint(2, 8 if given.short else 14), rng.randint(1, 9))
        check_named(checks, model, rng, 20 if given.short else 200)
        check_paths(checks, model, rng, 20 if given.short else 200)
        check_chain(checks, model, 30 if given.short else 120)
        check_lemma_1(checks, rng, 300 if given.short else 3000)
        check_exhaustive(checks, given.short, given.all)
        check_means(checks, given.short)
        check_supernodes(checks, model, given.build / "papers" / "roberts_symvonis")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
