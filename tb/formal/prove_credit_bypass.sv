// SPDX-License-Identifier: Apache-2.0
//
// anl_credit_bypass: the outputs are the count, "has a credit" and "has all credits" of a lane with the
// credit that comes back in this cycle added.

`include "prove.svh"

module prove_credit_bypass #(
  parameter  int NumVcs = 2,
  parameter  int Depth  = 2,
  localparam int CntW   = $clog2(Depth + 1)
) (
  input logic                   clk_i,
  input logic [NumVcs*CntW-1:0] count_i,
  input logic [NumVcs-1:0]      credit_i
);

  `PROVE_RESET

  logic [NumVcs*CntW-1:0] count;
  logic [NumVcs-1:0]      had_credit, was_all_credits, has_credit, all_credits;

  anl_credit_bypass #(.NumVcs(NumVcs), .Depth(Depth)) u_dut (
    .count_i, .has_credit_i(had_credit), .all_credits_i(was_all_credits), .credit_i,
    .count_o(count), .has_credit_o(has_credit), .all_credits_o(all_credits)
  );

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    wire [CntW-1:0] before = count_i[v*CntW +: CntW];
    wire [CntW:0]   sum    = {1'b0, before} + (CntW+1)'(credit_i[v]);

    assign had_credit[v] = before != '0;
    assign was_all_credits[v]   = 32'(before) == Depth;

    `GIVEN(CreditsAreAtMostDepth, 32'(before) + 32'(credit_i[v]) <= Depth)

    `COVER(FirstCredit, credit_i[v] && before == '0)
    `COVER(LastCredit, credit_i[v] && 32'(before) == Depth - 1)
    `COVER(NoneToCome, !credit_i[v] && 32'(before) == Depth)
    `PROVE(CountsTheCreditOfThisCycle, {1'b0, count[v*CntW +: CntW]} == sum)
    `PROVE(HasCreditIfAny, has_credit[v] == (sum != '0))
    `PROVE(AllCreditsAreHere, all_credits[v] == (32'(sum) == Depth))
  end

endmodule
