// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_arb_oldest (input logic clk_i, input logic rst_i);

  localparam int SizeOf [7] = '{1, 2, 3, 4, 5, 8, 21};

  for (genvar g = 0; g < 7; g++) begin : g_corner
    localparam int Size = SizeOf[g];
    logic [Size-1:0] req, gnt;
    logic [Size*16-1:0] rank;

    `BENCH("anl_arb_oldest", g, {Size})
    assign {rank, req} = in;
    assign out = {gnt};

    anl_arb_oldest #(.Size(Size)) u_dut (.req_i(req), .rank_i(rank), .gnt_o(gnt));
  end

endmodule
