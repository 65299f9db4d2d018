# SPDX-License-Identifier: Apache-2.0
"""Another simulator and ours on the same work: accepted load and hops must agree before speeds are compared."""

import re
from dataclasses import dataclass
from pathlib import Path

from annelid.children import Wrong
from measure import Progress, spread
from peer_config import PERIODS, WARMUP, config_of, cycles_for, scenario_of
from table import line, whole
from work import SCENARIOS, SIX, facts_of

AGREE = 0.02  # the largest relative difference of accepted load and of hops
TOO_LARGE = 100_000  # switches: each takes the peer some ten kilobytes, and the run takes hours
WORMS = {"mesh": 40_000, "torus": 25_000}  # created in a run: so many that chance is well below AGREE


@dataclass
class Case:
    name: str
    config: Path  # the peer's configuration
    scenario: Path  # our scenario
    cycles: int | None  # None: as many as the peer takes


@dataclass
class Told:
    """The figures that the peer prints about a run."""
    cycles: int
    accepted: float  # flits per node and cycle
    hops: float  # routers that a flit goes through: links that leave a router


def parse_output(text, what):
    """Raises Wrong if the run was not finished or did not have one class of traffic."""
    summary = text.partition("Overall Traffic Statistics")[2]
    found = {"cycles": re.search(r"^Time taken is (\d+) cycles", text, re.M),
             "accepted": re.search(r"^Accepted flit rate average *= *([\d.e+-]+)", summary, re.M),
             "hops": re.search(r"^Hops average *= *([\d.e+-]+)", summary, re.M)}
    missing = [key for key, match in found.items() if not match]
    if missing:
        raise Wrong(f"{what}: its output does not say {', '.join(missing)}; it ends:\n"
                      + "\n".join(text.splitlines()[-10:]))
    if "class 1" in summary:
        raise Wrong(f"{what}: more than one class of traffic")
    try:
        return Told(int(found["cycles"][1]), float(found["accepted"][1]), float(found["hops"][1]))
    except ValueError as error:
        raise Wrong(f"{what}: {error}") from error


def our_cases(options, room):
    cases = []
    for name in SIX:
        scenario = SCENARIOS / f"{name}.yaml"
        facts = facts_of(scenario)
        if int(facts["k"]) ** int(facts["n"]) > TOO_LARGE:
            print(f"{name}: left out, too large for it")
            continue
        cycles = cycles_for(facts, WORMS[facts["topology"]] * options.scale)
        config = room / f"{name}.cfg"
        config.write_text(config_of(scenario, cycles))
        cases.append(Case(name, config, scenario, cycles))
    return cases


def their_cases(path, room):
    if not path.exists():
        raise Wrong(f"PEER_CONFIG={path}: does not exist")
    files = sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]
    if not files:
        raise Wrong(f"PEER_CONFIG={path}: no files")
    cases = []
    for config in files:
        scenario = room / f"{config.name}.yaml"
        scenario.write_text(scenario_of(config))
        cases.append(Case(config.name, config, scenario, None))
    return cases


def run_peer(options, tools, case):
    """Runs the peer. Its exit status means nothing; its output does."""
    weighed = tools.run([options.peer, case.config])
    return weighed, parse_output(weighed.output, f"{options.peer} {case.config}")


def batch_gain(tools, case):
    """Returns flit-hops per CPU second of runs in a batch over those of runs alone (batch_cost)."""
    output = tools.run([tools.build / "bench/batch_cost", case.scenario]).output
    found = re.search(r"ratio ([\d.]+)", output)
    if not found:
        raise Wrong(f"batch_cost {case.scenario}: it does not say a ratio: {output[-500:]}")
    return float(found[1])


def run_ours(tools, case, told):
    """Runs ours for the same number of cycles and measures the same part of them."""
    cycles = case.cycles or told.cycles
    # A run that does not deliver all its worms is beyond saturation; it ends where the peer's run did.
    words = [f"run.cycles={cycles}", f"run.warmup_cycles={cycles * WARMUP // PERIODS}",
             f"run.max_cycles={max(cycles, told.cycles)}"]
    command = [tools.build / "annelid", "run", "--json", case.scenario]
    return tools.run_for_json([*command, *(word for one in words for word in ("--set", one))])


