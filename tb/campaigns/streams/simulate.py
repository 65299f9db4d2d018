# SPDX-License-Identifier: Apache-2.0
"""Builds the design top of a directory, and runs a test of cocotb around it.

usage: python tb/campaigns/streams/simulate.py STATES TEST ROOM, in the environment that scripts/annelid/stock.py makes. STATES are
those of a signal, and say the simulator. TEST is a file of cocotb. ROOM holds top.f, which lists the files of the design. The
test gets ROOM as STOCK_ROOM.
"""
import sys
from pathlib import Path

from cocotb.runner import get_runner

# By the states of a signal: the simulator, and what its build is told.
SIMULATORS = {"4": ("icarus", ["-g2012"])}


def simulate(states, test, room):
    simulator, arguments = SIMULATORS[states]
    runner, build = get_runner(simulator), room / simulator
    lines = (room / "top.f").read_text().splitlines()
    files = [room / line for line in lines if line and not line.startswith(("+", "//"))]
    includes = [room / line.removeprefix("+incdir+") for line in lines if line.startswith("+incdir+")]
    runner.build(verilog_sources=files, includes=includes, hdl_toplevel="top", build_dir=build, build_args=arguments,
                 timescale=("1ns", "1ps"), always=True)
    runner.test(hdl_toplevel="top", test_module=test.stem, build_dir=build, test_dir=build,
                extra_env={"STOCK_ROOM": str(room), "PYTHONPATH": str(test.resolve().parent)})


simulate(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).resolve())
sys.exit(0)
