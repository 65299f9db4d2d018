// SPDX-License-Identifier: Apache-2.0
//
// From a link of style ready_valid, whose lanes share one ready, to our link (docs/link.md).
//
// Ready says whether the lane that is offered has a credit: this is anl_lane_ready_to_credit, one of whose ready bits
// is chosen by the lane. A flit that is taken crosses both links in the same cycle.
// Timing: ready_o is a function of registers and, with several lanes, of vc_i, never of valid_i. valid_o follows
// valid_i and vc_i; vc_o and flit_o are vc_i and flit_i. So our link is a function of registers alone if that of the
// sender is. A credit that comes in cycle t counts in t + 1. One lane needs Depth 2 for a flit a cycle.
//
//  cycle    0    1    2    3    4    5      Depth = 1; A and C on lane 0, B on lane 1
//  valid_i  A    B    C    C    .    .
//  ready_o  1    1    0    1    .    .      the lane of C has a credit again in 3
//  valid_o  A    B    .    C    .    .
//  credit_i 0    0    1    0    0    0      bit v: lane v

module anl_ready_to_credit #(
  parameter  int NumVcs = 4,                   // lanes of a link, 1 .. 8
  parameter  int Depth  = 4,                   // flits of a lane at the end of our link, 1 .. 64
  parameter  int FlitW  = 32,                  // data bits of a flit
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int LinkW  = FlitW + 2
) (
  input  logic              clk_i,
  input  logic              rst_i,

  // The link of style ready_valid.
  input  logic              valid_i,
  input  logic [VcW-1:0]    vc_i,
  input  logic [LinkW-1:0]  flit_i,
  output logic              ready_o,

  // Our link.
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic [NumVcs-1:0] credit_i
);

  logic [NumVcs-1:0] ready;

  anl_lane_ready_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_lanes (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .ready_o(ready), .valid_o, .vc_o, .flit_o, .credit_i
  );

  if (NumVcs == 1) begin : g_only
    assign ready_o = ready;
  end else begin : g_of_lane
    logic [NumVcs-1:0] lane;
    anl_decode #(.Size(NumVcs)) u_vc (.index_i(vc_i), .onehot_o(lane));
    assign ready_o = (lane & ready) != '0;
  end

endmodule
