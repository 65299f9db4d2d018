#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Graphs: the same network said twice is the same network; its traces stand by themselves; the files of draw-graph
are its own.

usage: tb/unit/scripts/test_graph.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
from collections import Counter

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import draw_graph
from annelid.said_twice import IN_RTL, LOADS, NETWORKS, in_lockstep, scenario

BY_HAND = ("graph_options", "graph_requests", "graph_source_irregular", "graph_source_messages", "graph_source_spines")  # without a recipe
FILES_BY_HAND = ("graphs/class_tables.yaml", "graphs/class_tables.csv")


def annelid(build, *arguments):
    return subprocess.run([str(build / "annelid"), *map(str, arguments)], capture_output=True, text=True, check=False)


def digest(build, path, *arguments):
    seen = annelid(build, "run", "--digest", "--referee", "--json", *arguments, path)
    expect(seen.returncode == 0, "a run without a broken rule", f"{path.read_text()[:300]}{seen.stdout}{seen.stderr}")
    result = json.loads(seen.stdout)
    expect(result["flit_hops"] > 500, "flits", result)
    return result["digest"]


# --- tests: each gets a directory of its own and the build directory ---

def the_same_network_said_twice_is_the_same(room, build):
    for network, graph, switch in NETWORKS.values():
        once = scenario(room / "once.yaml", network, switch)
        twice = scenario(room / "twice.yaml", network, switch, graph)
        digests = [[digest(build, path, "--load", load) for load in LOADS] for path in (once, twice)]
        same = digests[0] == digests[1] and len(set(digests[0])) == 3
        expect(same, f"the digests of {network} with {switch}", digests)


def one_wrong_entry_is_another_network(room, build):
    """Heads for terminal 15 go first along the other dimension: the digest notices."""
    network, graph, switch = copy.deepcopy(NETWORKS["mesh"])
    before = digest(build, scenario(room / "a.yaml", network, switch, graph))
    graph.routes[0, 15] = 2, "all"
    expect(digest(build, scenario(room / "b.yaml", network, switch, graph)) != before, "another digest")


# Networks with one thing wrong: the changes that mend it, and what annelid cdg says before and after.
WRONG = {
    "deadlock_turn": ((r"    - \[1, 4, 2, 2, 0\].*\n", ""), (r"    - \[3, 3, 2, 1, 0\].*\n", ""), "CYCLE of 4 lanes", "acyclic"),
    "deadlock_entry": ((r"\[4, 1, 0, all\]", "[4, 1, 1, all]"), "CYCLE of 5 lanes", "acyclic"),
    "deadlock_escape_ring": ((r"\[(\d), (\d), 0, 0-1\]", lambda row: row[0] if row[1] > row[2] else
                              f"[{row[1]}, {row[2]}, 0, 0], [{row[1]}, {row[2]}, 0, 2]"), "CYCLE of 2 escape lanes", "safe"),
    "deadlock_escape": (("atomic: none", "atomic: adaptive"), "BEHIND", "safe"),
}


def what_is_wrong_is_found_and_deadlocks(room, build):
    """Each of the networks is refused, annelid cdg says why, and it deadlocks if it runs. Mended, it does none of this."""
    for name, (*changes, before, after) in WRONG.items():
        wrong = (draw_graph.SCENARIOS / f"{name}.yaml").read_text()
        path, unsafe = room / f"{name}.yaml", room / f"{name}-unsafe.yaml"
        shutil.copytree(draw_graph.SCENARIOS / "messages", room / "messages", dirs_exist_ok=True)
        unsafe.write_text(wrong)
        path.write_text(wrong.replace(", unsafe: true", ""))
        refused = annelid(build, "run", path)
        expect(refused.returncode == 2 and "can deadlock here" in refused.stderr, f"{name} refused", refused)
        expect(before in annelid(build, "cdg", unsafe).stdout, before, name)
        seen = annelid(build, "worms", unsafe)
        expect("Proved, not a time-out" in seen.stdout, f"a deadlock of {name}", seen.stdout[:300])
        for old, new in changes:
            text, count = re.subn(old, new, path.read_text())
            expect(count > 0, old, name)
            path.write_text(text)
        expect(after in annelid(build, "cdg", path).stdout, after, name)
        expect(json.loads(annelid(build, "run", "--json", path).stdout)["end"] == "complete", "complete", name)


def those_of_the_rtl_come_in_pairs(room, _build):
    """Each network that runs in lock-step does so as a built-in one and as a graph, at all loads."""
    runs = list(in_lockstep(room))
    count = Counter((name, settings) for name, _, settings in runs)
    expect(len(count) == len(IN_RTL) * len(LOADS) and set(count.values()) == {2}, "pairs", count)
    for name, path, _ in runs:
        expect(("topology: graph" in path.read_text()) == path.stem.endswith("-graph"), f"a graph of {name}", path)


