# SPDX-License-Identifier: Apache-2.0
"""The work that is measured: scenarios, the length of their runs, and the figures that stand beside them."""

import re
from dataclasses import dataclass, field
from pathlib import Path

SCENARIOS = Path("bench/scenarios")
LENGTH = 8  # flits of a worm in all scenarios of the bench


@dataclass(frozen=True)
class Marks:
    """Millions of flit-hops per CPU second that the engine must reach (least) and is meant to reach (aim). The peer's
    figures are those of the best known open simulator, measured once on another machine: cycles, and millions of
    flit-hops, per CPU second."""
    least: float
    aim: float
    peer_cycles: float | None = None
    peer_hops: float | None = None


SIX = {
    "mesh8_1lane_010": Marks(20, 45, 14800, 0.59),
    "mesh8_4lanes_005": Marks(16, 40, 22700, 0.46),
    "mesh8_4lanes_030": Marks(16, 40, 3900, 0.46),
    "mesh8_4lanes_036": Marks(14, 35, 2800, 0.39),
    "torus32_2lanes_004": Marks(14, 35, 170, 0.11),
    "mesh512_2lanes_0002": Marks(8, 20),
}
SIZES = (8, 16, 32, 64, 128, 256, 512)
LOADS = (0.001, 0.01, 0.05, 0.10, 0.20, 0.30, 0.40, 0.60)
RTL = {"mesh8_1lane_010": 8000, "mesh8_4lanes_030": 4000}  # cycles of the run
HOPS = 8e6  # flit-hops of a run of the groups size and load, about
LEAST_CYCLES_PER_K = 4  # of a run of the group size; a path has at most 2 k links
MOST_CYCLES = 10_000_000  # of a run at low load


@dataclass
class Job:
    """One scenario with settings; it is the same work however often it is run."""
    group: str
    name: str
    scenario: Path
    settings: dict = field(default_factory=dict)

    @property
    def words(self):
        """The arguments for annelid and lockstep."""
        return [str(self.scenario), *(word for item in self.settings.items() for word in ("--set", "%s=%s" % item))]

    @property
    def facts(self):
        """The keys of the scenario without their sections, with the settings applied."""
        return facts_of(self.scenario) | {key.partition(".")[2]: str(value) for key, value in self.settings.items()}

    @property
    def switches(self):
        return int(self.facts["k"]) ** int(self.facts["n"])


def facts_of(path):
    """Returns keys and values of a scenario of the bench, as text; each section is one line in braces."""
    text = re.sub("#.*", "", path.read_text())
    return dict(re.findall(r"(\w+): *([\w.]+)", text))


def scaled(cycles, scale):
    return max(1, round(cycles * scale))


def engine_jobs(scale):
    paths = {name: SCENARIOS / f"{name}.yaml" for name in SIX}
    return [Job("engine", name, path, {"run.cycles": scaled(int(facts_of(path)["cycles"]), scale)})
            for name, path in paths.items()]


def hops_of_a_flit(k):
    """Returns the mean links between two terminals of a k x k mesh under uniform traffic, with the terminals' own."""
    return 2 * (k * k - 1) / (3 * k) + 2


def size_jobs(scale):
    """Jobs with about as many flits in flight per switch at every size: the load falls as paths grow. A run takes
    several times the longest path, so that the network is full for most of it, and ends when its last worm is
    created."""
    jobs = []
    for k in SIZES:
        load = 0.4 / k
        cycles = scaled(max(HOPS / (k * k * load * hops_of_a_flit(k)), LEAST_CYCLES_PER_K * k), scale)
        jobs.append(Job("size", f"mesh{k}", SCENARIOS / "mesh512_2lanes_0002.yaml",
                        {"network.k": k, "traffic.load": f"{load:.9f}", "run.cycles": cycles, "run.max_cycles": cycles}))
    return jobs


def load_jobs(scale):
    """Jobs at several loads. Beyond saturation a run ends when its last worm is created, not delivered."""
    jobs = []
    for load in LOADS:
        cycles = scaled(min(HOPS / (64 * min(load, 0.4) * hops_of_a_flit(8)), MOST_CYCLES), scale)
        jobs.append(Job("load", f"load {load:g}", SCENARIOS / "mesh8_4lanes_030.yaml",
                        {"traffic.load": load, "run.cycles": cycles, "run.max_cycles": cycles}))
    return jobs


def rtl_jobs(scale):
    return [Job("rtl", name, SCENARIOS / f"{name}.yaml", {"run.cycles": scaled(cycles, scale)})
            for name, cycles in RTL.items()]
