// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_mesh (input logic clk_i, input logic rst_i);

  localparam int KOf [10] = '{1, 2, 3, 4, 8, 5, 3, 512, 2, 3};
  localparam int NOf [10] = '{1, 1, 2, 3, 2, 4, 2, 1, 10, 1};
  localparam int NumVcsOf [10] = '{1, 2, 3, 4, 8, 2, 5, 6, 7, 8};

  for (genvar g = 0; g < 10; g++) begin : g_corner
    localparam int K = KOf[g];
    localparam int N = NOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int DstW = anl_cube_pkg::label_width(K, N);
    localparam int NumPorts = 2 * N + 1;
    logic [DstW-1:0] here, dst;
    logic [NumPorts-1:0] port;
    logic [NumVcs-1:0] vcs;

    `BENCH("anl_route_mesh", g, {NumVcs, N, K})
    assign {dst, here} = in;
    assign out = {vcs, port};

    anl_route_mesh #(.K(K), .N(N), .NumVcs(NumVcs)) u_dut (
      .differs_i(dst ^ here), .dst_i(dst), .port_o(port), .vcs_o(vcs)
    );
  end

endmodule
