// SPDX-License-Identifier: Apache-2.0
//
// anl_registered_priority: docs/switch.md, "The favoured lane". The lanes a_i and b_i are any two. The
// waiter is any lane, chosen in the reset cycle; the flits of other lanes that are granted while it is
// eligible are counted.

`include "prove.svh"

module prove_registered_priority #(
  parameter  int NumVcs = 2,
  localparam int IdxW   = anl_pkg::index_width(NumVcs)
) (
  input logic              clk_i,
  input logic [NumVcs-1:0] held_i,
  input logic [NumVcs-1:0] eligible_i,
  input logic              taken_i,
  input logic [IdxW-1:0]   a_i,
  input logic [IdxW-1:0]   b_i,
  input logic [IdxW-1:0]   waiter_i
);

  `PROVE_RESET

  logic [NumVcs-1:0] ask;
  logic [IdxW-1:0]   favoured;

  anl_registered_priority #(.NumVcs(NumVcs)) u_dut (
    .clk_i, .rst_i, .held_i, .eligible_i, .ask_o(ask), .taken_i, .ptr_o(favoured)
  );

  // The rule, with numbers of lanes in place of masks: the lane that asks, and the first other
  // eligible one behind it.
  logic [IdxW-1:0]   asks, other, favoured_q;
  logic              any, others;          // some lane asks; some other one is eligible
  logic              ready_q;              // the reset is over
  logic [IdxW-1:0]   waiter_q;
  logic [NumVcs-1:0] passed_q;             // lanes whose flits were granted while the waiter is eligible
  logic              again_q;              // one of them twice

  // Returns the lane that is some steps behind a lane.
  function automatic logic [IdxW-1:0] behind(input logic [IdxW-1:0] lane, input int steps);
    logic [IdxW:0] sum;
    sum    = {1'b0, lane} + (IdxW+1)'(steps);
    behind = IdxW'((32'(sum) >= NumVcs) ? sum - (IdxW+1)'(NumVcs) : sum);
  endfunction

  always_comb begin : rule
    any    = 1'b0;
    others = 1'b0;
    asks   = '0;
    other  = '0;
    for (int i = NumVcs - 1; i >= 0; i--)
      if (held_i[behind(favoured_q, i)]) begin
        asks = behind(favoured_q, i);
        any  = 1'b1;
      end
    for (int i = NumVcs - 1; i > 0; i--)
      if (any && eligible_i[behind(asks, i)]) begin
        other  = behind(asks, i);
        others = 1'b1;
      end
  end

  wire moves_on = (taken_i || !eligible_i[asks]) && others;

  always_ff @(posedge clk_i) begin : model
    ready_q <= !rst_i;
    if (rst_i) begin
      favoured_q <= '0;
      waiter_q   <= waiter_i;
      passed_q   <= '0;
      again_q    <= 1'b0;
    end else begin
      if (any) favoured_q <= moves_on ? other : asks;
      if (!eligible_i[waiter_q] || ask[waiter_q]) begin
        passed_q <= '0;
        again_q  <= 1'b0;
      end else if (taken_i) begin
        passed_q <= passed_q | ask;
        again_q  <= again_q || (passed_q & ask) != '0;
      end
    end
  end

  // A lane asks until it is granted, as long as it stays eligible.
  logic [NumVcs-1:0] keeps_q;
  always_ff @(posedge clk_i) begin : asked
    keeps_q <= rst_i || taken_i ? '0 : ask & eligible_i;
  end

  `GIVEN(IndicesInRange, 32'(a_i) < NumVcs && 32'(b_i) < NumVcs)
  `GIVEN(EligibleIsHeld, (eligible_i & ~held_i) == '0)
  `GIVEN(TakenIsEligible, !taken_i || (ask & eligible_i) != '0)

  `PROVE(FavouredAsTheRuleSays, !ready_q || favoured == favoured_q)
  `PROVE(AsksAsTheRuleSays, !ready_q || ask[a_i] == (any && a_i == asks))
  `PROVE(OneLaneAsks, !ask[a_i] || !ask[b_i] || a_i == b_i)
  `PROVE(AsksUntilItIsGranted, !ready_q || (keeps_q & eligible_i & ~ask) == '0)
  `PROVE(PassedOnceByEachOther, !ready_q || 32'(waiter_q) >= NumVcs || !again_q)

  `COVER(PassedByAllOthers, ready_q && ask[waiter_q] && $countones(passed_q) == NumVcs - 1)
  `COVER(AnotherIsEligible, ready_q && ask[a_i] && !eligible_i[a_i] && eligible_i[b_i])
  `COVER(AsksAndIsNotGranted, ready_q && ask[a_i] && eligible_i[a_i] && !taken_i && eligible_i[b_i] && a_i != b_i)

endmodule
