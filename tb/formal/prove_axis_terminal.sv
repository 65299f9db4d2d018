// SPDX-License-Identifier: Apache-2.0
//
// anl_axis_terminal: the packets of the stream in become worms beat by beat, and worms become the
// packets of the stream out.
//
// The lane that a worm takes is proved in prove_terminal.sv. On the ejection side any flit of any
// one lane is marked and followed.

`include "prove.svh"

module prove_axis_terminal #(
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 2,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int LengthInHead = 0,         // 1: heads say their length under wormhole, too
  parameter  int CreditBypass = 0,
  parameter  int Arbiter   = anl_pkg::Fixed,
  parameter  int PathW     = 0,
  parameter  int Whole     = 0,            // 1: whole packets, one after the other
  localparam int DstW      = 2,
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam int RankW     = anl_head_pkg::RankW,
  localparam int PathsW    = PathW > 0 ? PathW : 1,
  localparam bit HasLength = FlowControl != anl_pkg::Wormhole || LengthInHead != 0,
  localparam int LowW      = DstW + (HasLength ? LengthW : 0),
  localparam int RankedW   = LowW + (anl_pkg::ranked(Arbiter) != 0 ? RankW : 0),
  localparam int FieldsW   = RankedW + PathW,
  localparam int DataW     = 2,
  localparam int FlitW     = FieldsW + DataW,
  localparam int LinkW     = FlitW + 2,
  localparam int CntW      = $clog2(Depth + 1),
  localparam int VcW       = anl_pkg::index_width(NumVcs)
) (
  input logic               clk_i,
  input logic               s_tvalid_i,
  input logic [DataW-1:0]   s_tdata_i,
  input logic               s_tlast_i,
  input logic [DstW-1:0]    s_tdest_i,
  input logic [LengthW-1:0] s_beats_i,
  input logic [RankW-1:0]   distance_i,
  input logic [PathsW-1:0]  path_i,
  input logic [NumVcs-1:0]  inj_credit_i,
  input logic               ej_valid_i,
  input logic [VcW-1:0]     ej_vc_i,
  input logic [LinkW-1:0]   ej_flit_i,
  input logic               m_tready_i,
  input logic               mark_i,
  input logic [VcW-1:0]     lane_i         // lane of the mark, sampled in the reset cycle
);

  `PROVE_RESET

  logic              s_tready, m_tvalid, m_tlast, inj_valid;
  logic [DataW-1:0]  m_tdata;
  logic [VcW-1:0]    m_lane, inj_vc;
  logic [LinkW-1:0]  inj_flit;
  logic [NumVcs-1:0] ej_credit;

  anl_axis_terminal #(
    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .FlowControl(FlowControl),
    .LengthInHead(LengthInHead), .CreditBypass(CreditBypass), .Arbiter(Arbiter), .PathW(PathW), .Whole(Whole)
  ) u_dut (
    .clk_i, .rst_i,
    .s_tvalid_i, .s_tready_o(s_tready), .s_tdata_i, .s_tlast_i, .s_tdest_i, .s_beats_i,
    .distance_i, .path_i,
    .s_vcs_i({NumVcs{1'b1}}),
    .m_tvalid_o(m_tvalid), .m_tready_i, .m_tdata_o(m_tdata), .m_tlast_o(m_tlast), .m_lane_o(m_lane),
    .inj_valid_o(inj_valid), .inj_vc_o(inj_vc), .inj_flit_o(inj_flit), .inj_credit_i,
    .ej_valid_i, .ej_vc_i, .ej_flit_i, .ej_credit_o(ej_credit)
  );

  logic [NumVcs*CntW-1:0] lent_q;          // flits sent and credits not yet returned
  logic [NumVcs*CntW-1:0] held_q;          // flits in the ejection lanes
  logic                   packet_q;        // a packet has begun and has not ended
  wire                    taken = m_tvalid && m_tready_i;

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    wire [CntW-1:0] lent  = lent_q[v*CntW +: CntW];
    wire [CntW-1:0] count = held_q[v*CntW +: CntW];
    wire            comes = ej_valid_i && 32'(ej_vc_i) == v;
    wire            goes  = taken && 32'(m_lane) == v;

    always_ff @(posedge clk_i) begin : model
      lent_q[v*CntW +: CntW] <= rst_i ? '0 : lent + CntW'(inj_valid && 32'(inj_vc) == v)
                                             - CntW'(inj_credit_i[v]);
      held_q[v*CntW +: CntW] <= rst_i ? '0 : count + CntW'(comes) - CntW'(goes);
    end

    `GIVEN(CreditForWhatIsThere, !inj_credit_i[v] || lent != '0)
    `GIVEN(PushHasRoom, !comes || 32'(count) < Depth)

    `PROVE(CreditForWhatIsTaken, ej_credit[v] == goes)
  end

  always_ff @(posedge clk_i) begin : model
    packet_q <= !rst_i && (s_tvalid_i && s_tready ? !s_tlast_i : packet_q);
  end

  wire             push      = ej_valid_i && ej_vc_i == lane_q;
  wire             pop       = taken && m_lane == lane_q;
  wire [LinkW-1:0] push_flit = ej_flit_i;

  `include "marked.svh"

  `GIVEN(LanesExist, 32'(ej_vc_i) < NumVcs && 32'(lane_q) < NumVcs)
  `GIVEN(LengthIsLegal, !HasLength || !s_tvalid_i || packet_q
                        || (s_beats_i >= 1 && (FlowControl == anl_pkg::Wormhole || 32'(s_beats_i) <= Depth)))

  `PROVE_IN_RESET(NoBeatInReset, {s_tready, m_tvalid, inj_valid} == '0)
  `PROVE(BeatIsSentIffTaken, inj_valid == (s_tvalid_i && s_tready))
  `PROVE(FirstBeatIsTheHead, !inj_valid || inj_flit[FlitW+1] == !packet_q)
  `PROVE(LastBeatIsTheTail, !inj_valid || inj_flit[FlitW] == s_tlast_i)
  `PROVE(DataAreAboveTheFields, !inj_valid || inj_flit[FlitW-1 -: DataW] == s_tdata_i)
  `PROVE(HeadSaysDestination, !inj_valid || packet_q || inj_flit[DstW-1:0] == s_tdest_i)
  `PROVE(HeadSaysLength, !HasLength || !inj_valid || packet_q
                         || LengthW'(inj_flit[FlitW-1:0] >> DstW) == s_beats_i)

  // What the rank and the path must be: those of the cycle in which the first beat was shown.
  logic              shown_q;              // it was, in an earlier cycle
  logic [RankW-1:0]  now_q, stamp_q;
  logic [PathsW-1:0] path_q;

  always_ff @(posedge clk_i) begin : creation
    shown_q <= !rst_i && s_tvalid_i && !s_tready && !packet_q;
    now_q   <= rst_i ? '0 : now_q + RankW'(1);
    if (!shown_q) {stamp_q, path_q} <= {now_q, path_i};
  end

  `PROVE(HeadSaysStamp, Arbiter != anl_pkg::Age || !inj_valid || packet_q
                        || RankW'(inj_flit[FlitW-1:0] >> LowW) == (shown_q ? stamp_q : now_q))
  `PROVE(HeadSaysDistance, Arbiter != anl_pkg::Farthest || !inj_valid || packet_q
                           || RankW'(inj_flit[FlitW-1:0] >> LowW) == distance_i)
  `PROVE(HeadSaysPath, PathW == 0 || !inj_valid || packet_q
                       || PathsW'(inj_flit[FlitW-1:0] >> RankedW) == (shown_q ? path_q : path_i))

  // Another packet may be open, of which nothing has come.
  `PROVE(FlitIsShownAsABeat, Whole != 0 ? !m_tvalid || held_q != '0 : m_tvalid == (held_q != '0))
  `PROVE(BeatIsAsTheFlit, !there_q || ahead_q != '0 || !m_tvalid || m_lane != lane_q
                          || {m_tlast, m_tdata} == flit_q[FlitW -: DataW+1])

  logic               waits_q;             // a beat was shown and was not taken
  logic [VcW+DataW:0] beat_q;

  always_ff @(posedge clk_i) begin : shown
    waits_q <= !rst_i && m_tvalid && !m_tready_i;
    beat_q  <= {m_lane, m_tlast, m_tdata};
  end

  `PROVE(BeatStaysUntilTaken, !waits_q || (m_tvalid && {m_lane, m_tlast, m_tdata} == beat_q))

  // The rules of AXI4-Stream for the stream out; if packets are whole, each comes from one lane.
  logic [anl_checker_pkg::AxisRules-1:0] broken;

  anl_axis_checker #(
    .TdataW(8), .TidW(VcW), .TuserW(DataW), .Assert(0),
    .Rules((1 << anl_checker_pkg::AxisMixed) * Whole + (1 << anl_checker_pkg::AxisMixed) - 1)
  ) u_checker (
    .clk_i, .rst_i, .tvalid_i(m_tvalid), .tready_i(m_tready_i), .tdata_i(8'd0), .tkeep_i(1'b1),
    .tlast_i(m_tlast), .tid_i(m_lane), .tdest_i(1'b0), .tuser_i(m_tdata), .broken_o(broken)
  );

  `PROVE(StreamKeepsTheRules, broken == '0)

  `COVER(BeatWaits, s_tvalid_i && !s_tready && packet_q)
  `COVER(PacketBehindPacket, inj_valid && !packet_q && !s_tlast_i && lent_q != '0)
  `COVER(LanesAreFull, held_q == {NumVcs{CntW'(Depth)}} && !m_tready_i)
  `COVER(MarkedIsShownAndWaits, there_q && ahead_q == '0 && m_tvalid && m_lane == lane_q && !m_tready_i
                                && 32'(lane_q) == NumVcs - 1)
  if (HasLength) begin : g_length
    `COVER(LaterBeatSaysNoLength, inj_valid && packet_q && s_beats_i == '0)
  end

endmodule
