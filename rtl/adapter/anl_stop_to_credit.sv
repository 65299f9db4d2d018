// SPDX-License-Identifier: Apache-2.0
//
// From a link of style stop_go to our link (docs/link.md).
//
// A flit crosses both links in the same cycle, so nothing is stored but the credits. A lane that was not stopped in the
// cycle before may get a flit in this one. So a lane is stopped if it has no credit, or if it has one, which such a
// flit may take: then the next flit would have none. A lane with one credit to which nothing comes is stopped in every
// second cycle.
// Timing: stop_o is a function of registers. valid_o, vc_o and flit_o are valid_i, vc_i and flit_i, so our link is a
// function of registers alone if that of the sender is. One lane needs Depth 3 for a flit a cycle.
//
//  cycle    0    1    2    3    4    5      Depth = 2, one lane; the receiver pops in 2 and 3
//  valid_i  A    B    .    .    C    .
//  stop_o   0    1    1    0    0    1      B is under way when the stop rises
//  credit_i 0    0    1    1    0    0
//  credits  2    1    0    1    2    1      at the start of the cycle

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

`include "anl_assert.svh"

module anl_stop_to_credit #(
  parameter  int NumVcs = 4,                   // lanes of a link, 1 .. 8
  parameter  int Depth  = 4,                   // flits of a lane at the end of our link, 1 .. 64
  parameter  int FlitW  = 32,                  // data bits of a flit
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int LinkW  = FlitW + 2
) (
  input  logic              clk_i,
  input  logic              rst_i,

  // The link of style stop_go.
  input  logic              valid_i,
  input  logic [VcW-1:0]    vc_i,
  input  logic [LinkW-1:0]  flit_i,
  output logic [NumVcs-1:0] stop_o,            // bit v: no flit may be sent on lane v in the next cycle

  // Our link.
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic [NumVcs-1:0] credit_i
);

  localparam int CntW = $clog2(Depth + 1);

  logic [NumVcs*CntW-1:0] count;
  logic [NumVcs-1:0]      lane, spend, has_credit, stop_q;

  anl_decode #(.Size(NumVcs)) u_vc (.index_i(vc_i), .onehot_o(lane));

  assign valid_o = valid_i;
  assign vc_o    = vc_i;
  assign flit_o  = flit_i;
  assign spend   = lane & {NumVcs{valid_i}};

  anl_credits #(.NumVcs(NumVcs), .Depth(Depth)) u_credits (
    .clk_i, .rst_i, .credit_i, .spend_i(spend), .count_o(count), .has_credit_o(has_credit), .all_credits_o()
  );

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    assign stop_o[v] = !has_credit[v] || (count[v*CntW +: CntW] == CntW'(1) && !stop_q[v]);
  end

  always_ff @(posedge clk_i) begin : regs
    stop_q <= rst_i ? '0 : stop_o;
  end

  `ANL_ASSERT(AssumeLaneExists, !valid_i || 32'(vc_i) < NumVcs)
  `ANL_ASSERT(AssumeNotSentAtStop, (spend & stop_q) == '0)
  `ANL_ASSERT(SendsWithCreditOnly, (spend & ~has_credit) == '0)

endmodule
