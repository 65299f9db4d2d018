# SPDX-License-Identifier: Apache-2.0
"""Prove that what is idle stays as it is, so that a lock-step by switches need not evaluate it (docs/proofs.md, "Idle parts").

For each design of tb/formal/idle.toml Yosys makes a circuit without registers: their outputs are inputs, from any state at
all, and their inputs are outputs. Several copies in a row are so many cycles, in which nothing comes: no reset, no flit, no
credit, from no source. Whatever the state was: if no lane held a flit before and behind these cycles, and nothing was shown
behind each of them, then the next cycle changes no register, the generator of random bits included. Data beside a wire that
says that there is none, and what a sink takes, may be anything in each cycle. It is asked, too, that there is such a state.

The state is any state but one: a count in unary is one (`make prove ONLY=counter` proves that of every counter).

Some registers keep what comes beside such a wire, and so may change (`data`). Of them it is proved that they decide nothing:
whatever comes next, two parts that differ in them alone show the same, and all other registers go on alike.
The jobs are part of `make prove`.
"""

import dataclasses
import json
import re

from annelid.children import Wrong, tool
from annelid.corners import numbers
from annelid.planted import IDLE, read, rtl
from annelid.sources import RTL, chparam, needed, read_toml

STEP = """read_verilog -defer -sv -DSYNTHESIS -Irtl/include {files}
read_verilog -sv -DSYNTHESIS -Irtl/include {module}
{chparam}
hierarchy -check -top {top}
proc
flatten
setattr -set keep 1 w:{held}
opt_clean
memory_collect
memory_map
dffunmap
opt_clean -purge
rename -top step
expose step/w:{held}
expose -evert-dff -sep __ step
opt_clean -purge
write_json {room}/step.json
write_rtlil {room}/step.il
"""
ASK = """read_rtlil {room}/step.il
read_verilog {room}/rest.v
hierarchy -check -top rest
flatten
opt -full
sat -falsify -prove rests 0
sat -verify -prove keeps 1
"""
NOT_KEPT = "Called with -verify and proof did fail!"  # what Yosys says of the second question
CONSTANT = ("here_i", "table_i", "lanes_i", "straight_i", "terminals_i")  # inputs that are the same in each cycle
UNARY = re.compile("least(_o|_q)?$")  # registers whose ones stand together, from the lowest bit on
COMES = re.compile("rst_i|.*valid_i|.*credit_i")  # inputs that are 0 in these cycles
SHOWN = re.compile(".*valid_o|.*credit_o")        # outputs that must be 0


def escaped(name):
    return f"\\{name} "


class Step:
    """The circuit of a cycle."""

    def __init__(self, module, design):
        self.ports = {name: (port["direction"], len(port["bits"])) for name, port in module["ports"].items()}
        self.held, self.data = design.get("held"), re.compile(design.get("data", "$^"))
        self.registers = {name[:-3]: bits for name, (_, bits) in self.ports.items() if name.endswith("__q")}
        self.inputs = {name: bits for name, (way, bits) in self.ports.items() if way == "input" and not name.endswith("__q")}
        self.shown = [name for name, (way, _) in self.ports.items() if way == "output" and SHOWN.fullmatch(name)]
        if not self.registers or not self.shown:
            raise Wrong(f"{len(self.registers)} registers and {len(self.shown)} outputs that show something")

    def wires(self, cycle):
        """Declares what a cycle shows, and its registers behind it."""
        outputs = [*self.shown, *([self.held] if self.held else [])]
        return [f"wire [{self.ports[name][1] - 1}:0] {self.name(name, cycle)};" for name in outputs] + \
            [f"wire [{bits - 1}:0] {self.name(name, f'{cycle}d')};" for name, bits in self.registers.items()]

    def name(self, name, cycle):
        return escaped(f"{name}@{cycle}")

    def free(self, cycle, comes=False):
        """Yields (port, wire) of the inputs of a cycle that may be anything: if comes, all of them."""
        for name in self.inputs:
            if comes or not COMES.fullmatch(name):
                yield name, escaped(name if name in CONSTANT else f"{name}@{cycle}")

    def instance(self, cycle, inputs, state):
        """Returns an instance whose registers are state(name), with these inputs, and 0 at all others."""
        zeros = {name: f"{bits}'d0" for name, bits in self.inputs.items()}
        pins = [f".{escaped(name)}({wire})" for name, wire in (zeros | inputs).items()]
        pins += [f".{escaped(name)}({self.name(name, cycle)})" for name in [*self.shown, *([self.held] if self.held else [])]]
        for name in self.registers:
            pins += [f".{escaped(f'{name}__q')}({state(name)})", f".{escaped(f'{name}__d')}({self.name(name, f'{cycle}d')})"]
        return f"step s{cycle} ({', '.join(pins)});"


