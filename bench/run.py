# SPDX-License-Identifier: Apache-2.0
"""All measurements of `make bench`. They go in rounds, so that what slows the machine for a while slows one round of
each."""

import work
from annelid.children import Wrong
from machine import commit, compiler, machine
from measure import Progress, spread
from results import SCHEMA
from rtl import build_programs, measure_rtl
from work import LENGTH, SIX

JOBS_BETWEEN_CALIBRATIONS = 5


def measure_model(tools, job):
    """Runs annelid once; returns name, cost and work."""
    weighed, result = tools.run_for_json([tools.build / "annelid", "run", "--json", *job.words])
    if result["end"] not in ("complete", "max_cycles"):
        raise Wrong(f"{job.name}: the run ended {result['end']}")
    done = {"cycles": result["cycles"], "flit_hops": result["flit_hops"], "flits": LENGTH * result["delivered"],
            "accepted_load": result["accepted_load"]}
    return [(job.name, weighed.seconds, weighed.peak_bytes, done)]


class Row:
    """All rounds of one measurement."""

    def __init__(self, job, name, done):
        self.job, self.name, self.done, self.seconds, self.peaks = job, name, done, [], []

    def add(self, seconds, peak, done):
        if done != self.done:
            raise Wrong(f"{self.name}: the same run twice, but not the same work: {self.done}, then {done}")
        self.seconds.append(seconds)
        self.peaks.append(peak)

    def result(self):
        seconds = spread(self.seconds)
        rates = {f"{what}_per_second": self.done[what] / seconds["median"] for what in ("cycles", "flit_hops")}
        return {"group": self.job.group, "name": self.name, "scenario": self.job.scenario.stem,
                "settings": self.job.settings, "switches": self.job.switches, **self.done, "seconds": seconds, **rates,
                "peak_bytes": min(self.peaks)}


def jobs_of(options):
    groups = {"engine": work.engine_jobs, "size": work.size_jobs, "load": work.load_jobs, "rtl": work.rtl_jobs}
    return [job for group in options.only for job in groups[group](options.scale)]


def measure_rounds(options, tools, jobs, programs):
    rows, calibration, progress = {}, [], Progress("measuring", options.rounds * len(jobs))
    for turn in range(options.rounds):
        for number, job in enumerate(jobs):
            if number % JOBS_BETWEEN_CALIBRATIONS == 0:
                calibration.append(tools.calibrate())
            progress.step(f"round {turn + 1}: {job.group} {job.name}")
            measured = measure_rtl(tools, job, programs) if job.group == "rtl" else measure_model(tools, job)
            for name, seconds, peak, done in measured:
                rows.setdefault((job.group, name), Row(job, name, done)).add(seconds, peak, done)
    progress.end()
    return [row.result() for row in rows.values()], calibration


def add_marks(results):
    """Adds to the six engine results the marks to be reached. Hops count as the peer counts them, without injection
    links."""
    for result in results:
        if result["group"] == "engine":
            result["switch_hops_per_second"] = (result["flit_hops"] - result["flits"]) / result["seconds"]["median"]
            result["marks"] = vars(SIX[result["name"]])


def add_memory(results, tiny):
    for result in results:
        if result["group"] == "size":
            result["bytes_per_switch"] = (result["peak_bytes"] - tiny) / result["switches"]


def tiny_peak(tools):
    """Returns the largest resident size of a run that does next to nothing."""
    job = work.Job("size", "mesh1", work.SCENARIOS / "mesh512_2lanes_0002.yaml",
                   {"network.k": 1, "traffic.load": 0.01, "run.cycles": 1000})
    return min(measure_model(tools, job)[0][2] for _ in range(3))


def bench(options, tools):
    jobs = jobs_of(options)
    programs = build_programs(options, tools, [job for job in jobs if job.group == "rtl"])
    about = {"schema": SCHEMA, **commit(), "machine": machine(), **compiler(options.cc, options.cflags),
             "rounds": options.rounds, "scale": options.scale}
    results, calibration = measure_rounds(options, tools, jobs, programs)
    add_marks(results)
    add_memory(results, tiny_peak(tools))
    names = ("arithmetic_seconds", "memory_seconds")
    return {**about, "calibration": dict(zip(names, map(spread, zip(*calibration)))), "results": results}
