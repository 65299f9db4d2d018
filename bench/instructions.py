# SPDX-License-Identifier: Apache-2.0
"""Instructions per flit-hop, whatever else runs on the machine. A short and a long run are counted and the difference
is taken, so that start, end and filling of the network do not count."""

import concurrent.futures
import re
import shutil

from ab import program_of
from annelid.children import Wrong
from annelid.lockstep import json_object
from measure import Progress
from table import line
from work import LENGTH, SIX, Job, SCENARIOS, facts_of, hops_of_a_flit, scaled

HOPS = 150_000  # of the shorter run, about


def jobs_of(scale):
    """Returns the shorter and the longer run of each scenario."""
    for name in SIX:
        path = SCENARIOS / f"{name}.yaml"
        facts = facts_of(path)
        k, n, load = int(facts["k"]), int(facts["n"]), float(facts["load"])
        cycles = scaled(max(4, HOPS / (k ** n * load * hops_of_a_flit(k))), scale)
        yield name, [Job("instructions", name, path, {"run.cycles": length * cycles}) for length in (1, 3)]


def count(tools, program, job):
    """Returns instructions, flit-hops and flits of one run."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "run", "--json", *job.words]
    weighed = tools.run(command)
    found = re.search(r"Collected : (\d+)", weighed.output)
    objects = [json_object(text) for text in weighed.output.splitlines() if text.startswith("{")]
    if weighed.status or not found or not objects:
        raise Wrong(f"{' '.join(map(str, command))}: status {weighed.status}\n{weighed.output[-2000:]}")
    return int(found[1]), objects[-1]["flit_hops"], LENGTH * objects[-1]["delivered"]


def measure(tools, program, pair):
    """Returns what the longer run has more: instructions, flit-hops, and flit-hops without those of injection links."""
    instructions, hops, flits = (more - less for less, more in zip(*(count(tools, program, job) for job in pair)))
    return instructions, hops, hops - flits


def measure_all(options, tools, programs):
    """Returns {scenario: counts of each program}. As the load of the machine does not matter, many run at once."""
    jobs = {name: pair for name, pair in jobs_of(options.scale)}
    progress = Progress("counting", len(jobs) * len(programs))

    def one(name, program):
        progress.step(name)
        return measure(tools, program, jobs[name])

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            counts = {name: [pool.submit(one, name, program) for program in programs] for name in jobs}
            return {name: [count.result() for count in both] for name, both in counts.items()}
        except BaseException:
            tools.children.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        finally:
            progress.end()


def print_row(name, counted, limit):
    """Prints a row; returns whether there are too many more instructions than before."""
    instructions, hops, switch_hops = counted[-1]
    ratio = instructions * counted[0][1] / (hops * counted[0][0])
    bad = ratio > 1 + limit / 100
    old = [(f"{counted[0][0] / counted[0][1]:.1f}", 9), (f"{ratio:.3f}", 6), ("MORE" if bad else "", 0)]
    line((name, 20), (f"{hops:,}", 10), (f"{instructions / hops:.1f}", 9), (f"{instructions / switch_hops:.1f}", 7),
         *(old if len(counted) > 1 else []))
    return bad


def do(options, tools):
    if not shutil.which("valgrind"):
        raise Wrong("counting instructions needs valgrind (Debian's package valgrind)")
    programs = [program_of(options, tools)] if options.old else []
    programs.append(tools.build / "annelid")
    rows = measure_all(options, tools, programs)
    print("Instructions of engine, traffic and statistics a flit-hop: over all links, over links that leave a switch"
          + (f"; old: {options.old}, all links;\nratio: new over old, less is better" if options.old else "") + ".")
    line(("", 20), ("flit-hops", 10), ("all links", 9), ("switch", 7),
         *([("old", 9), ("ratio", 6)] if options.old else []))
    bad = sum([print_row(name, counted, options.limit) for name, counted in rows.items()])
    if options.old:
        print(f"{len(rows)} compared, {bad} take over {options.limit:g} % more instructions")
    return 1 if bad else 0
