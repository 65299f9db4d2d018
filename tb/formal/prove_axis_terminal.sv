// SPDX-License-Identifier: Apache-2.0
//
// anl_axis_terminal: packets of a stream are worms, beat by beat, and worms are packets. Its queues are
// those of anl_terminal (prove_terminal.sv).

`include "prove.svh"

module prove_axis_terminal #(
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 2,
  parameter  int Admission = anl_pkg::Wormhole,
  localparam int DstW      = 2,
  localparam int LengthW   = anl_pkg::LengthW,
  localparam int FieldsW   = DstW + (Admission != anl_pkg::Wormhole ? LengthW : 0),
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
  input logic [LengthW-1:0] s_tuser_i,
  input logic [NumVcs-1:0]  inj_credit_i,
  input logic               ej_valid_i,
  input logic [LinkW-1:0]   ej_flit_i,
  input logic               m_tready_i
);

  `PROVE_RESET

  logic              s_tready, m_tvalid, m_tlast, inj_valid;
  logic [DataW-1:0]  m_tdata;
  logic [VcW-1:0]    m_tid, inj_vc;
  logic [LinkW-1:0]  inj_flit;
  logic [NumVcs-1:0] ej_credit;

  // All that is ejected comes by lane 0, in order.
  anl_axis_terminal #(
    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .Admission(Admission)
  ) u_dut (
    .clk_i, .rst_i,
    .s_tvalid_i, .s_tready_o(s_tready), .s_tdata_i, .s_tlast_i, .s_tdest_i, .s_tuser_i,
    .m_tvalid_o(m_tvalid), .m_tready_i, .m_tdata_o(m_tdata), .m_tlast_o(m_tlast), .m_tid_o(m_tid),
    .inj_valid_o(inj_valid), .inj_vc_o(inj_vc), .inj_flit_o(inj_flit), .inj_credit_i,
    .ej_valid_i, .ej_vc_i({VcW{1'b0}}), .ej_flit_i, .ej_credit_o(ej_credit)
  );

  logic [NumVcs*CntW-1:0] lent_q;          // flits sent and credits not yet returned
  logic                   packet_q;        // a packet has begun and not ended
  logic                   held_q;          // the ejection lane holds a flit, never more than one here
  logic [LinkW-1:0]       flit_q;

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    wire [CntW-1:0] lent = lent_q[v*CntW +: CntW];
    always_ff @(posedge clk_i) begin : model
      lent_q[v*CntW +: CntW] <= rst_i ? '0 : lent + CntW'(inj_valid && 32'(inj_vc) == v)
                                             - CntW'(inj_credit_i[v]);
    end
    `GIVEN(CreditForWhatIsThere, !inj_credit_i[v] || lent != '0)
  end

  always_ff @(posedge clk_i) begin : model
    if (s_tvalid_i && s_tready) packet_q <= !s_tlast_i;
    if (ej_valid_i)                 held_q <= 1'b1;
    else if (m_tvalid && m_tready_i) held_q <= 1'b0;
    if (ej_valid_i) flit_q <= ej_flit_i;
    if (rst_i) {packet_q, held_q} <= 2'b00;
  end

  `GIVEN(OneFlitAtATime, !ej_valid_i || !held_q)
  `GIVEN(LengthIsLegal, s_tuser_i >= 1 && 32'(s_tuser_i) <= Depth)

  `PROVE(BeatIsSentIffTaken, inj_valid == (s_tvalid_i && s_tready))
  `PROVE(FirstBeatIsTheHead, !inj_valid || inj_flit[FlitW+1] == !packet_q)
  `PROVE(LastBeatIsTheTail, inj_flit[FlitW] == s_tlast_i)
  `PROVE(DataAreAboveTheFields, inj_flit[FlitW-1 -: DataW] == s_tdata_i)
  `PROVE(HeadSaysDestination, inj_flit[DstW-1:0] == s_tdest_i)
  `PROVE(HeadSaysLength, Admission == anl_pkg::Wormhole
                         || LengthW'(inj_flit[FlitW-1:0] >> DstW) == s_tuser_i)
  `PROVE(FlitIsShownAsABeat, m_tvalid == held_q)
  `PROVE(BeatIsAsTheFlit, !m_tvalid || ({m_tlast, m_tdata} == flit_q[FlitW -: DataW+1] && m_tid == '0))

endmodule
