// SPDX-License-Identifier: Apache-2.0
//
// anl_switch, whole: a lane of an outgoing link carries one worm at a time, is taken by rules 2 and
// 5 of docs/switch.md, and never gets more flits than it has room for. Under cut_through and
// store_and_forward it has room for all flits of the worm that are still to come, so only heads
// ever lack a credit.
//
// A data bit of every flit says whether it came by one certain lane, which may be any. As the bit
// is the same from head to tail, all flits of a worm come by the lane of its head, where they
// follow one another (prove_switch_flits.sv).
//
// With two stages a flit is on the link in the cycle after the one that decided. Then a lane was owned
// as it is now, since no flit of its link has been granted that is not on it by now; but a credit of
// the last cycle had not counted, and a flit whose credit is sent now had left its lane.

`include "prove.svh"

module prove_switch_worms #(
  parameter  int NumPorts  = 2,
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 2,
  parameter  int Arbiter   = anl_pkg::RoundRobin,
  parameter  int CreditBypass = 0,
  // 1: two ports lead to the last but one destination.
  parameter  int Greedy    = 0,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int Stages    = 1,
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam int DstW      = anl_pkg::index_width(NumPorts),
  localparam int OriginBit = anl_head_pkg::head_width(DstW, Arbiter, FlowControl, 0),
  localparam int FlitW     = OriginBit + 1,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LaneW     = anl_pkg::index_width(NumPorts * NumVcs),
  localparam int NumLanes  = NumPorts * NumVcs
) (
  input logic                          clk_i,
  input logic [31:0]                   seed_i,
  input logic [NumPorts-1:0]           valid_i,
  input logic [NumPorts*VcW-1:0]       vc_i,
  input logic [NumPorts*(FlitW+2)-1:0] flit_i,
  input logic [NumLanes-1:0]           credit_i,
  input logic [NumLanes-1:0]           vcs_i,
  input logic [LaneW-1:0]              origin_i    // the certain lane, sampled in the reset cycle
);

  localparam bit Whole = FlowControl != anl_pkg::Wormhole;

  `include "switch.svh"

  logic [LaneW-1:0] origin_q;
  always_ff @(posedge clk_i) begin : certain_lane
    if (rst_i) origin_q <= origin_i;
  end

  // Bit per lane: it holds, and with two stages held in the last cycle, a flit that could go if all
  // output lanes were free.
  logic [NumLanes-1:0] holds, may_go;
  // Credits that have come back, but that the decision about the flits on the links did not know.
  logic [NumLanes-1:0] late;

  if (Stages == 1) begin : g_one_stage
    assign late   = '0;
    assign may_go = holds;
  end else begin : g_two_stages
    logic [NumLanes-1:0] late_q, may_go_q;
    always_ff @(posedge clk_i) begin : decided
      late_q   <= credit_i;
      may_go_q <= rst_i ? '0 : holds;
    end
    assign late   = late_q;
    assign may_go = may_go_q;
  end

  for (genvar p = 0; p < NumPorts; p++) begin : g_worms
    wire [LinkW-1:0]   in_flit  = flit_i[p*LinkW +: LinkW];
    wire [LinkW-1:0]   out_flit = flit[p*LinkW +: LinkW];
    wire               head     = in_flit[FlitW+1];
    wire [LengthW-1:0] length   = LengthW'(in_flit[FlitW-1:0] >> DstW);
    wire               out_head = out_flit[FlitW+1];
    wire [LengthW-1:0] out_length = LengthW'(out_flit[FlitW-1:0] >> DstW);
    wire [31:0]        need = Whole ? 32'(out_length) : 1;
    wire [NumVcs-1:0]  set  = NumVcs'(vcs_q >> (32'(out_flit[DstW-1:0]) * NumVcs));
    logic [NumVcs-1:0] takes, all_credits, takeable;

    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      localparam int L = p * NumVcs + v;
      // The worm that is going out came by the certain lane.
      logic            of_origin_q;
      logic            ends_q;             // its tail went out in the previous cycle
      logic [CntW-1:0] left_q;             // flits of the worm coming in that are still to come
      logic [CntW-1:0] rest_q;             // flits of the worm going out that are still to come
      wire [CntW-1:0]  lent = lent_q[L*CntW +: CntW];
      wire [31:0]      held = 32'(held_q[L*CntW +: CntW]) - 32'(Stages == 2 && credit[L]);
      // Credits in use, as the decision about the flits on the links saw them.
      wire [31:0]      used = 32'(lent) - 32'(CreditBypass != 0 && credit_i[L]) + 32'(late[L]);
      wire [NumVcs-1:0] below = ~({NumVcs{1'b1}} << v);                       // lanes below v

      assign takes[v]    = departs[L] && out_head;
      assign all_credits[v]     = used == 0;
      assign takeable[v] = set[v] && !sent_q[L] && used + need <= Depth;
      assign holds[L]    = held != '0
                           && (FlowControl != anl_pkg::StoreAndForward || !worm_q[L]);

      always_ff @(posedge clk_i) begin : model
        if (takes[v])   of_origin_q <= out_flit[OriginBit];
        if (departs[L]) rest_q <= CntW'(out_head ? 32'(out_length) - 1 : 32'(rest_q) - 1);
        if (arrives[L]) left_q <= CntW'(head ? 32'(length) - 1 : 32'(left_q) - 1);
        ends_q <= departs[L] && out_flit[FlitW];
      end

      `GIVEN(MarkedByOrigin, !arrives[L] || in_flit[OriginBit] == (32'(origin_q) == L))
      `GIVEN(WormsAreAsLongAsTheySay, !Whole || !arrives[L] || (head
          ? length >= 1 && 32'(length) <= Depth && in_flit[FlitW] == (length == 1)
          : in_flit[FlitW] == (left_q == 1)))

      `PROVE(WormsAreWhole, !departs[L] || out_head == !sent_q[L])
      `PROVE(FlitsOfAWormTogether, !departs[L] || out_head || out_flit[OriginBit] == of_origin_q)
      `PROVE(HeadTakesATakeableLane, !takes[v] || takeable[v])
      `PROVE(EmptyLaneFirst, !takes[v] || all_credits[v] || (takeable & all_credits) == '0)
      `PROVE(LowestLaneFirst, !takes[v] || (takeable & below & (all_credits[v] ? all_credits : '1)) == '0)
      `COVER(OneFlitWorm, takes[v] && out_flit[FlitW] && sent_q != '0)
      if (Depth > 1) begin : g_deep
        `COVER(WormBehindWorm, ends_q && takes[v] && (Whole || !out_flit[FlitW]))
      end
      if (NumVcs > 1) begin : g_lanes
        `COVER(LowerLanesAreNotAllowed, takes[v] && (set & below) == '0 && all_credits == '1)
      end
      if (Whole) begin : g_whole
        `PROVE(RestOfTheWormHasRoom, !sent_q[L] || 32'(lent) + 32'(rest_q) <= Depth)
        `PROVE(WormsEndAsTheySay, !departs[L] || out_flit[FlitW]
                                  == (out_head ? out_length == 1 : rest_q == CntW'(1)))
        `COVER(JustFits, takes[v] && 32'(out_length) > 1 && used + 32'(out_length) == Depth)
      end else begin : g_part
        `COVER(BodyWaitsForACredit, sent_q[L] && 32'(lent) == Depth && held_q != '0 && valid == '0)
      end
      if (FlowControl == anl_pkg::StoreAndForward) begin : g_stored
        `PROVE(HeadWaitsForItsTail, !takes[v] || !out_flit[OriginBit]
                                    || 32'(held_q[origin_q*CntW +: CntW]) >= 32'(out_length))
      end
    end

    `GIVEN(PortExists, !valid_i[p] || !head || 32'(in_flit[DstW-1:0]) < NumPorts)
  end

  `PROVE(LaneExists, ((NumVcs & (NumVcs - 1)) == 0) || departs != '0 || valid == '0)
  `PROVE(SomethingMovesIfAllIsFree, may_go == '0 || lent_q != '0 || late != '0 || sent_q != '0 || valid != '0)

  `COVER(AllLanesCarryWorms, sent_q == '1 && valid == '1
                             && (worm_q == '1 || FlowControl == anl_pkg::StoreAndForward))

endmodule
