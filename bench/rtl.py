# SPDX-License-Identifier: Apache-2.0
"""Measures the verilated RTL of the same networks: alone, watched, and in lock-step with the model."""

import sys

from annelid.children import Wrong, take_build_lock

KINDS = {"alone": ["--rules"], "lock-step": []}  # programs, and the options by which params gives their keys


def make(options, tools, targets):
    tools.children.make(tools.build, f"-j{options.jobs}", *targets)


def program_of(tools, job, kind):
    status, text = tools.children.output([tools.build / "lockstep/params", *KINDS[kind], *job.words])
    if status:
        raise Wrong(f"params: {text}")
    return tools.build / "rtl" / (text.split()[0] + ("-rules" if kind == "alone" else "")) / "lockstep"


def build_programs(options, tools, jobs):
    """Returns {(job's name, kind): program}. A program that exists is not built again."""
    if not jobs:
        return {}
    print("building what runs the RTL, where it is not there yet", file=sys.stderr, flush=True)
    with take_build_lock(tools.build, "bench"):
        make(options, tools, [tools.build / "lockstep/all"])
        programs = {(job.name, kind): program_of(tools, job, kind) for job in jobs for kind in KINDS}
        make(options, tools, dict.fromkeys(programs.values()))
    return programs


def evaluation(weighed, result):
    """Returns the CPU seconds inside the verilated code. The program knows the elapsed time of that code; the kernel
    knows which part of its whole time the program had the processor."""
    return result["rtl_seconds"] * min(1.0, weighed.seconds / weighed.wall)


def measure_rtl(tools, job, programs):
    """Runs two programs for three figures: the verilated code of each, and the whole of the one with the model."""
    figures = []
    for kind, part in (("alone", "alone"), ("lock-step", "watched")):
        weighed, result = tools.run_for_json([programs[job.name, kind], "--json", *job.words])
        done = {"cycles": result["cycles"], "flit_hops": result["flits"]}
        figures.append((f"{job.name} {part}", evaluation(weighed, result), weighed.peak_bytes, done))
    return [*figures, (f"{job.name} lock-step", weighed.seconds, weighed.peak_bytes, done)]
