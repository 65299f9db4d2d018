#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The watch and the golden model in cocotb do what docs/cocotb.md says, in Icarus. Without a package index all is skipped.

usage: tb/unit/python/test_cocotb.py BUILD JUNIT_FILE

FULL=1: the links of all kinds of designs are found, else those of a butterfly. Prints failures only; exit status 1 if any.
"""
import functools
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, "tb/unit/scripts")
from suite import Skipped, expect, main
from annelid.children import Children, Wrong
from annelid.cocotb_venv import environment, variables

FULL = os.environ.get("FULL") == "1"
ROOT, PAGE = Path.cwd(), Path("docs/cocotb.md")
PLACE = tempfile.TemporaryDirectory(prefix="annelid-cocotb-")
ROOM = Path(PLACE.name) / "room"  # where the page is read


@functools.cache
def words(build):
    """Returns the variables of a shell in which the environment of the page is active, and the command of this tree is there."""
    children = Children()
    try:
        venv = environment(build, children)
    except Wrong as wrong:
        if "cannot be installed" in str(wrong):
            raise Skipped(str(wrong)[:200]) from wrong
        raise
    ROOM.mkdir()
    (ROOM / "docs").symlink_to(ROOT / "docs")
    of_page = variables(venv, children)
    path = of_page["PATH"].split(os.pathsep, 1)
    return children.environment | of_page | {"PATH": os.pathsep.join([path[0], str(build.resolve()), path[1]])}


def shell(build, line, **more):
    return subprocess.run(["bash", "-c", line], cwd=ROOM, env=words(build) | more, capture_output=True, text=True, check=False)


def run_of_page(build, command):
    """Runs a command of the page, and holds its output against what the page says of it."""
    said = re.search(rf"^```\n(?:\$ pip .*\n)?\$ {re.escape(command)}\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    expect(said, f"{command} on the page")
    seen = shell(build, command)
    at, output = 0, seen.stdout + seen.stderr
    for line in said[1].splitlines():
        text = line.removeprefix("…").strip(" ")
        found = output.find(text, at)
        expect(found >= 0, text, output[-4000:])
        at = found + len(text)
    return seen


def the_example_breaks_no_rule(_room, build):
    seen = run_of_page(build, "python docs/cocotb/run.py")
    expect(seen.returncode == 0, "status 0", seen)
    trace = shell(build, "annelid check build-cocotb/good/mesh.anlt")
    expect(trace.returncode == 0, "a trace without an error", trace)


def its_bug_is_named_by_both(_room, build):
    seen = run_of_page(build, "python docs/cocotb/run.py --bug")
    expect(seen.returncode == 1, "status 1", seen)
    trace = shell(build, "annelid check --incomplete build-cocotb/bug/mesh.anlt")
    expect(trace.returncode == 0, "the trace of the cycles before", trace)


def misuse_says_what_is_wrong(_room, build):
    """Uses the simulation of the example."""
    if not (ROOM / "build-cocotb/good").exists():
        run_of_page(build, "python docs/cocotb/run.py")
    simulate(build, "build-cocotb/good/icarus/sim.vvp", "cocotb_misuse", "mesh", NETWORK=str(ROOT / "docs/cocotb/mesh.yaml"))


def simulate(build, program, test, top, **more):
    """Runs a test of this folder in what iverilog has made. All must pass."""
    seen = shell(build, f"LIBPYTHON_LOC=$(cocotb-config --libpython) MODULE={test} TOPLEVEL={top} TOPLEVEL_LANG=verilog vvp -M "
                 f"$(cocotb-config --lib-dir) -m $(cocotb-config --lib-name vpi icarus) {program}", PYTHONPATH=str(ROOT / "tb/unit/python"), **more)
    expect(re.search(r"TESTS=(\d+) PASS=\1 FAIL=0", seen.stdout), "no failure", seen.stdout[-4000:] + seen.stderr[-2000:])


# By name: the scenario, options of `annelid rtl`, and how many links there are.
DESIGNS = {
    "fly": ("{topology: butterfly, k: 2, n: 2}", "", 12), "torus": ("{topology: torus, k: 3, n: 1}", "--ports stop_go", 12),
    "tree": ("{topology: fat_tree, n: 2}", "", 48), "mesh": ("{topology: mesh, k: 2, n: 2}", "--ports ready_valid", 16),
    "streams": ("{topology: torus, k: 3, n: 1}", "--ports axis", 12), "clocks": ("{topology: torus, k: 3, n: 1}", "--clock-per-terminal", 12)}


def links_of_each_kind_of_design_are_found(_room, build):
    words(build)
    for name, (network, options, links) in list(DESIGNS.items())[:None if FULL else 1]:
        lanes = 2 if "torus" in network else 1
        (ROOM / f"{name}.yaml").write_text(f"network: {network}\nswitch: {{num_vcs: {lanes}, depth: 4}}\n")
        made = shell(build, f"annelid rtl {name}.yaml -o {name}/ --name {name} {options} && cd {name} && "
                     f"iverilog -g2012 -DSYNTHESIS -o bench.vvp -f {name}.f tb_{name}.sv -s tb_{name}")
        expect(made.returncode == 0, "a bench", made)
        simulate(build, f"{name}/bench.vvp", "cocotb_kinds", f"tb_{name}", LINKS=str(links), NETWORK=str(ROOM / f"{name}.yaml"))


# By name: the scenario's network and switch, and options of `annelid rtl`. Heads have more than a destination.
COMPARED = {
    "age": ("{topology: mesh, k: 2, n: 1}", "{num_vcs: 1, arbiter: age}", ""),
    "age_lanes": ("{topology: torus, k: 3, n: 1}", "{num_vcs: 2, arbiter: age}", "--interleave"),
    "farthest": ("{topology: mesh, k: 3, n: 1}", "{num_vcs: 2, arbiter: farthest}", "--interleave"),
    "fixed": ("{topology: fat_tree, n: 2}", "{num_vcs: 1, routing: up_down_fixed}", ""),
    "random": ("{topology: fat_tree, n: 2}", "{num_vcs: 1, routing: up_down_random, arbiter: random}", ""),
    "passes": ("{topology: butterfly, k: 2, n: 2, passes: 2}", "{num_vcs: 1}", ""),
    "source": ("{topology: graph}", "{num_vcs: 1, routing: source, paths: up_down, arbiter: farthest, depth: 3}\ngraph: {switches: [a, b, c, d], "
               "terminals: [a, b, c, d], links: [[a, b], [b, c], [a, c], [c, d]]}", ""),
    "lengths": ("{topology: mesh, k: 3, n: 1}", "{num_vcs: 1, flow_control: cut_through, arbiter: age, depth: 8}", ""),
    "classes": ("{topology: mesh, k: 3, n: 1}", "{num_vcs: 4, classes: 2, arbiter: age}", "--interleave"),
    "stages": ("{topology: mesh, k: 3, n: 1}", "{num_vcs: 2, stages: 2, arbiter: age}", "--interleave"),
    "slices": ("{topology: mesh, k: 3, n: 1}", "{num_vcs: 2, link_cycles: 2, arbiter: farthest}", "--interleave")}


def the_model_beside_a_design_knows_what_heads_say(_room, build):
    words(build)
    for name, (network, switch, options) in list(COMPARED.items())[:None if FULL else 1]:
        (ROOM / f"{name}.yaml").write_text(f"network: {network}\nswitch: {switch}\n")
        made = shell(build, f"annelid rtl {name}.yaml -o {name}/ --name {name} --ports axis {options} && cd {name} && "
                     f"iverilog -g2012 -DSYNTHESIS -o design.vvp -f {name}.f -s {name}")
        expect(made.returncode == 0, "a design", made)
        simulate(build, f"{name}/design.vvp", "cocotb_compare", name, NETWORK=str(ROOM / f"{name}.yaml"), CYCLES="" if FULL else "60")


def a_planted_bug_of_the_campaign_is_named(_room, build):
    words(build)
    seen = subprocess.run([sys.executable, "scripts/run", "cocotb-bugs", "--build", build, "--jobs", "1", "--short"], capture_output=True, text=True,
                          check=False)
    expect(seen.returncode == 0 and "sent_at_stop in cycle 7" in seen.stdout, "a bug that is named", seen.stdout + seen.stderr)


def without_cocotb_it_says_so(room, build):
    """In the interpreter of the system, which has the package's files, but no cocotb."""
    seen = shell(build, "python -c 'import sys; sys.modules[\"cocotb\"] = None; import annelid.cocotb'")
    expect("annelid.cocotb needs cocotb" in seen.stderr and "Missing" in seen.stderr, "what is missing", seen.stderr)


TESTS = [the_example_breaks_no_rule, its_bug_is_named_by_both, misuse_says_what_is_wrong,
         links_of_each_kind_of_design_are_found, the_model_beside_a_design_knows_what_heads_say, a_planted_bug_of_the_campaign_is_named,
         without_cocotb_it_says_so]

if __name__ == "__main__":
    sys.exit(main("cocotb", TESTS, __doc__.splitlines()[2]))
