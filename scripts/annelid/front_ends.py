# SPDX-License-Identifier: Apache-2.0
"""The designs that `annelid rtl` writes, as the three front ends read them: without an error, and without a warning."""

import re

from annelid import same_cycle
from annelid.children import tool

# What newer versions of Verilator print at the end of every run. The option that turns it off is an error in older ones.
REPORT = re.compile(r"^- (V e r i l a t i o n   R e p o r t|Verilator): .*\n", re.M)

MOST_AXI = 8  # AXI4 ports of a design, at most, if the paths between their signals are looked for: larger netlists take a minute


def commands(files, top, *lint):
    """Returns the command of each front end that reads files of a design; lint has more options of Verilator."""
    files = [str(file) for file in files]
    script = f"read_verilog -sv -formal -Irtl/include {' '.join(files)}; hierarchy -check -top {top}; proc; check -assert"
    return {"Verilator": [*tool("VERILATOR"), "--lint-only", "-Wall", *lint, "+incdir+rtl/include", *files, "--top-module", top],
            "Icarus": [*tool("IVERILOG"), "-g2012", "-Irtl/include", *files, "-s", top, "-o", "/dev/null"],
            "Yosys": [*tool("YOSYS"), "-q", "-p", script]}


def files_of(directory, *names):
    """Returns the files in the lists of designs, as often as they stand there."""
    lines = [line for name in names for line in (directory / f"{name}.f").read_text().splitlines()]
    return [line for line in lines if line.endswith(".sv")]


def without_report(said):
    """Returns what a front end said, but for that."""
    return REPORT.sub("", said)


def complaints(children, annelid, scenario, directory, ports):
    """Writes a design with links or AXI4-Stream ports into a directory, and has it read; options of the ports stand behind them.
    Returns what was wrong, in words; "" if nothing was. annelid may say what its page says, the estimate, and nothing else."""
    status, said = children.output([annelid, "rtl", scenario, "-o", directory, "--name", "top", "--ports", *ports.split()])
    if status or said not in (directory / "top.md").read_text():
        return f"annelid rtl --ports {ports}: status {status}\n{said}"
    for name, command in commands(files_of(directory, "top"), "top").items():
        status, said = children.output(command, cwd=directory)
        if status or without_report(said):
            return f"{name} of what annelid rtl --ports {ports} writes: status {status}\n{said[-3000:]}"
    if 0 < (directory / "top.sv").read_text().count("_axi_awvalid,") <= MOST_AXI:
        paths = same_cycle.between_axi_signals(children, directory, files_of(directory, "top"), "top")
        return f"paths between signals of AXI4 ports in one cycle:\n{paths}" if paths else ""
    return ""
