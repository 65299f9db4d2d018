// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream terminal: a packet of the stream travels as a worm, and each beat is a flit.
//
// Stream in: the first beat of a packet becomes the head and the beat with tlast the tail. tdest of
// the first beat is the label of the destination. s_beats_i of the first beat is the number of beats,
// which the head carries: 1 .. Depth, or 1 .. 127 under wormhole, where it is read only if
// LengthInHead is 1. Stream out: the packets come one after the other, each whole. If Whole is 0,
// packets of different lanes interleave, and the beats of one m_lane_o are whole packets. Each
// beat carries the DataW = FlitW - FieldsW bits above the fields of a head (docs/link.md).
// The other fields of a head: a packet is created in the cycle in which its first beat is shown. Its
// stamp is the number of that cycle since reset, so the terminals of a network leave reset in the
// same cycle. Its path is path_i of that cycle. Its distance is what the network says of s_tdest_i.
// Each class of messages has a stream in and a stream out: s_*, m_*, distance_i and path_i are
// vectors with one entry for each class. Of the streams that could send a beat, the scan over
// classes chooses one.
// In reset no beat is taken or shown: s_tready_o and m_tvalid_o are 0.
// Timing: s_tready_o is a function of registers, of s_beats_i and s_vcs_i, and only with several
// classes of s_tvalid_i; m_* are functions of registers. If CreditBypass is 1, s_tready_o follows
// inj_credit_i as well. Under store_and_forward the source must have the whole packet before its
// first beat.

