// SPDX-License-Identifier: Apache-2.0
//
// anl_second_port: heads that may go by either port are eligible for the last port, and take a lane
// of it, by rules 2 and 5 of docs/switch.md ("Several ports"). Input lane v_i and output lanes a_i
// and b_i are any.

`include "prove.svh"

module prove_second_port #(
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 4,
  parameter  int FlowControl = anl_pkg::Wormhole,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LengthW   = anl_head_pkg::LengthW
) (
  input logic                      clk_i,
  input logic [NumVcs-1:0]         held_i,
  input logic [NumVcs-1:0]         head_i,
  input logic [NumVcs-1:0]         whole_i,
  input logic [NumVcs-1:0]         either_i,
  input logic [NumVcs*LengthW-1:0] length_i,
  input logic [NumVcs*NumVcs-1:0]  set_i,
  input logic [NumVcs-1:0]         free_i,
  input logic [NumVcs*CntW-1:0]    credits_i,
  input logic                      none_i,
  input logic [VcW-1:0]            v_i,
  input logic [VcW-1:0]            a_i,
  input logic [VcW-1:0]            b_i
);

  `PROVE_RESET

  logic [NumVcs-1:0] has_credit, all_credits, eligible, take;

  for (genvar w = 0; w < NumVcs; w++) begin : g_lane
    assign has_credit[w] = credits_i[w*CntW +: CntW] >= 1;
    assign all_credits[w]       = 32'(credits_i[w*CntW +: CntW]) == Depth;
  end

  anl_second_port #(.NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl)) u_dut (
    .held_i, .head_i, .whole_i, .either_i, .length_i, .set_i,
    .free_i, .has_credit_i(has_credit), .all_credits_i(all_credits), .credits_i,
    .eligible_o(eligible), .sel_i(none_i ? '0 : NumVcs'(1) << v_i), .take_o(take)
  );

  wire [LengthW-1:0] length = length_i[v_i*LengthW +: LengthW];
  wire [NumVcs-1:0]  set    = set_i[v_i*NumVcs +: NumVcs];
  wire [31:0] need = (FlowControl == anl_pkg::Wormhole) ? 1 : 32'(length);
  wire        goes = head_i[v_i] && either_i[v_i];
  wire        can_a = goes && set[a_i] && free_i[a_i] && 32'(credits_i[a_i*CntW +: CntW]) >= need;
  wire        can_b = goes && set[b_i] && free_i[b_i] && 32'(credits_i[b_i*CntW +: CntW]) >= need;

  `GIVEN(LanesExist, 32'(v_i) < NumVcs && 32'(a_i) < NumVcs && 32'(b_i) < NumVcs)
  `GIVEN(LengthIsLegal, !head_i[v_i] || (length >= 1 && length <= 64))
  `GIVEN(CreditsAreAtMostDepth, 32'(credits_i[a_i*CntW +: CntW]) <= Depth)

  `PROVE(EligibleIfALaneIsTakeable, !held_i[v_i] || !whole_i[v_i] || !can_a || eligible[v_i])
  `PROVE(OnlyHeldHeadsOfEitherPort, !eligible[v_i] || (held_i[v_i] && whole_i[v_i] && goes))
  `PROVE(TakesTakeableLanesOnly, !take[a_i] || (can_a && !none_i))
  `PROVE(TakesOneIfAny, none_i || !can_a || take != '0)
  `PROVE(TakesByRuleFive, !take[a_i] || !can_b || (all_credits[a_i] && !all_credits[b_i])
                          || (all_credits[a_i] == all_credits[b_i] && a_i <= b_i))

  `COVER(TakesALane, eligible[v_i] && take[a_i] && !none_i)
  `COVER(NoneIsTakeable, held_i[v_i] && whole_i[v_i] && goes && !eligible[v_i])
  `COVER(LaterLaneIsEmpty, NumVcs == 1 || Depth == 1 || (take[a_i] && can_b && a_i > b_i))

endmodule
