# SPDX-License-Identifier: Apache-2.0
"""Writes the module `top` around an anl_axi_cube for stock managers and memories, with ports that cocotbext-axi knows by their names:
s0_axi_awvalid, … for manager 0, m0_axi_awvalid, … for memory 0. A checker is at each port."""

import dataclasses
import re
from pathlib import Path

from annelid.stock import labels

ID, ADDR = 4, 32  # bits
UNDER_WAY = 16    # bursts that a checker follows; if there are more, it says too_many

# The signals of a port, with their bits: those that a manager drives, and those that a subordinate drives.
ASK = [("valid", 1), ("id", "ID"), ("addr", ADDR), ("len", 8), ("size", 3), ("burst", 2), ("lock", 1), ("cache", 4), ("prot", 3), ("qos", 4)]
MANAGER = [(channel + name, bits) for channel in ("aw", "ar") for name, bits in ASK] + [
    ("wvalid", 1), ("wdata", "DATA"), ("wstrb", "STROBES"), ("wlast", 1), ("bready", 1), ("rready", 1)]
SUBORDINATE = [("awready", 1), ("wready", 1), ("bvalid", 1), ("bid", "ID"), ("bresp", 2), ("arready", 1), ("rvalid", 1), ("rid", "ID"),
               ("rdata", "DATA"), ("rresp", 2), ("rlast", 1)]
IDS = ("awid", "bid", "arid", "rid")  # manager ports of a network have none: it is 0
WIRED_APART = ("cache", "prot", "qos")  # one vector at a checker
RULES = re.findall(r"^\| \d+ \| `(\w+)` \|", Path("docs/axi.md").read_text(), re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Port:
    name: str
    user: bool      # a stock manager is connected to it, not a memory
    id_bits: int

    def signals(self, data):
        """Yields (name, bits, whether the module reads it)."""
        widths = {"ID": self.id_bits, "DATA": data, "STROBES": data // 8}
        for names, of_manager in ((MANAGER, True), (SUBORDINATE, False)):
            for name, bits in names:
                yield name, widths.get(bits, bits), of_manager == self.user

    def plain(self, data):
        """Returns the ports of the module, a signal each, all of them vectors."""
        return [f"  {'input ' if read else 'output'} logic [{bits - 1}:0] {self.name}_axi_{name}" for name, bits, read in self.signals(data)]

    def checker(self):
        wires = [f".{name}_i({self.name}_axi_{name})"
                 for name, _, _ in self.signals(8) if name[2:] not in WIRED_APART]
        wires += [f".{a}attr_i({{{', '.join(f'{self.name}_axi_{a}{name}' for name in reversed(WIRED_APART))}}})" for a in ("aw", "ar")]
        return (f"  wire [{len(RULES) - 1}:0] {self.name}_broken;\n"
                f"  anl_axi_checker #(.Bursts({UNDER_WAY}), .IdW({self.id_bits}), .AddrW({ADDR}), .DataW(DataW)) u_{self.name}_checker (\n"
                f"    .clk_i(clk), .rst_i(rst), {', '.join(wires)}, .broken_o({self.name}_broken)\n  );")


def passes(ports, channels):
    return " + ".join(f"32'({p.name}_axi_{c}valid && {p.name}_axi_{c}ready)" for p in ports if p.user for c in channels)


def module(ports, data, stalls, body):
    """Returns the text of the module; body are its lines between the ports and the counters."""
    listed = ",\n".join(line for port in ports for line in port.plain(data))
    checkers = "\n".join(port.checker() for port in ports)
    return f"""// SPDX-License-Identifier: Apache-2.0
//
// Written by scripts/annelid/axi_bench.py. broken counts the cycles in which a rule of docs/axi.md is broken at a port, and bit r of
// rules says that rule r was. bursts and transfers count at the ports of users, stalls are those that their ports count.

module top (
  input  logic        clk,
  input  logic        rst,
  output logic [31:0] broken,
  output logic [31:0] rules,
  output logic [31:0] bursts,
  output logic [31:0] transfers,
  output logic [31:0] stalls,
{listed}
);

  localparam int DataW = {data};
{body}
  assign stalls = {stalls};

{checkers}

  wire [{len(RULES) - 1}:0] now = {" | ".join(f"{port.name}_broken" for port in ports)};
  always @(posedge clk) begin
    broken    <= rst ? 0 : broken + 32'(now != 0);
    rules     <= rst ? 0 : rules | 32'(now);
    bursts    <= rst ? 0 : bursts + {passes(ports, ("aw", "ar"))};
    transfers <= rst ? 0 : transfers + {passes(ports, ("w", "r"))};
  end

endmodule
"""


def straight(data):
    """Returns the text of a module with one manager whose wires go to one memory."""
    user, memory = Port("s0", True, ID), Port("m0", False, ID)
    body = [f"  assign {'m0' if read else 's0'}_axi_{name} = {'s0' if read else 'm0'}_axi_{name};" for name, _, read in user.signals(data)]
    return module([user, memory], data, "0", "\n".join(body))


def network(k, users, memories, data, longest, bursts, reorder):
    """Returns the text of a module with a mesh of k by k switches. users and memories are lists of terminals. Memory n has
    the addresses of mebibyte n, in a network whose ports carry bursts of so many beats, so many at once;
    reorder: slots of their reorder buffers."""
    terminals, bits = k * k, (k - 1).bit_length()
    rows = ", ".join(f"{2 * bits}'d{labels(k)[t]}, 32'hfff00000, 32'd{n << 20}" for n, t in reversed(list(enumerate(memories))))
    ports, vectors, ties, pins = [], [], [], []
    for side, at in (("s", users), ("m", memories)):
        ports += [Port(f"{side}{n}", side == "s", ID if side == "s" else 1) for n in range(len(at))]
        for name, width, read in ports[-1].signals(data):
            if side == "m" and name in IDS:
                ties += [f"  assign m{n}_axi_{name} = 1'b0;" for n in range(len(at)) if not read]
                continue
            vectors.append(f"  wire [{terminals * width - 1}:0] {side}_{name};")
            pins.append(f".{side}_{name}_{'i' if read else 'o'}({side}_{name})")
            for t in range(terminals):
                part = f"{side}_{name}[{t * width} +: {width}]"
                port = f"{side}{at.index(t)}_axi_{name}" if t in at else f"{width}'d0"
                if read or t in at:
                    ties.append(f"  assign {part} = {port};" if read else f"  assign {port} = {part};")
    body = [*vectors, f"  wire [{terminals * 32 - 1}:0] write_stalls, read_stalls;", *ties, "", "  anl_axi_cube #(",
            f"    .K({k}), .N(2), .Users({sum(1 << t for t in users)}), .Memories({sum(1 << t for t in memories)}), .Rows({len(memories)}),",
            f"    .IdW({ID}), .AddrW({ADDR}), .DataW(DataW), .MaxBeats({longest}), .Room({longest}), .Bursts({bursts}), .Reorder({reorder})", "  ) u_dut (",
            f"    .clk_i(clk), .rst_i(rst), .seed_i({terminals * 32}'d1), .map_i({{{rows}}}),",
            "    .s_write_stalls_o(write_stalls), .s_read_stalls_o(read_stalls),", "    " + ",\n    ".join(pins), "  );"]
    stalls = " + ".join(f"{kind}_stalls[{t * 32} +: 32]" for kind in ("write", "read") for t in users)
    return module(ports, data, stalls, "\n".join(body))
