// SPDX-License-Identifier: Apache-2.0
//
// anl_arb_cyclic: exactly one request is granted if a member requests: the first one of a member in
// cyclic order from the start; the index is that of the winner. The requests a_i and b_i are any
// two.

`include "prove.svh"

module prove_arb_cyclic #(
  parameter  int Size    = 4,
  parameter  int Members = (1 << Size) - 1,
  localparam int IdxW    = anl_pkg::index_width(Size),
  localparam int IndexW  = anl_pkg::index_width(anl_pkg::members(Members, Size))
) (
  input logic            clk_i,
  input logic [Size-1:0] req_i,
  input logic [IdxW-1:0] start_i,
  input logic [IdxW-1:0] a_i,
  input logic [IdxW-1:0] b_i
);

  `PROVE_RESET

  logic [Size-1:0]   gnt;
  logic [IndexW-1:0] index;

  anl_arb_cyclic #(.Size(Size), .Members(Members)) u_dut (
    .req_i, .from_i({Size{1'b1}} << start_i), .gnt_o(gnt), .index_o(index)
  );

  localparam bit [Size-1:0] Member = Size'(Members);
  wire [Size-1:0] req     = req_i & Member;
  wire [Size-1:0] below_a = Member & ~({Size{1'b1}} << a_i);

  // Returns the number of steps from the start to an index.
  wire [IdxW:0] to_a = {1'b0, a_i} - {1'b0, start_i} + (a_i < start_i ? (IdxW+1)'(Size) : '0);
  wire [IdxW:0] to_b = {1'b0, b_i} - {1'b0, start_i} + (b_i < start_i ? (IdxW+1)'(Size) : '0);

  `GIVEN(IndicesInRange, 32'(start_i) < Size && 32'(a_i) < Size && 32'(b_i) < Size)

  `PROVE(GrantImpliesRequest, !gnt[a_i] || req_i[a_i])
  `PROVE(OneGrant, !gnt[a_i] || !gnt[b_i] || a_i == b_i)
  `PROVE(GrantIfAnyRequest, !req[a_i] || gnt != '0)
  `PROVE(FirstFromTheStart, !gnt[a_i] || !req[b_i] || to_a <= to_b)
  `PROVE(OnlyMembersWin, !gnt[a_i] || Member[a_i])
  `PROVE(IndexIsTheWinners, !gnt[a_i] || 32'(index) == $countones(below_a))

  `COVER(PastTheEnd, gnt[a_i] && a_i < start_i && 32'(b_i) == Size - 1 && start_i != b_i)
  `COVER(TheFarthestOfTwo, gnt[a_i] && req_i[b_i] && 32'(to_b) == Size - 1 && a_i != b_i)
  if (Members != (1 << Size) - 1) begin : g_others
    `COVER(OthersAskAsWell, gnt != '0 && req != req_i)
  end

endmodule
