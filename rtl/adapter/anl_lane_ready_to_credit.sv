// SPDX-License-Identifier: Apache-2.0
//
// From a link of style ready_valid_per_lane to our link (docs/link.md).
//
// A lane is ready while it has a credit. A flit that is offered on such a lane crosses both links in the same cycle, so
// nothing is stored but the credits.
// Timing: ready_o is a function of registers. valid_o follows valid_i and vc_i; vc_o and flit_o are vc_i and flit_i. So
// our link is a function of registers alone if that of the sender is. A credit that comes in cycle t makes its lane
// ready in t + 1. A lane needs the Depth that it needs with a sender of ours: 2 for a flit a cycle.
//
//  cycle    0    1    2    3    4    5      Depth = 2, one lane; the receiver pops in 2 and 3
//  valid_i  A    B    C    C    D    .
//  ready_o  1    1    0    1    1    0
//  valid_o  A    B    .    C    D    .
//  credit_i 0    0    1    1    0    0

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

`include "anl_assert.svh"

module anl_lane_ready_to_credit #(
  parameter  int NumVcs = 4,                   // lanes of a link, 1 .. 8
  parameter  int Depth  = 4,                   // flits of a lane at the end of our link, 1 .. 64
  parameter  int FlitW  = 32,                  // data bits of a flit
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int LinkW  = FlitW + 2
) (
  input  logic              clk_i,
  input  logic              rst_i,

  // The link of style ready_valid_per_lane.
  input  logic              valid_i,
  input  logic [VcW-1:0]    vc_i,
  input  logic [LinkW-1:0]  flit_i,
  output logic [NumVcs-1:0] ready_o,           // bit v: a flit of lane v is taken

  // Our link.
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic [NumVcs-1:0] credit_i
);

  logic [NumVcs-1:0] lane, spend;

  anl_decode #(.Size(NumVcs)) u_vc (.index_i(vc_i), .onehot_o(lane));

  assign spend   = lane & ready_o & {NumVcs{valid_i}};
  assign valid_o = spend != '0;
  assign vc_o    = vc_i;
  assign flit_o  = flit_i;

  anl_credits #(.NumVcs(NumVcs), .Depth(Depth)) u_credits (
    .clk_i, .rst_i, .credit_i, .spend_i(spend), .count_o(), .has_credit_o(ready_o), .all_credits_o()
  );

  `ANL_ASSERT(AssumeLaneExists, !valid_i || 32'(vc_i) < NumVcs)

endmodule
