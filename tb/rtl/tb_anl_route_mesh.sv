// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_mesh #(
  parameter int Index,
  parameter int K,
  parameter int N,
  parameter int NumVcs
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int DstW = anl_cube_pkg::label_width(K, N);
  localparam int NumPorts = 2 * N + 1;
  logic [DstW-1:0] here, dst;
  logic [NumPorts-1:0] port;
  logic [NumVcs-1:0] vcs;

  `BENCH("anl_route_mesh", Index, {NumVcs, N, K})
  assign {dst, here} = in;
  assign out = {vcs, port};

  anl_route_mesh #(.K(K), .N(N), .NumVcs(NumVcs)) u_dut (
    .differs_i(dst ^ here), .dst_i(dst), .port_o(port), .vcs_o(vcs)
  );

endmodule
