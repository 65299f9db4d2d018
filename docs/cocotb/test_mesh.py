# SPDX-License-Identifier: Apache-2.0
"""A mesh with AXI4-Streams in cocotb: stock sources and sinks, a scoreboard, and the watch or the golden model beside it
(docs/cocotb.md). run.py builds the mesh and runs these tests."""
import itertools
import os
import random

import annelid.cocotb
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

NETWORK, TERMINALS, BEAT = os.environ["NETWORK"], 4, 4  # bytes of a beat
PACKETS = int(os.environ.get("PACKETS", 8))             # of each terminal
LAST = 3000                                             # cycles in which all must have come


class Scoreboard:
    """What is under way: the packets by number, which are their first bytes."""

    def __init__(self):
        self.sent, self.draw = {}, random.Random(1)

    def packet(self, number):
        data = number.to_bytes(BEAT, "little") + self.draw.randbytes(BEAT * self.draw.randrange(10))
        self.sent[number] = self.draw.randrange(TERMINALS), data
        return self.sent[number]

    def take(self, sink, data):
        number = int.from_bytes(data[:BEAT], "little")
        assert self.sent.pop(number, None) == (sink, data), f"terminal {sink} got a packet that was not sent to it: {data.hex()}"


async def start(dut, pauses):
    """Makes sources and sinks, and begins the reset. pauses: sinks take beats in half of the cycles."""
    for name in ["aclk", "rst", *(f"{end}{t}_axis_{wire}" for end in "sm" for t in range(TERMINALS) for wire in
                                  ("tvalid", "tready", "tdata", "tlast", "tdest") if (end, wire) != ("m", "tdest"))]:
        getattr(dut, name)  # before buses look for them: Verilator 5.006 has a copy of a port, too, and cocotb keeps what it got first
    reset = dict(reset=dut.rst, reset_active_level=True)
    sources = [AxiStreamSource(AxiStreamBus.from_prefix(dut, f"s{t}_axis"), dut.aclk, **reset) for t in range(TERMINALS)]
    sinks = [AxiStreamSink(AxiStreamBus.from_prefix(dut, f"m{t}_axis"), dut.aclk, **reset) for t in range(TERMINALS)]
    for number, sink in enumerate(sinks if pauses else []):
        draw = random.Random(number)
        sink.set_pause_generator(draw.random() < 0.5 for _ in itertools.count())
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
    return sources, sinks


async def send_all(dut, sources, sinks, sent=lambda source, sink, beats: None):
    """Sends packets from all terminals to all, and compares what comes."""
    board = Scoreboard()
    await ClockCycles(dut.aclk, 4)
    dut.rst.value = 0
    for number in range(TERMINALS * PACKETS):
        sink, data = board.packet(number)
        sent(number % TERMINALS, sink, len(data) // BEAT)
        await sources[number % TERMINALS].send(AxiStreamFrame(data, tdest=sink))
    for _ in range(LAST):
        await RisingEdge(dut.aclk)
        for terminal, sink in enumerate(sinks):
            while not sink.empty():
                board.take(terminal, bytes(sink.recv_nowait().tdata))
        if not board.sent:
            break
    assert not board.sent, f"{len(board.sent)} packets have not come"
    await ClockCycles(dut.aclk, 100)  # until every credit is back


@cocotb.test()
async def packets_arrive(dut):
    """The watch judges every link, while sinks hold beats back."""
    sources, sinks = await start(dut, pauses=True)
    bench = annelid.cocotb.attach(dut, NETWORK, trace="mesh.anlt", patience=100)
    await send_all(dut, sources, sinks, sent=bench.announce)
    assert bench.end(), bench.verdict


@cocotb.test()
async def flits_are_those_of_the_model(dut):
    """The golden model says which flits are on each link in each cycle. It has terminals that take a flit in every cycle."""
    sources, sinks = await start(dut, pauses=False)
    bench = annelid.cocotb.compare(dut, NETWORK)
    await send_all(dut, sources, sinks)
    assert bench.end(), bench.verdict
