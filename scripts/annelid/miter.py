# SPDX-License-Identifier: Apache-2.0
"""Makes a miter: a graph whose one output is 1 if two and-inverter graphs ever differ at an output (docs/gates.md).

Both have the same inputs. Reset is active in the first cycle, in which nothing is compared; before it all registers
are 0, whatever the files say. The cycles of a counterexample count from reset on. Lane and flit of a link are compared
only while the link is valid, as they mean nothing otherwise (docs/link.md).
"""

import re

from annelid import aig
from annelid.children import Wrong


class Side:
    """One of the two graphs, with the names of its inputs and outputs, bit by bit."""

    def __init__(self, path):
        self.graph = aig.Graph(path)
        text = path.with_suffix(".map").read_text()
        self.inputs, self.outputs = (
            {f"{name}[{bit}]": int(index) for index, bit, name in
             re.findall(rf"^{kind} (\d+) (\d+) (\S+)$", text, re.MULTILINE)} for kind in ("input", "output"))
        nameless = set(range(len(self.graph.outputs))) - set(self.outputs.values())
        if len(self.inputs) != self.graph.inputs or any(self.graph.outputs[index] for index in nameless):
            raise Wrong(f"{path}: {self.graph.inputs - len(self.inputs)} inputs without a name, or outputs that "
                        "are not 0")

    def output(self, name, literals):
        """Returns the literal of an output. Yosys leaves out names of constant outputs, all of which are 0."""
        if name not in self.outputs:
            return 0
        literal = self.graph.outputs[self.outputs[name]]
        return literals[literal >> 1] ^ literal & 1

    def lay(self, file, inputs, states):
        """Adds the gates of this graph to file. Returns the literals of all its nodes there."""
        ordered = sorted(self.inputs, key=self.inputs.get)
        literals = [0, *(inputs[name] for name in ordered), *states]
        for a, b in self.graph.gates:
            literals.append(file.gate(literals[a >> 1] ^ a & 1, literals[b >> 1] ^ b & 1))
        return literals


def widths(netlist):
    """Returns how many bits each output has that the text of a netlist declares."""
    return {name: int(high or 0) + 1
            for high, name in re.findall(r"^ *output (?:\[(\d+):0\] )?(\w+);", netlist, re.MULTILINE)}


def said_by(name, bits):
    """Returns the `valid` of the link whose lane or flit an output is; None for other outputs."""
    match = re.fullmatch(r"(\w*?)(vc|flit)_o\[(\d+)\]", name)
    valid = f"{match[1]}valid_o" if match else None
    if valid not in bits:
        return None
    return f"{valid}[{int(match[3]) * bits[valid] // bits[f'{match[1]}{match[2]}_o']}]"


def miter(gold, gates, bits):
    """Returns the miter as a file. bits are the widths of the outputs. Wrong: the graphs have different ports."""
    strange = set(gold.inputs) ^ set(gates.inputs)
    if strange or len(gold.graph.outputs) != len(gates.graph.outputs):
        raise Wrong(f"inputs that only one of both has: {', '.join(sorted(strange)) or 'none'}; "
                    f"{len(gold.graph.outputs)} and {len(gates.graph.outputs)} outputs")
    if not gold.outputs or "rst_i[0]" not in gold.inputs:
        raise Wrong("no outputs to compare, or no rst_i")
    sides, names = (gold, gates), sorted(gold.inputs)
    registers = [(side, number) for side in sides for number in range(side.graph.registers)]
    file = aig.File(names, ["running", *registers])
    inputs, running = {name: file.of_name(name) for name in names}, file.of_name("running")
    inputs["rst_i[0]"] = 1 ^ file.gate(running, inputs["rst_i[0]"] ^ 1)
    laid = [side.lay(file, inputs, [file.of_name((side, number)) for number in range(side.graph.registers)])
            for side in sides]
    equal = 1
    for name in sorted(set(gold.outputs) | set(gates.outputs)):
        a, b = (side.output(name, literals) for side, literals in zip(sides, laid))
        same = file.gate(1 ^ file.gate(a, b ^ 1), 1 ^ file.gate(a ^ 1, b))
        valid = said_by(name, bits)
        if valid:
            same = 1 ^ file.gate(gold.output(valid, laid[0]), same ^ 1)
        equal = file.gate(equal, same)
    differs = file.gate(running, equal ^ 1)
    nexts = [literals[literal >> 1] ^ literal & 1 for side, literals in zip(sides, laid)
             for literal in side.graph.next]
    return file.text("\n".join(map(str, [1, *nexts, differs])) + "\n", "1 {}")


def verdict(output):
    """Returns the result of abc's pdr: None if both graphs are equal, else the cycle in which they differ, counted from
    the first one after reset. Wrong: it found out neither."""
    proved = len(re.findall(r"^Property proved", output, re.MULTILINE))
    refuted = re.findall(r"^Output +0 .*was asserted in frame (\d+)", output, re.MULTILINE)
    if proved + len(refuted) != 1:
        raise Wrong(f"abc gives no verdict: {output[-1500:]}")
    return int(refuted[0]) - 1 if refuted else None
