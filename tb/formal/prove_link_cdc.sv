// SPDX-License-Identifier: Apache-2.0
//
// anl_link_cdc, between two clocks of which a solver chooses in each step which ones tick: no flit and no credit is lost,
// doubled or made up, flits keep their order, and both come in time (docs/clocks.md, docs/link.md).
//
// The sender has Depth credits a lane and sends only with one. A sender of a chained link may spend it in the cycle in
// which it comes. The receiver returns credits for the flits that its lanes hold, at any time, of several lanes at once.
// The order follows a marked flit, which may be any one.

`include "prove.svh"

module prove_link_cdc #(
  parameter  int NumVcs = 2,
  parameter  int Depth  = 2,
  parameter  int SyncStages = 2,
  parameter  int CreditBypass = 0,
  localparam int FlitW  = 1,
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int LinkW  = FlitW + 2,
  localparam int CntW   = $clog2(2 * NumVcs * Depth + 1),
  localparam int AgeW   = 3
) (
  input logic              a_clk_i,             // of the sender
  input logic              b_clk_i,             // of the receiver
  input logic              a_leaves_i,
  input logic              b_leaves_i,
  input logic              valid_i,
  input logic [VcW-1:0]    vc_i,
  input logic [LinkW-1:0]  flit_i,
  input logic              mark_i,              // the flit that is sent is followed
  input logic [NumVcs-1:0] credit_i
);

`include "two_clocks.svh"

  logic              valid;
  logic [VcW-1:0]    vc;
  logic [LinkW-1:0]  flit;
  logic [NumVcs-1:0] credit;

  anl_link_cdc #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .SyncStages(SyncStages), .CreditBypass(CreditBypass)) u_dut (
    .sender_clk_i(a_clk_i), .sender_rst_i(a_rst), .valid_i, .vc_i, .flit_i, .credit_o(credit),
    .receiver_clk_i(b_clk_i), .receiver_rst_i(b_rst), .valid_o(valid), .vc_o(vc), .flit_o(flit), .credit_i
  );

  wire send    = a_tick && valid_i;
  wire arrives = b_tick && valid;

  logic [CntW-1:0]        way_q, ahead_q;       // flits on the way; those in front of the marked one
  logic                   marked_q, there_q;
  logic [VcW+LinkW-1:0]   data_q;
  logic [AgeW-1:0]        waits_q;              // edges of the receiver with a flit on the way

  initial {way_q, marked_q, there_q, waits_q} = '0;

  always_ff @($global_clock) begin : model
    way_q <= way_q + CntW'(send) - CntW'(arrives);
    if (send && mark_i && !marked_q) begin
      {marked_q, there_q} <= 2'b11;
      ahead_q <= way_q - CntW'(arrives);
      data_q  <= {vc_i, flit_i};
    end else if (there_q && arrives) begin
      if (ahead_q == '0) there_q <= 1'b0;
      else               ahead_q <= ahead_q - 1'b1;
    end
    if (arrives || way_q == '0)          waits_q <= '0;
    else if (b_tick && !waits_q[AgeW-1]) waits_q <= waits_q + 1'b1;
  end

  `GIVEN(LanesExist, 32'(vc_i) < NumVcs)
  `PROVE(FlitIsNotMadeUp, b_rst || !valid || way_q != '0)
  `PROVE(FlitsKeepTheirOrder, b_rst || !(valid && there_q && ahead_q == '0) || {vc, flit} == data_q)
  `PROVE(FlitComesInTime, b_rst || valid || 32'(waits_q) <= SyncStages)
  `COVER(MarkedFlitArrives, arrives && there_q && ahead_q == '0 && flit == '1)
  `COVER(SendsAndArrivesInAStep, NumVcs * Depth == 1 || (send && arrives))
  `COVER(SenderIsAhead, !a_rst && b_rst && 32'(way_q) == NumVcs * Depth)
  `COVER(SlotsAreUsedAgain, marked_q && !there_q && 32'(way_q) == NumVcs * Depth)

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    // Credits of the sender, flits that are on the way or in the lane, and credits on the way.
    logic [CntW-1:0] credits_q, flits_q, held_q, back_q;
    logic [AgeW-1:0] asks_q;                    // edges of the sender with a credit on the way
    wire             spend  = send && 32'(vc_i) == v;
    wire             enters = arrives && 32'(vc) == v;
    wire             leaves = b_tick && credit_i[v];
    wire             gains  = a_tick && credit[v];

    initial credits_q = CntW'(Depth);
    initial {flits_q, held_q, back_q, asks_q} = '0;

    always_ff @($global_clock) begin : model
      credits_q <= credits_q - CntW'(spend) + CntW'(gains);
      flits_q   <= flits_q + CntW'(spend) - CntW'(leaves);
      held_q    <= held_q + CntW'(enters) - CntW'(leaves);
      back_q    <= back_q + CntW'(leaves) - CntW'(gains);
      if (gains || back_q == '0)          asks_q <= '0;
      else if (a_tick && !asks_q[AgeW-1]) asks_q <= asks_q + 1'b1;
    end

    `GIVEN(SendsWithCredit, !spend || credits_q != '0 || (CreditBypass != 0 && gains))
    `GIVEN(CreditForWhatIsThere, !leaves || held_q != '0)
    `PROVE(LaneHasRoom, !enters || 32'(held_q) < Depth)
    `PROVE(CreditIsNotMadeUp, a_rst || !credit[v] || back_q != '0)
    `PROVE(CreditsAreConserved, 32'(credits_q) + 32'(flits_q) + 32'(back_q) == Depth)
    `PROVE(CreditComesInTime, a_rst || credit[v] || 32'(asks_q) <= SyncStages)
    `COVER(LaneIsFull, 32'(held_q) == Depth)
    `COVER(AllCreditsAreUnderWay, 32'(back_q) == Depth && !credit[v])
    `COVER(CreditIsSpentWhileOneComes, spend && gains)
  end

endmodule
