# SPDX-License-Identifier: Apache-2.0
"""Instructions a flit-hop: independent of what else runs here. Two lengths of a run are counted and the difference is
taken, so that start, end and filling of the network do not count."""

import concurrent.futures
import re
import shutil

from measure import Progress, json_object
from table import line
from work import LENGTH, SIX, Job, SCENARIOS, Trouble, facts_of, hops_of_a_flit, scaled

HOPS = 150_000  # of the shorter run, about


def jobs_of(scale):
    """The shorter and the longer run of each."""
    for name in SIX:
        path = SCENARIOS / f"{name}.yaml"
        facts = facts_of(path)
        k, n, load = int(facts["k"]), int(facts["n"]), float(facts["load"])
        cycles = scaled(max(4, HOPS / (k ** n * load * hops_of_a_flit(k))), scale)
        yield name, [Job("instructions", name, path, {"run.cycles": length * cycles}) for length in (1, 3)]


def count(tools, job):
    """Instructions, flit-hops and cycles of one run."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", tools.build / "annelid", "run",
               "--json", *job.words]
    weighed = tools.run(command)
    found = re.search(r"Collected : (\d+)", weighed.output)
    objects = [json_object(text) for text in weighed.output.splitlines() if text.startswith("{")]
    if weighed.status or not found or not objects:
        raise Trouble(f"{' '.join(map(str, command))}: status {weighed.status}\n{weighed.output[-2000:]}")
    return int(found[1]), objects[-1]["flit_hops"], objects[-1]["cycles"], LENGTH * objects[-1]["delivered"]


def measure(tools, progress, name, pair):
    progress.step(name)
    counted = [count(tools, job) for job in pair]
    instructions, hops, cycles, flits = (more - less for less, more in zip(*counted))
    return {"name": name, "instructions": instructions, "flit_hops": hops, "cycles": cycles,
            "per_flit_hop": instructions / hops, "per_switch_hop": instructions / (hops - flits)}


def do(options, tools):
    if not shutil.which("valgrind"):
        raise Trouble("counting instructions needs valgrind (Debian's package valgrind)")
    jobs = list(jobs_of(options.scale))
    progress = Progress("counting", len(jobs))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            rows = list(pool.map(lambda job: measure(tools, progress, *job), jobs))
        except BaseException:
            tools.children.stop()
            raise
    progress.end()
    print("Instructions of the engine, its traffic and statistics: per flit-hop over all links, over links that leave a "
          "switch.")
    line(("", 20), ("flit-hops", 10), ("all links", 9), ("switch", 7))
    for row in rows:
        line((row["name"], 20), (f"{row['flit_hops']:,}", 10), (f"{row['per_flit_hop']:.0f}", 9),
             (f"{row['per_switch_hop']:.0f}", 7))
    return 0
