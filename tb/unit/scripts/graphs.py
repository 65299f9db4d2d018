# SPDX-License-Identifier: Apache-2.0
"""Cubes written as graphs: wiring and routing table by the formulas of docs/networks.md, as a section of a scenario."""
from dataclasses import dataclass


@dataclass
class Cube:
    topology: str
    k: int
    n: int
    num_vcs: int
    routing: str

    @property
    def switches(self):
        return self.k ** self.n

    @property
    def two_way(self):
        return self.topology in ("mesh", "torus")

    @property
    def terminal_port(self):
        return 2 * self.n if self.two_way else self.n

    def coordinate(self, s, d):
        return s // self.k ** d % self.k

    def step(self, s, d, by):
        """Returns the neighbour of a switch in dimension d; None past the edge of a mesh."""
        x = self.coordinate(s, d) + by
        if self.topology == "mesh" and not 0 <= x < self.k:
            return None
        return s + (x % self.k - self.coordinate(s, d)) * self.k ** d

    def links(self):
        """Yields (switch, output port, neighbour, input port)."""
        for s in range(self.switches):
            for d in range(self.n):
                for port, by, side in [(2 * d, 1, 2 * d + 1), (2 * d + 1, -1, 2 * d)] if self.two_way else [(d, 1, d)]:
                    to = self.step(s, d, by)
                    if to is not None:
                        yield s, port, to, side

    def way(self, s, t):
        """Returns the output port, and whether the wrap link of its dimension is still ahead (None: no dateline)."""
        for d in range(self.n):
            here, there = self.coordinate(s, d), self.coordinate(t, d)
            if here == there:
                continue
            forward, back = (there - here) % self.k, (here - there) % self.k
            if not self.two_way:
                return d, here > there
            if self.topology == "mesh":
                return 2 * d + (here > there), None
            up = forward < back or (forward == back and here % 2 == 0)
            return 2 * d + (not up), (here > there) if up else (here < there)
        return self.terminal_port, None

    def lanes(self, ahead):
        half = self.num_vcs // 2
        if self.routing != "dateline" or ahead is None:
            return f"0-{self.num_vcs - 1}"
        return f"0-{half - 1}" if ahead else f"{half}-{self.num_vcs - 1}"

    def text(self):
        """Returns the section graph."""
        lines = ["graph:", f"  switches: {self.switches}", f"  ports: {self.terminal_port + 1}",
                 "  terminals: [" + ", ".join(f"{s}.{self.terminal_port}" for s in range(self.switches)) + "]", "  links:"]
        lines += [f"    - {{from: {a}.{o}, to: {b}.{i}}}" for a, o, b, i in self.links()]
        lines.append("  routes:")
        for s in range(self.switches):
            for t in range(self.switches):
                port, ahead = self.way(s, t)
                lines.append(f"    - [{s}, {t}, {port}, {self.lanes(ahead)}]")
        return "\n".join(lines) + "\n"

    def scenario(self, load, as_graph, rest=""):
        """Returns a scenario with this network, of its own topology or as a graph; the same worms are created."""
        network = "topology: graph" if as_graph else f"topology: {self.topology}, k: {self.k}, n: {self.n}"
        routing = "table" if as_graph else self.routing
        return (f"network: {{{network}}}\n"
                f"switch: {{num_vcs: {self.num_vcs}, depth: 4, flit_width_bits: 32, routing: {routing}{rest}}}\n"
                f"traffic: {{load: {load}, length: [1, 4, 9]}}\nrun: {{cycles: 3000, seed: 7}}\n"
                + (self.text() if as_graph else ""))
