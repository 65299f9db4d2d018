// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_select (input logic clk_i, input logic rst_i);

  localparam int SizeOf [8]    = '{1, 2, 3, 5, 5, 5, 8, 21};
  localparam int WidthOf [8]   = '{8, 1, 34, 62, 7, 34, 3, 64};
  localparam int MembersOf [8] = '{1, 3, 5, 31, 26, 4, 254, 1398101};
  // Behind these, every number of ports (docs/switch.md).
  localparam int Listed = 8;

  for (genvar g = 0; g < Listed + 32; g++) if (`SWEPT(g - Listed, 32, 4)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Size = (g < Listed) ? SizeOf[g % Listed] : S + 1;
    localparam int Width = (g < Listed) ? WidthOf[g % Listed] : 2;
    localparam int Members = (g < Listed) ? MembersOf[g % Listed] : -1;
    localparam int WayW = anl_pkg::index_width(anl_pkg::members(Members, Size));
    logic [WayW-1:0] way;
    logic [Size*Width-1:0] data;
    logic [Width-1:0] chosen;

    `BENCH("anl_select", g, {Members, Width, Size})
    assign {data, way} = in;
    assign out = {chosen};

    anl_select #(.Size(Size), .Width(Width), .Members(Members)) u_dut (
      .way_i(way), .data_i(data), .data_o(chosen)
    );
  end

endmodule
