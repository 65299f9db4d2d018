// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_adaptive (input logic clk_i, input logic rst_i);

  localparam int KOf [14] = '{1, 4, 3, 2, 4, 5, 8, 2, 5, 4, 3, 4, 3, 512};
  localparam int NOf [14] = '{1, 2, 4, 2, 2, 3, 1, 3, 2, 2, 2, 2, 2, 1};
  localparam int TopologyOf [14] = '{0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 1, 2, 0};
  localparam int NumVcsOf [14] = '{2, 4, 2, 3, 4, 3, 8, 3, 4, 8, 5, 6, 7, 2};

  for (genvar g = 0; g < 14; g++) begin : g_corner
    localparam int K = KOf[g];
    localparam int N = NOf[g];
    localparam int Topology = TopologyOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int DstW = anl_cube_pkg::label_width(K, N);
    localparam int NumPorts = anl_cube_pkg::num_ports(Topology, N);
    logic [7:0] from;
    logic [DstW-1:0] here, dst;
    logic [NumPorts*NumVcs-1:0] options;

    `BENCH("anl_route_adaptive", g, {NumVcs, Topology, N, K})
    assign {dst, here, from} = in;
    assign out = options;

    anl_route_adaptive #(.K(K), .N(N), .Topology(Topology), .NumVcs(NumVcs)) u_dut (
      .here_i(here), .differs_i(dst ^ here), .dst_i(dst), .options_o(options)
    );
  end

endmodule
