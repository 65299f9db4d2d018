// SPDX-License-Identifier: Apache-2.0
//
// Signature of a sequence of words (docs/board.md): g := xorshift32(g ^ word), from 0.
//
// A step loses nothing: of two sequences that differ in one word the signatures differ.
// Timing: signature_o is a register; a word of cycle t is in it from t + 1 on.

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
