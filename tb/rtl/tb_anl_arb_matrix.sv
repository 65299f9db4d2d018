// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_arb_matrix (input logic clk_i, input logic rst_i);

  // Every number of ports (docs/switch.md); the largest take as long to compile as all other arbiters.
  for (genvar g = 0; g < 32; g++) if (`SWEPT(g - 6, 26, 8)) begin : g_corner
    localparam int Size = g + 1;
    logic [Size-1:0] req, gnt;
    logic [anl_pkg::index_width(Size)-1:0] ptr;
    logic taken;

    `BENCH("anl_arb_matrix", g, {Size})
    assign {taken, req} = in;
    assign out = {ptr, gnt};

    anl_arb_matrix #(.Size(Size)) u_dut (
      .clk_i, .rst_i, .req_i(req), .gnt_o(gnt), .taken_i(taken), .ptr_o(ptr)
    );
  end

endmodule
