// SPDX-License-Identifier: Apache-2.0
//
// Which worm owns each lane of an outgoing link, by the input lane it comes from.
//
// A head that is sent and is not also a tail makes its input lane the owner, a tail that is sent
// clears it (docs/switch.md, rule 6). The indices of the owner decide nothing: they are there to be
// seen, and synthesis removes them where nobody looks.
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
  output logic [NumVcs*NumPorts-1:0] owner_o,   // input port of the owner, one-hot; 0: free
  output logic [NumVcs*PortW-1:0]    port_o,    // its index, meaningful where owned_o is 1
  output logic [NumVcs*VcW-1:0]      vc_o       // the same
);

  for (genvar w = 0; w < NumVcs; w++) begin : g_lane
    logic                owned_d, owned_q;
    logic [NumPorts-1:0] from_q;

    assign owned_d = move_i[w] ? !tail_i : owned_q;

    always_ff @(posedge clk_i) begin : regs
      if (rst_i) owned_q <= 1'b0;
      else       owned_q <= owned_d;
      if (move_i[w]) from_q <= from_i;
    end

    anl_encode #(.Size(NumPorts)) u_port (
      .onehot_i(from_q), .index_o(port_o[w*PortW +: PortW])
    );
    assign owned_o[w]                      = owned_q;
    assign owner_o[w*NumPorts +: NumPorts] = from_q & {NumPorts{owned_q}};

    if (NumVcs > 1) begin : g_vc        // of one lane there is no number to keep
      logic [VcW-1:0] vc_q;
      always_ff @(posedge clk_i) begin : regs
        if (move_i[w]) vc_q <= vc_i;
      end
      assign vc_o[w*VcW +: VcW] = vc_q;
    end else begin : g_only_vc
      assign vc_o[w*VcW +: VcW] = '0;
    end

    `ANL_ASSERT(HeadOnlyToFreeLane, !move_i[w] || head_i == !owned_q)
    `ANL_ASSERT(OwnerKeepsLane, !move_i[w] || head_i
                                || (from_i == from_q && vc_i == vc_o[w*VcW +: VcW]))
  end

endmodule
