# SPDX-License-Identifier: Apache-2.0
"""Mutants of the RTL: the sets of tb/campaigns/mutants/mutants.toml, and their netlists (docs/mutants.md).

A set is one module with fixed parameters, flattened by Yosys. All its mutants are in one netlist with
an input mutsel: 0 is the module as it is, i the i-th mutant.
"""

import dataclasses
import pathlib
import re

from annelid import aig, benches, rare
from annelid.children import Wrong
from annelid.corners import with_numbers
from annelid.sources import RTL, OfModule, chparam, needed, read_toml

ROOM = pathlib.Path("tb/campaigns/mutants")
ENVIRONMENT = "ANL_MUTANT"  # variable that selects the mutant that a program is


@dataclasses.dataclass(frozen=True)
class Set(OfModule):
    """One table of mutants.toml."""
    name: str
    text: str              # description
    module: str
    parameters: dict
    mutants: int
    seed: int
    state: tuple = ()      # registers that are observed, by their paths in the module
    scenarios: dict = dataclasses.field(default_factory=dict)  # {name: text} of the scenarios of the lock-step
    bench: bool = False    # the module's bench has a corner with these parameters
    keep: tuple = ()       # modules that are not flattened, so that the wiring between them is mutated
    only: str = ""         # if not empty, only this file of the RTL is mutated
    alone: bool = False    # without the modules in it
    clocks: int = 1        # of several only the proof from every state holds: in the other one all registers move at once
    short: bool = False    # the set is one of those of `make test-mutate`
    triggers: tuple = ()   # names of conditions: the set has rare mutants, too (annelid.rare)
    runs: int = 0          # number of its rare mutants
    least: float = 0.0     # the score that a set with rare mutants must reach
    written: pathlib.Path = None

    @property
    def reading(self):
        """Returns the options that read its text. Assertions become assumptions, as make prove proves them, but not for
        boards, whose assertions it does not prove."""
        return "-DSYNTHESIS -Irtl/include" if "board" in self.source.parts else f"-I{ROOM}/include"

    @property
    def select_width(self):
        return self.mutants.bit_length()


@dataclasses.dataclass
class Mutant:
    number: int
    command: str  # Yosys command that makes the mutant
    trigger: int = 0  # number of the trigger after which it acts; 0: it always acts

    @property
    def files(self):
        """Returns the RTL files from whose text the mutated cell comes; the module that contains it is the last. A cell that
        an optimization has made may come from no text."""
        module = re.search(r"-module (\S+)", self.command)[1]
        return (list(dict.fromkeys(re.findall(r"-src ((?:rtl|papers)/\S+?):", self.command)))
                or [str(path) for path in RTL if path.stem == module])

    @property
    def place(self):
        """Returns cell, port, bit and the change in one line, without the number that Yosys gives to a cell without a
        name, since that number changes with any change of the RTL."""
        mode = re.search(r"-mode (\S+)", self.command)[1]
        cell = re.search(r"-cell (\S+)", self.command)[1].replace("$flatten", "").replace("\\", "")
        cell = re.sub(r"(:\d+)\$\d+", r"\1", cell)
        port = re.search(r"-port (\S+) -portbit (\d+)", self.command)
        control = re.search(r"-ctrlbit (\d+)", self.command)
        return f"{mode} {cell}.{port[1]}[{port[2]}]" + (f" if [{control[1]}]" if control else "")


def innermost(files):
    """Returns the file whose module instantiates none of the others."""
    modules = {path.stem: str(path) for path in RTL}
    def uses(path, other):
        return re.search(rf"\b{pathlib.Path(other).stem}\b", pathlib.Path(path).read_text())
    found = [path for path in files if path in modules.values()
             and not any(uses(path, other) for other in files if other != path)]
    return found[0] if found else files[-1]


