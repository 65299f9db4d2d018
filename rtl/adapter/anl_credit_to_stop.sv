// SPDX-License-Identifier: Apache-2.0
//
// From our link (docs/link.md) to a link of style stop_go, which has a stop for each lane.
//
// The flits lie in lanes of Depth flits. In each cycle one of them is sent, of a lane that was not stopped in the cycle
// before. The lanes take turns (anl_lanes_in_turn). A flit that is sent in the cycle in which its stop rises is under
// way: the receiver has room for it.
// Timing: all outputs are functions of registers, so no path leads through. A flit that comes in cycle t is sent in
// t + 1 at the earliest; its credit comes in the cycle in which it is sent and is spent in the next one. One lane
// therefore needs Depth 2 for a flit a cycle.
//
//  cycle    0    1    2    3    4    5      Depth = 2, one lane
//  valid_i  A    B    C    .    .    .
//  stop_i   0    1    1    0    0    0
//  valid_o  .    A    .    .    B    C      A is under way when the stop rises
//  credit_o .    A    .    .    B    C

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

`include "anl_assert.svh"

module anl_credit_to_stop #(
  parameter  int NumVcs = 4,                   // lanes of a link, 1 .. 8
  parameter  int Depth  = 4,                   // flits of a lane, 1 .. 64
  parameter  int FlitW  = 32,                  // data bits of a flit
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int LinkW  = FlitW + 2
) (
  input  logic              clk_i,
  input  logic              rst_i,

  // Our link.
  input  logic              valid_i,
  input  logic [VcW-1:0]    vc_i,
  input  logic [LinkW-1:0]  flit_i,
  output logic [NumVcs-1:0] credit_o,

  // The link of style stop_go.
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic [NumVcs-1:0] stop_i             // bit v: no flit may be sent on lane v in the next cycle
);

  logic [NumVcs-1:0] stop_q;

  anl_lanes_in_turn #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_lanes (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o,
    .held_o(), .may_i(~stop_q), .sel_o(), .valid_o, .vc_o, .flit_o, .taken_i(1'b1)
  );

  always_ff @(posedge clk_i) begin : regs
    stop_q <= rst_i ? '0 : stop_i;
  end

  `ANL_ASSERT(NotSentAtStop, !valid_o || (credit_o & stop_q) == '0)
  `ANL_ASSERT(CreditForEachFlit, valid_o == (credit_o != '0))

endmodule
