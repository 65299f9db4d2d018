// SPDX-License-Identifier: Apache-2.0
//
// The clock of a part of a network (tb/lockstep/parts): each change of toggle_i is a whole cycle of it, so that C need not
// evaluate the part twice in a cycle. With ANL_HALVES defined toggle_i is the clock, so that waves show its edges.

`ifndef ANL_LOCKSTEP_CLOCK_SVH
`define ANL_LOCKSTEP_CLOCK_SVH

`ifdef ANL_HALVES
`define ANL_LOCKSTEP_CLOCK \
  logic clk; \
  assign clk = toggle_i;
`else
`define ANL_LOCKSTEP_CLOCK \
  logic clk, toggled; \
  initial toggled = 1'b0; \
  assign clk = toggle_i ^ toggled; \
  always_ff @(posedge clk) toggled <= toggle_i;
`endif

`endif
