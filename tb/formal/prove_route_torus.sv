// SPDX-License-Identifier: Apache-2.0
//
// anl_route_torus: routes are legal and minimal, from every switch to every terminal, and in each
// ring a worm takes class 0 up to and over the wrap link and class 1 after it, or class 1 all the
// way if it does not cross the wrap link.

`include "prove.svh"
`define ROUTE anl_route_torus

module prove_route_torus #(
  parameter  int K        = 4,
  parameter  int N        = 2,
  parameter  int NumVcs   = 2,
  parameter  int Dateline = 1,
  localparam int DstW     = anl_cube_pkg::label_width(K, N),
  localparam int NumPorts = 2 * N + 1
) (
  input logic            clk_i,
  input logic [DstW-1:0] here_i,
  input logic [DstW-1:0] dst_i,
  input logic [3:0]      d_i               // any dimension
);

  localparam bit OneWay = 1'b0;

  `include "torus.svh"

  wire [31:0] forward = to_x - 32'(here_x) + (to_x < 32'(here_x) ? K : 0);

  `PROVE(HalfWayGoesByTheCoordinate, eject || 2 * forward != K || minus == here_i[dimension*CoordW])

endmodule
