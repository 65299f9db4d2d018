// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_uart (input logic clk_i, input logic rst_i);

  localparam int BitCyclesOf [5] = '{1, 2, 3, 8, 104};

  for (genvar g = 0; g < 5; g++) begin : g_corner
    localparam int BitCycles = BitCyclesOf[g];
    logic valid, ready, uart;
    logic [7:0] code;

    `BENCH("anl_uart", g, {BitCycles})
    `BENCH_IN_RESET(ready)
    assign {code, valid} = in;
    assign out = {uart, ready};

    anl_uart #(.BitCycles(BitCycles)) u_dut (
      .clk_i, .rst_i, .valid_i(valid), .byte_i(code), .ready_o(ready), .uart_o(uart)
    );
  end

endmodule
