#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random connected graphs: every head arrives and no lane waits for itself, by a search of our own; some in lock-step.

usage: tb/unit/scripts/test_random_connected.py BUILD JUNIT_FILE

UNIT_SHARE=n in the environment: one graph in n. Prints failures only; exit status 1 if any.
"""
import json
import os
import re
import subprocess
import sys
from collections import Counter

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import random_connected
from annelid.random_connected import (COUNT, FEW_SWITCHES, IN_RTL, LANES_FOR_LAYERS, ROUTINGS, SWITCHES, Routed, circle, in_lockstep,
                                      layered_dependencies, saved)

SHARE = int(os.environ.get("UNIT_SHARE", "1"))
# A circle of five: with shortest every head goes on in its direction for two links.
RING = """network: {topology: graph, unsafe: true}
switch: {num_vcs: 1, routing: shortest}
traffic: {load: 0.1, length: 1}
run: {cycles: 1000}
graph:
  switches: 5
  links: [[0.0, 1.1], [1.0, 2.1], [2.0, 3.1], [3.0, 4.1], [4.0, 0.1]]
  terminals: [0.2, 1.2, 2.2, 3.2, 4.2]
"""


def annelid(build, *words):
    answer = subprocess.run([str(build / "annelid"), *map(str, words)], capture_output=True, text=True, check=False)
    expect(answer.returncode == 0, f"success of {words}", answer.stdout + answer.stderr)
    return answer.stdout


def routed(room, build, path):
    annelid(build, "describe", "--graph", room / "routed.yaml", path)
    return Routed((room / "routed.yaml").read_text())


def layers_of(build, path):
    found = re.search(r"(\d+) layers, each with", annelid(build, "describe", path))
    return int(found[1]) if found else 1


# --- tests: each gets a directory of its own and the build directory ---

def every_pair_is_delivered_and_nothing_can_deadlock(room, build):
    several = 0
    for number in range(0, COUNT, SHARE):
        for routing in ROUTINGS:
            path, scenario = saved(room, number, routing)
            trace = room / "run.txt"
            kept = ("--trace", trace) if routing == "layered" else ()
            seen = json.loads(annelid(build, "run", "--json", "--referee", *kept, path))
            several += routing == "layered" and layers_of(build, path) > 1
            waits = (layered_dependencies(trace.read_text(), LANES_FOR_LAYERS, layers_of(build, path)) if kept else
                     routed(room, build, path).dependencies())
            expect(circle(waits) == (), f"no circle of lanes in {path.read_text()}", circle(waits))
            pairs = {message[1:3] for message in scenario.messages}
            expect(len(pairs) == len(scenario.network["graph"]["terminals"]) ** 2, "every pair", pairs)
            expect(seen["end"] == "complete" and seen["delivered"] == len(scenario.messages), "all delivered", seen)
    expect(several > COUNT // SHARE // 10, "graphs that need several layers", several)


def circles_are_found(room, build):
    (room / "ring.yaml").write_text(RING)
    ring = routed(room, build, room / "ring.yaml")
    found = circle(ring.dependencies())
    expect(len(found) == 6 and found[0] == found[-1], "the circle of five lanes", found)
    expect(circle({1: {2}, 2: {3}, 4: {2, 3}}) == (), "no circle")
    annelid(build, "run", "--trace", room / "ring.txt", room / "ring.yaml")
    found = circle(layered_dependencies((room / "ring.txt").read_text(), 1, 1))
    expect(len(found) == 6, "the circle of five lanes in a trace", found)
    del ring.routes[1, 0]
    try:
        ring.dependencies()
    except KeyError:
        return
    expect(False, "a missing entry noticed")


def graphs_are_of_all_sizes_and_always_the_same(room, _build):
    sizes = Counter(random_connected.scenario(number, ROUTINGS[0]).network["graph"]["switches"] for number in range(COUNT))
    expect((min(sizes), max(sizes)) == SWITCHES and len(sizes) >= 30, "sizes from end to end", sizes)
    small = in_lockstep(room)
    expect(len(small) == IN_RTL * len(ROUTINGS), IN_RTL, len(small))
    expect(all(one.network["graph"]["switches"] <= FEW_SWITCHES for _, one in small), "small ones")
    before = [path.read_text() for path, _ in small]
    expect([path.read_text() for path, _ in in_lockstep(room)] == before, "the same ones again")


def one_runs_in_lock_step(_room, build):
    """The suite `graphs` has 20 graphs, in each of two routings."""
    path, scenario = in_lockstep(build / "regress/graphs")[0]
    answer = subprocess.run(["make", "--no-print-directory", f"BUILD={build}", "regress", f"SCENARIO={path}"],
                            capture_output=True, text=True, check=False)
    expect(answer.returncode == 0 and f" {len(scenario.messages)} worms" in answer.stdout, "a pass of all worms",
           answer.stdout + answer.stderr)


TESTS = [every_pair_is_delivered_and_nothing_can_deadlock, circles_are_found, graphs_are_of_all_sizes_and_always_the_same,
         one_runs_in_lock_step]

if __name__ == "__main__":
    sys.exit(main("random-connected", TESTS, __doc__.split("\n\n")[1]))
