// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_ring (input logic clk_i, input logic rst_i);

  localparam int KOf [11] = '{2, 2, 3, 4, 8, 5, 4, 3, 512, 2, 4};
  localparam int NOf [11] = '{1, 3, 2, 2, 2, 3, 2, 2, 1, 10, 1};
  localparam int NumVcsOf [11] = '{2, 3, 3, 4, 8, 2, 1, 5, 6, 7, 8};
  localparam int DatelineOf [11] = '{1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1};

  for (genvar g = 0; g < 11; g++) begin : g_corner
    localparam int K = KOf[g];
    localparam int N = NOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int Dateline = DatelineOf[g];
    localparam int DstW = anl_cube_pkg::label_width(K, N);
    localparam int NumPorts = N + 1;
    logic [DstW-1:0] here, dst;
    logic [NumPorts-1:0] port;
    logic [NumVcs-1:0] vcs;

    `BENCH("anl_route_ring", g, {Dateline, NumVcs, N, K})
    assign {dst, here} = in;
    assign out = {vcs, port};

    anl_route_ring #(.K(K), .N(N), .NumVcs(NumVcs), .Dateline(Dateline)) u_dut (
      .here_i(here), .dst_i(dst), .port_o(port), .vcs_o(vcs)
    );
  end

endmodule
