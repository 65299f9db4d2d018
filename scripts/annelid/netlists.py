# SPDX-License-Identifier: Apache-2.0
"""Netlists of the RTL (docs/gates.md): sets of parameters (tb/campaigns/gates/gates.toml), families of cells, and the
Yosys scripts that make and read them."""

import dataclasses
import os
import pathlib
import random
import re
import shutil

from annelid import aig
from annelid.children import Wrong, tool
from annelid.corners import NAMES, with_numbers
from annelid.sources import WRITTEN, OfModule, needed, read_toml

ROOM = pathlib.Path("tb/campaigns/gates")


@dataclasses.dataclass(frozen=True)
class Family:
    """A family of cells."""
    name: str
    synth: str         # Yosys commands that turn the RTL of {top} into cells
    models: tuple      # files of Yosys' simulation models, below its data directory
    map: str = ""      # Yosys commands that turn cells into its own ones; "": none are needed
    flags: tuple = ()  # options of Verilator
    own: str = ""      # file of our model, in tb/campaigns/gates
    table: str = ""    # parameter that holds the table of a look-up table
    luts: str = ""     # types of cells, as regular expressions
    flops: str = ""
    memory: str = ""

    def verilator(self):
        share = data_directory()
        return " ".join([*(flag.format(share=share) for flag in self.flags),
                         *(f"-v {share / model}" for model in self.models)])

    def count(self, types):
        """Returns {kind: number of cells} for {type: number}."""
        kinds = {"luts": self.luts, "flops": self.flops, "memory": self.memory}
        seen = {kind: sum(number for cell, number in types.items() if re.fullmatch(pattern, cell))
                for kind, pattern in kinds.items()}
        return {**seen, "other": sum(types.values()) - sum(seen.values())}


# Replaces cells by their models; for thousands of cells this is the only quick way.
BACK = "techmap -wb -D EQUIV -autoproc -map +/{model}"

FAMILIES = {family.name: family for family in (
    Family("generic", "synth -flatten -top {top}; abc -lut 4; opt_clean", ("simcells.v",), own="lut.v",
           table="LUT", luts=r"\$lut", flops=r"\$_S?DFFC?E?_\w+", memory=r"\$mem.*"),
    Family("ice40", "synth_ice40 -top {top}", ("ice40/cells_sim.v",),
           map=BACK.format(model="ice40/cells_sim.v"), flags=("-DNO_ICE40_DEFAULT_ASSIGNMENTS",),
           table="LUT_INIT", luts="SB_LUT4", flops=r"SB_DFF\w*", memory=r"SB_RAM40_\w+"),
    Family("ecp5", "synth_ecp5 -nowidelut -nodsp -top {top}", ("ecp5/cells_sim.v",),
           map=BACK.format(model="ecp5/cells_sim.v"), flags=("-I{share}/ecp5",),
           table="INIT", luts="LUT4", flops="TRELLIS_FF", memory="TRELLIS_DPR16X4|DP16KD"),
    Family("xilinx", "synth_xilinx -flatten -noiopad -noclkbuf -nowidelut -nodsp -top {top}", ("xilinx/cells_sim.v",),
           map=BACK.format(model="xilinx/cells_sim.v"),
           table="INIT", luts=r"LUT\d|INV", flops=r"FD[RSCP]E", memory=r"RAM\d+\w+|SRL\w+|RAMB\w+"),
)}


@dataclasses.dataclass(frozen=True)
class Set(OfModule):
    """One table of gates.toml."""
    name: str
    module: str
    parameters: dict
    what: str            # description
    scenario: str = ""   # "": the netlist is proved and not replayed
    mode: str = ""       # mode of the lock-step
    faults: bool = False  # also try a netlist with a changed bit of a table
    short: bool = False   # the set is one of those of `make test-gates`
    written: pathlib.Path = None

    @property
    def files(self):
        """Returns the RTL files that it is made of and no others, so that a change of others changes nothing here."""
        return [*needed(self.written.read_text()), self.written] if self.written else needed(self.module)

    @property
    def path(self):
        return ROOM / f"scenarios/{self.scenario}.yaml"


def load():
    """Returns {name: set} of all sets."""
    path = ROOM / "gates.toml"
    return {name: checked(path, name, table) for name, table in read_toml(path).items()}