def load():
    """Returns {name: set} of all sets."""
    data = read_toml(ROOM / "mutants.toml")
    state, scenarios, sets = data.pop("state", {}), data.pop("scenarios", {}), {}
    for name, table in data.items():
        try:
            listed = {key: tuple(value) if isinstance(value, list) else value for key, value in with_numbers(f"mutants.toml, set {name}", table).items()}
            listed["scenarios"] = {scenario: scenarios[scenario] for scenario in table.get("scenarios", ())}
            one = Set(name=name, state=tuple(state.get(table["module"], ())), **listed)
        except (TypeError, KeyError) as error:
            raise Wrong(f"mutants.toml, set {name}: {error!r}") from error
        if one.triggers:
            rare.check(one)
        sets[name] = one
    return sets


def port_of(state):
    """Returns the name of the port that shows a register of the netlist."""
    return "state__" + state.replace(".", "__")


def ranges(one, netlist):
    """Returns the range of each observed register, as the text of the netlist declares it."""
    return {item: re.search(rf"^  output (\[.*?\] )?{port_of(item)};", netlist, re.MULTILINE)[1] or ""
            for item in one.state}


# Makes the netlist, and the list of mutants of cells that reach an output, not of those that only show state.
DESIGN = """read_verilog -sv -formal {reading} {files}
{library}
{chparam}
{prepare}
select -set real o:* %ci* {only}
{expose}
cd {module}
{rename}
cd
write_rtlil {directory}/design.il
mutate -list {mutants} -seed {seed} -cfg pick_cover_prcnt 90 -o {directory}/list.txt @real
"""
# Prepares the module. An observed signal may be computed from registers, and perhaps nothing in the module reads it.
PREPARE = """hierarchy -check -top {module}
proc
flatten
{keep}
prep -top {module}
{let_go}"""
PREPARE_WIRING = "hierarchy -top {module}\nproc\nopt_clean"


def selected(one):
    """Returns the words of Yosys that keep of the selected cells those that are mutated."""
    if not one.only:
        return ""
    inside = [path for path in needed(pathlib.Path(one.only).read_text()) if one.alone and str(path) != one.only]
    return " ".join([f"a:src=*{one.only}* %i", *(f"a:src=*{path}:* %d" for path in inside)])


def design_script(one, directory):
    kept = [path for path in RTL if path.stem in one.keep]
    state = " ".join(f"w:{item}" for item in one.state)
    return DESIGN.format(
        files=" ".join(str(path) for path in needed(one.module) if path not in kept),
        library="\n".join(f"read_verilog -sv -lib {one.reading} {path}" for path in kept),
        reading=one.reading, directory=directory, module=one.module,
        chparam=one.chparam, only=selected(one),
        prepare=(PREPARE_WIRING if one.keep else PREPARE).format(
            module=one.module, keep=f"setattr -set keep 1 {state}" if state else "",
            let_go=f"setattr -unset keep {state}" if state else ""),
        expose=f"expose {state}" if state else "",
        rename="\n".join(f"rename {item} {port_of(item)}" for item in one.state),
        mutants=one.mutants, seed=one.seed)


def read_suite(directory):
    lines = (directory / "list.txt").read_text().splitlines()
    return [Mutant(number, line) for number, line in enumerate(filter(possible, lines), 1)]


def possible(line):
    """Returns whether a mutant can be made. Memories are read without a clock, and Yosys allows only constants at clock,
    enable and reset of a read port; the proofs have one clock, which is no signal."""
    return not re.search(r"-port \\?(RD_(CLK|EN|ARST|SRST)|(WR_)?CLK) ", line)


def mutants_script(one, directory, mutants):
    """Returns the script that writes all mutants as one netlist, in Verilog and for the proofs."""
    apply = "\n".join(f"mutate -ctrl mutsel {one.select_width} {mutant.number} "
                      + mutant.command.removeprefix("mutate ") for mutant in mutants)
    return f"""read_rtlil {directory}/design.il
{apply}
write_rtlil {directory}/mutants.il
chformal -remove
opt_clean
rename {one.module} {one.module}_mutants
write_verilog -noattr {directory}/netlist.v
"""


def mutsel(one):
    """Returns the text that declares the input mutsel of the netlist, and gives it its value."""
    if one.triggers:
        return rare.gate(one, ENVIRONMENT)
    return (f"  logic [{one.select_width - 1}:0] mutsel;\n"
            f"  initial mutsel = {one.select_width}'({rare.environment(ENVIRONMENT)});\n")


