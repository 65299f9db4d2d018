#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `make fpga` and `make fpga-image` must notice, noticed.

usage: tb/campaigns/fpga/test_fpga.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = ["scripts", "tb/unit/scripts"]
from annelid import fpga, fpga_flow, fpga_history
from annelid import fpga_image
from suite import expect, main

BOARDS = Path("constraints")
TINY = "network: {topology: mesh, k: 1, n: 1}\ntraffic: {process: generator, length: 2, worms_per_terminal: 4}\nrun: {cycles: 60}\n"
LINE = dict(date="2026-01-01", commit="0000000", set="mesh_1x2", ice40_lut="1000", ice40_ff="400", ecp5_lut="800",
            ecp5_narrow_lut="700", ecp5_ff="100", ice40_mhz="50.0", ice40_best_mhz="52.0", ecp5_mhz="60.0",
            ecp5_best_mhz="61.0", tools="nextpnr-ice40 0.4; yosys 0.23", ice40_bram="0", ecp5_sites="900")


def run(script, *words):
    done = subprocess.run(["scripts/run", script, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def replace(path, old, new):
    text = path.read_text()
    expect(text.count(old) == 1, f"{old!r} once in {path}", text.count(old))
    path.write_text(text.replace(old, new))


def refused(words, action, *arguments):
    """The words stand in what an action says no with."""
    try:
        action(*arguments)
    except fpga_flow.Unfit as unfit:
        return expect(words in str(unfit), words, unfit)
    expect(False, f"a no: {words}", "nothing")


def limits_of_a_step_back(room, build):
    for field, new, bad in (("ice40_lut", 1020, False), ("ice40_lut", 1021, True), ("ecp5_ff", 103, True),
                            ("ecp5_narrow_lut", 715, True), ("ecp5_lut", 5000, False),
                            ("ice40_mhz", 45.0, False), ("ice40_mhz", 44.9, True), ("ecp5_mhz", 53.9, True),
                            ("ice40_best_mhz", 1.0, False)):
        seen = fpga.steps_back(LINE, LINE | {field: new})
        expect(bool(seen) == bad and all(field in text for text in seen), f"{field} {new}: {bad}", seen)
    small = LINE | dict(ice40_lut="100")
    expect(not fpga.steps_back(small, small | dict(ice40_lut=110)) and fpga.steps_back(small, small | dict(ice40_lut=111)),
           "10 LUTs are mapping, 11 are more")
    other = LINE | dict(ice40_lut=5000, tools="nextpnr-ice40 0.4; yosys 0.24")
    expect(fpga_history.other_tools(LINE, other) and not fpga_history.other_tools(LINE, LINE), "no comparison across versions", other)


def history_grows_by_what_is_new(room, build):
    path = room / "history.csv"
    new = {field: LINE[field] for field in fpga_history.FIELDS[2:]}
    expect([fpga_history.append([one], "abc", path) for one in (new, new, new | dict(ice40_lut=999))] == [1, 0, 1], "1, 0, 1 lines")
    rows = fpga_history.read_history(path)
    expect([row["ice40_lut"] for row in rows] == ["1000", "999"] and fpga_history.last(rows, "mesh_1x2") == rows[1], "both", rows)


def figure_that_was_not_measured_is_that_of_the_line_before(room, build):
    path, clocks = room / "history.csv", ("ice40_mhz", "ice40_best_mhz", "ecp5_mhz", "ecp5_best_mhz")
    new = {field: LINE[field] for field in fpga_history.FIELDS[2:]}
    cells = new | dict.fromkeys(clocks, "") | dict(tools="yosys 0.23")
    grown = cells | dict(ice40_lut=1100)
    expect([fpga_history.append([one], "abc", path) for one in (new, cells, grown, grown)] == [1, 0, 1, 0], "1, 0, 1, 0 lines")
    known = fpga_history.last(fpga_history.read_history(path), "mesh_1x2")
    expect((known["ice40_lut"], known["ice40_mhz"], known["tools"]) == ("1100", "50.0", LINE["tools"]), "cells, clock", known)
    expect(fpga.steps_back(known, LINE | dict(ice40_mhz=40)) and not fpga.steps_back(known, LINE), "the old clock holds", known)
    fpga_history.append([cells | dict(tools="yosys 0.24")], "abc", path)
    known = fpga_history.last(fpga_history.read_history(path), "mesh_1x2")
    expect((known["ice40_mhz"], known["tools"]) == ("", "yosys 0.24"), "nothing from other tools", known)


PORTS = """module network
input [0:0] clk_i
input [0:0] rst_i
output [3:0] s_tready_o
input [7:0] s_tdata_i
output [1:0] m_tid_o
"""


def harness_of_a_design_has_its_ports_on_the_chains(room, build):
    text = fpga_flow.harness_text(PORTS)
    for part in ("serial_in #(.Width(9))", "serial_out #(.Width(6))", ".rst_i(in[0 +: 1])", ".s_tdata_i(in[1 +: 8])",
                 ".s_tready_o(out[0 +: 4])", ".m_tid_o(out[4 +: 2])"):
        expect(part in text, part, text)
    expect(".clk_i(" not in text, "the clock on no chain", text)


def set_that_grew_or_slowed_down_fails(room, build):
    """The real thing, measured; then against a history in which it was smaller or faster."""
    path, words = room / "history.csv", ["--build", build, "--short", "--seeds", "1", "--junit", room]
    status, output = run("fpga", *words, "--history", path)
    report = json.loads((build / "fpga/some.json").read_text())
    expect((status, report["compared"], report["not_compared"]) == (0, 0, 1), "no history: no failure, nothing compared", output)
    data = report["sets"]["mesh_1x2"]
    lut, mhz = data["area"]["ice40"]["lut"], data["clock"]["ice40"]["median"]
    expect(lut > 300 and mhz > 20, "a switch", (lut, mhz))
    tools = report["tools"].replace(", ", "; ")
    for old, bad in ((dict(ice40_lut=lut, ice40_mhz=mhz), False), (dict(ice40_lut=int(lut / 1.03)), True),
                     (dict(ice40_mhz=mhz / 0.89), True),
                     (dict(ice40_lut=int(lut / 1.03), tools=tools.replace("yosys ", "yosys 1")), False)):
        with path.open("w", newline="") as out:
            writer = csv.DictWriter(out, fpga_history.FIELDS)
            writer.writeheader()
            writer.writerow(dict.fromkeys(fpga_history.FIELDS, "") | dict(LINE, ecp5_narrow_lut="", ecp5_ff="", ice40_ff="",
                            ice40_lut="", ice40_mhz="", tools=tools) | old)
        status, output = run("fpga", *words, "--history", path)
        expect(status == int(bad) and ("STEP BACK mesh_1x2" in output) == bad, f"status {int(bad)} for {old}", (status, output))
        report = json.loads((build / "fpga/some.json").read_text())
        compared = int("tools" not in old)
        expect((report["compared"], report["not_compared"]) == (compared, 1 - compared), f"{compared} compared", report)


def pins_and_ports_belong_together(room, build):
    boards = {"ice40-hx8k-b-evn/pins.pcf": (dict(clk_i=1, upset_ni=1, led_o=8, uart_o=1), 12, "set_frequency clk_i 12"),
              "ulx3s-85f/pins.lpf": (dict(clk_i=1, again_i=1, upset_i=1, wifi_gpio0_o=1, led_o=8, uart_o=1), 25,
                                     'FREQUENCY PORT "clk_i" 25 MHZ;'),
              "arty-a7-35t/pins.xdc": (dict(clk_i=1, again_ni=1, upset_i=1, led_o=4, uart_o=1), 100,
                                       "create_clock -name clk_i -period 10.000 [get_ports {clk_i}]")}
    for name, (ports, mhz, clock) in boards.items():
        path = room / Path(name).name
        def check(old="", new="", other={}):
            path.write_text((BOARDS / name).read_text().replace(old, new) if old else (BOARDS / name).read_text())
            fpga_image.check_pins(path, ports | other, "clk_i", mhz)
        check()
        refused("led_o[3] is no port", check, "", "", {"led_o": 3})
        refused("uart is no port", check, "uart_o", "uart")
        refused("no pin for reset_i", check, "", "", {"reset_i": 1})
        refused("has a pin already", check, "led_o[1]", "led_o[0]")
        refused("found none", check, clock, "")
        refused(f"clk_i with {mhz} MHz", check, clock, clock.replace("12", "24").replace("25", "24").replace("10.000", "12"))


def image_is_made_and_one_that_is_late_is_not(room, build):
    """Place and route of a network of one switch; then without a clock, and with one that is too fast."""
    boards, name = room / "constraints", "ice40-hx8k-b-evn"
    shutil.copytree(BOARDS, boards)
    (room / "tiny.yaml").write_text(TINY)
    own = room / "build"
    own.mkdir()
    (own / "annelid").symlink_to((build / "annelid").resolve())
    words = ["--build", own, "--room", boards, "--scenario", room / "tiny.yaml", "--seeds", "1", name]
    image = own / f"fpga/{name}-tiny/{name}-tiny.bin"

    status, output = run("fpga-image", *words)
    expect(status == 0 and image.stat().st_size > 100000, "an image", output)

    pins, settings = (boards / name / file for file in ("pins.pcf", "board.toml"))
    replace(settings, "clock_mhz = 42", "clock_mhz = 84")  # a clock that the PLL cannot make
    status, output = run("fpga-image", *words)
    expect(status == 1 and "constrained to 84 MHz" in output, "a clock that nobody asks for is seen", (status, output))

    replace(pins, "set_frequency clk_i 12", "set_frequency clk_i 96")
    replace(settings, "input_mhz = 12", "input_mhz = 96")
    replace(settings, "clock_mhz = 84", "clock_mhz = 336")
    status, output = run("fpga-image", *words)
    expect(status == 1 and "the clock is not met" in output, "a clock that is not met is seen", (status, output))

    replace(pins, "uart_o", "uart")
    status, output = run("fpga-image", *words)
    expect(status == 1 and "pins.pcf:15: uart is no port" in output, "a wrong name is seen", (status, output))


def vivado_script_that_names_no_file_is_seen(room, build):
    script = Path("constraints/arty-a7-35t/build.tcl")
    (room / "board_parameters.svh").write_text("")
    def status(text):
        (room / "build.tcl").write_text(text)
        return subprocess.run(["tclsh", "tb/campaigns/fpga/vivado.tcl", room / "build.tcl", room], capture_output=True).returncode
    text = script.read_text()
    expect(status(text) == 0, "the script as it is is good")
    for old, new in (("board_reset.sv", "reset.sv"), ("pins.xdc", "pin.xdc"), ("route_design\n", ""), ("rtl/include", "rtl/inc"),
                     ("opt_design\n", "opt_desing\n")):
        expect(status(text.replace(old, new, 1)) != 0, f"{new!r} for {old!r} is seen")


TESTS = [limits_of_a_step_back, history_grows_by_what_is_new, figure_that_was_not_measured_is_that_of_the_line_before,
         harness_of_a_design_has_its_ports_on_the_chains, set_that_grew_or_slowed_down_fails,
         pins_and_ports_belong_together, image_is_made_and_one_that_is_late_is_not, vivado_script_that_names_no_file_is_seen]

if __name__ == "__main__":
    sys.exit(main("fpga-itself", TESTS, __doc__))
