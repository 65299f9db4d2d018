// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_arb_oldest (input logic clk_i, input logic rst_i);

  localparam int SizeOf [7] = '{1, 2, 3, 4, 5, 8, 21};
  // Behind these, every number of ports (docs/switch.md).
  localparam int Listed = 7;

  for (genvar g = 0; g < Listed + 32; g++) if (`SWEPT(g - Listed, 32, 4)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Size = (g < Listed) ? SizeOf[g % Listed] : S + 1;
    logic [Size-1:0] req, gnt;
    logic [Size*16-1:0] rank;

    `BENCH("anl_arb_oldest", g, {Size})
    assign {rank, req} = in;
    assign out = {gnt};

    anl_arb_oldest #(.Size(Size)) u_dut (.req_i(req), .rank_i(rank), .gnt_o(gnt));
  end

endmodule
