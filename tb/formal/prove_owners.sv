// SPDX-License-Identifier: Apache-2.0
//
// anl_owners: a lane is owned from the cycle after the head until the tail, and its owner is the
// input lane that the head came from. The lane of the model is any one.

`include "prove.svh"

module prove_owners #(
  parameter  int NumPorts = 3,
  parameter  int NumVcs   = 2,
  localparam int PortW    = anl_pkg::index_width(NumPorts),
  localparam int VcW      = anl_pkg::index_width(NumVcs)
) (
  input logic              clk_i,
  input logic              move_i,
  input logic [VcW-1:0]    lane_i,
  input logic              head_i,
  input logic              tail_i,
  input logic [PortW-1:0]  port_i,
  input logic [VcW-1:0]    vc_i
);

  `PROVE_RESET

  logic [NumVcs-1:0]       owned;
  logic [NumVcs*PortW-1:0] port;
  logic [NumVcs*VcW-1:0]   vc;

  anl_owners #(.NumPorts(NumPorts), .NumVcs(NumVcs)) u_dut (
    .clk_i, .rst_i, .move_i(move_i ? NumVcs'(1) << lane_i : '0), .head_i, .tail_i,
    .from_i(NumPorts'(1) << port_i), .vc_i,
    .owned_o(owned), .port_o(port), .vc_o(vc)
  );

  for (genvar w = 0; w < NumVcs; w++) begin : g_lane
    logic             inside_q;            // the lane is between the head and the tail of a worm
    logic [PortW-1:0] port_q;
    logic [VcW-1:0]   vc_q;
    wire              move = move_i && 32'(lane_i) == w;

    always_ff @(posedge clk_i) begin : model
      if (move && head_i) {port_q, vc_q} <= {port_i, vc_i};
      inside_q <= !rst_i && (move ? !tail_i : inside_q);
    end

    `GIVEN(WormsBeginWithHeads, !move || head_i == !inside_q)
    `GIVEN(WormsComeFromOneLane, !move || head_i || (port_i == port_q && vc_i == vc_q))

    // The tail of a worm went to the lane in the previous cycle.
    logic ends_q;
    always_ff @(posedge clk_i) ends_q <= move && tail_i && !head_i;

    `COVER(WormBehindWorm, ends_q && move && head_i && !tail_i && (port_i != port_q || NumPorts == 1))
    `COVER(OneFlitWorm, move && head_i && tail_i)
    `PROVE(OwnedFromHeadToTail, owned[w] == inside_q)
    `PROVE(OwnerIsWhereTheHeadCameFrom, !inside_q || {port[w*PortW +: PortW], vc[w*VcW +: VcW]}
                                                     == {port_q, vc_q})
  end

  `GIVEN(LanesAndPortsExist, 32'(lane_i) < NumVcs && 32'(port_i) < NumPorts && 32'(vc_i) < NumVcs)

  `COVER(AllLanesAreOwned, owned == '1 && move_i && !head_i)

endmodule
