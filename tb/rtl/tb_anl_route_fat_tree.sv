// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_fat_tree (input logic clk_i, input logic rst_i);

  // Every level of trees with 1 to 4 levels, each with every choice of path.
  localparam int NOf [10] = '{1, 2, 2, 3, 3, 3, 4, 4, 4, 4};
  localparam int LevelOf [10] = '{1, 1, 2, 1, 2, 3, 1, 2, 3, 4};

  for (genvar g = 0; g < 40; g++) begin : g_corner
    localparam int N = NOf[g / 4];
    localparam int Level = LevelOf[g / 4];
    localparam int Path = anl_pkg::PathNone + g % 4;
    localparam int NumVcs = 1 + g % 8;
    localparam int DstW = anl_fat_tree_pkg::label_width(N);
    localparam int PathW = Path == anl_pkg::PathCarried && N > 1 ? N - 1 : 1;
    logic [DstW-1:0] here, dst;
    logic [PathW-1:0] path;
    logic random, either;
    logic [5:0] port;
    logic [NumVcs-1:0] vcs;

    `BENCH("anl_route_fat_tree", g, {Path, NumVcs, Level, N})
    assign {path, random, dst, here} = in;
    assign out = {vcs, either, port};

    anl_route_fat_tree #(.N(N), .Level(Level), .NumVcs(NumVcs), .Path(Path)) u_dut (
      .here_i(here), .dst_i(dst), .path_i(path), .random_i(random), .port_o(port),
      .either_o(either), .vcs_o(vcs)
    );
  end

endmodule
