# SPDX-License-Identifier: Apache-2.0
"""Stock AXI4 managers and memories (cocotbext-axi) at the ports of a design of scripts/annelid/axi_bench.py, under back-pressure at random.

Each manager makes several bursts at once, each in a part of a memory that is its own; so what a read must bring is known, and so is
what the memory must hold when a write has its response. scripts/annelid/axi_stock.py runs it. ROOM holds the design and job.json:
users, memories, longest burst of the ports, bursts, seed, odd, tail, network, often. The test writes ROOM/found.json, every two seconds
(often: every 32 cycles) and at the end. An assertion of a stock end ends it before, and leaves the last one without the mark ended.

Left out unless odd is set is what this version of the stock manager makes by other rules than the standard's. Each transfer goes to the
lanes behind those of the transfer before; so FIXED bursts of a narrow size, and WRAP ones within a word, have strobes in wrong lanes.
And a WRAP burst is cut in two where one of type INCR would leave its 4 KiB.
"""
import json
import os
import random
import time
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Combine, First, RisingEdge
from cocotbext.axi import AxiBurstType, AxiBus, AxiLockType, AxiMaster, AxiRam, AxiResp

ROOM = Path(os.environ["STOCK_ROOM"])
JOB = json.loads((ROOM / "job.json").read_text())
MEBIBYTE = 1 << 20
AT_ONCE = 8            # bursts of a user that are under way, reads and writes
PART = 0x3000          # bytes of a memory in which one of them goes
IDS = 4
HOLE = 0x7000000       # no row of the map matches
PATIENCE = 20000       # cycles without any end of a burst
FIXED, INCR, WRAP = AxiBurstType.FIXED, AxiBurstType.INCR, AxiBurstType.WRAP


class Pauses:
    """Channels that pause at random, in spells, so that stores fill up and run dry. One object for all of them: the generators of
    cocotbext-axi would be a task for each channel that wakes in every cycle."""

    def __init__(self):
        self.due = {}  # cycle: channels that change then

    def add(self, channel, draw):
        self.due.setdefault(0, []).append((channel, draw, 0, 0))

    def step(self, cycle):
        for channel, draw, share, left in self.due.pop(cycle, ()):
            if left == 0:
                left, share = draw.randint(1, 60), draw.choice((0, 0, 0.3, 0.8))
            channel.pause, run = draw.random() < share, 1
            while run < left and (share == 0 or (draw.random() < share) == channel.pause):
                run += 1
            self.due.setdefault(cycle + run, []).append((channel, draw, share, left - run))


class Wish:
    """A burst that a user wants, or several in a row if it crosses 4 KiB. One in 1 / tail has any length, the others 4 beats at most."""

    def __init__(self, draw, full):
        odd = JOB["odd"]
        self.kind = draw.choice((INCR, INCR, WRAP, FIXED))
        self.size = draw.choice((full, full, *range(full + 1)))  # as AxSIZE
        self.id = draw.randrange(IDS)
        self.lock = AxiLockType.EXCLUSIVE if draw.random() < 0.03 else AxiLockType.NORMAL
        any_length = draw.random() < JOB["tail"]
        beats = draw.choice((1, 2, 4, 4, 8, 16, JOB["longest"]) if any_length else (1, 1, 2, 4))
        if self.kind == INCR:
            self.at = draw.randrange(PART - 4096)
            self.length = draw.randint(1, min(beats << self.size, 4096) - self.at % (1 << self.size))
        else:
            if self.kind == FIXED and not odd:
                self.size = full
            most = 16 if any_length else 4
            beats = draw.choice([n for n in (2, 4, 8, 16) if n <= most]) if self.kind == WRAP else draw.randint(1, most)
            if self.kind == WRAP and not odd:
                beats = max(beats, min(16, 1 << full - self.size))
                self.size = self.size if beats << self.size >= 1 << full else full
            self.length = beats << self.size
            self.at = draw.randrange(PART - 4096) >> self.size << self.size
            if self.kind == WRAP and (not odd or draw.random() < 0.3):  # not in the last bytes of 4 KiB, or there on purpose
                last = self.at // 4096 * 4096 + 4096 - self.length
                self.at = last + self.length // 2 if odd else min(self.at, last)
        self.response = AxiResp.OKAY
        if JOB["network"] and draw.random() < 0.04:
            self.response = draw.choice((AxiResp.DECERR, AxiResp.SLVERR if any_length else AxiResp.DECERR))
        if self.response == AxiResp.SLVERR:  # more beats than the ports carry, in one burst
            self.kind, self.size, self.at = INCR, min(self.size, 4), 0x1000
            self.length = draw.randint(JOB["longest"] + 1, 2 * JOB["longest"]) << self.size

    def places(self):
        """Returns where each byte goes, from the beginning of the part."""
        if self.kind == FIXED:
            return [self.at + n % (1 << self.size) for n in range(self.length)]
        if self.kind == WRAP:
            begin = self.at // self.length * self.length
            return [begin + (self.at - begin + n) % self.length for n in range(self.length)]
        return range(self.at, self.at + self.length)

    def text(self, base):
        return f"{self.kind.name} of {self.length} bytes, size {self.size}, at {base + self.at:#x}, ID {self.id}"