def stand_in(one, directory):
    """Returns a module of the same name, parameters and ports. With the set's parameters it is the netlist, with others
    the original. Registers that probes and benches read have their original paths."""
    # A mutant may select two inputs of a multiplexer at once, and Verilator would stop at such a case.
    netlist = (directory / "netlist.v").read_text().replace("// synopsys parallel_case", "")
    widths = ranges(one, netlist)
    rooms = {item.rpartition(".")[0] for item in one.state}
    shown, holders = "", ""
    for room in sorted(rooms):
        names = [item.rpartition(".")[2] for item in one.state if item.rpartition(".")[0] == room]
        wires = {name: f"{room}.{name}" if room else name for name in names}
        if room:
            holders += f"module {one.module}_{room} (\n" + ",\n".join(
                f"  input logic {widths[wires[name]]}{name}" for name in names) + "\n);\nendmodule\n\n"
            shown += f"  {one.module}_{room} {room} (\n" + ",\n".join(
                f"    .{name}({port_of(wires[name])})" for name in names) + "\n  );\n"
        else:
            shown += "".join(f"  wire {widths[name]}{name} = {port_of(name)};\n" for name in names)
    declared = "".join(f"  wire {widths[item]}{port_of(item)};\n" for item in one.state)
    copied = "".join(f"    assign {port_of(item)} = u_whole.{item};\n" for item in one.state)
    selected = f"{mutsel(one)}\n{declared}{shown}\n"
    before = rare.SOURCE.read_text() if one.triggers else ""
    return one.stand_in(f"{one.module}_mutants", f"{before}\n{netlist}\n{holders}", selected, copied)


def bench(one):
    """Returns the module's bench at the corner that has the set's parameters alone, and a top module with it."""
    own = benches.ROOM / f"tb_{one.module}.sv"
    return (own.read_text() if own.exists() else "") + benches.top("bench", {one.module: [benches.corner_with(one.module, one.parameters)]})


# For the proofs: makes an and-inverter graph of the module and of what may arrive on its links. async2sync, which finds
# nothing asynchronous, makes the assertions of newer versions of Yosys into those that they write.
GRAPH = """read_rtlil {directory}/mutants.il
{kept}
read_verilog -sv -formal {reading} {files} {room}/anl_contract.sv {directory}/world.sv
{chparam}
hierarchy -top world
proc
async2sync
""" + aig.LOWER + """setundef -zero
opt_clean -purge
write_aiger -ascii -B -symbols -no-startoffset {directory}/graph.aag
"""
# Lane and flit of an outgoing link are compared only while it is valid, as they mean nothing otherwise.
LINKS = """
  logic [NumPorts*VcW-1:0]   vc;
  logic [NumPorts*LinkW-1:0] flit;
  for (genvar p = 0; p < NumPorts; p++) begin : g_seen
    assign vc_o[p*VcW +: VcW]       = valid_o[p] ? vc[p*VcW +: VcW] : '0;
    assign flit_o[p*LinkW +: LinkW] = valid_o[p] ? flit[p*LinkW +: LinkW] : '0;
  end
  for (genvar p = 0; p < NumPorts; p++) begin : g_link
    anl_contract #(
      .K({digit}), .N({digits}), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .FlowControl(FlowControl),
      .LengthInHead(LengthInHead)
    ) u_contract (
      .clk_i, .rst_i, .valid_i(valid_i[p]), .taken_i(1'b1), .vc_i(vc_i[p*VcW +: VcW]),
      .flit_i(flit_i[p*LinkW +: LinkW])
    );
  end
"""
# The label of a switch consists of digits like those of destinations.
LABEL = """
  for (genvar d = 0; d < N; d++) begin : g_here
    always @* if (!rst_i) assume (32'(here_i[d*(DstW/N) +: DstW/N]) < {digit});
  end
"""
# The routes of a switch of a graph are constant, and each names a port and some lanes.
TABLE = """
  logic [Classes*TableW-1:0] table_q;
  always_ff @(posedge clk_i) begin : keep
    table_q <= table_i;
  end
  always @* if (!rst_i) assume (table_i == table_q);
  for (genvar t = 0; t < Classes * T; t++) begin : g_entry
    always @* assume (32'(table_i[t*anl_pkg::EntryW +: anl_pkg::EntryVcsLsb]) < NumPorts
                      && table_i[t*anl_pkg::EntryW + anl_pkg::EntryVcsLsb +: ClassVcs] != '0);
  end
"""
# The signals of a source are legal even while they are not valid (src_ready_o depends on them, though it is ignored
# then). Credits come back only for flits that were sent.
SOURCE = """
  anl_contract #(
    .K(2 ** DstW), .N(1), .NumVcs(1), .Depth(Depth), .FlitW(FlitW), .FlowControl(FlowControl),
    .LengthInHead(LengthInHead)
  ) u_contract (
    .clk_i, .rst_i, .valid_i(1'b1), .taken_i(src_valid_i && src_ready_o), .vc_i(1'b0), .flit_i(src_flit_i)
  );
  for (genvar v = 0; v < NumVcs; v++) begin : g_lent
    logic [CntW-1:0] lent_q;
    always_ff @(posedge clk_i) begin : lent
      if (rst_i) lent_q <= '0;
      else       lent_q <= lent_q + CntW'(inj_valid_o && 32'(inj_vc_o) == v) - CntW'(inj_credit_i[v]);
    end
    always @* if (!rst_i && inj_credit_i[v]) assume (lent_q != '0);
  end
"""


