# SPDX-License-Identifier: Apache-2.0
"""Stock AXI4-Stream sources and sinks (cocotbext-axi) at each terminal of a design of `annelid rtl`, which hold back beats at
random. Each byte, TUSER and TID of each packet is compared with what was sent.

scripts/annelid/streams.py runs it by simulate.py. ROOM holds the design top and job.json: terminals, labels, packets of each terminal,
most bytes of a packet, seed, and what streams have. The test writes ROOM/found.json.
"""
import json
import os
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

ROOM = Path(os.environ["STOCK_ROOM"])
JOB = json.loads((ROOM / "job.json").read_text())
NUMBER_BYTES = 4  # the first bytes of a packet are its number


def pauses(draw, share):
    """Yields whether an end pauses in a cycle, in spells, so that lanes fill up and run dry."""
    while True:
        spell, busy = draw.randint(1, 40), draw.random() < 0.3
        for _ in range(spell):
            yield False if busy else draw.random() < share


class Ends:
    """The sources and sinks, and what is under way: the packets by number."""

    def __init__(self, dut):
        for name in dir(dut):
            getattr(dut, name)  # some simulators lose writes of handles that were found by prefix alone
        self.dut, self.draw, self.sent, self.errors = dut, random.Random(JOB["seed"]), {}, []
        self.bytes = self.received = self.cycles = 0
        self.last = {}  # number of the last packet of each pair that has come, and how many have come before an older one
        self.overtaken = 0
        quiet = dict(reset=dut.aresetn, reset_active_level=False)
        self.sources = [AxiStreamSource(AxiStreamBus.from_prefix(dut, f"s{t}_axis"), dut.aclk, **quiet) for t in range(JOB["terminals"])]
        self.sinks = [AxiStreamSink(AxiStreamBus.from_prefix(dut, f"m{t}_axis"), dut.aclk, **quiet) for t in range(JOB["terminals"])]
        for number, end in enumerate(self.sources + self.sinks):
            end.log.setLevel("WARNING")
            end.set_pause_generator(pauses(random.Random(JOB["seed"] * 1000 + number), 0.5))

    def packet(self, source, number):
        """Makes a packet and notes it."""
        data = bytearray(number.to_bytes(NUMBER_BYTES, "little"))
        data += self.draw.randbytes(self.draw.randint(0, JOB["most_bytes"] - NUMBER_BYTES))
        sink, user = self.draw.randrange(JOB["terminals"]), self.draw.getrandbits(JOB["tuser"])
        self.sent[number] = (source, sink, bytes(data), user)
        return AxiStreamFrame(data, tdest=JOB["labels"][sink], tuser=user)

    async def send(self, source):
        for n in range(JOB["packets"]):
            await self.sources[source].send(self.packet(source, n * JOB["terminals"] + source))
            await self.sources[source].wait()

    def judge(self, sink, frame):
        """Compares a packet with the one that was sent."""
        number = int.from_bytes(frame.tdata[:NUMBER_BYTES], "little")
        source, want, data, user = self.sent.pop(number, (None, None, b"", 0))
        tid = frame.tid if isinstance(frame.tid, int) else None
        users = {frame.tuser} if isinstance(frame.tuser, int) else set(frame.tuser)
        if source is None:
            self.errors.append(f"terminal {sink} got packet {number}, which was not under way")
        elif want != sink or bytes(frame.tdata) != data or users != {user} or tid != JOB["labels"][source]:
            self.errors.append(f"terminal {sink} got packet {number} from {source} to {want} as {bytes(frame.tdata).hex()}, TID {tid}, "
                               f"TUSER {users}; sent {data.hex()}, TUSER {user}")
        pair = (source, sink)
        self.overtaken += number < self.last.get(pair, 0)
        self.last[pair] = max(number, self.last.get(pair, 0))
        self.bytes += len(data)
        self.received += 1

    async def receive(self, sink):
        while True:
            self.judge(sink, await self.sinks[sink].recv())

    async def count(self):
        while True:
            await RisingEdge(self.dut.aclk)
            self.cycles += 1


async def in_reset(dut):
    """Drives the reset. Returns what was seen in it that must not be."""
    seen = []
    dut.aresetn.value = 0
    for _ in range(5):
        await RisingEdge(dut.aclk)
        await Timer(1, "ns")
        for t in range(JOB["terminals"]):
            seen += [f"{name} is not 0 in reset" for name in (f"s{t}_axis_tready", f"m{t}_axis_tvalid") if str(getattr(dut, name).value) != "0"]
    dut.aresetn.value = 1
    return seen


@cocotb.test()
async def each_packet_arrives_whole(dut):
    ends, total = Ends(dut), JOB["packets"] * JOB["terminals"]
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
    ends.errors += await in_reset(dut)
    cocotb.start_soon(ends.count())
    for t in range(JOB["terminals"]):
        cocotb.start_soon(ends.receive(t))
    senders = [cocotb.start_soon(ends.send(t)) for t in range(JOB["terminals"])]
    for sender in senders:
        await sender
    patience = 0
    while ends.received < total and patience < 5000 and not ends.errors:
        await RisingEdge(dut.aclk)
        patience += 1
    found = dict(packets=ends.received, of=total, bytes=ends.bytes, cycles=ends.cycles, overtaken=ends.overtaken, errors=ends.errors[:20],
                 bad=len(ends.errors), missing=len(ends.sent))
    (ROOM / "found.json").write_text(json.dumps(found) + "\n")
    assert not ends.errors and not ends.sent, f"{len(ends.errors)} errors, {len(ends.sent)} packets missing: {ends.errors[:3]}"
