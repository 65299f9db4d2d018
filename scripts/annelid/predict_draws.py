# SPDX-License-Identifier: Apache-2.0
"""Hold predictions against the golden model on scenarios drawn at random (docs/predict.md).

Draws scenarios inside the families of cmodel/src/predict/families.inc, looks for the saturation load of each with `annelid
sweep`, and measures the latency at parts of it. What is measured is kept in sim/predict/draws.csv, a row for each scenario;
it does not depend on the model, so that a changed model is held against it without a run (--promise).
"""
import csv
import json
import math
import pathlib
import random
import re
import subprocess
import tempfile

from annelid.options import check_names, parser
from annelid.random_graphs import draw_pairs
from annelid.results import Results, made_by, markdown

FAMILIES = pathlib.Path("cmodel/src/predict/families.inc")
DRAWS = pathlib.Path("sim/predict/draws.csv")
RESULTS = Results("predictions", "Promises of predictions", "predict.md", "predict-draws --promise")
PARTS = (30, 50, 60, 70, 80, 90)  # per cent of the measured saturation
FIELDS = ["family", "number", "scenario", "saturation",
          *(f"{what}_{part}" for part in PARTS for what in ("load", "latency", "half_width"))]
PATTERNS = dict(UNIFORM=("uniform", "uniform_others"),
                SKEWED=("complement", "transpose", "bit_reverse", "tornado", "hotspot"))
SMALL = 64  # terminals; four of five cubes have no more where there are such
CUBES = [(k, n) for n in (1, 2, 3, 4, 6) for k in range(3, 17)]


class Family:
    """A row of the families: its ranges, and what is promised of its predictions, per cent."""

    def __init__(self, text):
        self.name, self.ranges = re.fullmatch(r'"(.*?)", (.*(?:, \d+){8})(?:, \d+){6}', text).groups()
        topologies, patterns, *numbers = self.ranges.split(", ")
        self.topologies, self.patterns = topologies.lower().split(" | "), PATTERNS[patterns]
        self.lanes, self.depth, self.length, self.terminals = (tuple(map(int, numbers[i:i + 2])) for i in range(0, 8, 2))
        self.promise = list(map(int, text.split(", ")[-6:]))
        self.drawn = self.topologies != ["paper"]

    def text(self):
        return f'FAMILY("{self.name}", {self.ranges}, {", ".join(map(str, self.promise))})'


def families():
    return [Family(row) for row in re.findall(r"^FAMILY\((.*)\)$", FAMILIES.read_text(), re.MULTILINE)]


# --- scenarios ---

def draw_in(rng, bounds):
    """Returns a number of a range, every other time one of its ends: errors are largest in the corners."""
    return rng.choice(bounds) if rng.random() < 0.5 else rng.randint(*bounds)


def has_size(family, terminals):
    return family.terminals[0] <= terminals <= family.terminals[1]


def draw_cube(rng, family, topology):
    shapes = [(k, n) for k, n in CUBES if has_size(family, k ** n) and (topology != "torus" or k > 2)]
    if topology == "hypercube":
        shapes = [(2, n) for n in range(2, 10) if has_size(family, 2 ** n)]
    small = [(k, n) for k, n in shapes if k ** n <= SMALL] or shapes
    k, n = rng.choice(small if rng.random() < 0.8 else shapes)
    return dict(topology=topology, k=k, n=n), {}


def draw_radices(rng, family):
    while True:
        radix = [rng.randint(2, 8) for _ in range(rng.choice((2, 2, 3)))]
        kinds = [rng.choice(("line", "ring", "one_way_ring")) for _ in radix]
        concentration = rng.choice((1, 1, 2))
        terminals = concentration
        for one in radix:
            terminals *= one
        if has_size(family, terminals):
            return dict(topology="cube", radix=radix, dimensions=kinds, concentration=concentration), {}


def draw_graph(rng, family):
    while True:
        switches = rng.randint(3, 16)
        homes = [s for s in range(switches) for _ in range(rng.choice((0, 1, 1, 1, 2, 3)))]
        if has_size(family, len(homes)):
            links = draw_pairs(rng, switches)
            return dict(topology="graph"), dict(graph=dict(switches=[f"s{s}" for s in range(switches)],
                                                           terminals=[f"s{s}" for s in homes],
                                                           links=[[f"s{a}", f"s{b}"] for a, b in links]))


def draw_network(rng, family):
    """Returns the section network, and what else the network asks for."""
    topology = rng.choice(family.topologies)
    draw = dict(cube=draw_radices, graph=draw_graph).get(topology)
    if topology == "fat_tree":
        return dict(topology=topology, k=4, n=rng.choice([n for n in range(2, 6) if has_size(family, 4 ** n)])), {}
    return draw(rng, family) if draw else draw_cube(rng, family, topology)


