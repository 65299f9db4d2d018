# SPDX-License-Identifier: Apache-2.0
"""What is measured: scenarios, how long they run, and the figures that stand beside them."""

import re
from dataclasses import dataclass, field
from pathlib import Path

SCENARIOS = Path("bench/scenarios")
LENGTH = 8  # flits of a worm, in all scenarios of the bench


@dataclass(frozen=True)
class Marks:
    """Flit-hops per CPU second, millions, that the engine must reach and is to reach; what the best known open
    simulator did on another machine, measured once: cycles and millions of flit-hops per CPU second."""
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
RTL = {"mesh8_1lane_010": 8000, "mesh8_4lanes_030": 4000}  # cycles
HOPS = 8e6  # of a run of a size or of a load, about
LEAST_CYCLES_PER_K = 4  # of a run of a size: paths are 2 k at most
MOST_CYCLES = 10_000_000  # of a run at low load


@dataclass
class Job:
    """One scenario with settings: the same work however often it is run."""
    group: str
    name: str
    scenario: Path
    settings: dict = field(default_factory=dict)

    @property
    def words(self):
        """How annelid and lockstep are told."""
        return [str(self.scenario), *(word for item in self.settings.items() for word in ("--set", "%s=%s" % item))]

    @property
    def facts(self):
        """Keys of the scenario, settings included, without their sections."""
        return facts_of(self.scenario) | {key.partition(".")[2]: str(value) for key, value in self.settings.items()}

    @property
    def switches(self):
        return int(self.facts["k"]) ** int(self.facts["n"])


def facts_of(path):
    """Keys and values of a scenario of the bench, as text: one section a line, in braces."""
    text = re.sub("#.*", "", path.read_text())
    return dict(re.findall(r"(\w+): *([\w.]+)", text))


def scaled(cycles, scale):
    return max(1, round(cycles * scale))


def engine_jobs(scale):
    paths = {name: SCENARIOS / f"{name}.yaml" for name in SIX}
    return [Job("engine", name, path, {"run.cycles": scaled(int(facts_of(path)["cycles"]), scale)})
            for name, path in paths.items()]


def hops_of_a_flit(k):
    """Links from a terminal to another of a k x k mesh, uniform, the terminals' own included."""
    return 2 * (k * k - 1) / (3 * k) + 2


def size_jobs(scale):
    """About as many flits in flight per switch at every size: load falls as paths grow. A run takes some times the
    longest path, so that the network is full for most of it, and ends with its last worm created."""
    jobs = []
    for k in SIZES:
        load = 0.4 / k
        cycles = scaled(max(HOPS / (k * k * load * hops_of_a_flit(k)), LEAST_CYCLES_PER_K * k), scale)
        jobs.append(Job("size", f"mesh{k}", SCENARIOS / "mesh512_2lanes_0002.yaml",
                        {"network.k": k, "traffic.load": f"{load:.9f}", "run.cycles": cycles, "run.max_cycles": cycles}))
    return jobs


def load_jobs(scale):
    """Beyond saturation a run ends with its last worm created, not delivered."""
    jobs = []
    for load in LOADS:
        cycles = scaled(min(HOPS / (64 * min(load, 0.4) * hops_of_a_flit(8)), MOST_CYCLES), scale)
        jobs.append(Job("load", f"load {load:g}", SCENARIOS / "mesh8_4lanes_030.yaml",
                        {"traffic.load": load, "run.cycles": cycles, "run.max_cycles": cycles}))
    return jobs


def rtl_jobs(scale):
    return [Job("rtl", name, SCENARIOS / f"{name}.yaml", {"run.cycles": scaled(cycles, scale)})
            for name, cycles in RTL.items()]
