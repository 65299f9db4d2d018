// SPDX-License-Identifier: Apache-2.0
//
// Two clocks of a harness. In each step either of them ticks, both, or none, as the solver likes: a clock input is 1 in
// the steps in which it ticks (tb/formal/ticks.v). What stands in always_ff @($global_clock) is stepped in each step.
//
// The including harness provides the inputs a_clk_i and b_clk_i, and a_leaves_i and b_leaves_i: in this step the side
// may leave its reset, if the rules of docs/clocks.md let it. This file provides a_rst and b_rst, the resets, a_tick
// and b_tick, which are 1 in a step in which the side ticks out of reset, and rst_i, which is 1 in the first step, for
// the macros of prove.svh.

  logic begun_q, a_rst, b_rst, a_done_q, b_done_q;

  initial {begun_q, a_done_q, b_done_q} = 3'b000;
  initial {a_rst, b_rst} = 2'b11;

  wire rst_i  = !begun_q;
  wire a_tick = a_clk_i && !a_rst;
  wire b_tick = b_clk_i && !b_rst;

  always_ff @($global_clock) begin : resets
    begun_q <= 1'b1;
    if (a_clk_i) a_done_q <= 1'b1;
    if (b_clk_i) b_done_q <= 1'b1;
    if (a_done_q && b_done_q && a_clk_i && a_leaves_i) a_rst <= 1'b0;
    if (a_done_q && b_done_q && b_clk_i && b_leaves_i) b_rst <= 1'b0;
  end