def draw_scenario(family, number):
    """Returns a scenario of the family, as a dictionary of sections. The same number draws the same scenario."""
    rng = random.Random(f"{family.name} {number}")
    network, more = draw_network(rng, family)
    lanes = draw_in(rng, family.lanes)
    traffic = dict(pattern=rng.choice(family.patterns), length=draw_in(rng, family.length))
    if traffic["pattern"] == "hotspot":
        traffic["hotspot_fraction"] = rng.choice((0.05, 0.1, 0.25))
    return dict(network=network, switch=dict(num_vcs=lanes, depth=draw_in(rng, family.depth)), traffic=traffic, **more)


def flow(value):
    """Returns a value as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(one)}" for key, one in value.items()) + "}"
    return "[" + ", ".join(map(flow, value)) + "]" if isinstance(value, list) else str(value)


# --- runs ---

class Bench:
    """Runs `annelid` on scenarios in a directory of its own."""

    def __init__(self, build, room):
        self.annelid, self.room = (build / "annelid").resolve(), pathlib.Path(room)

    def call(self, *words):
        """Returns what the command prints, or None if it refuses the scenario."""
        done = subprocess.run([self.annelid, *map(str, words)], cwd=self.room, capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else None

    def write(self, scenario):
        (self.room / "draw.yaml").write_text(scenario + "\n")

    def predict(self, loads):
        """Returns the prediction of the scenario that was written last, or None if the model refuses it."""
        text = self.call("predict", "--json", "draw.yaml", "--loads", ",".join(map(str, loads)))
        return text and json.loads(text)

    def sweep(self, *words):
        """Returns the rows of a sweep and of what it found of saturation; both may be empty."""
        for path in self.room.glob("sweep*"):
            path.unlink()
        if self.call("sweep", "draw.yaml", "--workers", 1, "-o", "sweep.csv", *words) is None:
            return [], []
        return [list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#"))) if path.exists()
                else [] for path in (self.room / "sweep.csv", self.room / "sweep.saturation.csv")]

    def saturation(self, cycles):
        """Returns the saturation load that is measured, or None."""
        found = self.sweep("--find-saturation", "--cycles", cycles, "--seeds", 1)[1]
        return float(found[0]["saturation"]) if found and found[0]["unreached"] == found[0]["stalled"] == "0" else None

    def latencies(self, loads, cycles, seeds):
        """Returns {load: (mean, half width)} of those loads at which all runs are steady."""
        rows = self.sweep("--loads", ",".join(loads), "--cycles", cycles, "--seeds", seeds)[0]
        found = {}
        for load in loads:
            runs = [row for row in rows if row["load"] == load]
            values = [float(row["latency"]) for row in runs if row["state"] == "steady"]
            if runs and len(values) == len(runs):
                mean = sum(values) / len(values)
                spread = (sum((one - mean) ** 2 for one in values) / (len(values) - 1)) ** 0.5
                found[load] = mean, 2 * spread / len(values) ** 0.5
        return found


def measure(bench, family, number, options):
    """Returns the row of a scenario, or None if it cannot be predicted or does not saturate."""
    scenario = flow(draw_scenario(family, number))
    bench.write(scenario)
    if bench.predict([0.01]) is None:
        return None
    saturation = bench.saturation(options.cycles)
    if saturation is None:
        return None
    loads = {part: f"{saturation * part / 100:.5f}".rstrip("0") for part in PARTS}
    found = bench.latencies(list(loads.values()), 2 * options.cycles, options.seeds)
    row = dict(family=family.name, number=number, scenario=scenario, saturation=f"{saturation:.5f}")
    for part, load in loads.items():
        if load in found:
            row |= {f"load_{part}": load, f"latency_{part}": f"{found[load][0]:.3f}", f"half_width_{part}": f"{found[load][1]:.3f}"}
    return row


def read_draws(path=DRAWS):
    with path.open(newline="") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def points(row):
    """Returns [(load, latency, half width)] of a row, ascending."""
    return [tuple(float(row[f"{what}_{part}"]) for what in ("load", "latency", "half_width"))
            for part in PARTS if row[f"latency_{part}"]]


def draw_all(options):
    """Draws until each family has as many scenarios as were asked for, and keeps each at once."""
    known = read_draws(options.draws) if options.draws.exists() else []
    with tempfile.TemporaryDirectory(prefix="annelid-") as room, options.draws.open("a", newline="") as out:
        writer, bench = csv.DictWriter(out, FIELDS, lineterminator="\n"), Bench(options.build, room)
        if not known:
            writer.writeheader()
        wanted = [family for family in families() if family.drawn and (not options.only or family.name in options.only)]
        counts = {family.name: sum(row["family"] == family.name for row in known) for family in wanted}
        number = {family.name: max((int(row["number"]) for row in known if row["family"] == family.name), default=0)
                  for family in wanted}
        while min(counts.values()) < options.count:
            family = min(wanted, key=lambda one: counts[one.name])
            number[family.name] += 1
            row = measure(bench, family, number[family.name], options)
            if row:
                writer.writerow(row)
                out.flush()
                counts[family.name] += 1
                print(f"{family.name} {number[family.name]}: {row['saturation']}", flush=True)


# --- what is promised ---

LIMITS = (0.4, 0.5, 0.6, 0.7, 0.8)  # parts of the predicted saturation load, as in validated.c
MARGIN, MOST = 1.3, 30  # a promise is so many times the largest error seen; a larger one than this is none


class Seen:
    """The errors of a row: [(part of the predicted saturation, error, what the program promises)], and that of saturation."""

    def __init__(self, bench, row):
        bench.write(row["scenario"])
        answer = bench.predict([load for load, _, _ in points(row)] or [0.01])
        known = [(point, measured) for point, measured in zip(answer["points"], points(row)) if not point["saturated"]]
        self.points = [(point["load"] / answer["saturation"], 100 * (point["latency"] / latency - 1), point.get("validated_percent"))
                       for point, (_, latency, _) in known]
        self.saturation = 100 * (answer["saturation"] / float(row["saturation"]) - 1)
        words = answer["saturation_status"]
        self.promise = int(words.split()[-2]) if "within" in words else None


def promised(errors, most=MOST):
    """Returns what is promised where these errors were seen; 0: nothing."""
    promise = max(2, math.ceil(MARGIN * max(map(abs, errors), default=math.inf))) if errors else 0
    return promise if promise <= most else 0


def errors_up_to(limit, points):
    """Returns the sizes of the errors of a scenario up to a part of saturation. At that part itself there is no point, as a
    rule: its error lies on the line between those of the points below and beyond it."""
    known = [(0, 0), *((part, abs(error)) for part, error, _ in points)]
    below, beyond = [one for one in known if one[0] <= limit], [one for one in known if one[0] > limit]
    found = [error for _, error in below]
    if beyond:
        (low, first), (high, second) = below[-1], beyond[0]
        found.append(first + (second - first) * (limit - low) / (high - low))
    return found


def promise_of(seen):
    """Returns the promises of a family: up to each limit, and of the saturation load."""
    by_limit = [promised([error for one in seen for error in errors_up_to(limit, one.points)]) for limit in LIMITS]
    return [*by_limit, promised([one.saturation for one in seen], 60)]


def look(options):
    """Returns {family: what is seen of its rows}."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="annelid-") as room:
        bench = Bench(options.build, room)
        for row in read_draws(options.draws):
            found.setdefault(row["family"], []).append(Seen(bench, row))
    return found


