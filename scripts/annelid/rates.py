# SPDX-License-Identifier: Apache-2.0
"""Measure what a mesh carries at saturation, with links, with AXI4-Streams (docs/integrate.md) and with AXI4 (docs/axi.md).

Links: the golden model at load 1. Streams: the RTL of `annelid rtl`, in Verilator, with sources that always have a packet
and sinks that always take (tb/campaigns/streams/rates.sv). AXI4: anl_axi_cube, with users and memories at all terminals
(tb/campaigns/axi/rates.sv). Report in BUILD/rates/rates.json; --docs writes docs/results/rates.md from it. `make rates` calls it.
"""

import json
import re
import shutil
from pathlib import Path

from annelid.children import Wrong, tool
from annelid.options import JUNIT, parser
from annelid.results import Results, chapters, markdown, run_campaign
from annelid.sources import needed

BENCH = "tb/campaigns/streams/rates.sv"
AXI_BENCH = "tb/campaigns/axi/rates.sv"
LENGTHS = (1, 2, 4, 8, 16, 32)
FROM, CYCLES, TERMINALS = 2_000, 10_000, 16
SCENARIO = """network: {{topology: mesh, k: 4, n: 2}}
switch: {{num_vcs: 2, depth: 4}}
traffic: {{load: 1, length: {length}, pattern: uniform}}
run: {{cycles: {cycles}, warmup_cycles: {begin}}}
"""
FLAGS = ["--binary", "-j", "1", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-fno-table"]


def scenario(campaign, length):
    """Writes the scenario of worms of a length. Returns its path."""
    path = campaign.room / f"length{length}.yaml"
    path.write_text(SCENARIO.format(length=length, cycles=FROM + CYCLES, begin=FROM))
    return path


def command(campaign, *words):
    """Returns what annelid prints."""
    status, said = campaign.children.output([campaign.options.build / "annelid", *words])
    if status:
        raise Wrong(f"annelid {' '.join(map(str, words))}: {said[-1000:]}")
    return said


def of_links(campaign):
    """Returns a function that gives the flits of a terminal and cycle for packets of a length."""
    def rate(length):
        return json.loads(command(campaign, "run", scenario(campaign, length), "--json"))["accepted_load"]
    return rate


def of_streams(*options):
    """Returns what makes such a function of a design with these options."""
    def prepare(campaign):
        room = campaign.room / "-".join(["streams", *(option.strip("-") for option in options)])
        shutil.rmtree(room, ignore_errors=True)
        command(campaign, "rtl", scenario(campaign, LENGTHS[0]), "-o", room, "--name", "top", "--ports", "axis", *options)
        bench = room / "rates.sv"
        shutil.copy(BENCH, bench)
        if options:  # TID of these streams goes nowhere
            bench.write_text(bench.read_text().replace(".m_tlast_o(m_tlast)", ".m_tlast_o(m_tlast), .m_tid_o()"))
        campaign.children.must([*tool("VERILATOR"), *FLAGS, "-f", "top.f", "rates.sv", "--top-module", "rates"], cwd=room)
        def rate(length):
            said = campaign.children.must([room / "obj_dir/Vrates", f"+length={length}", f"+from={FROM}", f"+cycles={CYCLES}"])
            found = re.search(r"^taken (\d+)$", said, re.MULTILINE)
            if not found:
                raise Wrong(f"{room}: the bench says {said[-500:]}")
            return int(found[1]) / CYCLES / TERMINALS
        return rate
    return prepare


def of_axi(reads, writes):
    """Returns what makes a function that gives the transfers of a terminal and cycle, of reads and writes together."""
    def prepare(campaign):
        room = campaign.room / "axi"
        if not (room / "obj_dir/Vrates").exists():
            files = [path.resolve() for path in (*needed("anl_axi_cube"), Path(AXI_BENCH))]
            campaign.children.must([*tool("VERILATOR"), *FLAGS, f"+incdir+{Path('rtl/include').resolve()}", *files, "--top-module", "rates"],
                                   cwd=room)
        def rate(length):
            said = campaign.children.must([room / "obj_dir/Vrates", f"+length={length}", f"+reads={reads}", f"+writes={writes}",
                                           f"+from={FROM}", f"+cycles={CYCLES}"])
            found = re.search(r"^read (\d+) written (\d+)$", said, re.MULTILINE)
            if not found:
                raise Wrong(f"{room}: the bench says {said[-500:]}")
            return (int(found[1]) + int(found[2])) / CYCLES / TERMINALS
        return rate
    return prepare


STREAMS, AXI = "Links and streams", "AXI4"
ROWS = {STREAMS: {"links": of_links, "streams, `--interleave`": of_streams("--interleave"), "streams, whole packets": of_streams()},
        AXI: {"reads": of_axi(1, 0), "writes": of_axi(0, 1), "reads and writes together": of_axi(1, 1)}}
HEADS = {STREAMS: "flits of a packet", AXI: "transfers of a burst"}


def run_all(campaign):
    lengths, found = LENGTHS[:2] if campaign.options.short else LENGTHS, {}
    shutil.rmtree(campaign.room / "axi", ignore_errors=True)
    (campaign.room / "axi").mkdir(parents=True)
    for chapter, rows in ROWS.items():
        found[chapter] = {}
        for name, prepare in rows.items():
            rate = prepare(campaign)
            found[chapter][name] = [round(rate(length), 3) for length in lengths]
            campaign.suite.case("rates", f"{chapter}, {name}", None if all(found[chapter][name]) else "nothing arrives")
            campaign.screen.say(f"{chapter}, {name:<26} " + "  ".join(f"{one:.3f}" for one in found[chapter][name]))
    return campaign.end(f"flits or transfers of a terminal and cycle, {', '.join(map(str, lengths))} in a packet or burst", rows=found)


def tables(report):
    """Returns the tables of docs/results/rates.md."""
    return chapters({chapter: markdown([HEADS[chapter], *LENGTHS], [[name, *(f"{one:.3f}" for one in row)] for name, row in rows.items()])
                     for chapter, rows in report["rows"].items()})


RESULTS = Results("rates", "Flits or transfers of a terminal and cycle at saturation", "integrate.md", "rates --docs", tables, ("VERILATOR",))


def main(children):
    options = parser(__doc__, short="two lengths of packets", junit=JUNIT, docs=f"write {RESULTS.path} from the last report").parse_args()
    return run_campaign("rates", options, children, run_all, results=RESULTS)
