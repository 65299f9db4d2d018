// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_uart #(
  parameter int Index,
  parameter int BitCycles
) (
  input logic clk_i,
  input logic rst_i
);

  logic valid, ready, uart;
  logic [7:0] code;

  `BENCH("anl_uart", Index, {BitCycles})
  `BENCH_IN_RESET(ready)
  assign {code, valid} = in;
  assign out = {uart, ready};

  anl_uart #(.BitCycles(BitCycles)) u_dut (
    .clk_i, .rst_i, .valid_i(valid), .byte_i(code), .ready_o(ready), .uart_o(uart)
  );

endmodule
