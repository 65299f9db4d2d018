# SPDX-License-Identifier: Apache-2.0
"""And-inverter graphs, and the question whether two versions of one are the same.

Files are in AIGER's form, ASCII from Yosys and binary for abc. A graph has an input mutsel that selects a
version; 0 is the original. Two versions are the same if, whenever both are in the same state and have the same
inputs, they have the same outputs and the same next state, provided that the constraints of the original hold.
In reset (rst_i) only those registers are compared whose next value then follows from inputs alone, that is,
registers that are reset.

If this is not true of every state, it may be true of every state that the original can reach after a reset
(Pair.run): until there is a difference both are in the same state, so the original's registers are enough.

A literal is twice the number of a node, plus 1 if inverted; 0 is false, 1 is true.
"""

import re

# Yosys commands that turn processes, modules and memories into registers, and-gates and inverters.
LOWER = """proc
flatten
opt_clean -purge
memory_map
opt -fast -nodffe -nosdff
techmap
opt -fast -nodffe -nosdff
simplemap
dffunmap
aigmap
"""


def asked(ask):
    """Returns what abc says of whether outputs can ever be 1; ask(engine) asks it. Of outputs that are 0 by themselves newer
    versions say that they are solved, and not how, unless they are asked for an account (which does not tell cycles)."""
    output = ask("pdr")
    return output + ask("pdr -a") if "All outputs solved" in output else output


def proved(output):
    """Returns whether abc has proved that no output is ever 1."""
    return bool(re.search(r"^Property proved|^Properties: +All = (\d+)\. Proved = \1\. ", output, re.MULTILINE))


def alone(graph, number):
    """Returns a binary graph, the bytes of a file, with one of its bad states alone."""
    head, rest = graph.split(b"\n", 1)
    words = head.split()
    before, bad = int(words[3]) + int(words[4]), int(words[6])  # registers and outputs have a line each, and so has a bad state
    *lines, gates = rest.split(b"\n", before + bad)
    words[6] = b"1"
    return b"\n".join([b" ".join(words), *lines[:before], lines[before + number], gates])


class Graph:
    """A graph that was read from an ASCII file: inputs, then registers, then gates, in the order of their numbers."""

    def __init__(self, path):
        lines = iter(path.read_text().splitlines())
        sizes = [int(word) for word in next(lines).split()[2:]] + [0] * 4

        def rows(count):
            return [list(map(int, next(lines).split())) for _ in range(count)]
        self.inputs, self.registers = len(rows(sizes[0])), sizes[1]
        self.next = [row[1] for row in rows(self.registers)]
        self.outputs, _, self.constraints = ([row[0] for row in rows(sizes[kind])] for kind in (2, 4, 5))
        self.gates = [tuple(row[1:]) for row in rows(sizes[3])]
        self.select, self.reset = {}, None
        for index, names in re.findall(r"^i(\d+) (.*)$", "\n".join(lines), re.MULTILINE):
            chosen = re.search(r"(?:^| )mutsel\[(\d+)\]", names)
            if chosen:
                self.select[int(index) + 1] = int(chosen[1])
            if "rst_i" in names.split():
                self.reset = int(index) + 1


