// SPDX-License-Identifier: Apache-2.0
//
// anl_route_hypercube: routes are legal and minimal, from every switch to every terminal. In this
// proof a hypercube is a ring of two switches in every dimension, with one link each way.

`include "prove.svh"

module prove_route_hypercube #(
  parameter  int N        = 3,
  parameter  int NumVcs   = 2,
  localparam int K        = 2,
  localparam int DstW     = N,
  localparam int NumPorts = N + 1
) (
  input logic            clk_i,
  input logic [DstW-1:0] here_i,
  input logic [DstW-1:0] dst_i,
  input logic [3:0]      d_i               // any dimension
);

  `PROVE_RESET

  localparam bit Ring = 1'b1, OneWay = 1'b1;

  logic [NumPorts-1:0] port;
  logic [NumVcs-1:0]   vcs;

  anl_route_hypercube #(.N(N), .NumVcs(NumVcs)) u_dut (
    .differs_i(dst_i ^ here_i), .port_o(port), .vcs_o(vcs)
  );

  `include "route.svh"

  `PROVE(AllLanes, vcs == {NumVcs{1'b1}})

endmodule
