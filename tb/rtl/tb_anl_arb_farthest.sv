// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_arb_farthest (input logic clk_i, input logic rst_i);

  localparam int SizeOf [7] = '{1, 2, 3, 4, 5, 6, 8};
  // Behind these, every number of ports (docs/switch.md).
  localparam int Listed = 7;

  for (genvar g = 0; g < Listed + 32; g++) if (`SWEPT(g - Listed, 32, 4)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Size = (g < Listed) ? SizeOf[g % Listed] : S + 1;
    localparam int IdxW = anl_pkg::index_width(Size);
    logic [Size-1:0] req, gnt;
    logic [Size*16-1:0] distance;
    logic [IdxW-1:0] start;

    `BENCH("anl_arb_farthest", g, {Size})
    assign {start, distance, req} = in;
    assign out = {gnt};

    anl_arb_farthest #(.Size(Size)) u_dut (
      .req_i(req), .distance_i(distance), .from_i({Size{1'b1}} << start), .gnt_o(gnt)
    );
  end

endmodule
