# SPDX-License-Identifier: Apache-2.0
"""The watch beside a design of `annelid rtl` in the bench that was written with it, which drives the clock itself. test_cocotb.py
runs it, with the scenario as NETWORK, and the links that there must be as LINKS."""
import os

import annelid.cocotb
import cocotb
from cocotb.triggers import ClockCycles

CYCLES = 120  # fewer than the bench runs


@cocotb.test()
async def its_links_are_found(dut):
    bench = annelid.cocotb.attach(dut.u_dut, os.environ["NETWORK"], stop=False, trace="kinds.anlt")
    await ClockCycles(dut.clk, CYCLES)
    assert bench.end() and bench.links == int(os.environ["LINKS"]), (bench.verdict, bench.links)
    assert CYCLES - 20 < bench.watch.now <= CYCLES and len(annelid.read_trace("kinds.anlt").flits) > 50, bench.watch.text
