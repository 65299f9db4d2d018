// SPDX-License-Identifier: Apache-2.0
//
// anl_admit, anl_vc_select, anl_credits and anl_credit_bypass, connected as at an output port: under
// cut_through and store_and_forward only heads ever wait for credits.
//
// In every cycle any head, or the next flit of any worm that has begun, may ask to go, and it goes
// if it can. The other end of the link returns credits for the flits that it has, at any time
// (docs/link.md). A head takes a lane with credits for its whole worm, and no other worm spends
// them.

`include "prove.svh"

module prove_room #(
  parameter  int NumVcs  = 2,
  parameter  int Depth   = 4,
  parameter  int CreditBypass = 0,
  localparam int LengthW = anl_head_pkg::LengthW,
  localparam int VcW     = anl_pkg::index_width(NumVcs),
  localparam int CntW    = $clog2(Depth + 1)
) (
  input logic               clk_i,
  input logic               offer_i,
  input logic               head_i,
  input logic [LengthW-1:0] length_i,      // of a head; any value for another flit
  input logic [NumVcs-1:0]  set_i,
  input logic [VcW-1:0]     vc_i,          // lane of the worm, for a flit that is not a head
  input logic [NumVcs-1:0]  credit_i
);

  `PROVE_RESET

  logic [NumVcs-1:0]      had_credit, was_all_credits, has_credit, all_credits, can, take, move;
  logic [NumVcs*CntW-1:0] count, usable;
  logic [NumVcs-1:0]      owned_q;         // a worm has begun on the lane and has not ended

  anl_admit #(.NumVcs(NumVcs), .Depth(Depth), .FlowControl(anl_pkg::CutThrough)) u_admit (
    .head_i, .length_i, .set_i, .bound_vc_i(NumVcs'(1) << vc_i), .free_i(~owned_q),
    .has_credit_i(has_credit), .credits_i(usable), .can_o(can)
  );
  anl_vc_select #(.NumVcs(NumVcs)) u_vc_select (.can_i(can), .all_credits_i(all_credits), .lane_o(take));
  anl_credits #(.NumVcs(NumVcs), .Depth(Depth)) u_credits (
    .clk_i, .rst_i, .credit_i, .spend_i(move),
    .count_o(count), .has_credit_o(had_credit), .all_credits_o(was_all_credits)
  );

  if (CreditBypass != 0) begin : g_chained
    anl_credit_bypass #(.NumVcs(NumVcs), .Depth(Depth)) u_chained (
      .count_i(count), .has_credit_i(had_credit), .all_credits_i(was_all_credits), .credit_i,
      .count_o(usable), .has_credit_o(has_credit), .all_credits_o(all_credits)
    );
  end else begin : g_registered
    assign {usable, has_credit, all_credits} = {count, had_credit, was_all_credits};
  end

  assign move = take & {NumVcs{offer_i}};

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [CntW-1:0] lent_q;               // flits sent and credits not yet returned
    logic [CntW-1:0] rest_q;               // flits of the lane's worm still to come
    wire  [31:0]     rest = head_i ? 32'(length_i) - 1 : 32'(rest_q) - 1;

    always_ff @(posedge clk_i) begin : model
      lent_q <= rst_i ? '0 : lent_q + CntW'(move[v]) - CntW'(credit_i[v]);
      if (move[v]) rest_q <= CntW'(rest);
      owned_q[v] <= !rst_i && (move[v] ? rest != 0 : owned_q[v]);
    end

    `GIVEN(CreditForWhatIsThere, !credit_i[v] || lent_q != '0)

    `PROVE(CreditsForTheRestOfTheWorm, !owned_q[v] || count[v*CntW +: CntW] >= rest_q)
    `COVER(NoCreditToSpare, owned_q[v] && 32'(count[v*CntW +: CntW]) == 1 && move[v])
    `COVER(LaneIsFull, 32'(lent_q) == Depth)
  end

  `GIVEN(LengthIsLegal, !offer_i || !head_i || (length_i >= 1 && 32'(length_i) <= Depth))
  `GIVEN(WormHasBegun, !offer_i || head_i || (32'(vc_i) < NumVcs && owned_q[vc_i]))

  `PROVE(BodyNeverWaits, !offer_i || head_i || take == NumVcs'(1) << vc_i)
  `COVER(HeadWaits, offer_i && head_i && take == '0 && set_i == '1 && owned_q == '0)
  `COVER(AllLanesAreOwned, owned_q == '1 && move != '0)

endmodule
