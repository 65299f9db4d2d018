// SPDX-License-Identifier: Apache-2.0
//
// anl_pick: one grant, to the first request in cyclic order from the start. Requests a_i and b_i are
// any two.

`include "prove.svh"

module prove_pick #(
  parameter  int Size = 4,
  localparam int IdxW = anl_pkg::index_width(Size)
) (
  input logic            clk_i,
  input logic [Size-1:0] req_i,
  input logic [IdxW-1:0] start_i,
  input logic [IdxW-1:0] a_i,
  input logic [IdxW-1:0] b_i
);

  `PROVE_RESET

  logic [Size-1:0] gnt;

  anl_pick #(.Size(Size)) u_dut (.req_i, .from_i({Size{1'b1}} << start_i), .gnt_o(gnt));

  // Steps from the start to an index.
  wire [IdxW:0] to_a = {1'b0, a_i} - {1'b0, start_i} + (a_i < start_i ? (IdxW+1)'(Size) : '0);
  wire [IdxW:0] to_b = {1'b0, b_i} - {1'b0, start_i} + (b_i < start_i ? (IdxW+1)'(Size) : '0);

  `GIVEN(IndicesInRange, 32'(start_i) < Size && 32'(a_i) < Size && 32'(b_i) < Size)

  `PROVE(GrantImpliesRequest, !gnt[a_i] || req_i[a_i])
  `PROVE(OneGrant, !gnt[a_i] || !gnt[b_i] || a_i == b_i)
  `PROVE(GrantIfAnyRequest, !req_i[a_i] || gnt != '0)
  `PROVE(FirstFromTheStart, !gnt[a_i] || !req_i[b_i] || to_a <= to_b)

  `COVER(PastTheEnd, gnt[a_i] && a_i < start_i && 32'(b_i) == Size - 1 && start_i != b_i)
  `COVER(TheFarthestOfTwo, gnt[a_i] && req_i[b_i] && 32'(to_b) == Size - 1 && a_i != b_i)

endmodule
