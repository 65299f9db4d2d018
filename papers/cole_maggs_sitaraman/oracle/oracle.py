#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""a second program for Cole, Maggs and Sitaraman: counts what the model says once more, on instances that it draws itself

oracle.py --build build [--short] [--seed N]: asks build/annelid, and reads what the paper's program has left there.
"""

import argparse
import csv
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

import worms as own

ERRORS = 4.0    # standard errors that two means may differ by

class Failed(Exception):
    pass

class Graph:
    """A graph scenario: links between places (switch, port), terminals at places."""

    def __init__(self, links, terminals):
        self.links, self.terminals = links, terminals
        self.by_port = {link[0]: link for link in links}
        self.port = {link: link[1][1] for link in links} | {("in", t): place[1] for t, place in enumerate(terminals)}

    def path(self, source, destination, route):
        path, switch = [("in", source)], self.terminals[source][0]
        for port in route[:-1]:
            path.append(self.by_port[switch, port])
            switch = path[-1][1][0]
        if self.terminals[destination] != (switch, route[-1]):
            raise Failed(f"route {route} does not lead to terminal {destination}")
        return path + [("out", destination)]

    def text(self, lanes, depth, messages):
        places = ", ".join(f"{s}.{p}" for s, p in self.terminals)
        links = ",\n".join(f" {{from: {a}.{b}, to: {c}.{d}}}" for (a, b), (c, d) in self.links)
        switches = 1 + max(s for (a, _), (c, _) in self.links for s in (a, c))
        ports = 1 + max(p for place in self.terminals + [end for link in self.links for end in link] for p in place[1:])
        return (f"network: {{topology: graph}}\nswitch: {{num_vcs: {lanes}, depth: {depth}, routing: source, flit_width_bits: 512, "
                f"link: wide, credits: bypass, arbiter: fixed}}\ntraffic: {{process: replay, messages: {messages}}}\n"
                f"graph:\n  switches: {switches}\n  ports: {ports}\n  terminals: [{places}]\n  links: [\n{links}\n  ]\n")

def read_graph(path):
    text = open(path).read()
    place = re.compile(r"(\d+)\.(\d+)")
    terminals = [(int(a), int(b)) for a, b in place.findall(re.search(r"terminals: \[(.*?)\]", text).group(1))]
    links = [((int(a), int(b)), (int(c), int(d))) for a, b, c, d in re.findall(r"from: (\d+)\.(\d+), to: (\d+)\.(\d+)", text)]
    rows = [line.split() for line in open(path.removesuffix(".yaml") + ".txt") if not line.startswith("#")]
    messages = [(int(s), int(d), int(length), [int(p) for p in route.split(".")]) for _, s, d, length, route in rows]
    return Graph(links, terminals), messages

def random_graph(rng, switches, reach):
    """Links from each switch to later ones, ports in a random order, a terminal each; a ring so that each is in reach."""
    outs, ins = [[] for _ in range(switches)], [0] * switches
    for s in range(switches - 1):
        for t in rng.sample(range(s + 1, min(switches, s + 1 + reach)), min(3, switches - 1 - s, reach)):
            if ins[t] < 5:
                outs[s].append(t)
                ins[t] += 1
    out_ports = [rng.sample(range(1, 8), 7) for _ in range(switches)]
    in_ports = [rng.sample(range(1, 8), 7) for _ in range(switches)]
    def link(s, t):
        return (s, out_ports[s].pop()), (t, in_ports[t].pop())
    forward = [[link(s, t) for t in outs[s]] for s in range(switches)]
    ring = [link(s, (s + 1) % switches) for s in range(switches)]
    return Graph([one for links in forward for one in links] + ring, [(s, 0) for s in range(switches)]), forward

def random_walk(rng, forward, start, most):
    path, switch = [], start
    while forward[switch] and len(path) < most:
        path.append(rng.choice(forward[switch]))
        switch = path[-1][1][0]
    return path

class Oracle:
    def __init__(self, build, seed, short, folder):
        self.build, self.rng, self.short, self.folder = build, random.Random(seed), short, folder
        self.write_data = False
        self.passed = self.failed = 0

    def annelid(self, *words):
        done = subprocess.run([os.path.join(self.build, "annelid"), *map(str, words)], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        if done.returncode:
            raise Failed(f"annelid {' '.join(map(str, words))}: {done.stderr.strip() or done.stdout.strip()}")
        return done.stdout

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def table(self, name):
        with open(os.path.join(self.folder, name)) as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    def of_paper(self, name):
        path = os.path.join(self.build, "papers/cole_maggs_sitaraman", name)
        if not os.path.exists(path):
            sys.exit(f"oracle.py: {path} is not there: make paper-cole-maggs-sitaraman writes it")
        with open(path) as file:
            return list(csv.DictReader(file))

    def count(self, trials, check, sentence):
        """Runs check(number) so many times; it returns figures to be printed of, or raises Failed."""
        found = []
        for number in range(trials):
            try:
                found.append(check(number))
                self.passed += 1
            except Failed as why:
                self.failed += 1
                print(f"  failed, case {number}: {why}")
        print(sentence.format(n=trials, ok=len(found), sum=sum(found), most=max(found, default=0)))

    def equal(self, what, model, here):
        if model != here:
            raise Failed(f"{what}: {model} of the model, {here} counted here")

    def close(self, what, theirs, mine, error):
        """Returns how many standard errors two figures are apart."""
        apart = abs(theirs - mine) / error if error else (0.0 if theirs == mine else math.inf)
        if apart > ERRORS:
            raise Failed(f"{what}: {theirs:.5g} there, {mine:.5g} here, {apart:.1f} standard errors")
        return apart

    # --- section 2.1 ---

    def colours(self, number):
        rng = self.rng
        lanes, length = rng.randint(1, 5), rng.randint(1, 12)
        _, forward = random_graph(rng, rng.randint(6, 30), rng.randint(3, 6))
        names = {link: i for i, link in enumerate(one for links in forward for one in links)}
        paths = [random_walk(rng, forward, rng.randrange(len(forward) - 1), rng.randint(1, 20)) for _ in range(rng.randint(5, 90))]
        paths = [[names[link] for link in path] for path in paths if path]
        self.write("paths.txt", "".join(" ".join(map(str, path)) + "\n" for path in paths))
        said = json.loads(self.annelid("colour", "--vcs", lanes, "--length", length, "paths.txt", "-o", "starts.csv", "--json"))
        colours = own.first_fit(paths, lanes)
        congestion, dilation = max(own.crossings(paths).values()), max(map(len, paths))
        for key, here in (("messages", len(paths)), ("congestion", congestion), ("dilation", dilation),
                          ("colours", max(colours) + 1), ("lower_bound", math.ceil(congestion / lanes)),
                          ("first_fit_bound", dilation * (congestion - 1) // lanes + 1)):
            self.equal(key, said[key], here)
        theorem = own.colours_of_theorem(congestion, dilation, lanes)
        if abs(said["theorem"] - theorem) > 1e-6 * theorem:
            self.equal(f"theorem {congestion, dilation, lanes}", said["theorem"], theorem)
        rows = self.table("starts.csv")
        self.equal("colours of messages", [int(row["colour"]) for row in rows], colours)
        starts = [int(row["start"]) for row in rows]
        self.equal("starts", starts, [c * (length + dilation - 1) for c in colours])
        self.equal("worms at once", own.most_in_a_lane(paths, starts, length) <= lanes, True)
        for method in ("moser_tardos", "refinement"):
            self.annelid("colour", "--vcs", lanes, "--length", length, "--method", method, "--seed", number + 1, "paths.txt",
                         "-o", "starts.csv")
            drawn = [int(row["colour"]) for row in self.table("starts.csv")]
            self.equal(f"multiplex size of {method} at most B", own.multiplex_size(paths, drawn) <= lanes, True)
        self.annelid("colour", "--vcs", lanes, "--length", length, "--compact", "paths.txt", "-o", "starts.csv")
        tight = [int(row["start"]) for row in self.table("starts.csv")]
        self.equal("compact starts are not later", all(a <= b for a, b in zip(tight, starts)), True)
        self.equal("worms at once, compact", own.most_in_a_lane(paths, tight, length) <= lanes, True)
        return len(paths)

    # --- section 2.2, and worms that wait ---

    def steps(self, scenario, graph, messages, lanes, depth, options=()):
        """Delivery of each worm, flit by flit here and by the model; returns the steps of the paper, two less than cycles."""
        self.annelid("run", scenario, "--worms", "worms.csv", *options)
        model = [int(row["delivered"]) for row in sorted(self.table("worms.csv"), key=lambda row: int(row["id"]))]
        paths = [graph.path(s, d, route) for s, d, _, route in messages]
        here = own.Waiting(paths, [m[2] for m in messages], graph.port, lanes, depth).run()
        self.equal("steps of deliveries", model, here)
        return max(here) - 1

    def worst(self, number):
        rng = self.rng
        lanes, distinct = rng.choice([(1, 3), (1, 4), (1, 6), (2, 4), (2, 5), (3, 5), (4, 6)] + [(1, 9), (2, 6), (3, 6)] *
                                     (not self.short))
        congestion, interleaved, least = rng.randint(lanes + 1, 3 * lanes + 3), rng.random() < 0.5, 2 * math.comb(distinct - 1, lanes) - 1
        dilation = rng.choice([least, rng.randint(least, 2 * math.comb(distinct, lanes) - 2)])
        paths = own.copies_of(own.worst_paths(lanes, distinct, dilation), congestion // (lanes + 1), interleaved, congestion % (lanes + 1))
        count = len(paths)
        self.equal("D and C of the theorem", [len(paths[0]), max(own.crossings(paths).values())], [dilation, congestion])
        length = rng.randint(dilation + 1, 2 * dilation + 2)
        said = self.annelid("worst", "-B", lanes, "-D", dilation, "-C", congestion, "-l", length, *["--interleaved"] * interleaved,
                            "-o", "worst.yaml")
        bound = (length - dilation) * count / lanes
        self.equal("L, C, D", [int(x) for x in re.search(r"L = (\d+)\s+paths\s+congestion C = (\d+), dilation D = (\d+)", said).groups()],
                   [length, congestion, dilation])
        self.equal("bound", math.isclose(float(re.search(r"= ([\d.]+) cycles", said).group(1)), bound, abs_tol=1), True)
        graph, messages = read_graph(os.path.join(self.folder, "worst.yaml"))
        theirs = [graph.path(s, d, route)[1:-1] for s, d, _, route in messages]
        self.equal("who shares which link", self.shared(theirs), self.shared(paths))
        few = rng.choice([lanes, lanes, 1, lanes + 1])
        steps = self.steps("worst.yaml", graph, messages, few, 1, ["--set", f"switch.num_vcs={few}"])
        if few == lanes:
            self.equal("steps at least the bound", steps >= bound, True)
        colours = json.loads(self.annelid("colour", "worst.yaml", "--json"))["colours"]
        self.equal("first fit", colours, max(own.first_fit(paths, lanes)) + 1)
        self.equal("ceil(M / B) colours", colours, math.ceil(count / lanes))
        return steps

    def worst_row(self, row):
        """A row of the table of worst networks with wide links: steps of the greedy run, colours, schedule."""
        lanes, number = int(row["lanes"]), int(row["vcs"])
        self.annelid("worst", "-B", number, "-M", row["distinct"], "-c", row["copies"], "-l", row["length"], "-o", "worst.yaml",
                     *["--interleaved"] * (row["order"] == "interleaved"))
        graph, messages = read_graph(os.path.join(self.folder, "worst.yaml"))
        paths = own.copies_of(own.worst_paths(number, int(row["distinct"])), int(row["copies"]), row["order"] == "interleaved")
        self.equal("who shares which link", self.shared([graph.path(s, d, r)[1:-1] for s, d, _, r in messages]), self.shared(paths))
        steps = self.steps("worst.yaml", graph, messages, lanes, 1, ["--set", f"switch.num_vcs={lanes}"])
        self.equal("greedy steps", int(row["greedy"]), steps)
        of = own.first_fit(paths, lanes)
        colours = max(of) + 1
        first, last = ([{path[end] for path, c in zip(paths, of) if c == colour} for colour in range(colours)] for end in (0, -1))
        later = sum(bool(last[c] & first[c + 1]) for c in range(colours - 1))   # section "Reading": the last link is free a step later
        self.equal("colours, schedule", [int(row["colours"]), int(row["schedule"])],
                   [colours, colours * (int(row["length"]) + len(paths[0]) - 1) + later])
        return steps

    def levelled(self, row, trials):
        """Random levelled networks: means of messages, of colours by first fit and of greedy steps."""
        width, levels, congestion, lanes = (int(row[key]) for key in ("width", "dilation", "congestion", "vcs"))
        rng, figures = self.rng, []
        for _ in range(trials):
            links = {(i, w): rng.sample(range(width), 2) for i in range(levels) for w in range(width)}
            port, ends, have, paths, refused = {}, [0] * (width * levels + width), own.collections.Counter(), [], 0
            for (i, w), below in links.items():
                for bit, t in enumerate(below):
                    port[i, w, bit] = ends[i * width + t]
                    ends[i * width + t] += 1
            while refused < 1000:
                at, path = rng.randrange(width), []
                for i in range(levels):
                    path.append((i, at, rng.randrange(2)))
                    at = links[i, at][path[-1][2]]
                refused = refused + 1 if any(have[link] == congestion for link in path) else 0
                if not refused:
                    have.update(path)
                    paths.append(path)
            ways = [[("in", m), *path, ("out", path[-1])] for m, path in enumerate(paths)]
            port |= {("in", m): 1000 + m for m in range(len(paths))}
            steps = max(own.Waiting(ways, [int(row["length"])] * len(ways), port, lanes).run()) - 1
            figures.append((len(paths), max(own.first_fit(paths, lanes)) + 1, steps))
        apart = 0
        for key, mine in zip(("messages", "colours", "greedy"), zip(*figures)):
            error = max(statistics.stdev(mine), 0.05 * statistics.mean(mine), 0.7) * math.sqrt(1 / trials + 1 / int(row["instances"]))
            apart = max(apart, self.close(f"{key}, B = {lanes}", float(row[key]), statistics.mean(mine), error))
        return apart

    @staticmethod
    def shared(paths):
        """For each message and each place of its path, the messages that cross this link: the same for equal networks."""
        on = {}
        for message, path in enumerate(paths):
            for link in path:
                on.setdefault(link, set()).add(message)
        return [[sorted(on[link]) for link in path] for path in paths]

    def greedy(self, number):
        rng = self.rng
        graph, forward = random_graph(rng, rng.randint(8, 24), rng.randint(3, 6))
        lanes, depth, messages = rng.randint(1, 4), rng.choice([1, 1, 2, 3]), []
        while len(messages) < rng.choice([20, 50, 90]):
            path = random_walk(rng, forward, rng.choice([s for s, links in enumerate(forward) if links]), rng.randint(1, 16))
            source, destination = path[0][0][0], path[-1][1][0]
            messages.append((source, destination, rng.randint(1, 14), [link[0][1] for link in path] + [0]))
        self.write("greedy.yaml", graph.text(lanes, depth, "greedy.txt"))
        self.write("greedy.txt", "".join(f"0 {s} {d} {l} {'.'.join(map(str, route))}\n" for s, d, l, route in messages))
        return self.steps("greedy.yaml", graph, messages, lanes, depth)

    # --- section 3.1 ---

    def discarded(self, number):
        """One pass or two, worms at random or a round of colours: what becomes of each worm."""
        rng = self.rng
        bits, lanes, passes = rng.randint(2, 5), rng.randint(1, 4), rng.choice([1, 2, 2])
        n = 1 << bits
        if number % 2 and passes == 2:
            worms = own.round_of(rng, bits, [(i, *ends) for i, ends in enumerate(own.relation(rng, n, bits))],
                                 own.subrounds(bits, bits, lanes, 1), bits)
        else:
            worms = sorted((rng.randint(1, 25), rng.randrange(n), rng.randrange(n), rng.randrange(n), rng.randint(1, 12), i)
                           for i in range(rng.randint(10, 12 * n)))
        self.write("butterfly.yaml", f"network: {{topology: butterfly, k: 2, n: {bits + 1}, passes: {passes}}}\n"
                   f"switch: {{when_blocked: drop, num_vcs: {lanes}, link: wide}}\n"
                   "traffic: {process: replay, messages: butterfly.txt}\n")
        self.write("butterfly.txt", "".join(f"{start - 1} {2 * s} {2 * d} {length}" + f" path={mid}\n" * (passes == 2) + "\n" * (passes == 1)
                                            for start, s, mid, d, length, _ in worms))
        self.annelid("run", "butterfly.yaml", "--worms", "worms.csv")
        rows = {int(row["id"]): row["delivered"] for row in self.table("worms.csv")}
        model = [int(rows[i]) + 1 if rows.get(i) else None for i in range(len(worms))]
        self.equal("delivered worms", model, own.discard(bits, lanes, worms, passes))
        return len(worms)

    def single(self, row):
        """The recursion, exactly, and the mean of the paper's program within its standard error."""
        bits, lanes, trials = int(row["inputs"]).bit_length() - 1, int(row["vcs"]), int(row["trials"])
        exact = own.delivered_part(bits, lanes)
        self.equal("recursion to 6 digits", abs(float(row["exact"]) - exact) < 6e-7, True)
        apart = self.close("delivered by one pass", float(row["measured"]), exact, float(row["error"]))
        if bits <= 8:
            n, mine = 1 << bits, []
            for _ in range(10 if self.short else 40):
                worms = [(1, w, 0, self.rng.randrange(n), 1) for w in range(n)]
                mine.append(sum(end is not None for end in own.discard(bits, lanes, worms, 1)) / n)
            apart = max(apart, self.close("delivered here", exact, statistics.mean(mine), float(row["error"]) * math.sqrt(trials / len(mine))))
        return apart

    def rounds(self, row, trials):
        """The part that round 0 leaves, the rounds and the steps: means of trials of both programs."""
        bits, q, lanes, beta = int(row["inputs"]).bit_length() - 1, int(row["q"]), int(row["vcs"]), int(row["beta"])
        self.equal("colours", int(row["colours"]), own.subrounds(q, bits, lanes, beta))
        self.equal("steps of a round", int(row["steps"]), int(row["colours"]) * q + 2 * bits)
        mine = [own.rounds(self.rng, bits, q, lanes, beta) for _ in range(trials)]
        apart = 0
        for place, key in enumerate(("undelivered", "rounds", "total")):
            figures = [trial[place] for trial in mine]
            spread = statistics.stdev(figures)
            # A spread of few trials says little: the least is that of worms that are lost one by one, or of one odd trial.
            mean, odd = statistics.mean(figures), (1 if place == 1 else int(row["steps"])) / math.sqrt(trials)
            spread = max(spread, odd if place else math.sqrt(mean * (1 - mean) / (q << bits)))
            apart = max(apart, self.close(f"{key}, n = {1 << bits}, B = {lanes}", float(row[key]), statistics.mean(figures),
                                          spread * math.sqrt(1 / trials + 1 / int(row["trials"]))))
        self.equal("rounds at most 2 log log nq + 1", max(trial[1] for trial in mine) <= 2 * math.log2(math.log2(q << bits)) + 2, True)
        return apart

    def stalling(self, row, trials):
        """One pass of q messages from each input, which wait: a link of its own for each message to its input."""
        bits, q, lanes = int(row["inputs"]).bit_length() - 1, int(row["q"]), int(row["vcs"])
        steps, rng = [], self.rng
        for _ in range(trials):
            paths, port, ends = [], {}, {}
            for number in range(q << bits):
                path, ports = own.butterfly_path(bits, number // q, rng.randrange(1 << bits))
                port |= ports
                port["in", number] = 3 + number % q
                ends.setdefault(path[-1], len(ends))
                paths.append([("in", number), *path, ("out", ends[path[-1]])])
            steps.append(max(own.Waiting(paths, [q] * len(paths), port, lanes).run()) - 1)
        spread = max(statistics.stdev(steps), 0.08 * statistics.mean(steps))
        return self.close(f"steps, n = {1 << bits}, B = {lanes}", float(row["steps"]), statistics.mean(steps),
                          spread * math.sqrt(1 / trials + 1 / int(row["trials"])))

    def passes(self, row):
        """What part of a permutation one pass or two deliver."""
        bits, passes, lanes, n = int(row["size"]), int(row["x"]), int(row["vcs"]), 1 << int(row["size"])
        half, parts = bits // 2, []
        for _ in range(10 if self.short else 60):
            to = {"random": lambda w: order[w], "transpose": lambda w: (w >> bits - half | w << half) & n - 1,
                  "bit-reverse": lambda w: int(f"{w:0{bits}b}"[::-1], 2)}[row["what"]]
            order = self.rng.sample(range(n), n)
            worms = [(1, w, self.rng.randrange(n), to(w), 1) for w in range(n)]
            parts.append(sum(end is not None for end in own.discard(bits, lanes, worms, passes)) / n)
        part = float(row["value"])
        drawn = passes == 2 or row["what"] == "random"       # else nothing is random
        spread = max(statistics.pvariance(parts), part * (1 - part) / n) if drawn else 0
        return self.close(f"{row['what']}, n = {n}, B = {lanes}", part, statistics.mean(parts),
                          math.hypot(math.sqrt(spread / len(parts)), float(row["error"])))

    def few(self, row):
        """Rounds for q < log n: each message once, or duplicated so that an input has log n copies or more."""
        bits, q, lanes, trials = int(row["size"]), int(row["x"]), int(row["vcs"]), 5 if self.short else 40
        times = math.ceil(bits / q) if row["what"] == "duplicated" else 1
        colours = own.subrounds(q * times, bits, lanes, 1)
        counts = [len(list(own.all_rounds(self.rng, bits, q, lanes, colours, bits, times))) for _ in range(trials)]
        error = max(statistics.stdev(counts), 1 / math.sqrt(trials)) / math.sqrt(trials)
        return self.close(f"rounds, n = {1 << bits}, q = {q}, B = {lanes}", float(row["value"]), statistics.mean(counts),
                          math.hypot(error, float(row["error"])))

    def balls(self, row):
        """Lemma 3.2.3: no smaller alpha for n up to 16 than the program's, and its smallest n."""
        lanes, least = int(row["vcs"]), math.inf
        for n in (2, 4, 8, 16):
            for m in range(lanes + 1, n + 1):
                alpha = -math.log(own.no_full_bin(lanes, m, n)) * (2 * lanes * n)**(lanes + 1) * lanes / m**(lanes + 2)
                least = min(least, alpha)
        self.equal(f"least alpha, B = {lanes}", abs(float(row["value"]) / least - 1) < 1e-4, True)
        return least

    def rounds_files(self, number):
        """The scenarios that the RTL runs, on wide and on shared links: rounds on 16 inputs, q = L = 4, B = 2, one behind another.

        What a round delivers decides which copies the next one has, so the model must deliver just what is counted here.
        """
        rng, text, ends, bits, q, lanes = random.Random(16), "", [], 4, 4, 2
        colours, cycles, name = own.subrounds(q, bits, lanes, 1), 1 + number, ("rounds16", "rounds16_shared")[number]
        data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data", name)
        for r, (worms, steps, missing) in enumerate(own.all_rounds(rng, bits, q, lanes, colours, q)):
            text += f"# round {r}: {len(worms)} copies, {steps.count(None)} discarded, {len(missing)} messages missing\n"
            first = r * (colours * q + 2 * bits)
            text += "".join(f"{cycles * (first + w[0] - 1)} {2 * w[1]} {2 * w[3]} {q} path={w[2]}\n" for w in worms)
            ends += [step and first + step for step in steps]
        if self.write_data:
            with open(data + ".txt", "w") as file:
                file.write(text)
        self.equal(f"{name}.txt is what the algorithm sends", open(data + ".txt").read() == text, True)
        self.annelid("run", data + ".yaml", "--worms", "worms.csv")
        steps = {int(row["id"]): int(row["delivered"]) // cycles + 1 for row in self.table("worms.csv") if row["delivered"]}
        self.equal("steps of deliveries", [steps.get(i) for i in range(len(ends))], ends)
        return sum(end is not None for end in ends)

    def all(self):
        short = self.short
        self.count(10 if short else 60, self.colours, "colours      {ok} of {n} sets of paths: C, D, bounds, first fit, starts "
                   "the same, {sum} messages; all colourings hold")
        self.count(8 if short else 60, self.worst, "worst        {ok} of {n} networks: links, bound, colours and the step of every "
                   "delivery the same; longest run {most} steps")
        rows = [row for row in self.of_paper("worst.csv") if row["link"] == "wide" and
                int(row["messages"]) * int(row["greedy"]) < (8000 if short else 700000)]
        self.count(len(rows), lambda i: self.worst_row(rows[i]), "             {ok} of {n} rows of the table: greedy steps, colours and "
                   "schedule the same; longest run {most} steps")
        levelled = [row for row in self.of_paper("levelled.csv") if int(row["dilation"]) <= 32 and int(row["vcs"]) > 2 * short]
        self.count(len(levelled), lambda i: self.levelled(levelled[i], 2 if short else 6), "levelled     {ok} of {n} rows: means of messages, "
                   "colours and greedy steps at most {most:.1f} standard errors apart")
        self.count(10 if short else 60, self.greedy, "greedy       {ok} of {n} random networks: the step of every delivery the same; "
                   "longest run {most} steps")
        self.count(16 if short else 120, self.discarded, "discarding   {ok} of {n} runs of one pass or two: the same worms delivered in "
                   "the same steps, {sum} worms")
        rows = self.of_paper("single.csv")
        self.count(len(rows), lambda i: self.single(rows[i]), "one pass     {ok} of {n} rows: the recursion the same; means at most "
                   "{most:.1f} standard errors apart")
        rounds = [row for row in self.of_paper("rounds.csv") if int(row["inputs"]) <= (64 if short else 256)]
        self.count(len(rounds), lambda i: self.rounds(rounds[i], 5 if short else 40), "rounds       {ok} of {n} rows: colours and steps "
                   "the same; means at most {most:.1f} standard errors apart")
        waits = [row for row in self.of_paper("stalling.csv") if int(row["inputs"]) <= 64]
        self.count(len(waits), lambda i: self.stalling(waits[i], 3 if short else 20), "worms wait   {ok} of {n} rows: means of the steps "
                   "at most {most:.1f} standard errors apart")
        every = self.of_paper("experiments.csv")
        passes = [row for row in every if row["kind"] == "passes" and row["what"] != "worst" and int(row["size"]) <= (6 if short else 10)]
        self.count(len(passes), lambda i: self.passes(passes[i]), "permutations {ok} of {n} rows: the part that is delivered at most "
                   "{most:.1f} standard errors apart")
        few = [row for row in every if row["kind"] == "rounds" and int(row["size"]) <= (6 if short else 8)]
        self.count(len(few), lambda i: self.few(few[i]), "few messages {ok} of {n} rows: rounds at most {most:.1f} standard errors apart")
        self.count(2, self.rounds_files, "rounds16     {ok} of {n} scenarios: what the algorithm sends, and which copies are delivered; "
                   "{sum} deliveries")
        balls = [row for row in every if row["kind"] == "balls"]
        self.count(len(balls), lambda i: self.balls(balls[i]), "balls        {ok} of {n} rows: the least alpha the same")
        print(f"{self.passed} passed, {self.failed} failed")
        return self.failed > 0

def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="where the command and the results of the paper's program are")
    parser.add_argument("--short", action="store_true", help="fewer instances: four seconds of processor time")
    parser.add_argument("--seed", type=int, default=1, help="of the instances (1)")
    parser.add_argument("--write-rounds", action="store_true", help="write the messages of data/rounds16*.yaml first")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    if not os.access(os.path.join(build, "annelid"), os.X_OK):
        sys.exit(f"oracle.py: {build}/annelid is not there: make model builds it")
    with tempfile.TemporaryDirectory() as folder:
        oracle = Oracle(build, options.seed, options.short, folder)
        oracle.write_data = options.write_rounds
        return oracle.all()

if __name__ == "__main__":
    sys.exit(main())
