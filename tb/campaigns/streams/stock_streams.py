# SPDX-License-Identifier: Apache-2.0
"""Stock AXI4-Stream sources and sinks (cocotbext-axi) at each terminal of a design of `annelid rtl`, which hold back beats at
random. Each byte, TUSER and TID of each packet is compared with what was sent.

scripts/annelid/streams.py runs it by simulate.py. ROOM holds the design top and job.json: terminals, labels, packets of each terminal,
most bytes of a packet, seed, bytes of a beat, bits of TUSER and of the lane in TID, and whether sinks split what they get by TID.
The test writes ROOM/found.json.
"""
import json
import os
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Combine, First, RisingEdge, Timer
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

ROOM = Path(os.environ["STOCK_ROOM"])
JOB = json.loads((ROOM / "job.json").read_text())
PORTS = os.environ["STOCK_PORTS"].split()
RESET = next(name for name in ("aresetn", "rst") if name in PORTS)
IN_RESET = int(RESET == "rst")  # what the reset is then
PATIENCE = 5000   # cycles in which some packet arrives, unless something stands still
NUMBER_BYTES = 4  # the first bytes of a packet are its number


def pauses(draw, share):
    """Yields whether an end pauses in a cycle, in spells, so that lanes fill up and run dry."""
    while True:
        spell, busy = draw.randint(1, 40), draw.random() < 0.3
        for _ in range(spell):
            yield False if busy else draw.random() < share


def each(value, count):
    """Returns what a frame says of TID or TUSER for each of its bytes."""
    return [value] * count if value is None or isinstance(value, int) else list(value)


class Ends:
    """The sources and sinks, and what is under way: the packets by number."""

    def __init__(self, dut):
        for name in PORTS:  # before buses look for them (simulate.py)
            getattr(dut, name)
        self.dut, self.draw, self.sent, self.errors = dut, random.Random(JOB["seed"]), {}, []
        self.bytes = self.received = self.cycles = 0
        self.last = {}  # number of the last packet of each pair that has come, and how many have come before an older one
        self.overtaken = 0
        self.parts = {}  # of packets of which not all has come, by sink and TID
        quiet = dict(reset=getattr(dut, RESET), reset_active_level=bool(IN_RESET))
        self.sources = [AxiStreamSource(AxiStreamBus.from_prefix(dut, f"s{t}_axis"), dut.aclk, **quiet) for t in range(JOB["terminals"])]
        self.sinks = [AxiStreamSink(AxiStreamBus.from_prefix(dut, f"m{t}_axis"), dut.aclk, **quiet) for t in range(JOB["terminals"])]
        for number, end in enumerate(self.sources + self.sinks):
            end.log.setLevel("WARNING")
            end.set_pause_generator(pauses(random.Random(JOB["seed"] * 1000 + number), 0.5))

    def packet(self, source, number):
        """Makes a packet and notes it. TUSER is another one in each beat. Without TKEEP a packet has whole beats."""
        beat, data = JOB["beat"], bytearray(number.to_bytes(NUMBER_BYTES, "little"))
        data += self.draw.randbytes(self.draw.randint(0, JOB["most_bytes"] - NUMBER_BYTES))
        if "s0_axis_tkeep" not in PORTS:
            data += bytes(-len(data) % beat)
        users = [self.draw.getrandbits(JOB["user_bits"]) if JOB["user_bits"] else None for _ in range(0, len(data), beat)]
        of_bytes = [users[i // beat] for i in range(len(data))]
        sink = self.draw.randrange(JOB["terminals"])
        self.sent[number] = (source, sink, bytes(data), of_bytes)
        return AxiStreamFrame(data, tdest=JOB["labels"][sink], tuser=of_bytes if JOB["user_bits"] else None)

    async def send(self, source):
        for n in range(JOB["packets"]):
            await self.sources[source].send(self.packet(source, n * JOB["terminals"] + source))
            await self.sources[source].wait()

    def judge(self, sink, data, tids, users):
        """Compares a packet with the one that was sent."""
        number = int.from_bytes(data[:NUMBER_BYTES], "little")
        source, want, sent, sent_users = self.sent.pop(number, (None, None, b"", []))
        labels = {tid if tid is None else tid >> JOB["lane_bits"] for tid in tids}
        if source is None:
            self.errors.append(f"terminal {sink} got packet {number}, which was not under way")
        elif want != sink or data != sent or users != sent_users or labels != {JOB["labels"][source] if "m0_axis_tid" in PORTS else None}:
            self.errors.append(f"terminal {sink} got packet {number} from {source} to {want} as {data.hex()}, TID {tids}, "
                               f"TUSER {users}; sent {sent.hex()}, TUSER {sent_users}")
        pair = (source, sink)
        self.overtaken += number < self.last.get(pair, 0)
        self.last[pair] = max(number, self.last.get(pair, 0))
        self.bytes += len(data)
        self.received += 1

    def split(self, sink, data, tids, users):
        """Adds what a sink got up to a TLAST to the packets of each TID, and judges the one that it ends."""
        for one in zip(data, tids, users):
            self.parts.setdefault((sink, one[1]), []).append(one)
        packet, *sides = zip(*self.parts.pop((sink, tids[-1])))
        self.judge(sink, bytes(packet), *map(list, sides))

    async def receive(self, sink):
        while True:
            frame = await self.sinks[sink].recv()
            count = len(frame.tdata)
            (self.split if JOB["split"] else self.judge)(sink, bytes(frame.tdata), each(frame.tid, count), each(frame.tuser, count))

    async def stand_still(self):
        """Ends when no packet has arrived for a while."""
        before = -1
        while self.received != before:
            before = self.received
            await ClockCycles(self.dut.aclk, PATIENCE)

    async def count(self):
        while True:
            await RisingEdge(self.dut.aclk)
            self.cycles += 1


async def in_reset(dut):
    """Drives the reset. Returns what was seen in it that must not be."""
    seen = []
    getattr(dut, RESET).value = IN_RESET
    for _ in range(5):
        await RisingEdge(dut.aclk)
        await Timer(1, "ns")
        for t in range(JOB["terminals"]):
            seen += [f"{name} is not 0 in reset" for name in (f"s{t}_axis_tready", f"m{t}_axis_tvalid") if str(getattr(dut, name).value) != "0"]
    getattr(dut, RESET).value = 1 - IN_RESET
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
    still = cocotb.start_soon(ends.stand_still())
    await First(Combine(*(sender.join() for sender in senders)), still.join())
    while ends.received < total and not still.done() and not ends.errors:
        await RisingEdge(dut.aclk)
    found = dict(packets=ends.received, of=total, bytes=ends.bytes, cycles=ends.cycles, overtaken=ends.overtaken, errors=ends.errors[:20],
                 bad=len(ends.errors), missing=len(ends.sent))
    (ROOM / "found.json").write_text(json.dumps(found) + "\n")
    assert not ends.errors and not ends.sent, f"{len(ends.errors)} errors, {len(ends.sent)} packets missing: {ends.errors[:3]}"
