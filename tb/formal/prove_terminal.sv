// SPDX-License-Identifier: Apache-2.0
//
// anl_terminal: worms are injected by the rules of docs/switch.md, "Terminals", and ejected without
// a flit lost, made up or out of order in its lane.
//
// Injection: the source gives whole worms, and the switch returns credits at any time. Lane a_i is
// any one. Ejection: any flit of any one lane is marked and followed, as in prove_lanes.sv.

`include "prove.svh"

module prove_terminal #(
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 2,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int LengthInHead = 0,         // 1: heads say their length under wormhole, too
  parameter  int CreditBypass = 0,
  parameter  int Wide      = 0,            // a line of a wide link
  localparam int DstW      = 1,
  localparam int FlitW     = anl_head_pkg::head_width(DstW, anl_pkg::Fixed, FlowControl, LengthInHead) + 1,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LinkW     = FlitW + 2,
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam bit Whole     = FlowControl != anl_pkg::Wormhole,
  localparam bit HasLength = Whole || LengthInHead != 0
) (
  input logic              clk_i,
  input logic              src_valid_i,
  input logic [LinkW-1:0]  src_flit_i,
  input logic [NumVcs-1:0] src_vcs_i,
  input logic [NumVcs-1:0] inj_credit_i,
  input logic [VcW-1:0]    a_i,
  input logic              ej_valid_i,
  input logic [VcW-1:0]    ej_vc_i,
  input logic [LinkW-1:0]  ej_flit_i,
  input logic              snk_ready_i,
  input logic              mark_i,
  input logic [VcW-1:0]    lane_i          // lane of the mark, sampled in the reset cycle
);

  `PROVE_RESET

  logic              ready, inj_valid, snk_valid;
  logic [VcW-1:0]    inj_vc, snk_vc;
  logic [LinkW-1:0]  inj_flit, snk_flit;
  logic [NumVcs-1:0] ej_credit;

  anl_terminal #(
    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .FlowControl(FlowControl),
    .LengthInHead(LengthInHead), .CreditBypass(CreditBypass), .Wide(Wide)
  ) u_dut (
    .clk_i, .rst_i, .src_valid_i, .src_flit_i, .src_vcs_i, .src_ready_o(ready),
    .inj_valid_o(inj_valid), .inj_vc_o(inj_vc), .inj_flit_o(inj_flit), .inj_credit_i,
    .ej_valid_i, .ej_vc_i, .ej_flit_i, .ej_credit_o(ej_credit),
    .snk_valid_o(snk_valid), .snk_flit_o(snk_flit), .snk_vc_o(snk_vc), .snk_ready_i
  );

  // Injection.
  logic [NumVcs*CntW-1:0] lent_q;          // flits sent and credits not yet returned
  // Bit per lane: a head may take it; it is empty.
  logic [NumVcs-1:0]      room, empty;
  logic                   worm_q;          // a worm has begun and has not ended
  logic [VcW-1:0]         vc_q;            // the lane of that worm
  wire                    head   = src_flit_i[FlitW+1];
  wire [LengthW-1:0]      length = LengthW'(src_flit_i[FlitW-1:0] >> DstW);
  wire [31:0]             need   = (Whole && head) ? 32'(length) : 1;

  for (genvar v = 0; v < NumVcs; v++) begin : g_inject
    wire [CntW-1:0] lent = lent_q[v*CntW +: CntW];
    // Credits in use, as the decisions of this cycle see them.
    wire [31:0]     used = 32'(lent) - 32'(CreditBypass != 0 && inj_credit_i[v] && !(Wide != 0 && head));
    wire            send = inj_valid && 32'(inj_vc) == v;

    always_ff @(posedge clk_i) begin : model
      lent_q[v*CntW +: CntW] <= rst_i ? '0 : lent + CntW'(send) - CntW'(inj_credit_i[v]);
    end

    assign room[v]  = used + need <= Depth && (!head || src_vcs_i[v]);
    assign empty[v] = used == 0;

    `GIVEN(CreditForWhatIsThere, !inj_credit_i[v] || lent != '0)
    `PROVE(LaneHasRoomForIt, !send || room[v])
  end

  always_ff @(posedge clk_i) begin : worm
    if (inj_valid && head) vc_q <= inj_vc;
    worm_q <= !rst_i && (inj_valid ? !src_flit_i[FlitW] : worm_q);
  end

  `GIVEN(HeadsHaveALane, !src_valid_i || !head || src_vcs_i != '0)
  `GIVEN(WormsBeginWithHeads, !src_valid_i || head == !worm_q)
  `GIVEN(LanesExist, 32'(a_i) < NumVcs && 32'(ej_vc_i) < NumVcs && 32'(lane_i) < NumVcs)
  `GIVEN(LengthIsLegal, !HasLength || !src_valid_i || !head
                        || (length >= 1 && (!Whole || 32'(length) <= Depth)))

  `PROVE_IN_RESET(NothingInReset, {ready, inj_valid, snk_valid} == '0)
  `PROVE(SentIffTaken, inj_valid == (src_valid_i && ready))
  `PROVE(SentAsGiven, inj_flit == src_flit_i)
  `PROVE(WormStaysOnItsLane, !inj_valid || head || inj_vc == vc_q)
  `PROVE(NotHeldBack, !src_valid_i || (head ? room == '0 : !room[vc_q]) || ready)
  `PROVE(EmptyLaneFirst, !inj_valid || !head || !room[a_i] || !empty[a_i] || empty[inj_vc])
  `PROVE(LowestLaneFirst, !inj_valid || !head || !room[a_i] || empty[a_i] != empty[inj_vc]
                          || inj_vc <= a_i)

  logic ends_q;                            // a tail was sent in the previous cycle
  always_ff @(posedge clk_i) ends_q <= inj_valid && src_flit_i[FlitW];

  `COVER(WormBehindWorm, ends_q && inj_valid && head && inj_vc == vc_q && empty == '0)
  `COVER(HeadWaits, src_valid_i && head && !ready && empty == '0)
  if (!HasLength) begin : g_body
    `COVER(BodyWaitsBesideAFreeLane, src_valid_i && !head && !ready && empty != '0)
    `COVER(AnyBody, inj_valid && !head && src_flit_i[FlitW-1:0] == '0)
  end else begin : g_length
    `COVER(BodyOfNoLength, inj_valid && !head && length == '0)
  end
  if (CreditBypass != 0) begin : g_chained
    `COVER(SentWithTheCreditOfThisCycle, inj_valid && 32'(lent_q[inj_vc*CntW +: CntW]) == Depth)
  end

  // Ejection.
  logic [NumVcs*CntW-1:0] held_q;
  logic [NumVcs-1:0]      held;

  for (genvar v = 0; v < NumVcs; v++) begin : g_eject
    wire [CntW-1:0] count = held_q[v*CntW +: CntW];
    wire            push  = ej_valid_i && 32'(ej_vc_i) == v;
    wire            pop   = snk_valid && snk_ready_i && 32'(snk_vc) == v;

    always_ff @(posedge clk_i) begin : model
      held_q[v*CntW +: CntW] <= rst_i ? '0 : count + CntW'(push) - CntW'(pop);
    end

    assign held[v] = count != '0;
    `GIVEN(PushHasRoom, !push || 32'(count) < Depth)
    `PROVE(CreditForWhatIsTaken, ej_credit[v] == pop)
  end

  wire             pop       = snk_valid && snk_ready_i && snk_vc == lane_q;
  wire             push      = ej_valid_i && ej_vc_i == lane_q;
  wire [LinkW-1:0] push_flit = ej_flit_i;

  `include "marked.svh"

  logic           waits_q;                 // a flit was shown and was not taken
  logic [VcW-1:0] shown_q;                 // the lane of that flit

  always_ff @(posedge clk_i) begin : shown
    waits_q <= !rst_i && snk_valid && !snk_ready_i;
    shown_q <= snk_vc;
  end

  `PROVE(ShownIfAnyIsHeld, snk_valid == (held != '0))
  `PROVE(LowestHeldLaneIsShown, !snk_valid || waits_q
                                || (held[snk_vc] && (snk_vc <= a_i || !held[a_i])))
  `PROVE(StaysUntilTaken, !waits_q || (snk_valid && snk_vc == shown_q))
  `PROVE(LeavesInOrder, !there_q || ahead_q != '0 || !snk_valid || snk_vc != lane_q
                        || snk_flit == flit_q)

  `COVER(AllLanesAreFull, held_q == {NumVcs{CntW'(Depth)}} && !snk_ready_i)
  `COVER(LowerLaneComesFirst, snk_valid && !snk_ready_i && push && lane_q < snk_vc)
  `COVER(MarkedIsTheLastOfAll, there_q && pop && held == (NumVcs'(1) << lane_q)
                               && held_q[lane_q*CntW +: CntW] == CntW'(1) && 32'(lane_q) == NumVcs - 1)

endmodule
