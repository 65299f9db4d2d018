// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_adaptive #(
  parameter int Index,
  parameter int K,
  parameter int N,
  parameter int Topology,
  parameter int NumVcs
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int DstW = anl_cube_pkg::label_width(K, N);
  localparam int NumPorts = anl_cube_pkg::num_ports(Topology, N);
  logic [7:0] from;
  logic [DstW-1:0] here, dst;
  logic [NumPorts*NumVcs-1:0] options;

  `BENCH("anl_route_adaptive", Index, {NumVcs, Topology, N, K})
  assign {dst, here, from} = in;
  assign out = options;

  anl_route_adaptive #(.K(K), .N(N), .Topology(Topology), .NumVcs(NumVcs)) u_dut (
    .here_i(here), .differs_i(dst ^ here), .dst_i(dst), .options_o(options)
  );

endmodule
