// SPDX-License-Identifier: Apache-2.0
//
// Pointer into a ring of 2**Width slots, as a number and in gray code, of which one bit changes in a step.
//
// The gray code of n is n XOR (n >> 1). It is a register of its own, so that another clock may look at it
// (docs/clocks.md, "What may cross").
// Timing: ptr_o and gray_o are registers; they are 0 after reset.

// What changes is for the assertion alone.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_gray_pointer #(
  parameter int Width = 3                      // bits of the pointer, 1 .. 10
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             step_i,
  output logic [Width-1:0] ptr_o,
  output logic [Width-1:0] gray_o
);

  logic [Width-1:0] ptr_q, ptr_d, gray_q, gray_d, moves;

  assign ptr_d  = ptr_q + Width'(step_i);
  assign gray_d = ptr_d ^ (ptr_d >> 1);
  assign moves  = gray_q ^ gray_d;

  assign ptr_o  = ptr_q;
  assign gray_o = gray_q;

  always_ff @(posedge clk_i) begin : regs
    ptr_q  <= rst_i ? '0 : ptr_d;
    gray_q <= rst_i ? '0 : gray_d;
  end

  `ANL_ASSERT(OneBitChangesInAStep, $countones(moves) == 32'(step_i))

endmodule