class Pair:
    """The original and one version at a time, with the same inputs. Gates that are equal in both exist once."""

    def __init__(self, graph):
        self.graph, self.operands, self.known = graph, [], {}
        self.free = graph.inputs + graph.registers
        self.original = self.values(0)
        self.kept = len(self.operands)
        self.is_reset, self.start = self.find_reset()

    def gate(self, a, b):
        if a > b:
            a, b = b, a
        if a == 0 or a == b ^ 1:
            return 0
        if a == 1 or a == b:
            return b
        found = self.known.get((a, b))
        if found is None:
            self.operands.append((a, b))
            found = self.known[a, b] = 2 * (self.free + len(self.operands))
        return found

    def differ(self, a, b):
        return 1 ^ self.gate(1 ^ self.gate(a, b ^ 1), 1 ^ self.gate(a ^ 1, b))

    def values(self, version, fixed=()):
        """Returns the literal, in this pair, of each node of the graph. fixed: nodes with a known value."""
        literals = [0] + [2 * number for number in range(1, self.free + 1)]
        for node, bit in self.graph.select.items():
            literals[node] = version >> bit & 1
        for node, value in dict(fixed).items():
            literals[node] = value
        for a, b in self.graph.gates:
            literals.append(self.gate(literals[a >> 1] ^ a & 1, literals[b >> 1] ^ b & 1))
        return literals

    def forget(self):
        """Removes the gates of the last version."""
        for operands in self.operands[self.kept:]:
            del self.known[operands]
        del self.operands[self.kept:]

    def cone(self, literal):
        """Returns the numbers of the gates and inputs on which a literal depends, ascending."""
        seen, left = set(), [literal >> 1]
        while left:
            node = left.pop()
            if node and node not in seen:
                seen.add(node)
                if node > self.free:
                    left += [operand >> 1 for operand in self.operands[node - self.free - 1]]
        return sorted(seen)

    def find_reset(self):
        """Finds for each register whether its next value in reset follows from inputs alone, and that value; None
        if it is not always the same."""
        in_reset = self.values(0, {self.graph.reset: 1} if self.graph.reset else {})
        values = [in_reset[literal >> 1] ^ literal & 1 for literal in self.graph.next]
        result = [all(node <= self.graph.inputs or node > self.free for node in self.cone(value))
                  for value in values]
        self.forget()
        return result, [value if value < 2 else None for value in values]

    def difference(self, version):
        """Returns a literal that is 1 if the version differs from the original in this cycle and the constraints hold."""
        old, new = self.original, self.values(version)
        running = 2 * self.graph.reset ^ 1 if self.graph.reset else 1
        seen = 0
        compared = [(literal, False) for literal in self.graph.outputs]
        compared += zip(self.graph.next, self.is_reset)
        for literal, also_in_reset in compared:
            unlike = self.differ(old[literal >> 1] ^ literal & 1, new[literal >> 1] ^ literal & 1)
            seen = 1 ^ self.gate(1 ^ seen, 1 ^ (unlike if also_in_reset else self.gate(unlike, running)))
        if seen:
            for literal in self.graph.constraints:
                seen = self.gate(seen, old[literal >> 1] ^ literal & 1)
        return seen

    def in_reset(self, literal):
        return self.gate(literal, 2 * self.graph.reset) if self.graph.reset else 0

    def question(self, literal):
        """Returns the graph with that literal as its output, as the bytes of a file."""
        cone = self.cone(literal)
        file = File([node for node in cone if node <= self.free], [])
        self.copy(file, cone)
        return file.text(f"{file.of(literal)}\n", "1 {} 0 0")

    def copy(self, file, cone):
        for node in cone:
            if node > self.free:
                file.place[node] = file.gate(*map(file.of, self.operands[node - self.free - 1]))

    def run(self, literal):
        """Returns the original from reset on, as the bytes of a file. The literal must never be 1; the constraints hold."""
        roots = [literal, *self.old(self.graph.constraints)]
        registers, cone = set(), set()
        while True:
            for root in roots:
                cone.update(self.cone(root))
            more = {node for node in cone if self.graph.inputs < node <= self.free} - registers
            if not more:
                break
            registers |= more
            roots = self.old(self.graph.next[node - self.graph.inputs - 1] for node in more)
        states = sorted(registers)
        drawn = [node for node in states if self.start[node - self.graph.inputs - 1] is None]
        file = File([node for node in sorted(cone) if node <= self.graph.inputs]
                    + [("drawn", node) for node in drawn], ["running", *states])
        running = file.place["running"]
        for node in states:  # before the first cycle a register has any value, or that of reset
            if node in drawn:
                value = file.either(running, file.place[node], file.place[("drawn", node)])
                file.place[node] = value
            else:
                file.place[node] = file.place[node] ^ self.start[node - self.graph.inputs - 1]
        self.copy(file, sorted(cone))
        texts = ["1"]
        for node in states:
            index = node - self.graph.inputs - 1
            texts.append(str(file.of(self.old([self.graph.next[index]])[0]) ^ (self.start[index] or 0)))
        held = 1
        for constraint in self.old(self.graph.constraints):
            held = file.gate(held, file.of(constraint))
        return file.text("\n".join([*texts, str(file.of(literal)), str(held)]) + "\n", "0 {} 1 1")

    def old(self, literals):
        return [self.original[literal >> 1] ^ literal & 1 for literal in literals]


class File:
    """A graph that is written; its nodes have new numbers."""

    def __init__(self, inputs, registers):
        self.inputs, self.registers = len(inputs), len(registers)
        self.place = {name: 2 * number for number, name in enumerate(inputs + registers, 1)}
        self.place[0], self.gates = 0, []

    def of(self, literal):
        return self.place[literal >> 1] ^ literal & 1

    def gate(self, a, b):
        self.gates.append((max(a, b), min(a, b)))
        return 2 * (self.inputs + self.registers + len(self.gates))

    def either(self, choice, a, b):
        return 1 ^ self.gate(1 ^ self.gate(choice, a), 1 ^ self.gate(choice ^ 1, b))

    def text(self, lines, sizes):
        first = self.inputs + self.registers + 1
        counts = sizes.format(len(self.gates))
        head = f"aig {first - 1 + len(self.gates)} {self.inputs} {self.registers} {counts}"
        out = bytearray(f"{head}\n{lines}".encode())
        for number, (high, low) in enumerate(self.gates, first):
            out += delta_of(2 * number - high) + delta_of(high - low)
        return bytes(out)


def delta_of(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return out
