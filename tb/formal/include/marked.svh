// SPDX-License-Identifier: Apache-2.0
//
// Follows one marked flit, which may be any flit of any one lane: it is behind the flits that were
// in the lane before it.
//
// The including harness provides VcW, CntW, LinkW; lane_i, the lane, sampled in the reset cycle,
// and mark_i; held_q, the number of flits in every lane; push and pop, a flit enters lane_q and
// leaves it; and push_flit. This file provides lane_q; there_q, the marked flit is in the lane;
// ahead_q, the number of flits before it; and flit_q, the flit itself.

  logic [VcW-1:0]   lane_q;
  logic             marked_q, there_q;
  logic [CntW-1:0]  ahead_q;
  logic [LinkW-1:0] flit_q;
  wire              mark = push && mark_i && !marked_q;

  always_ff @(posedge clk_i) begin : marked
    if (rst_i) lane_q <= lane_i;
    if (mark) begin
      {marked_q, there_q} <= 2'b11;
      ahead_q <= held_q[lane_q*CntW +: CntW] - CntW'(pop);
      flit_q  <= push_flit;
    end else if (there_q && pop) begin
      if (ahead_q == '0) there_q <= 1'b0;
      else               ahead_q <= ahead_q - 1'b1;
    end
    if (rst_i) {marked_q, there_q} <= 2'b00;
  end