def broken(seen):
    """Yields the promises of the program that a row breaks."""
    for part, error, promise in seen.points:
        if promise and abs(error) > promise:
            yield f"{error:+.1f} % at {part:.2f} of the predicted saturation, promised {promise}"
    if seen.promise and abs(seen.saturation) > seen.promise:
        yield f"{seen.saturation:+.1f} % in saturation, promised {seen.promise}"


def page_table(rows, draws):
    """Returns the table of docs/results/predictions.md."""
    counts = {one.name: [len(points(row)) for row in draws if row["family"] == one.name] for one in rows}
    def span(values):
        return str(values[0]) if values[0] == values[1] else f"{values[0]}–{values[1]}"
    head = ["family", "pattern", "lanes", "depth", "length", "terminals", *(f"{limit * 100:.0f} %" for limit in LIMITS),
            "saturation", "scenarios, points"]
    return markdown(head, ([one.name, "uniform" if "uniform" in one.patterns else "other", span(one.lanes), span(one.depth),
                            span(one.length), span(one.terminals), *(number or "–" for number in one.promise),
                            f"{len(counts[one.name])}, {sum(counts[one.name])}" if counts[one.name] else "–"]
                           for one in rows))


def write_promises(options, children):
    """Writes the families and their table from the draws."""
    found, rows = look(options), families()
    for one in rows:
        if one.name in found:
            one.promise = promise_of(found[one.name])
    texts = iter(rows)
    FAMILIES.write_text(re.sub(r"^FAMILY\(.*\)$", lambda _: next(texts).text(), FAMILIES.read_text(), flags=re.MULTILINE))
    RESULTS.write(page_table(rows, read_draws(options.draws)), made_by(children, ()))


def main(children):
    one = parser(__doc__, only="families")
    one.add_argument("--count", type=int, default=40, help="scenarios of each family (40)")
    one.add_argument("--cycles", type=int, default=8000, help="of the runs that look for saturation; the others have twice as many")
    one.add_argument("--seeds", type=int, default=2, help="of the runs that measure latencies (2)")
    one.add_argument("--draws", type=pathlib.Path, default=DRAWS, help=f"the file ({DRAWS})")
    one.add_argument("--promise", action="store_true", help="draw nothing; write the promises that follow from the file")
    options = one.parse_args()
    check_names(options.only, [family.name for family in families() if family.drawn], "family")
    if options.promise:
        write_promises(options, children)
    else:
        draw_all(options)
    return 0
