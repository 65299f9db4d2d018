#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the mesh of mesh.yaml with AXI4-Streams, builds it, and runs the tests of test_mesh.py in cocotb (docs/cocotb.md).

usage: run.py [--sim icarus|verilator] [--bug] [--room FOLDER]

--bug plants a bug into the copy of the switch: an output lets go of a worm behind each of its flits. The exit status is 0 if all tests
have passed, else 1.
"""
import argparse
import os
import subprocess
import sys
from pathlib import Path

try:  # cocotb 2
    from cocotb_tools.runner import get_results, get_runner
except ImportError:
    from cocotb.runner import get_results, get_runner

HOME = Path(__file__).resolve().parent
OUTPUT, OLD, NEW = "rtl/switch/anl_output.sv", ".head_i(head), .tail_i(tail),", ".head_i(head), .tail_i(1'b1),"
# Verilator shows what it is told to: ports, and the links in the network.
SHOWN = """`verilator_config
public_flat_rw -module "mesh" -var "*_axis_*"
public_flat_rw -module "mesh" -var "aclk"
public_flat_rw -module "mesh" -var "rst"
public_flat_rd -module "anl_cube" -var "out_*"
public_flat_rd -module "anl_cube" -var "inj_*"
"""


def write(room, bug):
    """Writes the design. Returns its files and its folders of includes."""
    room.mkdir(parents=True, exist_ok=True)
    subprocess.run(["annelid", "rtl", HOME / "mesh.yaml", "-o", f"{room}/", "--name", "mesh", "--ports", "axis", "--per-terminal"],
                   check=True, stdout=subprocess.DEVNULL)
    if bug:
        text = (room / OUTPUT).read_text()
        assert text.count(OLD) == 1
        (room / OUTPUT).write_text(text.replace(OLD, NEW))
    lines = (room / "mesh.f").read_text().splitlines()
    return ([room / line for line in lines if line and line[0] not in "+/"],
            [room / line.removeprefix("+incdir+") for line in lines if line.startswith("+incdir+")])


def build(sim, room, files, includes):
    """Builds the simulation. Returns its runner."""
    runner = get_runner(sim)
    words = ["-g2012"]  # and no assertions of the switch: it is to be a switch like any other
    if sim == "verilator":
        (room / "shown.vlt").write_text(SHOWN)
        words = ["--no-public-flat-rw", str(room / "shown.vlt"), "-Wno-fatal", "-Wno-lint", "-Wno-style", "-fno-table"]
        command = runner._build_command
        runner._build_command = lambda: [[word for word in line if word != "--public-flat-rw"] for line in command()]
        os.environ["MAKEFLAGS"] = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"  # it compiles longer than it runs
    runner.build(sources=files, includes=includes, hdl_toplevel="mesh", build_dir=room / sim, build_args=words,
                 timescale=("1ns", "1ps"), defines={"SYNTHESIS": 1}, always=True)
    return runner


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--sim", choices=["icarus", "verilator"], default="icarus")
    words.add_argument("--bug", action="store_true")
    words.add_argument("--room", type=Path, help="a folder for the design and the simulation")
    said = words.parse_args()
    room = (said.room or Path("build-cocotb") / ("bug" if said.bug else "good")).resolve()
    sys.path.insert(0, str(HOME))  # which the runner hands on
    runner = build(said.sim, room, *write(room, said.bug))
    results = runner.test(hdl_toplevel="mesh", test_module="test_mesh", build_dir=room / said.sim, test_dir=room,
                          extra_env={"NETWORK": str(HOME / "mesh.yaml")})
    tests, failed = get_results(results)
    sys.exit(1 if failed or not tests else 0)


if __name__ == "__main__":
    main()
