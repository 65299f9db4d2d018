# SPDX-License-Identifier: Apache-2.0
"""How fast the lock-step is by switches, beside whole networks: CPU seconds of both in turns, and the clock with two threads.

Prints a line for each comparison, with the median of the ratios of some rounds and their range, and writes them to
BUILD/bench-rtl.json (docs/performance.md).
"""

import os
import pathlib
import statistics
import time

from annelid import large, regress
from annelid.children import Wrong
from annelid.lockstep import network_of, result_of
from annelid.options import parser
from annelid.results import write_json

MESH = pathlib.Path("bench/scenarios/mesh8_4lanes_030.yaml")
LOADS = (0.02, 0.1, 0.3)


class Bench:
    def __init__(self, options, children):
        self.options, self.children, self.rows = options, children, []

    def program(self, scenario, whole):
        """Builds what runs a scenario. Returns the program."""
        rtl, network = self.options.build / "rtl", network_of(self.children, self.options.build, scenario, whole=whole)
        regress.make(self.options, self.children, network.targets(rtl), self.options.build / "bench-rtl.log", self.options.launcher)
        return rtl / network.program

    def run(self, command):
        """Returns the result, CPU seconds and seconds of a run."""
        before, begin = os.times(), time.monotonic()
        status, output = self.children.output(command)
        seconds, after = time.monotonic() - begin, os.times()
        result = result_of(status, output)
        if status or not result["pass"]:
            raise Wrong(f"{' '.join(map(str, command))}: {result.get('reason')}")
        return result, after.children_user + after.children_system - before.children_user - before.children_system, seconds

    def compare(self, name, old, new, clock=False):
        """Runs two commands in turns, and notes how many times as fast the second one is: by processor, or by the clock."""
        ratios, rates, digests = [], [], set()
        for _ in range(self.options.rounds):
            runs = [self.run(command) for command in (old, new)]
            costs = [run[2 if clock else 1] for run in runs]
            digests |= {run[0]["rtl_digest"] for run in runs}
            ratios.append(costs[0] / costs[1])
            rates.append(runs[1][0]["flits"] / costs[1])
        if len(digests) > 1:
            raise Wrong(f"{name}: different digests: {sorted(digests)}")
        row = dict(name=name, ratio=statistics.median(ratios), least=min(ratios), most=max(ratios),
                   flit_hops_per_second=statistics.median(rates))
        self.rows.append(row)
        print(f"{name:<44} {row['ratio']:6.2f}  ({row['least']:.2f} to {row['most']:.2f})  "
              f"{row['flit_hops_per_second']:12,.0f} flit-hops/s", flush=True)


def main(children):
    one = parser(__doc__)
    one.add_argument("--rounds", type=int, default=5)
    options = one.parse_args()
    options.dut, options.launcher, options.jobs, options.logs = "", regress.Launcher(""), 2, options.build / "regress"
    bench = Bench(options, children)
    regress.make_common(options, children)
    mesh = [bench.program(MESH, whole) for whole in (True, False)]
    for load in LOADS:
        words = ["--json", "--set", f"traffic.load={load}", MESH]
        bench.compare(f"8 x 8, 4 lanes, load {load}: by switches", [mesh[0], *words], [mesh[1], *words])
    paths = dict(large.in_lockstep(options.build / "bench-rtl"))
    torus = [bench.program(paths["torus_32"], False), "--json", paths["torus_32"]]
    bench.compare("32 x 32 torus, load 0.04: idle ones skipped", [*torus[:1], "--awake", *torus[1:]], torus)
    busy = [*torus[:1], "--set", "traffic.load=0.1", *torus[1:]]
    bench.compare("32 x 32 torus, load 0.1: two threads, clock", busy, [*busy[:1], "--threads", "2", *busy[1:]], clock=True)
    write_json(options.build / "bench-rtl.json", dict(rounds=options.rounds, rows=bench.rows))
    return 0
