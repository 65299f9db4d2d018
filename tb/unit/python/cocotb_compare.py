# SPDX-License-Identifier: Apache-2.0
"""The golden model beside a design of `annelid rtl` with vectors of streams. Sources send packets without gaps, and sinks take a beat in
each cycle. test_cocotb.py runs it, with the scenario as NETWORK."""
import os
import random

import annelid.cocotb
import cocotb
from annelid.library import c, ffi
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge

CYCLES = int(os.environ.get("CYCLES") or 150)  # in which packets begin
REST = 80                                      # for those that are under way then
PORTS = dict(tdata=32, tlast=1, tdest=0, beats=7)


def beats(draw, labels, longest):
    """Yields what a source shows: beats of packets, and None between packets."""
    while True:
        for _ in range(draw.choice([0, 0, 1, 4])):
            yield None
        label, length = draw.choice(labels), draw.randint(1, longest)
        for left in reversed(range(length)):
            yield dict(tdata=draw.getrandbits(32), tlast=int(left == 0), tdest=label, beats=length)


def show(dut, shown):
    """Puts what all sources show on the ports, those that the design has."""
    dut.s_tvalid_i.value = sum(1 << number for number, beat in enumerate(shown) if beat)
    for name in PORTS:
        port = getattr(dut, f"s_{name}_i", None)
        if port is not None:
            width = len(port) // len(shown)
            port.value = sum(beat[name] << number * width for number, beat in enumerate(shown) if beat)


@cocotb.test()
async def flits_are_those_of_the_model(dut):
    scenario = annelid.Scenario(os.environ["NETWORK"])
    config, streams = ffi.addressof(scenario._c, "network"), len(dut.s_tvalid_i)
    labels = [c.anl_label(config, terminal) for terminal in range(scenario.terminals)]
    sources = [beats(random.Random(number), labels, min(6, c.anl_longest_worm(config))) for number in range(streams)]
    shown, packets = [None] * streams, 0
    dut.rst_i.value, dut.m_tready_i.value = 1, (1 << streams) - 1
    show(dut, shown)
    cocotb.start_soon(Clock(dut.clk_i, 10, "step").start())
    bench = annelid.cocotb.compare(dut, scenario)
    await ClockCycles(dut.clk_i, 4)
    dut.rst_i.value = 0
    for cycle in range(CYCLES + REST):
        await RisingEdge(dut.clk_i)
        taken = int(dut.s_tready_o.value)
        for number, beat in enumerate(shown):
            if beat and taken >> number & 1:
                packets += beat["tlast"]
            if not beat or taken >> number & 1:
                goes_on = cycle < CYCLES or beat and not beat["tlast"]
                shown[number] = next(sources[number]) if goes_on else None
        show(dut, shown)
    assert bench.end(), bench.verdict
    assert bench.golden.engine.totals["delivered"] == packets > 4 * streams, (bench.golden.engine.totals, packets)
