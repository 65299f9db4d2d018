// SPDX-License-Identifier: Apache-2.0
//
// anl_admit: each lane admits the front flit exactly if docs/switch.md, rule 2 ("takeable",
// "eligible"), says so. The lane w_i is any one.

`include "prove.svh"

module prove_admit #(
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 4,
  parameter  int FlowControl = anl_pkg::Wormhole,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1)
) (
  input logic                        clk_i,
  input logic                        head_i,
  input logic [anl_head_pkg::LengthW-1:0] length_i,
  input logic [NumVcs-1:0]           set_i,
  input logic [VcW-1:0]              bound_vc_i,
  input logic [NumVcs-1:0]           free_i,
  input logic [NumVcs*CntW-1:0]      credits_i,
  input logic [VcW-1:0]              w_i
);

  `PROVE_RESET

  logic [NumVcs-1:0] can, has_credit;

  for (genvar w = 0; w < NumVcs; w++) begin : g_lane
    assign has_credit[w] = credits_i[w*CntW +: CntW] >= 1;
  end

  anl_admit #(.NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl)) u_dut (
    .head_i, .length_i, .set_i, .bound_vc_i(NumVcs'(1) << bound_vc_i), .free_i,
    .has_credit_i(has_credit), .credits_i, .can_o(can)
  );

  wire [31:0] need     = (FlowControl == anl_pkg::Wormhole) ? 1 : 32'(length_i);
  wire [31:0] credits  = 32'(credits_i[w_i*CntW +: CntW]);
  wire        takeable = free_i[w_i] && credits >= need;

  `GIVEN(LanesExist, 32'(w_i) < NumVcs && 32'(bound_vc_i) < NumVcs)
  `GIVEN(LengthIsLegal, !head_i || (length_i >= 1 && length_i <= 64))

  `PROVE(HeadNeedsTakeableLaneOfItsSet, !head_i || can[w_i] == (set_i[w_i] && takeable))
  `PROVE(BodyNeedsCreditOfItsLane, head_i || can[w_i] == (w_i == bound_vc_i && credits >= 1))

  `COVER(HeadTakesALaneOfItsSet, head_i && can[w_i] && set_i != '1)
  `COVER(BodyOfNoLength, !head_i && length_i == '0 && can[w_i])
  if (FlowControl != anl_pkg::Wormhole) begin : g_whole
    `COVER(TooLong, head_i && set_i[w_i] && free_i[w_i] && has_credit[w_i] && !can[w_i])
    `COVER(JustFits, head_i && can[w_i] && 32'(length_i) == (Depth < 64 ? Depth : 64))
  end

endmodule
