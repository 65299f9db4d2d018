// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_pick (input logic clk_i, input logic rst_i);

  localparam int SizeOf [8] = '{1, 2, 3, 4, 5, 7, 8, 21};

  for (genvar g = 0; g < 8; g++) begin : g_corner
    localparam int Size = SizeOf[g];
    localparam int IdxW = anl_pkg::index_width(Size);
    logic [Size-1:0] req, gnt;
    logic [IdxW-1:0] start;

    `BENCH("anl_pick", g, {Size})
    assign {start, req} = in;
    assign out = {gnt};

    anl_pick #(.Size(Size)) u_dut (.req_i(req), .from_i({Size{1'b1}} << start), .gnt_o(gnt));
  end

endmodule
