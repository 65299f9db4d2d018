# SPDX-License-Identifier: Apache-2.0
"""Make a network with AXI4 ports of a drawn one (docs/axi.md, "Written designs"), for front ends to read: the same wiring, in two
classes of one lane each, with routes that keep the order of packets."""

import dataclasses
import random

from annelid.random_graphs import has_one_way
from annelid.random_networks import terminals_of

ROUTING = {"mesh": "dimension_order", "hypercube": "e_cube", "fat_tree": "up_down_fixed", "butterfly": "destination_tag", "graph": "up_down",
           "cube": "dimension_order"}
KEPT = ("depth", "arbiter", "stages", "link_cycles")
WIRING = ("switches", "ports", "terminals", "links")  # of a graph
PAGE = 4096


def may_have_axi(scenario):
    """Says whether a network can have AXI4 ports: not where routes need dateline lanes or links back, and not where the design would
    need what streams do not have."""
    network = scenario.network
    if network["topology"] not in ROUTING or terminals_of(network) < 2:
        return False
    rings = network["topology"] == "cube" and any(kind != "line" for kind in network["dimensions"])
    one_way = network["topology"] == "graph" and has_one_way(network["graph"])
    return not rings and not one_way and network.get("passes") != 2 and scenario.switch["arbiter"] != "farthest"


def axi_of(scenario, folder):
    """Writes an address map into a folder. Returns the network in two classes, and the ports of its design with their options:
    each of them in one of two, by the seed of the run."""
    rng, terminals = random.Random(f"axi {scenario.run['seed']}"), terminals_of(scenario.network)
    memories = sorted(rng.sample(range(terminals), rng.randint(1, min(4, terminals - 1))))
    sizes = [PAGE * rng.randint(1, 9) for _ in memories]
    rows = [f"0x{2**20 * n:x} {size} {memory}" for n, (size, memory) in enumerate(zip(sizes, memories))]
    (folder / "axi.map").write_text("\n".join(rows) + "\n")
    users, lite, always = [t for t in range(terminals) if t not in memories], [], []
    if rng.random() < 0.5:
        users = rng.sample(range(terminals), rng.randint(1, min(4, terminals)))
        always.append(f"--users {listed(users)}")
    if rng.random() < 0.5:
        lite = rng.sample(users, rng.randint(1, len(users)))
        always.append(f"--lite {listed(lite)}")
    bits = rng.randint(1, 16)  # of an ID; the 4 of a design that is told none have 16 slots, the most
    options = [f"--data {2**rng.randint(3, 9)}", f"--address {rng.randint(24, 64)}", f"--id {bits}", f"--bursts {rng.randint(1, 8)}"]
    if len(lite) < len(users):  # a port has bursts; without --max-beats they have 16 beats
        beats = rng.choice((1, 2, 16, 256))
        options += [f"--max-beats {beats}", f"--room {max(beats, 16) + rng.randint(0, 300)}", f"--reorder {rng.randint(0, min(16, 2**bits))}"]
    switch = {key: scenario.switch[key] for key in KEPT if key in scenario.switch}
    switch |= dict(flow_control="wormhole", num_vcs=2, classes=2, flit_width_bits=64, routing=ROUTING[scenario.network["topology"]])
    network = {key: value for key, value in scenario.network.items() if key != "unsafe"}
    if "graph" in network:
        network["graph"] = {key: network["graph"][key] for key in WIRING if key in network["graph"]}
    plain = dataclasses.replace(scenario, network=network, switch=switch, traffic={"load": 0.1, "length": 1}, messages=())
    return plain, " ".join([f"axi --map {folder / 'axi.map'}", *always, *(option for option in options if rng.random() < 0.5)])


def listed(terminals):
    return ",".join(map(str, terminals))