def question(step, cycles):
    """Returns the module rest in Verilog: the first cycle begins in any state, and the last one must change nothing. Behind it
    two copies, x and y, go on from one state, but for other data."""
    last = cycles + 1
    data = [name for name in step.registers if step.data.search(name)]
    def state(cycle):
        return lambda name: step.name(name, f"{cycle - 1}d")
    def other(name):
        return step.name(name, "x" if name in data else f"{last}d")
    inputs = {cycle: dict(step.free(cycle)) for cycle in range(1, last + 1)} | {"next": dict(step.free("next", comes=True))}
    declared = {wire: step.inputs[name] for wires in inputs.values() for name, wire in wires.items()}
    declared |= {step.name(name, "0d"): bits for name, bits in step.registers.items()}
    declared |= {step.name(name, "x"): step.registers[name] for name in data}
    body = [line for cycle in range(1, last + 1)
            for line in [*step.wires(cycle), step.instance(cycle, inputs[cycle], state(cycle))]]
    if data:
        body += [*step.wires("x"), step.instance("x", inputs["next"], other),
                 *step.wires("y"), step.instance("y", inputs["next"], state(last + 1))]
    idle = [f"{step.name(name, cycle)} == 0" for cycle in range(2, last + 1) for name in step.shown]
    idle += [f"{step.name(step.held, cycle)} == 0" for cycle in range(1, last + 1) if step.held]
    idle += [f"({state(1)(name)} & ({state(1)(name)} + 1'b1)) == 0" for name in step.registers if UNARY.search(name)]
    kept = [name for name in step.registers if name not in data]
    same = [f"{state(last)(name)} == {state(last + 1)(name)}" for name in kept]
    if data:
        same += [f"{step.name(name, 'x')} == {step.name(name, 'y')}" for name in step.shown]
        same += [f"{step.name(name, 'xd')} == {step.name(name, 'yd')}" for name in kept]
    return "\n".join([f"module rest ({', '.join(f'input [{bits - 1}:0] {wire}' for wire, bits in declared.items())},",
                      "output rests, output keeps);", *body,
                      f"assign rests = {' && '.join(idle)};", f"assign keeps = !rests || ({' && '.join(same)});", "endmodule", ""])


@dataclasses.dataclass(frozen=True)
class Job:
    """A design; or a fault of it, which must be refused. The fields are those of formal.Job."""
    design: dict
    sample: bool
    fault: dict = None
    proof, engine, depth = "idle", "sat", 0

    @property
    def mutant(self):
        return {"breaks": "idle"} if self.fault else None

    @property
    def kind(self):
        return "mutant" if self.fault else "proof"

    @property
    def name(self):
        return f"idle/{(self.fault or self.design)['name']}"

    def yosys(self, room, children, name, text):
        """Runs a script of Yosys. Returns whether it ended well, and what it said."""
        script = room / f"{name}.ys"
        script.write_text(text)
        status, said = children.logged([*tool("YOSYS"), "-q", str(script)], room / f"{name}.log")
        return not status, said

    def do(self, room, children):
        """Returns the result in words. Wrong: it is not the right one."""
        design, files = self.design, rtl([self.fault], room) if self.fault else RTL
        top = design["top"]
        *others, module = needed(top, files)
        made, said = self.yosys(room, children, "step", STEP.format(
            files=" ".join(map(str, others)), module=module, top=top, room=room, held=design.get("held", "none"),
            chparam=chparam(numbers(top, design["parameters"]), top)))
        if not made:
            raise Wrong(f"yosys: {said[-1500:]}")
        step = Step(json.loads((room / "step.json").read_text())["modules"]["step"], design)
        (room / "rest.v").write_text(question(step, design.get("cycles", 1)))
        holds, said = self.yosys(room, children, "rest", ASK.format(room=room))
        bits = sum(step.registers.values())
        if self.fault:
            if holds:
                raise Wrong(f"holds in spite of {[edit.new for edit in self.fault['edits']]}")
            if NOT_KEPT not in said:  # the question itself is wrong
                raise Wrong(f"yosys: {said[-600:]}")
            return "refused"
        if not holds:
            raise Wrong(f"is not kept: {said[-600:]}")
        return f"{bits:,} bits of registers keep"


def jobs():
    """Returns the jobs of the table."""
    designs = {design["name"]: design for design in read_toml(IDLE)["design"]}
    return [Job(design, design.get("sample", False)) for design in designs.values()] + \
        [Job(designs[fault["design"]], False, fault) for fault in read([IDLE], "idle")]