// The fields and the head mark of a flit that arrives are dropped. A policy that is not chosen
// leaves inputs and registers unread.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_axis_terminal #(
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlitW     = 40,
  parameter  int DstW      = 4,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int LengthInHead = 0,                             // 1: heads say their length under wormhole, too
  parameter  int CreditBypass = 0,
  parameter  int Arbiter   = anl_pkg::RoundRobin,              // of the switches
  parameter  int Wide      = 0,                                // 1: for one line of a wide link
  parameter  int Classes   = 1,                                // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,       // of the classes (anl_pkg)
  parameter  int PathW     = 0,                                // bits of a path (up_down_fixed)
  parameter  int Whole     = 1,                                // 0: packets of different lanes interleave
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam int RankW     = anl_head_pkg::RankW,
  localparam int PathsW    = (PathW > 0) ? PathW : 1,
  localparam int RankedW   = anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead),
  localparam int FieldsW   = RankedW + PathW,
  localparam int DataW     = FlitW - FieldsW,                  // at least 1
  localparam int TidW      = anl_pkg::index_width(NumVcs / Classes)
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // Streams in, from the user.
  input  logic [Classes-1:0]         s_tvalid_i,
  output logic [Classes-1:0]         s_tready_o,
  input  logic [Classes*DataW-1:0]   s_tdata_i,
  input  logic [Classes-1:0]         s_tlast_i,
  input  logic [Classes*DstW-1:0]    s_tdest_i,
  input  logic [Classes*LengthW-1:0] s_beats_i,
  input  logic [NumVcs-1:0]          s_vcs_i,    // lanes that worms may take: a function of s_tdest_i

  // From who knows the network: links between this terminal and s_tdest_i, read if Arbiter is Farthest;
  // bits drawn at random in every cycle, read if PathW is not 0.
  input  logic [Classes*RankW-1:0]   distance_i,
  input  logic [Classes*PathsW-1:0]  path_i,

  // Streams out, to the user. A lane is counted from 0 within its class.
  output logic [Classes-1:0]         m_tvalid_o,
  input  logic [Classes-1:0]         m_tready_i,
  output logic [Classes*DataW-1:0]   m_tdata_o,
  output logic [Classes-1:0]         m_tlast_o,
  output logic [Classes*TidW-1:0]    m_lane_o,

  // Links of the terminal (docs/link.md).
  output logic                       inj_valid_o,
  output logic [VcW-1:0]             inj_vc_o,
  output logic [LinkW-1:0]           inj_flit_o,
  input  logic [NumVcs-1:0]          inj_credit_i,
  input  logic                       ej_valid_i,
  input  logic [VcW-1:0]             ej_vc_i,
  input  logic [LinkW-1:0]           ej_flit_i,
  output logic [NumVcs-1:0]          ej_credit_o
);

  localparam int LowW = anl_head_pkg::rank_lsb(DstW, FlowControl, LengthInHead);

  logic [Classes*LinkW-1:0] flits, out_flits;
  logic [Classes-1:0]       first;        // bit c: the next beat of the class is the first of a packet
  logic [RankW-1:0]         now;          // cycles since reset, if heads have stamps

  if (Arbiter == anl_pkg::Age) begin : g_now
    logic [RankW-1:0] now_q;
    assign now = now_q;
    always_ff @(posedge clk_i) begin : regs
      if (rst_i) now_q <= '0;
      else       now_q <= now_q + RankW'(1);
    end
  end else begin : g_no_now
    assign now = '0;
  end

  for (genvar c = 0; c < Classes; c++) begin : g_class
    logic               first_d, first_q;     // the next beat is the first of a packet
    logic               waits_d, waits_q;     // a first beat was shown and was not taken
    logic [DstW-1:0]    dest;
    logic [FieldsW-1:0] fields;

    assign dest = s_tdest_i[c*DstW +: DstW];
    if (FlowControl == anl_pkg::Wormhole && LengthInHead == 0) begin : g_no_length
      assign fields[LowW-1:0] = dest;
    end else begin : g_length
      assign fields[LowW-1:0] = {s_beats_i[c*LengthW +: LengthW], dest};
    end

    if (Arbiter == anl_pkg::Age) begin : g_stamp
      logic [RankW-1:0] stamp, stamp_q;
      assign stamp                 = waits_q ? stamp_q : now;
      assign fields[LowW +: RankW] = stamp;
      always_ff @(posedge clk_i) begin : regs
        stamp_q <= stamp;
      end
    end else if (Arbiter == anl_pkg::Farthest) begin : g_distance
      assign fields[LowW +: RankW] = distance_i[c*RankW +: RankW];
    end

    if (PathW > 0) begin : g_path
      logic [PathsW-1:0] path, path_q;
      assign path                      = waits_q ? path_q : path_i[c*PathsW +: PathsW];
      assign fields[RankedW +: PathsW] = path;
      always_ff @(posedge clk_i) begin : regs
        path_q <= path;
      end
    end

    assign first[c]                    = first_q;
    assign flits[c*LinkW +: LinkW]     = {first_q, s_tlast_i[c], s_tdata_i[c*DataW +: DataW], fields};
    assign m_tlast_o[c]                = out_flits[c*LinkW + FlitW];
    assign m_tdata_o[c*DataW +: DataW] = out_flits[c*LinkW + FieldsW +: DataW];
    assign first_d = (s_tvalid_i[c] && s_tready_o[c]) ? s_tlast_i[c] : first_q;
    assign waits_d = s_tvalid_i[c] && !s_tready_o[c] && first_q;

    always_ff @(posedge clk_i) begin : regs
      if (rst_i) first_q <= 1'b1;
      else       first_q <= first_d;
      if (rst_i) waits_q <= 1'b0;
      else       waits_q <= waits_d;
    end
  end

  anl_terminal #(
    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .FlowControl(FlowControl), .LengthInHead(LengthInHead),
    .CreditBypass(CreditBypass), .Wide(Wide), .Classes(Classes), .Weights(Weights), .Whole(Whole)
  ) u_terminal (
    .clk_i, .rst_i,
    .src_valid_i(s_tvalid_i), .src_flit_i(flits), .src_vcs_i(s_vcs_i), .src_ready_o(s_tready_o),
    .inj_valid_o, .inj_vc_o, .inj_flit_o, .inj_credit_i,
    .ej_valid_i, .ej_vc_i, .ej_flit_i, .ej_credit_o,
    .snk_valid_o(m_tvalid_o), .snk_flit_o(out_flits), .snk_vc_o(m_lane_o), .snk_ready_i(m_tready_i)
  );

  `ANL_ASSERT(HeadIsFirstBeat, !inj_valid_o || inj_flit_o[FlitW+1] == ((s_tvalid_i & s_tready_o & first) != '0))

endmodule
