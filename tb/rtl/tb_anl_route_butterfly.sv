// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_butterfly (input logic clk_i, input logic rst_i);

  // Tags of the destination, and of the intermediate column (N and more); radices that are and that
  // are not powers of two.
  localparam int KOf [12] = '{2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 8, 32};
  localparam int NOf [12] = '{1, 3, 3, 4, 2, 2, 3, 2, 3, 2, 3, 2};
  localparam int TagOf [12] = '{0, 2, 3, 6, 0, 2, 4, 1, 4, 1, 3, 2};

  for (genvar g = 0; g < 12; g++) begin : g_corner
    localparam int K = KOf[g];
    localparam int N = NOf[g];
    localparam int Tag = TagOf[g];
    localparam int NumVcs = 1 + g % 8;
    localparam int DigitW = $clog2(K);
    localparam int DstW = N * DigitW;
    localparam int PathW = Tag < N ? 1 : (Tag - N + 1) * DigitW;
    logic [DstW-1:0] dst;
    logic [PathW-1:0] path;
    logic [K-1:0] port;
    logic [NumVcs-1:0] vcs;

    `BENCH("anl_route_butterfly", g, {NumVcs, Tag, N, K})
    assign {path, dst} = in;
    assign out = {vcs, port};

    anl_route_butterfly #(.K(K), .N(N), .Tag(Tag), .NumVcs(NumVcs)) u_dut (
      .dst_i(dst), .path_i(path), .port_o(port), .vcs_o(vcs)
    );
  end

endmodule
