// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_counter (input logic clk_i, input logic rst_i);

  localparam int MaxOf [6] = '{1, 2, 3, 4, 16, 64};
  localparam int InitOf [6] = '{1, 0, 3, 0, 16, 0};
  // Behind these, every depth of a lane (docs/switch.md), full or empty in reset.
  localparam int Listed = 6;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 8)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Max = (g < Listed) ? MaxOf[g % Listed] : S + 1;
    localparam int Init = (g < Listed) ? InitOf[g % Listed] : (S % 2 == 0) ? S + 1 : 0;
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
