// SPDX-License-Identifier: Apache-2.0
//
// A mark on any flit of any one lane: it is behind those that were in the lane before it.
//
// Needs VcW, CntW, LinkW; lane_i (the lane, as it is in the reset cycle), mark_i; held_q (flits in every
// lane), push and pop (a flit comes into lane_q, and leaves it), push_flit. Gives lane_q, and there_q (the
// marked flit is in the lane), ahead_q (flits before it), flit_q.

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
