// SPDX-License-Identifier: Apache-2.0
//
// anl_offer: a class of messages offers one of its lanes by rule 3 of docs/switch.md, if it is chosen, and
// its pointer moves by its own grants alone. The lanes a_i and b_i are any two. Which lane the arbiter
// chooses has proofs of its own.

`include "prove.svh"

module prove_offer #(
  parameter  int NumVcs  = 2,
  parameter  int Arbiter = anl_pkg::RoundRobin,
  parameter  int AtOnce  = 0,
  localparam int RankW   = anl_head_pkg::RankW,
  localparam int VcW     = anl_pkg::index_width(NumVcs)
) (
  input logic                    clk_i,
  input logic [7:0]              random_i,
  input logic [NumVcs-1:0]       held_i,
  input logic [NumVcs-1:0]       eligible_i,
  input logic [NumVcs*RankW-1:0] rank_i,
  input logic                    chosen_i,
  input logic                    granted_i,
  input logic [VcW-1:0]          a_i,
  input logic [VcW-1:0]          b_i
);

  `PROVE_RESET

  // One lane has nothing to choose among.
  localparam bit Favours = Arbiter == anl_pkg::RegisteredPriority && NumVcs > 1;
  localparam bit Points  = Arbiter == anl_pkg::RoundRobin || Arbiter == anl_pkg::Matrix;

  logic [NumVcs-1:0] sel;
  logic [VcW-1:0]    index, ptr, ptr_q;
  logic              any, ready_q;

  anl_offer #(.NumVcs(NumVcs), .Arbiter(Arbiter), .AtOnce(AtOnce)) u_dut (
    .clk_i, .rst_i, .random_i, .held_i, .eligible_i, .rank_i, .any_o(any), .chosen_i, .sel_o(sel), .index_o(index),
    .granted_i, .ptr_o(ptr)
  );

  // Where a pointer is after the cycle: behind the lane whose flit was granted, else where it was.
  wire           moves   = chosen_i && granted_i;
  wire [VcW:0]   one_on  = {1'b0, index} + 1'b1;
  always_ff @(posedge clk_i) begin : model
    ready_q <= !rst_i;
    ptr_q   <= rst_i ? '0 : !moves ? ptr : (32'(one_on) == NumVcs) ? '0 : VcW'(one_on);
  end

  // Steps from the pointer on.
  wire [VcW:0] to_a = {1'b0, a_i} - {1'b0, ptr} + (a_i < ptr ? (VcW+1)'(NumVcs) : '0);
  wire [VcW:0] to_b = {1'b0, b_i} - {1'b0, ptr} + (b_i < ptr ? (VcW+1)'(NumVcs) : '0);
  wire         rival = Favours ? held_i[b_i] : eligible_i[b_i];

  `GIVEN(LanesExist, 32'(a_i) < NumVcs && 32'(b_i) < NumVcs)
  `GIVEN(EligibleIsHeld, (eligible_i & ~held_i) == '0)
  `GIVEN(OneClassIsChosen, AtOnce == 0 || chosen_i)
  `GIVEN(GrantedIfOffered, !moves || any)

  `PROVE(OffersOneLane, !sel[a_i] || !sel[b_i] || a_i == b_i)
  `PROVE(OffersAnEligibleLane, AtOnce != 0 || !sel[a_i] || eligible_i[a_i])
  `PROVE(OffersIfChosen, AtOnce != 0 || (sel != '0) == (any && chosen_i))
  `PROVE(AnyIfOneIsEligible, any ? eligible_i != '0 : Favours || eligible_i == '0)
  `PROVE(TheLaneAtOnceOrNone, AtOnce == 0 || any == ((sel & eligible_i) != '0))
  `PROVE(IndexIsTheLane, !sel[a_i] || index == a_i)
  `PROVE(FirstFromThePointer, !(Favours || Arbiter == anl_pkg::RoundRobin) || !ready_q || !sel[a_i] || !rival || to_a <= to_b)
  `PROVE(PointerMovesByOwnGrants, !Points || !ready_q || ptr == ptr_q)

  `COVER(AnotherClassIsGranted, AtOnce != 0 || (ready_q && any && !chosen_i && granted_i))
  `COVER(OfferIsNotGranted, any && chosen_i && !granted_i)
  `COVER(LastLaneIsGranted, moves && sel[NumVcs-1] && (NumVcs == 1 || !eligible_i[0]))

endmodule
