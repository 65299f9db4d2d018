// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_options (input logic clk_i, input logic rst_i);

  localparam int TOf [9] = '{1, 2, 5, 16, 31, 3, 4, 7, 3};
  localparam int NumPortsOf [9] = '{1, 3, 5, 4, 7, 2, 6, 9, 32};
  localparam int NumVcsOf [9] = '{2, 1, 4, 8, 3, 5, 6, 7, 2};

  for (genvar g = 0; g < 9; g++) begin : g_corner
    localparam int T = TOf[g];
    localparam int NumPorts = NumPortsOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int DstW = anl_pkg::index_width(T);
    logic [T*NumPorts*NumVcs-1:0] routes;
    logic [DstW-1:0] dst;
    logic [NumPorts*NumVcs-1:0] options;

    `BENCH("anl_route_options", g, {NumVcs, NumPorts, T})
    assign {routes, dst} = in;
    assign out = options;

    anl_route_options #(.T(T), .NumPorts(NumPorts), .NumVcs(NumVcs)) u_dut (
      .table_i(routes), .dst_i(dst), .options_o(options)
    );
  end

endmodule
