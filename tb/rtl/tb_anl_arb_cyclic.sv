// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_arb_cyclic (input logic clk_i, input logic rst_i);

  localparam int SizeOf [13] = '{1, 2, 3, 4, 5, 7, 8, 21, 3, 5, 5, 8, 21};
  localparam int MembersOf [13] = '{1, 3, 7, 15, 31, 127, 255, 2097151, 5, 26, 4, 238, 1398101};
  // Behind these, every number of ports (docs/switch.md).
  localparam int Listed = 13;

  for (genvar g = 0; g < Listed + 32; g++) if (`SWEPT(g - Listed, 32, 4)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Size = (g < Listed) ? SizeOf[g % Listed] : S + 1;
    localparam int Members = (g < Listed) ? MembersOf[g % Listed] : -1;
    localparam int IdxW = anl_pkg::index_width(Size);
    localparam int WayW = anl_pkg::index_width(anl_pkg::members(Members, Size));
    logic [Size-1:0] req, gnt;
    logic [IdxW-1:0] start;
    logic [WayW-1:0] index;

    `BENCH("anl_arb_cyclic", g, {Members, Size})
    assign {start, req} = in;
    assign out = {index, gnt};

    anl_arb_cyclic #(.Size(Size), .Members(Members)) u_dut (
      .req_i(req), .from_i({Size{1'b1}} << start), .gnt_o(gnt), .index_o(index)
    );
  end

endmodule
