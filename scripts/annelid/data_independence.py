# SPDX-License-Identifier: Apache-2.0
"""Prove that switches treat the free bits of flits as data (docs/proofs.md, "Data independence").

Free bits are those that a switch does not read in a head (docs/link.md). For each design of
tb/formal/data.toml Yosys makes a circuit of gates and flip-flops, in which nothing is optimized but that equal gates are merged. In it

- no free bit of an input flit reaches anything but bits of the same number of output flits, so control
  does not depend on them, nor one of them on another;
- for each output flit, the circuits that lead to any two of its free bits are the same gate for gate, and
  fed by the same control signals, so no bit is treated unlike another.

Then what is proved with one free bit holds for all, at any width. The jobs are part of `make prove`.
"""

import dataclasses
import json

from annelid.children import Wrong, tool
from annelid.corners import numbers
from annelid.planted import DATA, read, rtl
from annelid.sources import RTL, chparam, needed, read_toml

CIRCUIT = """read_verilog -defer -sv -DSYNTHESIS -Irtl/include {files}
read_verilog -sv -DSYNTHESIS -Irtl/include {module}
{chparam}
hierarchy -check -top {top}
proc
flatten
opt_clean
memory_collect
memory_map
techmap
simplemap
setundef -undriven -undef
opt_merge
opt_clean -purge
write_json {out}
"""
OUTPUTS = ("Q", "Y")  # of the gates and flip-flops of Yosys


