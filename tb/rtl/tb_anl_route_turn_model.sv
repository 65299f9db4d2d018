// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_turn_model (input logic clk_i, input logic rst_i);

  localparam int KOf [14] = '{1, 2, 4, 5, 3, 8, 4, 7, 8, 3, 3, 4, 2, 512};
  localparam int NOf [14] = '{2, 2, 2, 2, 3, 2, 1, 2, 2, 2, 2, 2, 10, 1};
  localparam int RuleOf [14] = '{9, 10, 9, 10, 11, 11, 11, 12, 12, 12, 9, 10, 11, 11};
  localparam int NumVcsOf [14] = '{1, 2, 4, 1, 2, 8, 1, 3, 1, 2, 5, 6, 7, 1};

  for (genvar g = 0; g < 14; g++) begin : g_corner
    localparam int K = KOf[g];
    localparam int N = NOf[g];
    localparam int Rule = RuleOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int DstW = anl_cube_pkg::label_width(K, N);
    localparam int NumPorts = anl_cube_pkg::num_ports(anl_cube_pkg::Mesh, N);
    logic [7:0] from;
    logic [DstW-1:0] here, dst;
    logic [NumPorts*NumVcs-1:0] options;

    `BENCH("anl_route_turn_model", g, {NumVcs, Rule, N, K})
    assign {dst, here, from} = in;
    assign out = options;

    anl_route_turn_model #(.K(K), .N(N), .NumVcs(NumVcs), .Rule(Rule)) u_dut (
      .here_i(here), .differs_i(dst ^ here), .dst_i(dst), .from_west_i(from == 1),
      .options_o(options)
    );
  end

endmodule
