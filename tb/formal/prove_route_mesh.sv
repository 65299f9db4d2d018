// SPDX-License-Identifier: Apache-2.0
//
// anl_route_mesh: routes are legal and minimal, from every switch to every terminal.

`include "prove.svh"

module prove_route_mesh #(
  parameter  int K        = 4,
  parameter  int N        = 2,
  parameter  int NumVcs   = 2,
  localparam int DstW     = anl_cube_pkg::label_width(K, N),
  localparam int NumPorts = 2 * N + 1
) (
  input logic            clk_i,
  input logic [DstW-1:0] here_i,
  input logic [DstW-1:0] dst_i,
  input logic [3:0]      d_i               // any dimension
);

  `PROVE_RESET

  localparam bit Ring = 1'b0, OneWay = 1'b0;

  logic [NumPorts-1:0] port;
  logic [NumVcs-1:0]   vcs;

  anl_route_mesh #(.K(K), .N(N), .NumVcs(NumVcs)) u_dut (
    .differs_i(dst_i ^ here_i), .dst_i, .port_o(port), .vcs_o(vcs)
  );

  `include "route.svh"

  `PROVE(LinkExists, eject || !wraps)
  `PROVE(AllLanes, vcs == {NumVcs{1'b1}})

endmodule
