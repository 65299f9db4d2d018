# SPDX-License-Identifier: Apache-2.0
"""Latency over load of another simulator, BookSim2, and of ours, as alike as they can be set (docs/beside_booksim.md)."""

import csv
import itertools
import math
import re
from dataclasses import dataclass

from annelid.children import Wrong
from measure import Progress
from peer_config import PERIODS, SHORTEST, WARMUP, measured, text_of
from table import line

SIDE, DEPTH = 8, 8  # switches along a dimension, flits of a lane
WORMS, LEAST = 15_000, 2000  # of a run, and the cycles of a sample period at least
SATURATED = 3  # times the latency at the lowest load: the load of a curve that gets there is its saturation
STEPS = (0.05, 0.2, 0.4, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)  # parts of our saturation, and then
FURTHER = 1.08  # times more, until theirs has saturated, too
CLOSE = 1.1  # loads before and behind its saturation are no further apart
BELOW = 0.8  # part of the lower saturation up to which the curves are compared
SAME_HOPS = 0.02  # the largest relative difference of the hops of a flit
LOWEST = 0.01  # load: next to none
UNSTABLE = 1000.0  # cycles: a mean latency from which BookSim2 gives a run up

HOT = 0.2  # part of the worms that go to the hotspot besides those that go there by chance
PATTERNS = {  # of BookSim2 : of our scenarios
    "uniform": "pattern: uniform", "transpose": "pattern: transpose", "bitrev": "pattern: bit_reverse",
    "tornado": "pattern: tornado",
    # Weights: one for each terminal, and so much more for the first one that it gets HOT of all.
    f"hotspot({{{{{','.join(map(str, range(SIDE ** 2)))}}},{{{1 + round(HOT / (1 - HOT) * SIDE ** 2)}{',1' * (SIDE ** 2 - 1)}}}}})":
        f"pattern: hotspot, hotspot_terminal: 0, hotspot_fraction: {HOT}"}


@dataclass(frozen=True)
class Router:
    """Keys of BookSim2's router, and the cycles of its hop. Ours has two stages, and links that take the rest."""
    name: str
    theirs: dict
    hop: int  # cycles from a router's lane to the next one's: with two stages one more than our link takes

    @property
    def link(self):
        return self.hop - 1


SHORT = Router("short", {**SHORTEST, "speculative": 1, "vc_allocator": "separable_input_first",
                         "sw_allocator": "separable_input_first"}, 3)
DEFAULTS = Router("defaults", {}, 5)  # of BookSim2: delays, credits, iSLIP
ISLIP = Router("islip", {**SHORT.theirs, "vc_allocator": "islip", "sw_allocator": "islip"}, 3)  # which ours has not
MOST_LANES = 8  # of ours


def curve_name(router, routing, pattern, lanes, length):
    return f"{router}, {routing}, {pattern}, {lanes} x {length}"


@dataclass(frozen=True)
class Curve:
    router: Router
    routing: str  # of our scenarios
    traffic: str  # a pattern of BookSim2
    lanes: int
    length: int

    @property
    def pattern(self):
        return re.match(r"\w+", self.traffic)[0]

    @property
    def name(self):
        return curve_name(self.router.name, self.routing, self.pattern, self.lanes, self.length)

    @property
    def our_lanes(self):
        return min(self.lanes, MOST_LANES)

    def config(self, load, period):
        return text_of({"topology": "mesh", "k": SIDE, "n": 2, "num_vcs": self.lanes, "vc_buf_size": DEPTH, **self.router.theirs,
                        "routing_function": {"dimension_order": "dor", "adaptive": "min_adapt"}[self.routing],
                        **measured(self.traffic, self.length, load, period, UNSTABLE)})

    def scenario(self, load, period):
        return (f"network: {{topology: mesh, k: {SIDE}, n: 2}}\n"
                f"switch: {{num_vcs: {self.our_lanes}, depth: {DEPTH}, routing: {self.routing}, stages: 2, link_cycles: {self.router.link}}}\n"
                f"traffic: {{{PATTERNS[self.traffic]}, load: {load}, length: {self.length}}}\n"
                f"run: {{cycles: {period * PERIODS}, warmup_cycles: {period * WARMUP}, max_cycles: {period * PERIODS * 10}}}\n")

    @property
    def offset(self):
        """Cycles that BookSim2 takes more than ours without load. With H routers and L flits it takes hop * H + 2 + L - 1: each
        router and its channel, two channels of terminals, the flits behind the head. Ours (docs/switch.md, "Latency") takes
        H + 1 links, link - 1 cycles more for each of H - 1, H stages, and L - 1: hop * H + 2 - link + L - 1."""
        return self.router.link


