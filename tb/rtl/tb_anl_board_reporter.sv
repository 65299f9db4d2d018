// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_board_reporter #(
  parameter int Index,
  parameter logic [31:0] Expected,
  parameter int BitCycles,
  parameter int LineCycles
) (
  input logic clk_i,
  input logic rst_i
);

  logic pass, fail, beat, uart;
  logic [31:0] signature;

  `BENCH("anl_board_reporter", Index, {LineCycles, BitCycles})
  assign {signature, fail, pass} = in;
  assign out = {uart, beat};

  anl_board_reporter #(
    .Expected(Expected), .BitCycles(BitCycles), .LineCycles(LineCycles)
  ) u_dut (
    .clk_i, .rst_i, .pass_i(pass), .fail_i(fail), .signature_i(signature), .beat_o(beat),
    .uart_o(uart)
  );

endmodule