class Ends:
    def __init__(self, dut):
        for name in os.environ["STOCK_PORTS"].split():
            getattr(dut, name)  # by name first: simulate.py says why
        self.dut, self.errors = dut, []
        self.figures = dict.fromkeys(("wrong", "reordered", "refused"), 0)
        self.cycles = self.quiet = self.under_way = 0
        self.pauses = Pauses()
        self.due = {}  # (user, ID): data that reads which are under way must bring
        self.users = [AxiMaster(AxiBus.from_prefix(dut, f"s{n}_axi"), dut.clk, dut.rst, max_burst_len=2 * JOB["longest"]) for n in range(JOB["users"])]
        self.memories = [AxiRam(AxiBus.from_prefix(dut, f"m{n}_axi"), dut.clk, dut.rst, size=MEBIBYTE) for n in range(JOB["memories"])]
        for number, end in enumerate(self.users + self.memories):
            for side, channels in ((end.write_if, ("aw", "w", "b")), (end.read_if, ("ar", "r"))):
                side.log.setLevel("WARNING")
                for n, channel in enumerate(channels):
                    one = getattr(side, f"{channel}_channel")
                    one.log.setLevel("WARNING")
                    self.pauses.add(one, random.Random(f"{JOB['seed']} {number} {n} {channel}"))
        self.full = (len(dut.s0_axi_wstrb) - 1).bit_length()

    def wrong(self, figure, text):
        self.figures[figure] += 1
        self.errors.append(text)

    def enough(self):
        return count_of(self.dut.bursts) >= JOB["bursts"] or self.quiet > PATIENCE

    async def write(self, user, memory, base, part, wish, draw):
        data = draw.randbytes(wish.length)
        got = await self.users[user].write(base + wish.at, data, awid=wish.id, burst=wish.kind, size=wish.size, lock=wish.lock)
        if got.resp != wish.response:
            self.wrong("wrong", f"write, {wish.text(base)}: {got.resp.name}, not {wish.response.name}")
        if wish.response != AxiResp.OKAY:
            return
        places = wish.places()
        first, last = min(places), max(places) + 1
        before = bytes(part[first:last])
        for place, byte in zip(places, data):
            part[place] = byte
        held = self.memories[memory].read((base + first) % MEBIBYTE, last - first)
        if held != part[first:last]:
            self.wrong("wrong", f"write, {wish.text(base)}: response, and the memory holds other data")
            old_or_new = all(byte in either for byte, *either in zip(held, before, part[first:last]))  # it comes later
            self.figures["reordered"] += old_or_new and JOB["network"]

    async def read(self, user, base, part, wish):
        data = bytes(wish.length) if wish.response != AxiResp.OKAY else bytes(part[place] for place in wish.places())
        due = self.due.setdefault((user, wish.id), [])
        due.append(data)
        got = await self.users[user].read(base + wish.at, wish.length, arid=wish.id, burst=wish.kind, size=wish.size, lock=wish.lock)
        due.remove(data)
        if got.resp != wish.response or got.data != data:
            self.wrong("wrong", f"read, {wish.text(base)}: {got.resp.name}, data {'equal' if got.data == data else 'differ'}")
            self.figures["reordered"] += any(is_of(got.data, other) for other in due)

    async def work(self, user, slot):
        """Makes bursts in a part of a memory, one after the other."""
        draw, part = random.Random(f"{JOB['seed']} {user} {slot}"), bytearray(PART)
        memory, at = slot % JOB["memories"], (user * AT_ONCE + slot) * PART
        while not self.enough():
            wish = Wish(draw, self.full)
            base = HOLE if wish.response == AxiResp.DECERR else memory * MEBIBYTE + at
            self.under_way += 1
            if draw.random() < 0.5:
                await self.write(user, memory, base, part, wish, draw)
            else:
                await self.read(user, base, part, wish)
            self.under_way -= 1
            self.figures["refused"] += wish.response != AxiResp.OKAY
            self.quiet = 0
        held = self.memories[memory].read(at, PART)
        if held != part:
            self.wrong("wrong", f"the memory holds other data than were written, for the first time at {base + next(n for n in range(PART) if held[n] != part[n]):#x}")

    def write_down(self, ended=False):
        found = self.figures | dict(ended=ended, findings=count_of(self.dut.broken), rules=count_of(self.dut.rules), bursts=count_of(self.dut.bursts),
                                    transfers=count_of(self.dut.transfers), stalls=count_of(self.dut.stalls), cycles=self.cycles,
                                    seconds=round(time.process_time()), missing=self.under_way, errors=self.errors[:20])
        (ROOM / "found.new").write_text(json.dumps(found) + "\n")
        (ROOM / "found.new").rename(ROOM / "found.json")

    async def count(self):
        """Counts cycles, and ends the test if nothing comes any more."""
        said, edge = time.monotonic(), RisingEdge(self.dut.clk)
        while self.quiet <= PATIENCE:
            await edge
            self.pauses.step(self.cycles)
            self.cycles += 1
            self.quiet += 1
            if self.cycles % 32 == 0 and (JOB["often"] or time.monotonic() - said > 2):
                said = time.monotonic()
                self.write_down()


def is_of(got, due):
    """Whether data are those of a read, as far as they go, and enough to tell it from others."""
    length = min(len(got), len(due))
    return length >= 8 and any(got[:length]) and got[:length] == due[:length]


def count_of(signal):
    return int(signal.value) if signal.value.is_resolvable else 0


@cocotb.test()
async def bursts_end_as_they_must(dut):
    ends = Ends(dut)
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    ends.write_down()
    for _ in range(5):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    await RisingEdge(dut.clk)
    counter = cocotb.start_soon(ends.count())
    workers = [cocotb.start_soon(ends.work(user, slot)) for user in range(JOB["users"]) for slot in range(AT_ONCE)]
    await First(Combine(*workers), counter)
    ends.write_down(ended=True)
