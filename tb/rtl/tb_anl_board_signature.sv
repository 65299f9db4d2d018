// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_board_signature #(
  parameter int Index
) (
  input logic clk_i,
  input logic rst_i
);

  logic valid;
  logic [31:0] word, signature;

  `BENCH("anl_board_signature", Index, {32'd0})
  assign {word, valid} = in;
  assign out = {signature};

  anl_board_signature u_dut (
    .clk_i, .rst_i, .valid_i(valid), .word_i(word), .signature_o(signature)
  );

endmodule
