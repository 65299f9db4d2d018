# SPDX-License-Identifier: Apache-2.0
"""Builds the design top of a directory, and runs a test of cocotb around it.

usage: python tb/campaigns/streams/simulate.py STATES TEST ROOM [LEVEL], in the environment that scripts/annelid/stock.py makes.
STATES are those of a signal, and say the simulator. TEST is a file of cocotb. ROOM holds top.f, which lists the files of the design, and words for the simulator. The
test gets ROOM as STOCK_ROOM, and the names of the ports of top as STOCK_PORTS. LEVEL is how much the C++ compiler optimizes what
Verilator writes, 0 … 3; without it 0.

A test must ask for each port by its name before anything looks for it by a prefix, as the buses of cocotbext-axi do. Verilator
5.006 has two variables of a port: that of the top, which the name finds, and a copy in the module, which iteration finds. What
is written to the copy is lost, and cocotb keeps the handle that it got first.
"""
import re
import sys
from pathlib import Path

from cocotb.runner import get_runner

PORT = re.compile(r"^  (?:input|output) +logic +(?:\[[^]]*\] *)?(\w+)", re.MULTILINE)


def ports_of(room):
    return PORT.findall((room / "top.sv").read_text())


def of_verilator(room, level):
    """Returns what the build in Verilator is told. The ports alone are visible: with all signals a mesh takes an hour to build."""
    visible = "".join(f'public_flat_rw -module "top" -var "{port}"\n' for port in ports_of(room))
    (room / "ports.vlt").write_text(f"`verilator_config\n{visible}")
    return ["--no-public-flat-rw", str(room / "ports.vlt"), "-Wno-fatal", "-Wno-lint", "-Wno-style", "-fno-table", "-CFLAGS", f"-O{level}"]


# By the states of a signal: the simulator, and what its build is told.
SIMULATORS = {"4": ("icarus", lambda room, level: ["-g2012"]), "2": ("verilator", of_verilator)}


def simulate(states, test, room, level="0"):
    simulator, arguments = SIMULATORS[states]
    sys.path.insert(0, str(test.resolve().parent))  # the runner hands it on
    runner, build = get_runner(simulator), room / simulator
    lines = (room / "top.f").read_text().splitlines()
    files = [room / line for line in lines if line and not line.startswith(("+", "-", "//"))]
    words = [word for line in lines if line.startswith("-") for word in line.split(" ", 1)]
    includes = [room / line.removeprefix("+incdir+") for line in lines if line.startswith("+incdir+")]
    runner.build(verilog_sources=files, includes=includes, hdl_toplevel="top", build_dir=build, build_args=[*arguments(room, level), *words],
                 timescale=("1ns", "1ps"), always=True)
    runner.test(hdl_toplevel="top", test_module=test.stem, build_dir=build, test_dir=build,
                extra_env={"STOCK_ROOM": str(room), "STOCK_PORTS": " ".join(ports_of(room))})


simulate(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).resolve(), *sys.argv[4:])
sys.exit(0)
