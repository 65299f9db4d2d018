// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_fat_tree #(
  parameter int Index,
  parameter int N,
  parameter int Level,
  parameter int NumVcs,
  parameter int Path
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int DstW = anl_fat_tree_pkg::label_width(N);
  localparam int PathW = Path == anl_pkg::PathCarried && N > 1 ? N - 1 : 1;
  logic [DstW-1:0] here, dst;
  logic [PathW-1:0] path;
  logic random, either;
  logic [5:0] port;
  logic [NumVcs-1:0] vcs;

  `BENCH("anl_route_fat_tree", Index, {Path, NumVcs, Level, N})
  assign {path, random, dst, here} = in;
  assign out = {vcs, either, port};

  anl_route_fat_tree #(.N(N), .Level(Level), .NumVcs(NumVcs), .Path(Path)) u_dut (
    .here_i(here), .dst_i(dst), .path_i(path), .random_i(random), .port_o(port),
    .either_o(either), .vcs_o(vcs)
  );

endmodule
