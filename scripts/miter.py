# SPDX-License-Identifier: Apache-2.0
"""The question whether two and-inverter graphs ever differ at an output, as a graph with one output: 1 if
they do (docs/gates.md).

Both see the same inputs. Reset is held in the first cycle, in which nothing is compared; all registers
are 0 before it, whatever the files say. A counterexample of n cycles is one from reset on.
"""

import re

import aig
from children import Wrong


class Side:
    """One of the two: a graph, and the names of its inputs and outputs, bit by bit."""

    def __init__(self, path):
        self.graph = aig.Graph(path.read_bytes())
        text = path.with_suffix(".map").read_text()
        self.inputs, self.outputs = (
            {f"{name}[{bit}]": int(index) for index, bit, name in
             re.findall(rf"^{kind} (\d+) (\d+) (\S+)$", text, re.MULTILINE)} for kind in ("input", "output"))
        if len(self.inputs) != self.graph.inputs or len(self.outputs) != len(self.graph.outputs):
            raise Wrong(f"{path} and its map do not fit: {len(self.inputs)} of {self.graph.inputs} inputs, "
                        f"{len(self.outputs)} of {len(self.graph.outputs)} outputs have a name")

    def lay(self, file, inputs, states):
        """Adds its gates; literals in the file of all its nodes."""
        ordered = sorted(self.inputs, key=self.inputs.get)
        literals = [0, *(inputs[name] for name in ordered), *states]
        for a, b in self.graph.gates:
            literals.append(file.gate(literals[a >> 1] ^ a & 1, literals[b >> 1] ^ b & 1))
        return literals


def miter(gold, gates):
    """The file. Wrong: they do not have the same ports."""
    for what, ours, theirs in (("inputs", gold.inputs, gates.inputs), ("outputs", gold.outputs, gates.outputs)):
        if set(ours) != set(theirs):
            raise Wrong(f"{what} that only one of both has: {', '.join(sorted(set(ours) ^ set(theirs)))}")
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
    for name in sorted(gold.outputs):
        a, b = (literals[literal >> 1] ^ literal & 1 for literals, literal in
                ((literals, side.graph.outputs[side.outputs[name]]) for side, literals in zip(sides, laid)))
        equal = file.gate(equal, file.gate(1 ^ file.gate(a, b ^ 1), 1 ^ file.gate(a ^ 1, b)))
    differs = file.gate(running, equal ^ 1)
    nexts = [literals[literal >> 1] ^ literal & 1 for side, literals in zip(sides, laid)
             for literal in side.graph.next]
    return file.text("\n".join(map(str, [1, *nexts, differs])) + "\n", "1 {}")


def verdict(output):
    """What abc's pdr said: None if both are equal, else the cycle in which they differ, counted from the
    first out of reset. Wrong: neither."""
    proved = len(re.findall(r"^Property proved", output, re.MULTILINE))
    refuted = re.findall(r"^Output +0 .*was asserted in frame (\d+)", output, re.MULTILINE)
    if proved + len(refuted) != 1:
        raise Wrong(f"abc gives no verdict: {output[-1500:]}")
    return int(refuted[0]) - 1 if refuted else None
