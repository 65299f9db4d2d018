// SPDX-License-Identifier: Apache-2.0
//
// Owners (output VC state) of the lanes of an outgoing link. The owner is a worm, stored as the
// input lane that it comes from.
//
// A head that is sent and is not also a tail makes its input lane the owner, and a tail that is
// sent clears the owner (docs/switch.md, rule 6). Only the owned bit affects behaviour; the owner's
// port and lane serve the probes, and synthesis removes them. The register holds free, the inverse
// of owned, because its next value is then the tail mark itself, which arrives late, behind the
// crossbar.
// Timing: all outputs are functions of registers; a flit sent in cycle t changes them in t + 1.
// Only owned_o has a reset.

`include "anl_assert.svh"

module anl_owners #(
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 4,
  parameter  int InVcs    = NumVcs,                // lanes of an input port
  localparam int PortW    = anl_pkg::index_width(NumPorts),
  localparam int VcW      = anl_pkg::index_width(InVcs)
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // The flit that is sent: the lane it goes to (one-hot, or 0 if none is sent) and its input lane.
  input  logic [NumVcs-1:0]          move_i,
  input  logic                       head_i,
  input  logic                       tail_i,
  input  logic [NumPorts-1:0]        from_i,    // input port, one-hot
  input  logic [VcW-1:0]             vc_i,

  output logic [NumVcs-1:0]          owned_o,
  output logic [NumVcs*PortW-1:0]    port_o,    // input port; meaningful where owned_o is 1
  output logic [NumVcs*VcW-1:0]      vc_o       // input lane; meaningful where owned_o is 1
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
    assign vc_o[w*VcW +: VcW]       = (InVcs > 1) ? vc_q : '0;   // a single lane has index 0

    `ANL_ASSERT(HeadOnlyToFreeLane, !move_i[w] || head_i == free_q)
    `ANL_ASSERT(OwnerKeepsLane, !move_i[w] || head_i
                                || (from == port_q && vc_i == vc_o[w*VcW +: VcW]))
  end

endmodule
