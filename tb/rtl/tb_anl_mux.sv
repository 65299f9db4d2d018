// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_mux (input logic clk_i, input logic rst_i);

  localparam int SizeOf [6] = '{1, 2, 3, 5, 8, 21};
  localparam int WidthOf [6] = '{8, 1, 34, 62, 3, 64};
  // Behind these, every number of ports (docs/switch.md).
  localparam int Listed = 6;

  for (genvar g = 0; g < Listed + 32; g++) if (`SWEPT(g - Listed, 32, 4)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Size = (g < Listed) ? SizeOf[g % Listed] : S + 1;
    localparam int Width = (g < Listed) ? WidthOf[g % Listed] : 2;
    logic [Size-1:0] sel;
    logic [Size*Width-1:0] data;
    logic [Width-1:0] chosen;

    `BENCH("anl_mux", g, {Width, Size})
    assign {data, sel} = in;
    assign out = {chosen};

    anl_mux #(.Size(Size), .Width(Width)) u_dut (.sel_i(sel), .data_i(data), .data_o(chosen));
  end

endmodule