# These parts of the state mean something only in a lane that is bound, or owned.
MEANT = {"bound_port": "bound", "bound_vc": "bound", "owner_port": "owned", "owner_vc": "owned"}
MASKED = """  for (genvar l = 0; l < $bits({mask}); l++) begin : g_{seen}
    localparam int W = $bits({port}) / $bits({mask});
    assign {seen}[l*W +: W] = {port}[l*W +: W] & {{W{{{mask}[l]}}}};
  end
"""


def seen_state(one, directory):
    """Returns (declarations of the outputs that show the state, text that assigns their values)."""
    ports, wires, text = "", "", ""
    for item, bits in ranges(one, (directory / "netlist.v").read_text()).items():
        room, dot, name = item.rpartition(".")
        port, seen = port_of(item), "seen_" + port_of(item)
        ports += f",\n  output logic {bits}{seen}"
        wires += f"  wire {bits}{port};\n"
        if name in MEANT:
            text += MASKED.format(port=port, seen=seen, mask=port_of(room + dot + MEANT[name]))
        else:
            text += f"  assign {seen} = {port};\n"
    return ports, wires + text


def digits(one):
    """Returns the values of a digit of a terminal's label, and how many digits it has, as a switch of the set knows them."""
    if "T" in one.parameters:
        return dict(digit="T", digits="1")
    return dict(digit="4" if "Level" in one.parameters else "K", digits="N")


def around(one):
    """Returns the text that restricts what a switch gets besides links: its label, its routes, or nothing if heads have them."""
    if "Longest" in one.parameters:
        return ""
    return TABLE if "T" in one.parameters else LABEL.format(**digits(one))


def world(one, directory):
    """Returns the module in an environment that restricts what arrives on links and at terminals, and nothing else."""
    links, seen = "", ""
    if "switch" in one.module:
        links, seen = LINKS.format(**digits(one)) + around(one), ".vc_o(vc), .flit_o(flit), "
    elif one.module == "anl_terminal":
        links = SOURCE
    header = one.header.replace(f"module {one.module} ", "module world ")
    ports, state = seen_state(one, directory)
    return (f"{header},\n  input logic [{one.select_width - 1}:0] mutsel{ports}\n);\n{state}{links}"
            f"  {one.module} u_module ({seen}.*);\nendmodule\n")


def graph_script(one, directory):
    kept = [path for path in RTL if path.stem in one.keep]
    files = [path for path in RTL if path.stem != one.module and (kept or path.stem.endswith("_pkg"))]
    return GRAPH.format(directory=directory, reading=one.reading, files=" ".join(map(str, files)), room=ROOM,
                        chparam=chparam(one.parameters, "world"), kept="\n".join(f"delete ={path.stem}" for path in kept))
