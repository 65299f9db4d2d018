// SPDX-License-Identifier: Apache-2.0
//
// anl_arb_farthest: no request has a larger distance than the one granted, and among those with the
// same distance the granted one is the first in cyclic order from the start. The requests a_i and
// b_i are any two.

`include "prove.svh"

module prove_arb_farthest #(
  parameter  int Size      = 4,
  localparam int IdxW      = anl_pkg::index_width(Size),
  localparam int DistanceW = anl_head_pkg::RankW
) (
  input logic                      clk_i,
  input logic [Size-1:0]           req_i,
  input logic [Size*DistanceW-1:0] distance_i,
  input logic [IdxW-1:0]           start_i,
  input logic [IdxW-1:0]           a_i,
  input logic [IdxW-1:0]           b_i
);

  `PROVE_RESET

  logic [Size-1:0] gnt;

  anl_arb_farthest #(.Size(Size)) u_dut (
    .req_i, .distance_i, .from_i({Size{1'b1}} << start_i), .gnt_o(gnt)
  );

  wire [DistanceW-1:0] far_a = distance_i[a_i*DistanceW +: DistanceW];
  wire [DistanceW-1:0] far_b = distance_i[b_i*DistanceW +: DistanceW];
  wire [IdxW:0] to_a = {1'b0, a_i} - {1'b0, start_i} + (a_i < start_i ? (IdxW+1)'(Size) : '0);
  wire [IdxW:0] to_b = {1'b0, b_i} - {1'b0, start_i} + (b_i < start_i ? (IdxW+1)'(Size) : '0);

  `GIVEN(IndicesInRange, 32'(start_i) < Size && 32'(a_i) < Size && 32'(b_i) < Size)

  `PROVE(GrantImpliesRequest, !gnt[a_i] || req_i[a_i])
  `PROVE(OneGrant, !gnt[a_i] || !gnt[b_i] || a_i == b_i)
  `PROVE(GrantIfAnyRequest, !req_i[a_i] || gnt != '0)
  `PROVE(TrulyFarthest, !gnt[a_i] || !req_i[b_i] || far_a >= far_b)
  `PROVE(FirstOfTheFarthest, !gnt[a_i] || !req_i[b_i] || far_a != far_b || to_a <= to_b)

  `COVER(FirstOfTwoTheSame, gnt[a_i] && req_i[b_i] && far_a == far_b && to_a < to_b && a_i > b_i)
  `COVER(FarthestIsZero, gnt[a_i] && far_a == '0)
  `COVER(LastOfAll, req_i == '1 && gnt[a_i] && 32'(to_a) == Size - 1)

endmodule
