# SPDX-License-Identifier: Apache-2.0
"""Many worms through networks whose switches have no lanes to wait in, RTL against golden model (docs/lockstep.md).

Draws the worms of a kind of switch, always the same ones for a seed, runs each in lock-step, and asks beside it what no single run
shows. Prints a line a network and "N passed, N failed". Targets such as `make bufferless` call it; --short is their sample in
make test. What differs between kinds is said by papers/<slice>/lockstep/<target>.py:

  KIND        the word after which keys of programs are named     NETWORK, WANTS  its row of the sign-off page
  SUITE       the suite whose runs must have a golden digest       NO_WAVES        words of scenarios without waves, or ""
  SWITCHES    what DUT= can replace: with wide links and, where they differ, with lanes that share them
  MODULES     what the names of its other modules begin with, which DUT= tries in these switches
  draw(rng)   a set of random networks (random_kinds.py), whose ends ends_are_right(ends) judges
  NETWORKS    each with name, cases(tools) and judge(seen); SAMPLE is that of make test
  LEAST       flits that all runs, and those of the sample, must have moved
  MUST        fates, in words of judge(), that worms of one run in six must have had
"""

import dataclasses
import json

from annelid.children import Wrong
from annelid.lockstep import difference, key_of, result_of
from annelid.options import JOBS, JUNIT, parser
from annelid.random_networks import Scenario
from annelid.results import attempt, run_campaign
from annelid.slices import kinds

MANY = {"max_cycles": 10**6}


@dataclasses.dataclass(frozen=True)
class Case:
    """A run: its scenario, whether it must end in a fault, and whether its flits are asked for."""
    name: str
    scenario: Scenario
    faults: bool = False
    traced: bool = False


@dataclasses.dataclass(frozen=True)
class Seen:
    """What came of a run: the result that the lock-step printed, and the flits that the RTL sent."""
    case: Case
    result: dict
    flits: tuple = ()


@dataclasses.dataclass(frozen=True)
class Flit:
    cycle: int
    link: int
    lane: int
    worm: int
    index: int


def flits_of(text):
    """Returns the flits of a trace in text (docs/trace.md)."""
    records = (line.split() for line in text.splitlines() if line.startswith("flit "))
    return tuple(Flit(int(cycle), int(link), int(lane), int(worm), int(index)) for _, cycle, link, lane, _, worm, index in records)


# --- runs ---

def need(holds, what, seen):
    if not holds:
        raise Wrong(f"expected {what}; seen: {seen}")


class Tools:
    """The programs that cases need."""

    def __init__(self, campaign):
        self.campaign, self.options, self.children = campaign, campaign.options, campaign.children
        self.room = campaign.room

    def annelid(self, *words):
        return self.children.must([self.options.build / "annelid", *words])

    def each(self, action, items):
        return self.campaign.each(action, items)

    def program_of(self, path):
        key = key_of(self.children, self.options.build, path)
        program = self.options.build / "rtl" / key / "lockstep"
        self.children.make(self.options.build, "VOPT=-O0", program)
        return program

    def run(self, job):
        """Runs a case. Returns what was seen; Wrong: it failed, and its files stay."""
        program, path, case = job
        trace = path.with_suffix(".anlt")
        words = ["--expect-fault"] * case.faults + ["--trace", trace] * case.traced
        status, output = self.children.output([program, "--json", *words, path])
        result = result_of(status, output)
        if status or not result["pass"]:
            raise Wrong(f"{path}: {difference(result)}\n{output}")
        flits = ()
        if case.traced:
            text = path.with_suffix(".trace")
            self.annelid("trace", "convert", trace, text)
            flits = flits_of(text.read_text())
            text.unlink()
            trace.unlink()
        path.unlink()
        path.with_suffix(".txt").unlink(missing_ok=True)
        return Seen(case, result, flits)


def shape_of(case):
    return json.dumps([case.scenario.network, case.scenario.switch])


def run_network(tools, network):
    """Runs all cases of a network. Returns them as seen, and a line about them."""
    cases, programs = network.cases(tools), {}
    jobs = []
    for case in cases:
        path = case.scenario.save((tools.room / f"{case.name}.yaml").absolute())
        if shape_of(case) not in programs:
            programs[shape_of(case)] = tools.program_of(path)
        jobs.append((programs[shape_of(case)], path, case))
    seen = tools.each(tools.run, jobs)
    flits = sum(one.result["flits"] for one in seen)
    cycles = sum(one.result["cycles"] for one in seen)
    said = network.judge(seen)
    return flits, f"{network.name}: {len(seen):,} runs, {said}, {cycles:,} cycles, {flits:,} flit events"


def run_kind(campaign, kind):
    options, tools = campaign.options, Tools(campaign)
    of = kinds()[kind]
    networks = of.SAMPLE if options.short else of.NETWORKS
    campaign.children.make(options.build, options.build / "lockstep/all", options.build / "annelid")
    total, lines = 0, []
    for network in networks:
        found, reason, _ = attempt(run_network, tools, network)
        total += found[0] if found else 0
        lines += [found[1]] if found else []
        campaign.screen.say(f"FAIL  {network.name}: {reason}" if reason else found[1])
        campaign.suite.case(kind, network.name, reason)
    least = of.LEAST[options.short]
    rare = [fate for fate in of.MUST if sum(number_before(fate, line) for line in lines) < networks[0].runs // 6]
    campaign.suite.case(kind, "flits and fates", f"expected {least:,} flits, seen {total:,}" if total < least else
                        f"few worms {rare[0]}" if rare else None)
    return campaign.end(f"{len(networks)} networks, {total:,} flit events", flits=total, networks=len(networks))


def number_before(word, line):
    """Returns the number in front of a word in a line; 0 if it is not there."""
    return next((int(part.strip().split()[0]) for part in line.split(",") if part.strip().endswith(f" {word}")), 0)


def main(children):
    one = parser(__doc__, jobs=JOBS, junit=JUNIT, short="a sample")
    one.add_argument("kind", choices=kinds())
    options = one.parse_args()
    return run_campaign(options.kind, options, children, lambda campaign: run_kind(campaign, options.kind))
