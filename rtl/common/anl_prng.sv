// SPDX-License-Identifier: Apache-2.0
//
// Random generator of a switch: xorshift32 of docs/random.md.
//
// The state is never 0 if the seed is not 0. It steps at the end of every cycle with step_i = 1.
// Timing: random_o is a register; while rst_i is 1 it is loaded with seed_i at each clock edge.

`include "anl_assert.svh"

module anl_prng (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic [31:0] seed_i,
  input  logic        step_i,
  output logic [31:0] random_o
);

  logic [31:0] random_q, left, right, next;

  assign left  = random_q ^ (random_q << 13);
  assign right = left ^ (left >> 17);
  assign next  = right ^ (right << 5);

  assign random_o = random_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i)       random_q <= seed_i;
    else if (step_i) random_q <= next;
  end

  `ANL_ASSERT(NeverZero, random_q != '0)

endmodule