def checked(path, name, table):
    try:
        one = Set(name=name, **with_numbers(f"{path}, set {name}", table))
        if one.module != WRITTEN:  # a network that is not written yet
            check_parameters(one)
    except (TypeError, KeyError) as error:
        raise Wrong(f"{path}, set {name}: {error!r}") from error
    replayed = one.mode in ("links", "ends") and one.path.exists()
    if not replayed and (one.scenario or one.mode):
        raise Wrong(f"{path}, set {name}: mode {one.mode}, expected links or ends; scenario {one.path}")
    return one


def check_parameters(one):
    """Wrong: the parameters of a set are not those of its module. What has words may be left out: it is the default."""
    if not set(one.declared) - set(NAMES.values()) <= set(one.parameters) <= set(one.declared):
        raise Wrong(f"{ROOM}/gates.toml, set {one.name}: parameters of {one.module} are {', '.join(one.declared)}")


def data_directory():
    """Returns the directory of Yosys' models."""
    yosys = shutil.which(tool("YOSYS")[-1])
    if not yosys:
        raise Wrong("there is no yosys: make setup")
    return pathlib.Path(os.path.realpath(yosys)).parent.parent / "share/yosys"


def read(files, change):
    """Returns the script that reads RTL and gives a module its parameters (chparam)."""
    return f"read_verilog -sv -Irtl/include {' '.join(map(str, files))}\n{change}\n"


def netlist_script(one, family, directory):
    """Returns the script that writes netlist.v and counts its cells. Every cell is an instance, also those that Verilog
    has operators for. Every wire has one bit, for a chain of carries in one vector would be a loop for Verilator."""
    return (f"{read(one.files, one.chparam)}{family.synth.format(top=one.module)}\ncheck -assert\n"
            f"tee -q -o {directory}/cells.json stat -json\nsplitnets\nrename {one.module} {one.module}_netlist\n"
            f"write_verilog -noattr -noexpr {directory}/netlist.v\n")


# All registers must follow the one clock: the miter has no other.
GRAPH = aig.LOWER + """setundef -undriven -zero
opt_clean -purge
select -assert-none t:$_*FF_* w:clk_i %co1:+$_DFF_P_[C] %d
rename -top {name}
write_rtlil {room}/{name}.il
"""


def gold_script(one, directory):
    return f"{read(one.files, one.chparam)}prep -top {one.module} -flatten\n{GRAPH.format(name='gold', room=directory)}"


def graph_script(one, family, directory):
    """Returns the script that makes a graph of the netlist's file, with the models of its cells."""
    return (f"read_verilog -icells {directory}/netlist.v\n{family.map}\nhierarchy -check -top {one.module}_netlist\n"
            f"{GRAPH.format(name='gates', room=directory)}")


def stand_in(one, family, netlist):
    """Returns the text of a file that replaces the module's: with the set's parameters it is the netlist, with others
    the original module."""
    model = (ROOM / family.own).read_text() if family.own else ""
    return one.stand_in(f"{one.module}_netlist", f"{netlist}\n{model}")


@dataclasses.dataclass(frozen=True)
class Fault:
    """One bit of one table, inverted."""
    cell: str
    bit: int
    text: str  # text of the netlist

    @property
    def place(self):
        return f"bit {self.bit} of the table of {self.cell}"


def faults(family, netlist, name):
    """Yields faults without end, in an order that depends on the name alone."""
    pattern = (rf"^  \\?(?:{family.luts}) +#\([^;]*?\.{family.table}\((\d+)'h([0-9a-f]+)\)"
               r"[^;]*?\n  \) (\\\S+|\w+)")
    tables = list(re.finditer(pattern, netlist, re.MULTILINE))
    if not tables:
        raise Wrong(f"{name}: no tables in the netlist")
    draw = random.Random(name)
    while True:
        table = draw.choice(tables)
        width = int(table[1])
        bit = draw.randrange(width)
        value = f"{int(table[2], 16) ^ 1 << bit:0{-(-width // 4)}x}"
        yield Fault(table[3].lstrip("\\"), bit, netlist[:table.start(2)] + value + netlist[table.end(2):])
