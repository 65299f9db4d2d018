# SPDX-License-Identifier: Apache-2.0
"""Two builds of annelid take turns on the same work, so that the comparison holds on a busy machine."""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from annelid.children import Wrong
from compare import verdict
from machine import said
from measure import Progress, spread
from table import line
from work import engine_jobs


def build_revision(options, tools, revision):
    """Builds annelid of a revision below the build directory, if it is not there yet."""
    name = said(["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"])
    if not name:
        raise Wrong(f"OLD={revision}: neither a program nor a revision")
    place = (tools.build / "bench/ab" / name[:12]).resolve()
    program = place / "build/annelid"
    if program.exists():
        return program
    print(f"building {name[:12]}", flush=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as draft:
        text = f"""set -e -o pipefail; git archive {name} | tar -x -C {shlex.quote(draft)}
                   make -C {shlex.quote(draft)} -j{options.jobs} BUILD=build build/annelid"""
        status, output = tools.children.run(["bash", "-c", text], stdout=subprocess.PIPE)
        if status is None:
            raise KeyboardInterrupt
        if status:
            raise Wrong(f"{revision} cannot be built:\n{output.decode(errors='replace')[-4000:]}")
        (place / "build").mkdir(parents=True, exist_ok=True)
        os.replace(Path(draft) / "build/annelid", program)
    return program


def program_of(options, tools):
    path = Path(options.old)
    if path.is_file() and os.access(path, os.X_OK):
        return path.resolve()
    return build_revision(options, tools, options.old)


def measure(tools, program, job):
    weighed, result = tools.run_for_json([program, "run", "--json", *job.words])
    result.pop("cpu_seconds", None)
    return weighed.seconds, result


def measure_all(options, tools, old, jobs):
    """Returns {job's name: [(seconds of old, of new)]}, and the names of those with other results."""
    times, differ = {job.name: [] for job in jobs}, {}
    progress = Progress("measuring", options.rounds * len(jobs))
    for turn in range(options.rounds):
        for job in jobs:
            progress.step(f"round {turn + 1}: {job.name}")
            both = {}
            for which in ("old", "new") if turn % 2 == 0 else ("new", "old"):
                both[which] = measure(tools, old if which == "old" else tools.build / "annelid", job)
            times[job.name].append((both["old"][0], both["new"][0]))
            theirs, ours = both["old"][1], both["new"][1]
            if other := [key for key in theirs if key in ours and theirs[key] != ours[key]]:
                differ[job.name] = other
    progress.end()
    return times, differ


def do(options, tools):
    old, jobs = program_of(options, tools), engine_jobs(options.scale)
    times, differ = measure_all(options, tools, old, jobs)
    print(f"old: {options.old}; CPU seconds, medians of {options.rounds}; ratio: speed of new over old, of neighbours")
    line(("", 24), ("old", 8), ("new", 8), ("ratio", 6), ("min..max", 12))
    bad = 0
    for job in jobs:
        ratios = spread([one / other for one, other in times[job.name]])
        word, too_slow = verdict(ratios["min"], ratios["median"], ratios["max"], options.limit)
        bad += too_slow
        if job.name in differ:
            word += f"  OTHER RESULTS: {', '.join(differ[job.name])}"
        old_seconds, new_seconds = (spread(column)["median"] for column in zip(*times[job.name]))
        line((job.name, 24), (f"{old_seconds:.3f}", 8), (f"{new_seconds:.3f}", 8), (f"{ratios['median']:.3f}", 6),
             (f"{ratios['min']:.2f}..{ratios['max']:.2f}", 12), (word, 0))
    print(f"{len(jobs)} compared, {bad} slower by more than {options.limit:g} %, {len(differ)} with other results")
    return 1 if bad or differ else 0
