// SPDX-License-Identifier: Apache-2.0
//
// anl_vc_select: the lane is selected by rule 5 of docs/switch.md. Lanes a_i and b_i are any two.

`include "prove.svh"

module prove_vc_select #(
  parameter  int NumVcs = 4,
  localparam int VcW    = anl_pkg::index_width(NumVcs)
) (
  input logic              clk_i,
  input logic [NumVcs-1:0] can_i,
  input logic [NumVcs-1:0] all_credits_i,
  input logic [VcW-1:0]    a_i,
  input logic [VcW-1:0]    b_i
);

  `PROVE_RESET

  logic [NumVcs-1:0] lane;

  anl_vc_select #(.NumVcs(NumVcs)) u_dut (.can_i, .all_credits_i, .lane_o(lane));

  wire both = lane[a_i] && can_i[b_i];     // a is selected, and b could have been

  `GIVEN(LanesExist, 32'(a_i) < NumVcs && 32'(b_i) < NumVcs)

  `PROVE(TakesWhatItCan, !lane[a_i] || can_i[a_i])
  `PROVE(TakesOneLane, !lane[a_i] || !lane[b_i] || a_i == b_i)
  `PROVE(TakesOneIfAny, !can_i[a_i] || lane != '0)
  `PROVE(EmptyLaneFirst, !both || !all_credits_i[b_i] || all_credits_i[a_i])
  `PROVE(LowestLaneFirst, !both || all_credits_i[a_i] != all_credits_i[b_i] || a_i <= b_i)

  `COVER(LastLane, 32'(a_i) == NumVcs - 1 && both)
  if (NumVcs > 1) begin : g_two
    `COVER(HigherLaneIsEmpty, both && a_i > b_i)
    `COVER(NoLaneIsEmpty, both && a_i < b_i && (can_i & all_credits_i) == '0)
  end

endmodule
