// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_board_reporter (input logic clk_i, input logic rst_i);

  localparam int BitCyclesOf [6] = '{1, 2, 3, 1, 1, 2};
  localparam int LineCyclesOf [6] = '{450, 900, 500, 1, 419, 1024};

  for (genvar g = 0; g < 6; g++) begin : g_corner
    localparam int BitCycles = BitCyclesOf[g], LineCycles = LineCyclesOf[g];
    localparam logic [31:0] Expected = 32'h09afce5b;
    logic pass, fail, beat, uart;
    logic [31:0] signature;

    `BENCH("anl_board_reporter", g, {LineCycles, BitCycles})
    assign {signature, fail, pass} = in;
    assign out = {uart, beat};

    anl_board_reporter #(
      .Expected(Expected), .BitCycles(BitCycles), .LineCycles(LineCycles)
    ) u_dut (
      .clk_i, .rst_i, .pass_i(pass), .fail_i(fail), .signature_i(signature), .beat_o(beat),
      .uart_o(uart)
    );
  end

endmodule
