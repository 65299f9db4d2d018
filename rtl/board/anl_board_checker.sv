// SPDX-License-Identifier: Apache-2.0
//
// Checker of a board. After the end of the run it signs the signatures of the terminals and the
// number of flits that arrived, and compares the result with the expected signature
// (docs/board.md).
//
// Timing: the inputs must not change from the second cycle of over_i on. The checker reads one
// signature in a cycle. All outputs are registers, and do not change once running_o is 0.

`include "anl_assert.svh"

module anl_board_checker #(
  parameter int          Terminals = 4,
  parameter logic [31:0] Expected  = 32'd0
) (
  input  logic                    clk_i,
  input  logic                    rst_i,

  input  logic                    over_i,        // the run is over; stays 1
  input  logic [Terminals*32-1:0] signatures_i,
  input  logic [31:0]             arrived_i,

  output logic [31:0]             signature_o,   // of the run, valid when running_o is 0
  output logic                    running_o,
  output logic                    pass_o,
  output logic                    fail_o
);

  // A token goes from word to word and selects the one that is signed; behind the last word it
  // makes the verdict.
  localparam int NumWords = Terminals + 1;

  logic                   over_q;
  logic [NumWords-1:0]    turn_d, turn_q;
  logic [NumWords*32-1:0] words;
  logic [31:0]            word_d, word_q, signature;
  logic                   valid_q, last_q, signed_q, agrees;
  logic                   running_q, pass_q, fail_q;

  assign words  = {arrived_i, signatures_i};
  assign turn_d = {turn_q[NumWords-2:0], over_i && !over_q};

  anl_mux #(.Size(NumWords), .Width(32)) u_word (.sel_i(turn_q), .data_i(words), .data_o(word_d));
  anl_board_signature u_signature (
    .clk_i, .rst_i, .valid_i(valid_q), .word_i(word_q), .signature_o(signature)
  );

  assign agrees      = signature == Expected;
  assign signature_o = signature;
  assign running_o   = running_q;
  assign pass_o      = pass_q;
  assign fail_o      = fail_q;

  always_ff @(posedge clk_i) begin : regs
    word_q <= word_d;
    if (rst_i) begin
      over_q    <= 1'b0;
      turn_q    <= '0;
      valid_q   <= 1'b0;
      last_q    <= 1'b0;
      signed_q  <= 1'b0;
      running_q <= 1'b1;
      pass_q    <= 1'b0;
      fail_q    <= 1'b0;
    end else begin
      over_q   <= over_i;
      turn_q   <= turn_d;
      valid_q  <= turn_q != '0;
      last_q   <= turn_q[NumWords-1];
      signed_q <= last_q;
      if (signed_q) begin
        running_q <= 1'b0;
        pass_q    <= agrees;
        fail_q    <= !agrees;
      end
    end
  end

  `ANL_ASSERT(OneTurn, (turn_q & (turn_q - 1'b1)) == '0)
  `ANL_ASSERT(OneVerdict, {1'b0, running_q} + {1'b0, pass_q} + {1'b0, fail_q} == 2'd1)

endmodule
