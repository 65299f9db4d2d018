// SPDX-License-Identifier: Apache-2.0
//
// Which worm owns each lane of an outgoing link, by the input lane it comes from.
//
// A head that is sent and is not also a tail makes its input lane the owner, a tail that is sent
// clears it (docs/switch.md, rule 6). Who the owner is decides nothing: port_o and vc_o are there
// to be seen, and synthesis removes them where nobody looks. Owned is kept as its inverse, free,
// which is the mark of the tail as it comes: that mark has the whole crossbar behind it.
// Timing: all outputs are registers; a flit sent in t shows in t + 1. Only owned_o has a reset.

`include "anl_assert.svh"

module anl_owners #(
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 4,
  localparam int PortW    = anl_pkg::index_width(NumPorts),
  localparam int VcW      = anl_pkg::index_width(NumVcs)
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // The flit that is sent: to which lane (one-hot or 0), and where it comes from.
  input  logic [NumVcs-1:0]          move_i,
  input  logic                       head_i,
  input  logic                       tail_i,
  input  logic [NumPorts-1:0]        from_i,    // input port, one-hot
  input  logic [VcW-1:0]             vc_i,

  output logic [NumVcs-1:0]          owned_o,
  output logic [NumVcs*PortW-1:0]    port_o,    // of the owner, meaningful where owned_o is 1
  output logic [NumVcs*VcW-1:0]      vc_o       // the same
);

  logic [PortW-1:0] from;

  anl_encode #(.Size(NumPorts)) u_from (.onehot_i(from_i), .index_o(from));

  for (genvar w = 0; w < NumVcs; w++) begin : g_lane
    logic             free_q;
    logic [PortW-1:0] port_q;
    logic [VcW-1:0]   vc_q;

    always_ff @(posedge clk_i) begin : regs
      if (rst_i)          free_q <= 1'b1;
      else if (move_i[w]) free_q <= tail_i;
      if (move_i[w]) {port_q, vc_q} <= {from, vc_i};
    end

    assign owned_o[w]               = !free_q;
    assign port_o[w*PortW +: PortW] = port_q;
    assign vc_o[w*VcW +: VcW]       = (NumVcs > 1) ? vc_q : '0;   // one lane has no number

    `ANL_ASSERT(HeadOnlyToFreeLane, !move_i[w] || head_i == free_q)
    `ANL_ASSERT(OwnerKeepsLane, !move_i[w] || head_i
                                || (from == port_q && vc_i == vc_o[w*VcW +: VcW]))
  end

endmodule
