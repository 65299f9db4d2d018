// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_wide_scan (input logic clk_i, input logic rst_i);

  localparam int SizeOf [5] = '{1, 2, 3, 6, 20};

  // Each of these has every scan. Behind them, every number of candidates up to 64, which C can hold as one number.
  localparam int Listed = 25;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 32)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Size = (g < Listed) ? SizeOf[g / 5 % 5] : S + 1;
    localparam int Scan = g % 5;
    logic [Size-1:0] req, from, gnt;
    logic [Size*16-1:0] rank;

    `BENCH("anl_wide_scan", g, {Scan, Size})
    assign {from, rank, req} = in;
    assign out = {gnt};

    anl_wide_scan #(.Size(Size), .Scan(Scan)) u_dut (
      .clk_i, .rst_i, .req_i(req), .rank_i(rank), .from_i(from), .gnt_o(gnt)
    );
  end

endmodule
