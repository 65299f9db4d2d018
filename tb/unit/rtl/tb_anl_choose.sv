// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_choose (input logic clk_i, input logic rst_i);

  localparam int SizeOf [6] = '{1, 2, 3, 5, 6, 7};

  for (genvar g = 0; g < 30; g++) begin : g_corner
    localparam int Size = SizeOf[g / 5];
    localparam int Scan = g % 5;
    localparam int IdxW = anl_pkg::index_width(Size);
    logic [Size-1:0] req, gnt;
    logic [Size*16-1:0] stamp;
    logic [7:0] random;
    logic [IdxW-1:0] ptr;
    logic accept;

    `BENCH("anl_choose", g, {Scan, Size})
    assign {accept, random, stamp, req} = in;
    assign out = {ptr, gnt};

    anl_choose #(.Size(Size), .Scan(Scan)) u_dut (
      .clk_i, .rst_i, .req_i(req), .stamp_i(stamp), .random_i(random), .gnt_o(gnt),
      .taken_i(accept && gnt != 0), .ptr_o(ptr)
    );
  end

endmodule
