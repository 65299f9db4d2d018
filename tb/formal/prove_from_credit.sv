// SPDX-License-Identifier: Apache-2.0
//
// anl_credit_to_ready, anl_credit_to_lane_ready, anl_credit_to_stop: what comes by our link leaves by the other one, in
// each lane whole and in order, by the rules of both styles (docs/link.md, "Links of other styles").
//
// Any flit of any one lane is marked and followed, as in prove_lanes.sv. The receiver does what it likes in each cycle.
// A credit comes for each flit that has crossed, not earlier and not twice. The marked lane is also the one that must
// not be passed too often.

`include "prove.svh"

module prove_from_credit #(
  parameter  int Style  = 0,               // 0: ready_valid, 1: ready_valid_per_lane, 2: stop_go
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
  input logic [NumVcs-1:0] back_i,         // of ready_valid bit 0 alone
  input logic              mark_i,
  input logic [VcW-1:0]    lane_i          // lane of the mark, sampled in the reset cycle
);

  `PROVE_RESET

  logic              valid, go;            // go: what is offered crosses
  logic [VcW-1:0]    vc;
  logic [LinkW-1:0]  flit;
  logic [NumVcs-1:0] credit, held, could;  // could: bit v: a flit of lane v crosses if it is offered
  logic [NumVcs-1:0] crosses, crossed_q, stop_q;

  if (Style == 0) begin : g_dut
    anl_credit_to_ready #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_dut (
      .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o(credit),
      .valid_o(valid), .vc_o(vc), .flit_o(flit), .ready_i(back_i[0])
    );
    assign go    = back_i[0];
    assign could = held;
  end else if (Style == 1) begin : g_per_lane
    anl_credit_to_lane_ready #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_dut (
      .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o(credit),
      .valid_o(valid), .vc_o(vc), .flit_o(flit), .ready_i(back_i)
    );
    assign go    = (back_i & (NumVcs'(1) << vc)) != '0;
    assign could = held & back_i;
  end else begin : g_stop
    anl_credit_to_stop #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_dut (
      .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o(credit),
      .valid_o(valid), .vc_o(vc), .flit_o(flit), .stop_i(back_i)
    );
    assign go    = 1'b1;
    assign could = held & ~stop_q;
  end

  // Flits in the lanes; flits of our link whose credit has not come back.
  logic [NumVcs*CntW-1:0] held_q, lent_q;

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    wire [CntW-1:0] here   = held_q[v*CntW +: CntW];
    wire [CntW-1:0] lent   = lent_q[v*CntW +: CntW];
    wire            enters = valid_i && 32'(vc_i) == v;
    wire            owed   = Style != 2 && crossed_q[v];

    assign held[v]    = here != '0;
    assign crosses[v] = valid && go && 32'(vc) == v;

    always_ff @(posedge clk_i) begin : model
      held_q[v*CntW +: CntW] <= rst_i ? '0 : here + CntW'(enters) - CntW'(crosses[v]);
      lent_q[v*CntW +: CntW] <= rst_i ? '0 : lent + CntW'(enters) - CntW'(credit[v]);
    end

    // On a chained link the credit of this cycle counts.
    `GIVEN(SendsWithCreditOnly, !enters || 32'(lent) - 32'(credit[v]) < Depth)
    `PROVE(CreditForWhatCrossed, credit[v] == ((Style == 2) ? crosses[v] : crossed_q[v]))
    `PROVE(CreditsAreConserved, 32'(lent) == 32'(here) + 32'(owed))
    `COVER(LastFlitOfAFullLane, 32'(here) == Depth && !enters && crosses[v])
  end

  always_ff @(posedge clk_i) begin : before
    crossed_q <= rst_i ? '0 : crosses;
    stop_q    <= rst_i ? '0 : back_i;
  end

  wire             pop       = crosses != '0 && vc == lane_q;
  wire             push      = valid_i && vc_i == lane_q;
  wire [LinkW-1:0] push_flit = flit_i;

  `include "marked.svh"

  `GIVEN(LanesExist, 32'(vc_i) < NumVcs && 32'(lane_q) < NumVcs)

  `PROVE(OfferedIsHeld, !valid || (held & (NumVcs'(1) << vc)) != '0)
  `PROVE(LeavesInOrder, !there_q || ahead_q != '0 || !valid || vc != lane_q || flit == flit_q)

  // How often other lanes went while the marked one could.
  logic [VcW:0] passed_q;
  wire          can = (could & (NumVcs'(1) << lane_q)) != '0;

  always_ff @(posedge clk_i) begin : passed
    passed_q <= (rst_i || !can || pop) ? '0 : passed_q + (VcW+1)'(crosses != '0);
  end

  `PROVE(PassedByFewerThanThereAre, 32'(passed_q) < NumVcs)
  `COVER(PassedByAllOthers, 32'(passed_q) == NumVcs - 1 && pop)
  `COVER(AllLanesAreFull, held_q == {NumVcs{CntW'(Depth)}} && crosses == '0)
  `COVER(MarkedIsBehindAll, there_q && 32'(ahead_q) == Depth - 1 && pop)

  // A flit that was offered on the marked lane, or under ready_valid on any lane, and has not crossed.
  logic             waits_q;
  logic [VcW-1:0]   shown_q;
  logic [LinkW-1:0] offered_q;
  wire              shows = valid && (Style == 0 || vc == lane_q);

  always_ff @(posedge clk_i) begin : offered
    waits_q <= !rst_i && (shows ? !go : waits_q);
    if (shows) {shown_q, offered_q} <= {vc, flit};
  end

  if (Style == 0) begin : g_held
    `PROVE(StaysUntilTaken, !waits_q || (valid && {vc, flit} == {shown_q, offered_q}))
    `COVER(OthersWaitBehindIt, waits_q && held == '1 && !go)
  end else if (Style == 1) begin : g_again
    `PROVE(OfferedWhateverIsReady, valid == (held != '0))
    `PROVE(CrossesIfOneCan, (crosses != '0) == (could != '0))
    `PROVE(SameFlitIsOfferedAgain, !waits_q || !shows || {vc, flit} == {shown_q, offered_q})
    `COVER(OtherLaneGoesMeanwhile, NumVcs == 1 || (waits_q && crosses != '0 && vc != lane_q))
  end else begin : g_stopped
    `PROVE(NotSentAtStop, !valid || (stop_q & (NumVcs'(1) << vc)) == '0)
    `COVER(UnderWayWhenStopRises, valid && (back_i & ~stop_q & (NumVcs'(1) << vc)) != '0)
  end
  if (Style != 1) begin : g_offered
    `PROVE(OfferedIfOneCanGo, valid == (could != '0))
  end

endmodule
