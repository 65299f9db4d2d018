# SPDX-License-Identifier: Apache-2.0
"""Stock AXI4-Stream sources and sinks at the terminals of designs of `annelid rtl` (docs/integrate.md).

Each run has a mesh with two lanes and random back-pressure; every byte is compared. One run has a network whose packets
interleave although they should not, which must be found. Report in BUILD/streams/streams.json.
"""

import dataclasses
import json
import shutil

from annelid.children import Wrong
from annelid.sources import changed
from annelid.stock import Kind, parser_of, run_all

ROOM = "tb/campaigns/streams"
SCENARIO = """network: {{topology: mesh, k: {k}, n: 2}}
switch: {{num_vcs: 2}}
traffic: {{load: 0.1, length: 4}}
"""
TUSER = 5
PORTS = ["--ports", "axis", "--tkeep", "--tuser", TUSER, "--tid", "--aresetn", "--per-terminal"]


@dataclasses.dataclass(frozen=True)
class Run:
    name: str
    states: int           # of a signal: 4: Icarus, the one simulator here
    k: int                # the mesh has k by k terminals
    packets: int          # of each terminal
    most_bytes: int
    short: int            # packets of each terminal in the short form; 0: it has no such run
    fault: bool = False   # packets of several lanes interleave


RUNS = {run.name: run for run in (Run("small", 4, 2, 250, 40, 10), Run("fault", 4, 2, 100, 40, 50, fault=True))}


def design(options, children, run, room):
    """Writes the design of a run, and what is to be sent, into a folder of its own."""
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    (room / "mesh.yaml").write_text(SCENARIO.format(k=run.k))
    status, said = children.output([options.build / "annelid", "rtl", room / "mesh.yaml", "-o", room, "--name", "top", *PORTS])
    if status:
        raise Wrong(f"annelid rtl: {said}")
    if run.fault:
        (room / "top.sv").write_text(changed(room / "top.sv", ".Whole(1)", ".Whole(0)"))
    terminals = run.k ** 2  # the label of (x, y) has a number of bits for each coordinate
    bits = max(1, (run.k - 1).bit_length())
    labels = [t % run.k | t // run.k << bits for t in range(terminals)]
    job = dict(terminals=terminals, labels=labels, packets=run.short if options.short else run.packets, most_bytes=run.most_bytes,
               seed=options.seed, tuser=TUSER)
    (room / "job.json").write_text(json.dumps(job) + "\n")


def judge(run, found):
    """Returns the reason why a run is not as it should be, or ""."""
    wrong = found["bad"] + found["missing"]
    return "" if bool(wrong) == run.fault else "no error is found" if run.fault else f"{wrong} packets are wrong: {found['errors'][:2]}"


def line_of(row):
    return (f"{'FAIL' if row['reason'] else 'PASS'}  {row['name']:<10} {row['k']}x{row['k']} mesh in {row['states']} states, {row['packets']:,} of "
            f"{row['of']:,} packets, {row['bytes']:,} bytes, {row['cycles']:,} cycles, {row['bad']} wrong, {row['missing']} missing, "
            f"{row['overtaken']} overtaken{': ' + row['reason'] if row['reason'] else ''}{' (as it must)' if row['fault'] and not row['reason'] else ''}")


def main(children):
    kind = Kind("streams", f"{ROOM}/stock_streams.py", RUNS, design, judge, line_of)
    return run_all(kind, children, parser_of(kind, __doc__, "few packets").parse_args())
