#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks whose terminals, or regions of switches, have clocks of their own, in lock-step with the golden model (docs/clocks.md).

usage: tb/unit/scripts/test_domains.py BUILD JUNIT_FILE

FULL=1: all networks of the table, 20 draws of clocks and regions each, and all faults; else a small sample. Prints failures, how many
flits were compared, and with FULL=1 a line for each network; exit status 1 if any.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import planted

FULL = os.environ.get("FULL") == "1"
DRAWS, DRAWS_OF_SAMPLE = 20, 4
CYCLES = 2000  # in which worms are created, of the first clock
FLITS = re.compile(r"^PASS: .* edges, (\d+) flits, (\d+) out of crossings, (\d+) of them an edge late", re.MULTILINE)
TRAFFIC = f"traffic: {{load: 0.3, length: [1, 4, 7]}}\nrun: {{cycles: {CYCLES}}}"
REQUESTS = "traffic: {process: request_reply, worms_per_terminal: 60, window: 3, length: 2, reply_length: 4}"
GRAPH = ("network: {topology: graph}\ngraph: {switches: [a, b, c, d, e], terminals: [e, b, a, c, b],\n"
         "  links: [[a, b], [b, c], [c, d], [d, e], [e, a], [a, c], [b, d]]}")
# The first one is the sample, and that of faults. No other test builds parts of its width, so that none builds them at the same time.
NETWORKS = {
    "mesh": "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 2, depth: 4, flit_width_bits: 37}",
    "one_lane": "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 1, depth: 2, flit_width_bits: 21, arbiter: farthest}",
    "torus": "network: {topology: torus, k: 3, n: 2}\nswitch: {num_vcs: 4, depth: 3, flit_width_bits: 40, arbiter: matrix}",
    "hypercube": "network: {topology: hypercube, n: 3}\nswitch: {num_vcs: 2, depth: 10, flow_control: cut_through, arbiter: random}",
    "stored": "network: {topology: mesh, k: 4, n: 1}\nswitch: {num_vcs: 2, depth: 8, flow_control: store_and_forward}",
    "fat_tree": "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: 2, depth: 4, routing: up_down_random, credits: registered}",
    "butterfly": "network: {topology: butterfly, k: 2, n: 3}\nswitch: {num_vcs: 2, depth: 4, credits: registered, arbiter: fixed}",
    "adaptive": "network: {topology: mesh, k: 3, n: 2}\nswitch: {routing: odd_even, num_vcs: 2, select: most_credits}",
    "escapes": "network: {topology: torus, k: 3, n: 2}\nswitch: {routing: adaptive, num_vcs: 4, select: random}",
    "classes": "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 4, classes: 2, class_weights: [3, 2]}",
    "graph": GRAPH + "\nswitch: {routing: up_down, num_vcs: 2, depth: 5, arbiter: registered_priority}",
    "source": GRAPH + "\nswitch: {routing: source, paths: up_down, num_vcs: 2, flit_width_bits: 48}",
}
TRAFFICS = {"classes": REQUESTS}


def written(room, name):
    path = room / f"{name}.yaml"
    path.write_text(f"{NETWORKS[name]}\n{TRAFFICS.get(name, TRAFFIC)}\n")
    return path


def make(build, targets, *words):
    made = subprocess.run(["make", "--no-print-directory", f"BUILD={build}", "VOPT=-O0", *words, *map(str, targets)], capture_output=True,
                          text=True, check=False)
    expect(made.returncode == 0, f"make {' '.join(map(str, targets))}", made.stdout[-3000:] + made.stderr[-3000:])


def run(program, *words):
    said = subprocess.run([str(word) for word in (program, *words)], capture_output=True, text=True, check=False, timeout=3600)
    return said.returncode, said.stdout + said.stderr


def built(build, path, *words):
    """Builds the program, and the parts that a scenario needs. Returns the program and the names of the parts."""
    program = build / "rtl/parts/clocks"
    make(build, [program])
    status, said = run(program, "--parts", "--terminals", *words, path)
    expect(status == 0, "the names of parts", said)
    make(build, [build / "rtl/parts" / name / "part.so" for name in said.split()])
    return program, said.split()


def cut_of(seed):
    """Returns the options by which domains are drawn: terminals, regions, or both."""
    return [["--terminals"], ["--regions", 2 + seed // 3 % 3], ["--terminals", "--regions", 2 + seed // 3 % 2]][seed % 3]


def networks_agree_with_the_model(room, build):
    total, through, late = 0, 0, 0
    for number, name in enumerate(NETWORKS if FULL else list(NETWORKS)[:1]):
        path, stages = written(room, name), 2 + number % 3
        program, _ = built(build, path, "--sync-stages", stages)
        flits = 0
        for seed in range(DRAWS if FULL else DRAWS_OF_SAMPLE):
            words = ["--sync-stages", stages, "--seed", 100 * number + seed, *cut_of(seed)]
            status, said = run(program, *words, path)
            seen = FLITS.search(said)
            expect(status == 0 and seen, f"PASS of {name} with {' '.join(map(str, words))}", said)
            expect(0 < int(seen[3]) < int(seen[2]), "some flits settle an edge late, and some do not", said)
            flits, through, late = flits + int(seen[1]), through + int(seen[2]), late + int(seen[3])
        total += flits
        if FULL:
            print(f"{name}: {DRAWS} draws of clocks, {flits:,} flits", flush=True)
    print(f"in lock-step across crossings: {total:,} flits, {through:,} of them out of a crossing, {late:,} of these settled an edge late")


def faulty_part(build, fault, part):
    """Builds a part with a fault, which is in one file. Returns the library."""
    (file, text), = planted.texts([fault]).items()
    path = build / "domains" / fault["name"] / Path(file).name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    library = build / "rtl" / str(path).replace("/", "+") / "parts" / part / "part.so"  # as scripts/annelid/dut.py names it
    make(build, [library], f"DUT={path}")
    return library


def faults_are_seen_with_their_place(room, build):
    """A faulty part takes the place of the one that is right."""
    path = written(room, next(iter(NETWORKS)))
    program, parts = built(build, path)
    for fault in planted.of_scripts("domains")[:None if FULL else 1]:
        here = room / fault["name"]
        for part in parts:
            library = faulty_part(build, fault, part) if part.startswith(fault["part"]) else build / "rtl/parts" / part / "part.so"
            (here / part).mkdir(parents=True)
            shutil.copy(library, here / part)
        shutil.copy(program, here)
        status, said = run(here / "clocks", "--seed", 3, "--regions", 2, "--terminals", path)
        seen = re.search(r"^FIRST DIFFERENCE in cycle \d+ of its clock, edge \d+ of all, at (.*)\n", said, re.MULTILINE)
        expect(status == 1 and seen and re.fullmatch(fault["says"], seen[1]), f"{fault['name']}: {fault['says']}", said)
        if FULL:
            print(f"{fault['name']}: {said.splitlines()[0]}", flush=True)


TESTS = [networks_agree_with_the_model, faults_are_seen_with_their_place]

if __name__ == "__main__":
    sys.exit(main("domains", TESTS, __doc__.splitlines()[2]))
