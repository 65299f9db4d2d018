// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_arbiter (input logic clk_i, input logic rst_i);

  localparam int SizeOf [9] = '{1, 2, 3, 5, 6, 7, 3, 5, 7};
  localparam int MembersOf [9] = '{1, 3, 7, 31, 63, 127, 5, 8, 86};
  localparam bit SampleOf [9] = '{1, 1, 1, 0, 0, 0, 1, 0, 1};
  // Each of these has every scan. Behind them, every number of ports (docs/switch.md).
  localparam int Listed = 63;

  for (genvar g = 0; g < Listed + 32; g++)
    if ((g >= Listed || `BUILT(SampleOf[g / 7 % 9])) && `SWEPT(g - Listed, 32, 16)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Size = (g < Listed) ? SizeOf[g / 7 % 9] : S + 1;
    localparam int Scan = g % 7;
    localparam int Members = (g < Listed) ? MembersOf[g / 7 % 9] : -1;
    localparam int IdxW = anl_pkg::index_width(Size);
    localparam int WayW = anl_pkg::index_width(anl_pkg::members(Members, Size));
    logic [Size-1:0] req, gnt;
    logic [Size*16-1:0] rank;
    logic [7:0] random;
    logic [WayW-1:0] way;
    logic [IdxW-1:0] ptr;
    logic accept;

    `BENCH("anl_arbiter", g, {Members, Scan, Size})
    assign {accept, random, rank, req} = in;
    assign out = {ptr, way, gnt};

    anl_arbiter #(.Size(Size), .Scan(Scan), .Members(Members)) u_dut (
      .clk_i, .rst_i, .req_i(req), .rank_i(rank), .random_i(random), .gnt_o(gnt), .way_o(way),
      .taken_i(accept && gnt != 0), .ptr_o(ptr)
    );
  end

endmodule
