// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_hypercube #(
  parameter int Index,
  parameter int N,
  parameter int NumVcs
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int DstW = anl_cube_pkg::label_width(2, N);
  localparam int NumPorts = N + 1;
  logic [DstW-1:0] here, dst;
  logic [NumPorts-1:0] port;
  logic [NumVcs-1:0] vcs;

  `BENCH("anl_route_hypercube", Index, {NumVcs, N})
  assign {dst, here} = in;
  assign out = {vcs, port};

  anl_route_hypercube #(.N(N), .NumVcs(NumVcs)) u_dut (
    .differs_i(dst ^ here), .port_o(port), .vcs_o(vcs)
  );

endmodule
