# SPDX-License-Identifier: Apache-2.0
"""What a checker (docs/checker.md) needs of the links of a switch, as their description says: `make prove DUT=` and `make judge CHECKERS=1`.

`annelid describe --links` alone reads descriptions (docs/link.md, "A description of a link").
"""

import json
from dataclasses import dataclass

from annelid.children import Wrong

STYLES = ("credit", "credit_pulse_shared", "ready_valid", "ready_valid_per_lane", "stop_go")  # in the order of annelid/links.h
# The rules of a switch that a simulation or a prover looks for, by their numbers (anl_checker_pkg).
RULES = {"bad_link": 0, "no_credit": 1, "early_credit": 2, "sent_at_stop": 3, "withdrawn": 4, "changed": 5, "lane_shared": 6,
         "bad_marks": 7, "lost_credit": 8, "made_up_flit": 10, "too_early": 12, "out_of_order": 13, "split_worm": 14,
         "illegal_route": 15, "overflow": 16, "stalled": 17}
ALL = (1 << 18) - 1


def index_width(count):
    return max(1, (count - 1).bit_length())


def described(children, build, links, *words):
    """Returns what the command says of links, and of the network of a scenario in `words`. Wrong: it refuses them."""
    command = build / "annelid"
    if not command.exists():
        raise Wrong(f"{command}: No such file (make model builds it)")
    status, said = children.output([command, "describe", "--links", links, *words])
    if status:
        raise Wrong(said.strip().removeprefix("annelid: "))
    return json.loads(said.strip().splitlines()[-1])


@dataclass
class Link:
    """A link as its description says."""
    style: str = "credit"
    width: int = 0
    marks: dict = None
    kind: dict = None      # the field `type`
    length: dict = None
    always: list = ()
    head_always: list = ()
    changes: list = ()
    ignore: list = ()
    credits: str = "switch"
    slots: int = 0         # credits of a lane after reset; 0: as many as it has slots

    def back_width(self, vcs):
        """Returns how many wires a receiver drives."""
        return {"ready_valid": 1, "credit_pulse_shared": 1 + index_width(vcs)}.get(self.style, vcs)

    def ready(self, wires, vc):
        """Returns what says of the wires of a receiver that a flit of a lane crosses when it is valid."""
        return {"ready_valid": f"{wires}[0]", "ready_valid_per_lane": f"1'({wires} >> {vc})"}.get(self.style, "1'b1")

    @property
    def mark_bits(self):
        fields = list(self.marks.values()) if self.marks else []
        return fields + (list(range(self.kind["at"], self.kind["at"] + self.kind["width"])) if self.kind else [])

    def marks_of(self, flit):
        """Returns what says of a flit whether it is a head, and a tail; None: the length does."""
        if self.marks:
            return f"{flit}[{self.marks['head']}]", f"{flit}[{self.marks['tail']}]"
        if self.kind:
            field = f"{flit}[{self.kind['at']} +: {self.kind['width']}]"
            return tuple("(" + " || ".join(f"{field} == {value}" for value in self.kind[one]) + ")" for one in ("head", "tail"))
        return None

    def mask(self, without):
        return f"{self.width}'h{(1 << self.width) - 1 & ~sum(1 << bit for bit in set(without)):x}"

    @staticmethod
    def bits_of(fields):
        return [bit for one in fields for bit in range(one["at"], one["at"] + one["width"])]

    @property
    def same(self):
        """Returns the masks of the bits that a switch does not change, of any flit and of a head."""
        return self.mask(self.mark_bits), self.mask([*self.mark_bits, *self.bits_of(self.changes)])

    @property
    def counted(self):
        """Returns the module that marks need if the length says them."""
        return "" if self.marks_of("x") else COUNTED

    def length_of(self, flit):
        return f"LengthW'({flit}[{self.length['at']} +: {self.length['width']}]) + LengthW'({self.length['plus']})"

    def marks_at_port(self):
        """Returns the lines that say the marks of the flits at port p: `flit` comes and `sent` leaves, by lanes in_vc and vc."""
        lines = []
        for side, flit, vc in (("in", "flit", "in_vc"), ("out", "sent", "vc")):
            both = self.marks_of(flit)
            if both:
                lines += [f"assign {side}_head[p] = {both[0]};", f"assign {side}_tail[p] = {both[1]};"]
            else:
                lines.append(f"anl_counted_marks #(.NumVcs(NumVcs), .VcW(VcW), .LengthW(LengthW)) u_{side}_marks (.clk_i, .rst_i, "
                             f".crosses_i({side}_valid[p] && {side}_ready[p]), .vc_i({vc}), .length_i({self.length_of(flit)}), "
                             f".head_o({side}_head[p]), .tail_o({side}_tail[p]));")
        told = self.length_of("flit") if self.length else "'0"
        return [*lines, f"assign lengths[p*LengthW +: LengthW] = {told};"]


def description(children, build, path):
    """Reads a description as the command does. Wrong: that refuses it, or the checkers cannot judge such links."""
    data = described(children, build, path)
    length = data["head"].get("length")
    if data["lane"]:
        raise Wrong(f"{path}: lane: found a field of the flit, which the checkers do not read; wrap the switch so that a wire says the lane")
    if data["queues"] != "inputs":
        raise Wrong(f"{path}: queues: {data['queues']}: the checker takes each input lane for one queue, so it cannot judge a switch with "
                    "queues at its outputs; make judge can (docs/judge.md)")
    if not data["marks"] and not data["type"] and not length:
        raise Wrong(f"{path}: found no marks, no type and no length in the head, expected one of them")
    same = ("style", "width", "marks", "always", "head_always", "changes", "ignore", "credits", "slots")
    return Link(kind=data["type"], length=length, **{name: data[name] for name in same})


# The marks of a link on which the length in the head says where a worm ends.
COUNTED = """
module anl_counted_marks #(parameter int NumVcs = 1, parameter int VcW = 1, parameter int LengthW = 8) (
  input logic clk_i, input logic rst_i, input logic crosses_i, input logic [VcW-1:0] vc_i, input logic [LengthW-1:0] length_i,
  output logic head_o, output logic tail_o
);
  logic [NumVcs*LengthW-1:0] left_q;
  wire [LengthW-1:0] left = LengthW'(left_q >> (32'(vc_i) * LengthW));
  assign head_o = left == '0;
  assign tail_o = head_o ? length_i <= 1 : left == 1;
  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    always_ff @(posedge clk_i) begin : regs
      if (rst_i) left_q[v*LengthW +: LengthW] <= '0;
      else if (crosses_i && 32'(vc_i) == v) left_q[v*LengthW +: LengthW] <= tail_o ? '0 : head_o ? length_i - 1'b1 : left - 1'b1;
    end
  end
endmodule
"""