def both_have_the_same_dependencies(room, build):
    for network, graph, switch in NETWORKS.values():
        lines = [annelid(build, "cdg", path).stdout.splitlines()[0] for path in
                 (scenario(room / "once.yaml", network, switch), scenario(room / "twice.yaml", network, switch, graph))]
        expect(lines[0] == lines[1] or "fat_tree" in network, f"the dependencies of {network}", lines)


def a_trace_stands_by_itself(room, build):
    """A trace of a graph in files is checked, and run again, where these files are not."""
    (room / "graphs").mkdir()
    for name in ("graph_mesh6x4.yaml", "graphs/mesh6x4.yaml", "graphs/mesh6x4.csv"):
        shutil.copy(draw_graph.SCENARIOS / name, room / name)
    for form in ("anlt", "txt"):
        trace = room / f"run.{form}"
        seen = annelid(build, "run", "--digest", "--cycles", 300, "--trace", trace, room / "graph_mesh6x4.yaml")
        expect(seen.returncode == 0, "a run", seen)
        elsewhere = room / form
        elsewhere.mkdir()
        moved = shutil.move(trace, elsewhere / trace.name)
        checked = annelid(build, "check", moved)
        expect(checked.returncode == 0 and "no rule broken" in checked.stdout, "a trace without a broken rule", checked)
        convert = annelid(build, "trace", "convert", moved, elsewhere / "text.txt")
        expect(convert.returncode == 0, "a trace that is read", convert)
        text = (elsewhere / "text.txt").read_text()
        inner = elsewhere / "inner.yaml"
        inner.write_text("".join(line[2:] + "\n" for line in text.splitlines() if line.startswith("| ")))
        expect("graph:" in inner.read_text() and "graphs/" not in inner.read_text(), "a graph in the trace", text[:300])
        again = annelid(build, "run", "--digest", inner)
        expect(re.search(r"digest .*", again.stdout)[0] == re.search(r"digest .*", seen.stdout)[0], "its digest", again)


def a_trace_that_leaves_a_route_is_caught(room, build):
    trace = room / "run.txt"
    seen = annelid(build, "run", "--cycles", 500, "--trace", trace, "sim/scenarios/graph_petersen.yaml")
    expect(seen.returncode == 0, "a run", seen)
    text, count = re.subn(r"(\| +- \[0, .*)1-1\]", r"\g<1>0-0]", trace.read_text())
    expect(count > 1, "entries of switch 0 with lane 1", text[:2000])
    trace.write_text(text)
    checked = annelid(build, "check", "--no-digest", trace)
    expect(checked.returncode == 1 and "but its route is" in checked.stdout + checked.stderr, "a broken rule", checked)


def the_files_are_those_of_the_recipes(_room, _build):
    written = {path: text for name in draw_graph.RECIPES for path, text in draw_graph.files_of(name).items()}
    for path, text in written.items():
        expect(path.read_text() == text, f"{path} as scripts/run draw-graph writes it")
    found = {*draw_graph.SCENARIOS.glob("graph_*.yaml"), *draw_graph.SCENARIOS.glob("graphs/*")}
    by_hand = {draw_graph.SCENARIOS / name for name in (*(f"{name}.yaml" for name in BY_HAND), *FILES_BY_HAND)}
    expect(found == set(written) | by_hand, "a recipe of each file", found ^ set(written) ^ by_hand)
    listed = set(re.findall(r"^graph_\w+", pathlib.Path("sim/suites/networks.suite").read_text(), re.M))
    expect(listed == {*BY_HAND, *(f"graph_{name}" for name in draw_graph.RECIPES)}, "each of them in networks.suite", listed)


def the_graphs_run_and_cannot_deadlock(_room, build):
    for name in draw_graph.RECIPES:
        path = draw_graph.SCENARIOS / f"graph_{name}.yaml"
        expect("acyclic  " in annelid(build, "cdg", path).stdout, "no cycle", path)
        digest(build, path, "--cycles", 1000)


TESTS = [the_same_network_said_twice_is_the_same, those_of_the_rtl_come_in_pairs, one_wrong_entry_is_another_network,
         what_is_wrong_is_found_and_deadlocks, both_have_the_same_dependencies,
         a_trace_stands_by_itself, a_trace_that_leaves_a_route_is_caught, the_files_are_those_of_the_recipes,
         the_graphs_run_and_cannot_deadlock]

if __name__ == "__main__":
    sys.exit(main("graph", TESTS, __doc__.splitlines()[3]))
