// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_table (input logic clk_i, input logic rst_i);

  localparam int TOf [10] = '{1, 2, 3, 5, 16, 31, 64, 100, 127, 32};
  localparam int NumPortsOf [10] = '{1, 2, 5, 7, 32, 17, 4, 3, 6, 31};
  localparam int NumVcsOf [10] = '{1, 8, 2, 3, 4, 1, 5, 8, 6, 7};

  for (genvar g = 0; g < 10; g++) begin : g_corner
    localparam int T = TOf[g];
    localparam int NumPorts = NumPortsOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int DstW = anl_pkg::index_width(T);
    logic [T*anl_pkg::EntryW-1:0] routes;
    logic [DstW-1:0] dst;
    logic [NumPorts-1:0] port;
    logic [NumVcs-1:0] vcs;

    `BENCH("anl_route_table", g, {NumVcs, NumPorts, T})
    assign {routes, dst} = in;
    assign out = {vcs, port};

    anl_route_table #(.T(T), .NumPorts(NumPorts), .NumVcs(NumVcs)) u_dut (
      .table_i(routes), .dst_i(dst), .port_o(port), .vcs_o(vcs)
    );
  end

endmodule
