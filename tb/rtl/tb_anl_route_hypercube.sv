// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_hypercube (input logic clk_i, input logic rst_i);

  localparam int NOf [9] = '{1, 2, 3, 4, 7, 10, 5, 6, 8};
  localparam int NumVcsOf [9] = '{1, 2, 3, 4, 8, 1, 5, 6, 7};

  for (genvar g = 0; g < 9; g++) begin : g_corner
    localparam int N = NOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int DstW = anl_cube_pkg::label_width(2, N);
    localparam int NumPorts = N + 1;
    logic [DstW-1:0] here, dst;
    logic [NumPorts-1:0] port;
    logic [NumVcs-1:0] vcs;

    `BENCH("anl_route_hypercube", g, {NumVcs, N})
    assign {dst, here} = in;
    assign out = {vcs, port};

    anl_route_hypercube #(.N(N), .NumVcs(NumVcs)) u_dut (
      .differs_i(dst ^ here), .port_o(port), .vcs_o(vcs)
    );
  end

endmodule
