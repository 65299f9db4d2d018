// SPDX-License-Identifier: Apache-2.0
//
// anl_credit_to_pulse and behind it anl_pulse_to_credit: a link of style credit_pulse_shared between two of ours
// (docs/link.md, "Links of other styles"). Flits pass as they are, and each credit that the receiver gives back comes to
// the sender later, for its lane: none is lost, made up or doubled, and no lane is passed too often.

`include "prove.svh"

module prove_pulses #(
  parameter  int NumVcs = 2,
  parameter  int Depth  = 2,
  localparam int FlitW  = 1,
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int CntW   = $clog2(Depth + 1),
  localparam int LinkW  = FlitW + 2
) (
  input logic              clk_i,
  input logic              valid_i,
  input logic [VcW-1:0]    vc_i,
  input logic [LinkW-1:0]  flit_i,
  input logic [NumVcs-1:0] credit_i,
  input logic [VcW-1:0]    lane_i          // lane that is not passed too often, sampled in the reset cycle
);

  `PROVE_RESET

  logic              valid, valid_between, pulse;
  logic [VcW-1:0]    vc, vc_between, lane, lane_q;
  logic [LinkW-1:0]  flit, flit_between;
  logic [NumVcs-1:0] credit, waits;        // waits: bit v: a credit of lane v has come and has not gone

  anl_credit_to_pulse #(.NumVcs(NumVcs), .FlitW(FlitW)) u_first (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o(credit),
    .valid_o(valid_between), .vc_o(vc_between), .flit_o(flit_between), .pulse_i(pulse), .lane_i(lane)
  );
  anl_pulse_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_second (
    .clk_i, .rst_i, .valid_i(valid_between), .vc_i(vc_between), .flit_i(flit_between), .pulse_o(pulse), .lane_o(lane),
    .valid_o(valid), .vc_o(vc), .flit_o(flit), .credit_i
  );

  // Flits that the receiver holds; flits whose credit has not come to the sender.
  logic [NumVcs*CntW-1:0] held_q, lent_q;

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    wire [CntW-1:0] here   = held_q[v*CntW +: CntW];
    wire [CntW-1:0] lent   = lent_q[v*CntW +: CntW];
    wire            enters = valid_i && 32'(vc_i) == v;

    assign waits[v] = lent != here;

    always_ff @(posedge clk_i) begin : model
      held_q[v*CntW +: CntW] <= rst_i ? '0 : here + CntW'(enters) - CntW'(credit_i[v]);
      lent_q[v*CntW +: CntW] <= rst_i ? '0 : lent + CntW'(enters) - CntW'(credit[v]);
    end

    `GIVEN(SendsWithCreditOnly, !enters || 32'(lent) < Depth)
    `GIVEN(CreditForWhatIsThere, !credit_i[v] || here != '0)
    `PROVE(NoCreditIsMadeUp, !credit[v] || waits[v])
    `PROVE(CreditsAreConserved, here <= lent && 32'(lent) <= Depth)
    `COVER(AllCreditsWait, NumVcs == 1 || (here == '0 && 32'(lent) == Depth))
    `COVER(CreditComesAndGoes, credit_i[v] && credit[v])
  end

  logic [VcW:0] passed_q;                  // how often other lanes had a credit while that of lane_q waited
  wire          passes = credit != '0 && (waits & (NumVcs'(1) << lane_q)) != '0;

  always_ff @(posedge clk_i) begin : passed
    if (rst_i) lane_q <= lane_i;
    passed_q <= (rst_i || !passes || (credit & (NumVcs'(1) << lane_q)) != '0) ? '0 : passed_q + 1'b1;
  end

  `GIVEN(LanesExist, 32'(vc_i) < NumVcs && 32'(lane_q) < NumVcs)
  `PROVE(SentAsGiven, valid == valid_i && (!valid || {vc, flit} == {vc_i, flit_i}))
  `PROVE(OneCreditIfAnyWaits, (credit != '0) == (waits != '0) && (credit & (credit - 1'b1)) == '0)
  `PROVE(PulseIsTheCreditOfItsLane, credit == (pulse ? NumVcs'(1) << lane : '0))
  `PROVE(PassedByFewerThanThereAre, 32'(passed_q) < NumVcs)
  `COVER(PassedByAllOthers, 32'(passed_q) == NumVcs - 1 && credit != '0)
  `COVER(AllLanesAtOnce, credit_i == '1 && waits != '0)

endmodule
