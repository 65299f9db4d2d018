#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/into_your_design.md, run as they stand there in an empty folder, and once with a wrong wire.

usage: tb/unit/scripts/test_into.py BUILD JUNIT_FILE

Without FULL=1 Yosys ends where it would choose cells, and nextpnr is left out; so it is with FULL=1, unless nextpnr-ecp5 is in the path
(it is no package of Debian 12). Prints failures only; exit status 1 if any.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main

PAGE = Path("docs/into_your_design.md")
FULL = os.environ.get("UNIT_SHARE") == "1"


def commands(text):
    """Returns the commands of a page, each with the lines that it prints there; a text for cat goes to its line END."""
    found = []
    for block in re.findall(r"^```\n(.*?)^```", text, re.M | re.S):
        inside = False
        for line in block.splitlines():
            if line.startswith("$ ") and not inside:
                found.append([line[2:], []])
                inside = "<< 'END'" in line
            elif inside:
                found[-1][0] += "\n" + line
                inside = line != "END"
            else:
                found[-1][1].append(line)
    return found


def shell(command, room, build):
    path = f"{build.resolve()}:{os.environ['PATH']}"
    return subprocess.run(["bash", "-c", command], cwd=room, capture_output=True, text=True, check=False, env=os.environ | {"PATH": path})


def is_here(command):
    return not command.startswith("nextpnr-ecp5") or FULL and shutil.which("nextpnr-ecp5")


def meant(command):
    """Returns what is run for a command of the page."""
    return command if FULL else command.replace("synth_ecp5 ", "synth_ecp5 -run begin:map_ram ")


def page_shows_what_comes(room, build):
    run = [(command, printed, shell(meant(command), room, build)) for command, printed in commands(PAGE.read_text()) if is_here(command)]
    for command, printed, seen in run:
        expect(seen.returncode == 0, "success", (command, seen))
        missing = [line for line in printed if line not in seen.stdout.splitlines()]
        expect(not missing, f"the lines of the page behind {command}: {missing}", seen.stdout)
    expect(len(run) >= 12, "all commands", len(run))
    lint = next(seen for command, _, seen in run if "--lint-only" in command)
    expect(not re.search(r"%(Warning|Error)", lint.stderr), "no warning of Verilator", lint.stderr)


def wrong_wire_is_seen(room, build):
    text = PAGE.read_text().replace(".s_tdest_i(8'd3)", ".s_tdest_i(8'd2)")
    expect(text != PAGE.read_text(), "the wire of the destination")
    wanted = "cat|annelid rtl noc.yaml --ports axis --name noc |cd noc && iverilog .*my_design.sv"
    said = [shell(command, room, build).stdout for command, _ in commands(text) if re.match(wanted, command)]
    expect("FAIL\n" in said and "PASS\n" not in said, "a design that fails", said)


TESTS = [page_shows_what_comes, wrong_wire_is_seen]

if __name__ == "__main__":
    sys.exit(main("into", TESTS, __doc__))