class Circuit:
    """A circuit of gates and flip-flops. A net is a number of Yosys, or "0", "1", "x" for a constant."""

    def __init__(self, module, width, fields):
        self.width, self.fields, self.ports = width, fields, module["ports"]
        self.driver, self.readers = {}, {}  # net -> (type, {port: net}); net -> nets that such a cell drives
        for cell in module["cells"].values():
            pins = {port: nets[0] for port, nets in cell["connections"].items()}
            out = next(pin for pin in OUTPUTS if pin in pins)
            inputs = {port: net for port, net in pins.items() if port != out}
            self.driver[pins[out]] = (cell["type"], inputs)
            for net in inputs.values():
                self.readers.setdefault(net, []).append(pins[out])

    def flits(self, direction):
        """Yields (name, index, nets of its data bits) of the flits at ports of that direction."""
        for name, port in self.ports.items():
            if port["direction"] == direction and "flit" in name:
                step = self.width + 2
                for index in range(len(port["bits"]) // step):
                    yield name, index, port["bits"][index * step:][:self.width]

    def reach(self, nets):
        """Returns all nets that depend on one of these, with them."""
        seen, left = set(nets), list(nets)
        while left:
            for net in self.readers.get(left.pop(), ()):
                if net not in seen:
                    seen.add(net)
                    left.append(net)
        return seen

    def cone(self, bit):
        """Returns all nets that depend on this bit of the input flits."""
        return self.reach([nets[bit] for _, _, nets in self.flits("input")])

    def slice(self, net, cone, inputs):
        """Returns in words the circuit that leads from a bit of the input flits, and from control, to a net."""
        words, number, left = [], {}, [net]
        while left:
            net = left.pop()
            if net not in cone:
                words.append(f"control {net}")
            elif net in number:
                words.append(f"again {number[net]}")
            elif net in inputs:
                words.append(f"input {inputs[net]}")
            else:
                number[net] = len(number)
                kind, pins = self.driver[net]
                words.append(f"{kind} {' '.join(sorted(pins))}")
                left += [pins[port] for port in sorted(pins, reverse=True)]
        return tuple(words)


def outputs_of(circuit):
    """Returns {net: "port[bit]"} of the outputs that are no data of flits, and {net: bits} of those that are."""
    data = {}
    for _, _, nets in circuit.flits("output"):
        for bit, net in enumerate(nets):
            data.setdefault(net, set()).add(bit)
    others = {net: f"{name}[{i}]" for name, port in circuit.ports.items() if port["direction"] == "output"
              for i, net in enumerate(port["bits"]) if net not in data}
    return others, data


def check_control(circuit, cone, bit, others, data):
    for net in cone & others.keys():
        raise Wrong(f"data bit {bit} decides {others[net]}")
    for net in cone & data.keys():
        if data[net] != {bit}:
            raise Wrong(f"data bit {bit} decides data bit {min(data[net] - {bit})}")


def check_slices(circuit, bit, cone, first):
    """Compares the slices of a bit with those of the first free bit, which it adds to `first`."""
    inputs = {nets[bit]: f"{name} {index}" for name, index, nets in circuit.flits("input")}
    for name, index, nets in circuit.flits("output"):
        words = circuit.slice(nets[bit], cone, inputs)
        if first.setdefault((name, index), words) != words:
            raise Wrong(f"data bit {bit} of flit {index} of {name} is made otherwise than those below")


def check(circuit, alone):
    """Wrong: a free bit is more than data, or one but those `alone` is made otherwise than the others, or fewer bits are
    read than the table says."""
    others, data = outputs_of(circuit)
    first = {}
    for bit in range(circuit.fields, circuit.width):
        cone = circuit.cone(bit)
        check_control(circuit, cone, bit, others, data)
        if bit not in alone:
            check_slices(circuit, bit, cone, first)
    if circuit.fields and not circuit.cone(circuit.fields - 1) & others.keys():
        raise Wrong(f"data bit {circuit.fields - 1} decides nothing: less than {circuit.fields} bits are read")
    return f"{circuit.width - circuit.fields} free bits are data, {len(next(iter(first.values())))} words a slice"


def circuit_of(job, room, children):
    """Synthesizes a design, or a mutant of it, at a width."""
    design, files = job.design, rtl([job.fault], room) if job.fault else RTL
    top = design["top"]
    script, out = room / "circuit.ys", room / "circuit.json"
    *others, module = needed(top, files)
    script.write_text(CIRCUIT.format(files=" ".join(map(str, others)), module=module, top=top, out=out,
                                     chparam=chparam(numbers(top, design["parameters"] | {"FlitW": job.width}), top)))
    status, text = children.logged([*tool("YOSYS"), "-q", str(script)], room / "yosys.log")
    if status:
        raise Wrong(f"yosys: {text[-1500:]}")
    modules = json.loads(out.read_text())["modules"]
    out.unlink()
    module = next(module for module in modules.values() if module["attributes"].get("top"))
    return Circuit(module, job.width, design["fields"])


@dataclasses.dataclass(frozen=True)
class Job:
    """A design at a width; or a fault of it, which must be refused. The fields are those of formal.Job."""
    design: dict
    width: int
    sample: bool
    fault: dict = None
    proof, engine, depth = "data", "slices", 0

    @property
    def mutant(self):
        return {"breaks": "data"} if self.fault else None

    @property
    def kind(self):
        return "mutant" if self.fault else "proof"

    @property
    def name(self):
        return f"data/{(self.fault or self.design)['name']}-FlitW{self.width}"

    def do(self, room, children):
        """Returns the result in words. Wrong: it is not the right one."""
        refused = self.fault and self.fault["says"]
        try:
            text = check(circuit_of(self, room, children), self.design.get("alone", ()))
        except Wrong as wrong:
            if not refused or refused not in str(wrong):
                raise
            return f"refused: {wrong}"
        if refused:
            raise Wrong(f"is not refused: {text}")
        return text


def jobs():
    """Returns the jobs of the table. The first width of a design that is marked so is in the sample of `make test`. A fault may
    say that another number of bits is read."""
    designs = {design["name"]: design for design in read_toml(DATA)["design"]}
    proofs = [Job(design, width, not i and design.get("sample", False))
              for design in designs.values() for i, width in enumerate(design["widths"])]
    def faulty(fault):
        design = designs[fault["design"]]
        return design | dict(fields=fault.get("fields", design["fields"]))
    return proofs + [Job(faulty(fault), fault["width"], False, fault) for fault in read([DATA], "data")]
