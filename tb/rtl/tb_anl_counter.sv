// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_counter (input logic clk_i, input logic rst_i);

  localparam int MaxOf [6] = '{1, 2, 3, 4, 16, 64};
  localparam int InitOf [6] = '{1, 0, 3, 0, 16, 0};

  for (genvar g = 0; g < 6; g++) begin : g_corner
    localparam int Max = MaxOf[g];
    localparam int Init = InitOf[g];
    localparam int CntW = $clog2(Max + 1);
    logic up, down;
    logic [CntW-1:0] count;
    logic [Max-1:0] least;

    `BENCH("anl_counter", g, {Init, Max})
    assign {down, up} = in;
    assign out = {least, count};

    anl_counter #(.Max(Max), .Init(Init)) u_dut (
      .clk_i, .rst_i, .up_i(up), .down_i(down), .count_o(count),
      .least_o(least)
    );
  end

endmodule
