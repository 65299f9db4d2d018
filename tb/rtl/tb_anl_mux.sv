// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_mux (input logic clk_i, input logic rst_i);

  localparam int SizeOf [6] = '{1, 2, 3, 5, 8, 21};
  localparam int WidthOf [6] = '{8, 1, 34, 62, 3, 64};

  for (genvar g = 0; g < 6; g++) begin : g_corner
    localparam int Size = SizeOf[g];
    localparam int Width = WidthOf[g];
    logic [Size-1:0] sel;
    logic [Size*Width-1:0] data;
    logic [Width-1:0] chosen;

    `BENCH("anl_mux", g, {Width, Size})
    assign {data, sel} = in;
    assign out = {chosen};

    anl_mux #(.Size(Size), .Width(Width)) u_dut (.sel_i(sel), .data_i(data), .data_o(chosen));
  end

endmodule
