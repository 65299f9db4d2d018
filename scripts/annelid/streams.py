# SPDX-License-Identifier: Apache-2.0
"""Stock AXI4-Stream sources and sinks at the terminals of designs of `annelid rtl` (docs/integrate.md).

Each run has a design, in Icarus and in Verilator, and random back-pressure; every byte is compared. Two runs have streams
whose packets interleave: a sink that splits them by TID gets them whole, and one that does not must get wrong ones. Report
in BUILD/streams/streams.json.
"""

import dataclasses
import json
import re
import shutil

from annelid.children import Wrong
from annelid.stock import ROOM, Kind, labels, parser_of, run_all

MESH = "{{network: {{topology: mesh, k: {k}, n: 2}}, switch: {{num_vcs: {lanes}}}, traffic: {{load: 0.1, length: 4}}}}\n"
STATES = {"icarus": 4, "verilator": 2}  # of a signal
FASTER = {4: 1, 2: 10}


@dataclasses.dataclass(frozen=True)
class Run:
    name: str             # ends in that of the simulator
    words: str            # options of the streams
    packets: int          # of each terminal; Verilator, which is faster, has FASTER times as many
    short: int = 0        # packets of each terminal in the short form; 0: it has no such run
    k: int = 0            # the mesh has k by k terminals
    graph: str = ""       # or this scenario is the design, with so many terminals
    terminals: int = 0
    lanes: int = 2
    most_bytes: int = 40
    split: bool = False   # sinks split what they get by TID
    fault: bool = False   # a sink must get wrong packets
    states: int = 0       # of a signal, which say the simulator


def network_of(k, graph):
    return f"{k}×{k} mesh" if k else graph


ALL = "--tkeep --tuser 5 --tid --aresetn"
RUNS = {name: dataclasses.replace(run, name=name, states=states) for run in (
    Run("small", ALL, 100, short=10, k=2),
    Run("mesh", ALL, 10, k=4),
    Run("graph", ALL, 20, graph="graph_star", terminals=7),
    Run("plain", "", 40, k=2, lanes=1),
    Run("wide", "--tdata 256 --tkeep --tid", 20, k=2, most_bytes=200),
    Run("interleave", f"{ALL} --interleave", 40, short=10, k=2, split=True),
    Run("unsplit", f"{ALL} --interleave", 30, short=50, k=2, fault=True))
    for simulator, states in STATES.items() for name in (f"{run.name}_{simulator}",)}


def value_of(words, name, default=0):
    """Returns the number behind an option among words."""
    found = re.search(rf"{name} (\d+)", words)
    return int(found[1]) if found else default


def scenario_of(run):
    """Returns the text of the scenario of a run, and what to set in it."""
    if run.graph:
        with open(f"sim/scenarios/{run.graph}.yaml", encoding="utf-8") as file:
            return file.read(), ["--set", f"switch.num_vcs={run.lanes}"]
    return MESH.format(k=run.k, lanes=run.lanes), []


def labels_of(run):
    """Returns the labels of the terminals."""
    return labels(run.k) if run.k else list(range(run.terminals))


def design(options, children, run, room):
    """Writes the design of a run, and what is to be sent, into a folder of its own."""
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    text, changes = scenario_of(run)
    (room / "network.yaml").write_text(text)
    status, said = children.output([options.build / "annelid", "rtl", room / "network.yaml", *changes, "-o", room, "--name", "top",
                                    "--ports", "axis", "--per-terminal", *run.words.split()])
    if status:
        raise Wrong(f"annelid rtl: {said}")
    labels, packets = labels_of(run), options.packets or (run.short if options.short else run.packets * FASTER[run.states])
    job = dict(terminals=len(labels), labels=labels, packets=packets, most_bytes=run.most_bytes, seed=options.seed, split=run.split,
               beat=value_of(run.words, "--tdata", 32) // 8,
               user_bits=value_of(run.words, "--tuser"), lane_bits=int("--interleave" in run.words))
    (room / "job.json").write_text(json.dumps(job) + "\n")


def judge(run, found):
    """Returns why a run is not as it should be, or ""."""
    wrong = found["bad"] + found["missing"]
    if run.fault:
        return "" if wrong else "no error is found"
    if wrong:
        return f"{wrong} packets are wrong: {found['errors'][:2]}"
    return f"{found['overtaken']} packets were overtaken in one lane" if run.lanes == 1 and found["overtaken"] else ""


def line_of(row):
    return (f"{'FAIL' if row['reason'] else 'PASS'}  {row['name']:<20} {network_of(row['k'], row['graph'])}, {row['packets']:,} of "
            f"{row['of']:,} packets, {row['bytes']:,} bytes, {row['cycles']:,} cycles, {row['bad']} wrong, {row['missing']} missing, "
            f"{row['overtaken']} overtaken{': ' + row['reason'] if row['reason'] else ''}{' (as it must)' if row['fault'] and not row['reason'] else ''}")


def main(children):
    kind = Kind("streams", f"{ROOM}/stock_streams.py", RUNS, design, judge, line_of)
    one = parser_of(kind, __doc__, "few packets")
    one.add_argument("--packets", type=int, help="of each terminal, in place of those of the run")
    options = one.parse_args()
    if options.packets is not None and options.packets < 1:
        raise Wrong(f"--packets {options.packets}: expected 1 or more")
    return run_all(kind, children, options, part=options.packets is not None)