def all_curves():
    """Returns the curves: all patterns with the short router; for uniform traffic also the defaults of BookSim2, and what it
    has and ours has not: iSLIP, and 16 lanes, beside our 8."""
    def product(router, routing, patterns, lanes):
        return [Curve(router, routing, *rest) for rest in itertools.product(patterns, lanes, (1, 8))]
    uniform, lanes = list(PATTERNS)[:1], [1, 2, 4, 8]
    return (product(SHORT, "dimension_order", PATTERNS, lanes) + product(SHORT, "adaptive", PATTERNS, lanes[1:])
            + product(DEFAULTS, "dimension_order", uniform, lanes) + product(ISLIP, "dimension_order", uniform, lanes)
            + product(SHORT, "dimension_order", uniform, [2 * MOST_LANES]))


@dataclass(frozen=True)
class Point:
    latency: float  # cycles, as the simulator says it
    accepted: float  # flits per terminal and cycle
    hops: float  # routers


GIVEN_UP = Point(math.inf, math.nan, math.nan)  # a run far beyond saturation, which nobody waits for


@dataclass
class Pair:
    """A curve, and what both simulators measured of it: at each load theirs and ours."""
    curve: Curve
    points: dict

    def rows(self):
        """Returns (load, theirs, ours), ascending."""
        return [(load, *self.points[load]) for load in sorted(self.points)]

    def curves(self):
        """Returns [(load, latency)] of theirs, and of ours with the offset."""
        return ([(load, theirs.latency) for load, theirs, _ in self.rows()],
                [(load, ours.latency + self.curve.offset) for load, _, ours in self.rows()])

    def saturations(self):
        """Returns the loads, of theirs and ours, at which the latency is SATURATED times that at the lowest load: between two
        points that were measured, in their middle if the run of the second one was given up; or at most the last one."""
        found = []
        for points in self.curves():
            limit = SATURATED * self.curves()[0][0][1]
            between = [low + (high - low) * (0.5 if math.isinf(behind) else (limit - before) / (behind - before))
                       for (low, before), (high, behind) in itertools.pairwise(points) if before < limit <= behind]
            found.append(between[0] if between else points[-1][0])
        return found

    def apart(self):
        """Returns how much longer ours takes, as a part of theirs, at each load below BELOW of the lower saturation."""
        most = BELOW * min(self.saturations())
        return [ours / theirs - 1 for (load, theirs), (_, ours) in zip(*self.curves()) if load <= most]

    def other_hops(self):
        """Returns whether the flits of both go other ways at the higher loads, at which many are measured."""
        return any(abs(ours.hops / theirs.hops - 1) > SAME_HOPS for _, theirs, ours in self.rows()[len(self.points) // 2:])


def figure(text, what, name):
    found = re.search(rf"^{what} = *([\d.e+-]+)", text.partition("Overall Traffic Statistics")[2], re.M)
    if not found:
        raise Wrong(f"{name}: its output does not say '{what}'; it ends:\n" + "\n".join(text.splitlines()[-10:]))
    return float(found[1])


class Measurement:
    """Runs both simulators for one curve."""

    def __init__(self, options, tools, curve, room):
        self.options, self.tools, self.curve = options, tools, curve
        self.file = room / re.sub(r"\W+", "-", curve.name)
        self.theirs, self.ours = {}, {}

    def period(self, load):
        cycles = WORMS * self.curve.length / (SIDE ** 2 * load)
        return max(100, int(self.options.scale * max(LEAST, cycles / PERIODS)))

    def their(self, load):
        if load not in self.theirs:
            config = self.file.with_suffix(".cfg")
            config.write_text(self.curve.config(load, self.period(load)))
            text = self.tools.run([self.options.peer, config]).output
            words = ("Packet latency average", "Accepted flit rate average", "Hops average")
            given_up = "Simulation unstable" in text
            self.theirs[load] = GIVEN_UP if given_up else Point(*(figure(text, one, config) for one in words))
        return self.theirs[load]

    def our(self, load):
        if load not in self.ours:
            scenario = self.file.with_suffix(".yaml")
            scenario.write_text(self.curve.scenario(load, self.period(load)))
            _, told = self.tools.run_for_json([self.tools.build / "annelid", "run", "--json", scenario])
            if not told["delivered"]:
                raise Wrong(f"{scenario}: nothing was delivered at load {load}: SCALE= is too small")
            hops = told["flit_hops"] / (told["delivered"] * self.curve.length) - 1
            self.ours[load] = Point(told["latency_mean"], told["accepted_load"], hops)
        return self.ours[load]

    def limit(self):
        return SATURATED * (self.our(LOWEST).latency + self.curve.offset)

    def our_saturation(self):
        low, high = LOWEST, 1.0
        while high - low > 0.005 * high:
            middle = round((low + high) / 2, 5)
            beyond = self.our(middle).latency + self.curve.offset >= self.limit()
            low, high = (low, middle) if beyond else (middle, high)
        return high

    def both(self, load):
        """Measures both at a load. Returns whether theirs has saturated there."""
        self.our(load)
        return self.their(load).latency >= self.limit()

    def pair(self):
        """Measures both at the same loads, until theirs has saturated, too, and where it does; ours up to its saturation. Returns
        all that was found."""
        most = self.our_saturation()
        beyond, load = False, most
        for load in (round(most * step, 5) for step in STEPS):
            if beyond:
                self.our(load)
                self.theirs[load] = GIVEN_UP
            else:
                beyond = self.both(load)
        while not beyond and load < 1:
            beyond = self.both(load := min(1.0, round(load * FURTHER, 5)))
        low = max((load for load, point in self.theirs.items() if point.latency < self.limit()), default=0)
        high = min((load for load in self.theirs if load > low), default=low)
        while low and high > CLOSE * low:
            middle = round((low + high) / 2, 5)
            low, high = (low, middle) if self.both(middle) else (middle, high)
        return Pair(self.curve, {load: (self.theirs[load], self.ours[load]) for load in self.theirs})


# --- files and tables ---

NAMES = ("router", "routing", "pattern", "lanes", "length", "load", "booksim", "annelid", "booksim_accepted", "annelid_accepted",
         "booksim_hops", "annelid_hops")


def write_points(path, pairs):
    """Writes all points: latencies in cycles as each simulator says them, loads in flits per terminal and cycle."""
    with path.open("w") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(NAMES)
        for pair in pairs:
            one = pair.curve
            for load, theirs, ours in pair.rows():
                figures = [f"{value:.6g}" for name in ("latency", "accepted", "hops") for value in (getattr(theirs, name), getattr(ours, name))]
                rows.writerow([one.router.name, one.routing, one.pattern, one.lanes, one.length, f"{load:g}", *figures])


def read_points(path):
    """Returns the pairs of a file of write_points()."""
    curves = {curve.name: curve for curve in all_curves()}
    pairs = {}
    try:
        for number, row in enumerate(csv.DictReader(path.read_text().splitlines()), 2):
            name = curve_name(*(row[key] for key in NAMES[:5]))
            points = pairs.setdefault(name, Pair(curves[name], {})).points
            points[float(row["load"])] = tuple(Point(*(float(row[f"{who}{what}"]) for what in ("", "_accepted", "_hops")))
                                               for who in ("booksim", "annelid"))
    except (OSError, UnicodeError) as error:
        raise Wrong(f"{path}: {error}") from error
    except (KeyError, ValueError, TypeError) as error:
        raise Wrong(f"{path}:{number}: {error}, expected a row of {','.join(NAMES)}") from error
    return list(pairs.values())


HEAD = ["router", "routing", "pattern", "lanes", "flits", "first", "ours", "saturation", "ours", "", "points", "apart"]


def cells(pair):
    """Returns a row of the table, as texts."""
    one, (first, own), (theirs, ours), apart = pair.curve, [points[0][1] for points in pair.curves()], pair.saturations(), pair.apart()
    return [one.router.name, one.routing, one.pattern, one.lanes, one.length, f"{first:.1f}", f"{own:.1f}", f"{theirs:.3f}",
            f"{ours:.3f}", f"{100 * (ours / theirs - 1):+.1f} %", len(apart), f"{100 * max(apart, key=abs):+.1f} %"]


def markdown(pairs):
    """Returns the table as lines of a page."""
    rows = [HEAD, ["---"] * len(HEAD), *map(cells, pairs)]
    return ["| " + " | ".join(map(str, row)) + " |" for row in rows]


def print_table(pairs):
    print(f"BookSim2 and annelid, {SIDE} x {SIDE} mesh, lanes of {DEPTH} flits: latency over load. First: latency at the lowest load, "
          f"ours with\nits offset. Saturation: the load at {SATURATED} times the first latency. Apart: the largest difference of "
          f"latencies below {BELOW:.0%}\nof the lower saturation, of so many points (docs/beside_booksim.md).")
    for row in [HEAD, *map(cells, pairs)]:
        line((row[0], 8), *zip(map(str, row[1:]), (15, 9, 5, 5, 6, 6, 10, 6, 8, 6, 8)))


SWEEP = ("load,seed,state,end,cycles,warmup,worms,offered,accepted,latency,latency_min,latency_p50,latency_p95,latency_p99,"
         "latency_max,links")  # columns of a sweep (docs/sweep.md), of which BookSim2 tells some


def write_sweeps(room, pairs):
    """Writes the curves of both as if two sweeps had measured them, for annelid plot. Returns the files."""
    room.mkdir(exist_ok=True)
    files = [room / "BookSim2.csv", room / "Annelid.csv"]
    for ours, file in enumerate(files):
        with file.open("w") as out:
            print(f"switch.num_vcs,{SWEEP}", file=out)
            for pair in pairs:
                for (load, latency), (_, *points) in zip(pair.curves()[ours], pair.rows()):
                    state = "steady" if load < pair.saturations()[ours] else "saturated"
                    if not math.isinf(latency):
                        figures = f"{points[ours].accepted:g},{latency:.6g}"
                        print(f"{pair.curve.lanes},{load:g},1,{state},complete,0,0,0,,{figures},,,,,,", file=out)
    return files


def draw(room, tools, pairs):
    """Draws the curves of each router, routing, pattern and length, where both have the same lanes."""
    pictures = {}
    for pair in (pair for pair in pairs if pair.curve.lanes == pair.curve.our_lanes):
        one = pair.curve
        pictures.setdefault(f"{one.router.name}, {one.routing}, {one.pattern}, worms of {one.length}", []).append(pair)
    for title, some in pictures.items():
        place = room / re.sub(r"[^a-z0-9_]+", "-", title)
        command = [tools.build / "annelid", "plot", *write_sweeps(place, some), "--title", title, "-o", place.with_suffix(".svg")]
        drawn = tools.run(command)
        if drawn.status:
            raise Wrong(f"{' '.join(map(str, command))}: status {drawn.status}\n{drawn.output[-2000:]}")


def measure_all(options, tools, room):
    if not options.peer.is_file():
        raise Wrong(f"PEER={options.peer}: no such program")
    options.peer = options.peer.resolve()
    curves = [curve for curve in all_curves() if options.only in curve.name]
    if not curves:
        raise Wrong(f"ONLY={options.only}: no curve has this in its name, as in '{curve_name('short', 'adaptive', 'transpose', 4, 8)}'")
    measurements, progress, pairs = [Measurement(options, tools, curve, room) for curve in curves], Progress("measuring", len(curves)), []
    with tools.children.pool(options.jobs) as pool:
        for pair in pool.map(Measurement.pair, measurements):
            progress.step(pair.curve.name)
            pairs.append(pair)
            write_points(room / "latency.csv", pairs)
    progress.end()
    return pairs


def do(options, tools):
    room = tools.build / "bench/peer"
    room.mkdir(parents=True, exist_ok=True)
    pairs = read_points(options.peer) if options.peer.suffix == ".csv" else measure_all(options, tools, room)
    draw(room, tools, pairs)
    print_table(pairs)
    other = [pair.curve.name for pair in pairs if pair.other_hops()]
    print(f"{len(pairs)} curves, {sum(len(pair.points) for pair in pairs)} points, {len(other)} with other hops"
          + "".join(f"\n  {name}" for name in other) + f"\n{room}/*.svg")
    return 1 if other else 0
