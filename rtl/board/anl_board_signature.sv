// SPDX-License-Identifier: Apache-2.0
//
// Signature of a sequence of words (docs/board.md): it starts at 0, and each word changes it to
// xorshift32(signature ^ word).
//
// A step is invertible, so two sequences that differ in one word have different signatures.
// Timing: signature_o is a register; a word of cycle t counts in it from t + 1 on.

module anl_board_signature (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic        valid_i,
  input  logic [31:0] word_i,
  output logic [31:0] signature_o
);

  logic [31:0] signature_q, mixed, left, right, next;

  assign mixed = signature_q ^ word_i;
  assign left  = mixed ^ (mixed << 13);
  assign right = left ^ (left >> 17);
  assign next  = right ^ (right << 5);

  assign signature_o = signature_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i)        signature_q <= '0;
    else if (valid_i) signature_q <= next;
  end

endmodule