@dataclass
class Pair:
    """All rounds of one case."""
    case: Case
    told: Told
    result: dict
    theirs: list
    ours: list
    gains: list  # of a batch

    @property
    def facts(self):
        return facts_of(self.case.scenario)

    @property
    def switches(self):
        return int(self.facts["k"]) ** int(self.facts["n"])

    @property
    def our_hops(self):
        """Our hops of a flit, counted as the peer does: links that leave a switch, with the one into the terminal but
        without the one out of it."""
        return self.result["flit_hops"] / (self.result["delivered"] * int(self.facts["length"])) - 1

    def work(self, ours):
        """Returns cycles and flit-hops of a run, ours or the peer's."""
        cycles = self.result["cycles"] if ours else self.told.cycles
        load = self.result["accepted_load"] if ours else self.told.accepted
        hops = self.our_hops if ours else self.told.hops
        return cycles, cycles * load * hops * self.switches

    def ratios(self):
        """Returns flit-hops per CPU second, ours over theirs, of neighbouring runs."""
        more = self.work(True)[1] / self.work(False)[1]
        return spread([more * theirs / ours for theirs, ours in zip(self.theirs, self.ours)])

    def batch_ratio(self):
        """Returns the same of many of our runs in a batch."""
        return self.ratios()["median"] * spread(self.gains)["median"]

    @property
    def disagreements(self):
        apart = {"accepted load": abs(self.result["accepted_load"] / self.told.accepted - 1),
                 "hops": abs(self.our_hops / self.told.hops - 1)}
        bad = [f"{what} {100 * part:.1f} % apart" for what, part in apart.items() if not part <= AGREE]
        if bad and max(apart.values()) < 4 * self.chance:
            bad.append(f"or chance, which is {100 * self.chance:.1f} % for so few worms")
        return bad

    @property
    def chance(self):
        """The standard deviation of the ratio of two loads, each measured by worms that come at random."""
        measured = self.result["delivered"] * (1 - WARMUP / PERIODS)
        return (2 / measured) ** 0.5


def measure_pairs(options, tools, cases):
    pairs, progress = {}, Progress("measuring", options.rounds * len(cases))
    for turn in range(options.rounds):
        for case in cases:
            progress.step(f"round {turn + 1}: {case.name}")
            theirs, told = run_peer(options, tools, case)
            ours, result = run_ours(tools, case, told)
            if not told.accepted or not told.hops or not result["delivered"]:
                raise Wrong(f"{case.name}: nothing was delivered")
            pair = pairs.setdefault(case.name, Pair(case, told, result, [], [], []))
            pair.theirs.append(theirs.seconds)
            pair.ours.append(ours.seconds)
            pair.gains.append(batch_gain(tools, case))
    progress.end()
    return list(pairs.values())


def print_pair(pair):
    ours, theirs, ratios = spread(pair.ours)["median"], spread(pair.theirs)["median"], pair.ratios()
    (our_cycles, our_hops), (their_cycles, their_hops) = pair.work(True), pair.work(False)
    line((pair.case.name, 20), (f"{pair.told.accepted:.4f}", 8), (f"{pair.result['accepted_load']:.4f}", 8),
         (f"{pair.told.hops:.3f}", 7), (f"{pair.our_hops:.3f}", 7), (whole(their_cycles / theirs), 10),
         (whole(our_cycles / ours), 11), (f"{their_hops / theirs / 1e6:.3f}", 6), (f"{our_hops / ours / 1e6:.2f}", 6),
         (f"{ratios['median']:.1f}", 6), (f"{ratios['min']:.1f}..{ratios['max']:.1f}", 12),
         (f"{pair.batch_ratio():.0f}", 6), (", ".join(pair.disagreements), 0))


def do(options, tools):
    room = tools.build / "bench/peer"
    room.mkdir(parents=True, exist_ok=True)
    if not options.peer.is_file():
        raise Wrong(f"PEER={options.peer}: no such program")
    options.peer = options.peer.resolve()
    cases = their_cases(options.config, room) if options.config else our_cases(options, room)
    pairs = measure_pairs(options, tools, cases)
    print(f"{options.peer.name} and annelid on the same work: CPU time, medians of {options.rounds}. Hops: links that "
          "leave a switch, that into the\nterminal too. M/s: millions of flit-hops so counted. Batch: the ratio if many of "
          f"our runs go\ntogether in a batch. Its files: {options.config or room}")
    line(("", 20), ("accepted", 8), ("ours", 8), ("hops", 7), ("ours", 7), ("cycles/s", 10), ("ours", 11), ("M/s", 6),
         ("ours", 6), ("ratio", 6), ("min..max", 12), ("batch", 6))
    for pair in pairs:
        print_pair(pair)
    bad = sum(bool(pair.disagreements) for pair in pairs)
    print(f"{len(pairs)} compared, {bad} not the same work (more than {100 * AGREE:g} % apart)")
    return 1 if bad else 0
