# SPDX-License-Identifier: Apache-2.0
"""What the watch costs a bench of cocotb: stock sources and sinks at the streams of a mesh, which are never idle, for some cycles
without and with the watch in turn, in seconds of the processor.

scripts/annelid/cocotb_bugs.py runs it by tb/campaigns/streams/simulate.py. ROOM holds the design top, its network.yaml and
job.json: terminals, their labels, cycles and rounds. Besides, the
seconds in which the watch samples and judges are counted by themselves, since the rest of the bench is never twice the same. The test writes ROOM/found.json.
"""
import json
import os
import random
import time
from pathlib import Path

import annelid.cocotb
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

ROOM = Path(os.environ["STOCK_ROOM"])
JOB = json.loads((ROOM / "job.json").read_text())
PORTS = os.environ["STOCK_PORTS"].split()
BEAT = 4  # bytes


class Inside:
    """Counts the seconds in which a watch samples and judges."""

    def __init__(self, bench):
        self.seconds = 0
        bench._sampler.sample = self.timed(bench._sampler.sample)
        bench._late.cycle = self.timed(bench._late.cycle)

    def timed(self, call):
        def timed(*words):
            begin = time.process_time()
            result = call(*words)
            self.seconds += time.process_time() - begin
            return result
        return timed


async def busy(dut, sources, sinks, watched):
    """Resets the design, and sends for some cycles. Returns seconds, those in the watch, the watch or None, and flits
    that crossed links."""
    draw, flits = random.Random(1), 0
    dut.rst.value = 1
    bench = annelid.cocotb.attach(dut, ROOM / "network.yaml") if watched else None
    inside = Inside(bench) if watched else None
    await ClockCycles(dut.aclk, 4)
    dut.rst.value = 0
    begin = time.process_time()
    for _ in range(JOB["cycles"]):
        for source, sink in zip(sources, sinks):
            if source.empty():
                source.send_nowait(AxiStreamFrame(draw.randbytes(BEAT * draw.randint(1, 8)), tdest=draw.choice(JOB["labels"])))
            while not sink.empty():
                sink.recv_nowait()
        await RisingEdge(dut.aclk)
    seconds = time.process_time() - begin
    if bench:
        bench.end()
        flits = int(bench.watch.text.split(" flits")[0].split()[-1])
    return seconds, inside.seconds if inside else 0, bench, flits


@cocotb.test()
async def what_the_watch_costs(dut):
    for name in PORTS:  # before buses look for them (simulate.py)
        getattr(dut, name)
    quiet = dict(reset=dut.rst, reset_active_level=True)
    sources = [AxiStreamSource(AxiStreamBus.from_prefix(dut, f"s{t}_axis"), dut.aclk, **quiet) for t in range(JOB["terminals"])]
    sinks = [AxiStreamSink(AxiStreamBus.from_prefix(dut, f"m{t}_axis"), dut.aclk, **quiet) for t in range(JOB["terminals"])]
    for end in sources + sinks:
        end.log.setLevel("WARNING")
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
    found = dict(plain=[], watched=[], inside=[], good=True)
    for _ in range(JOB["rounds"]):
        for name in ("plain", "watched"):
            seconds, inside, bench, flits = await busy(dut, sources, sinks, name == "watched")
            found[name].append(seconds)
            if bench:
                found["inside"].append(inside)
                found |= dict(links=bench.links, flits=flits, good=found["good"] and bench.finding is None)
    (ROOM / "found.json").write_text(json.dumps(found) + "\n")
