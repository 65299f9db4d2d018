// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_axis_terminal #(
  parameter int Index,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int DstW,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int LengthInHead = 0,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int PathW,
  parameter int Classes = 1,
  parameter int Whole = 1
) (
  input logic clk_i,
  input logic rst_i
);

  // Where there are several classes, class c has the weight 1 + (3 * c + 1) % 5.
  function automatic logic [63:0] weights(input int classes);
    weights = '0;
    for (int c = 0; c < classes; c++) weights[8*c +: 8] = 8'(1 + (3 * c + 1) % 5);
  endfunction

  localparam logic [63:0] Weights = (Classes > 1) ? weights(Classes) : '0;
  localparam int PathsW = (PathW > 0) ? PathW : 1;
  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int TidW = anl_pkg::index_width(NumVcs / Classes);
  localparam int DataW = FlitW - anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead) - PathW;
  logic [Classes-1:0] s_tvalid, s_tready, s_tlast, m_tvalid, m_tready, m_tlast;
  logic inj_valid, ej_valid;
  logic [Classes*DataW-1:0] s_tdata, m_tdata;
  logic [Classes*DstW-1:0] s_tdest;
  logic [Classes*7-1:0] s_beats;
  logic [Classes*16-1:0] distance;
  logic [Classes*PathsW-1:0] path;
  logic [FlitW+1:0] inj_flit, ej_flit;
  logic [VcW-1:0] inj_vc, ej_vc;
  logic [Classes*TidW-1:0] m_lane;
  logic [NumVcs-1:0] inj_credit, ej_credit;

  `BENCH("anl_axis_terminal", Index, {Whole, Classes, PathW, Arbiter, LengthInHead, FlowControl, DstW, FlitW, Depth, NumVcs})
  `BENCH_IN_RESET({s_tready, m_tvalid, inj_valid})
  assign {ej_flit, ej_vc, ej_valid, inj_credit, m_tready, path, distance, s_beats, s_tdest, s_tlast, s_tdata,
    s_tvalid} = in;
  assign out = {ej_credit, inj_flit, inj_vc, inj_valid, m_lane, m_tlast, m_tdata, m_tvalid,
    s_tready};

  anl_axis_terminal #(
    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .FlowControl(FlowControl),
    .LengthInHead(LengthInHead), .Arbiter(Arbiter), .Classes(Classes), .Weights(Weights), .PathW(PathW), .Whole(Whole)
  ) u_dut (
    .clk_i, .rst_i, .s_tvalid_i(s_tvalid), .s_tready_o(s_tready), .s_tdata_i(s_tdata),
    .s_tlast_i(s_tlast), .s_tdest_i(s_tdest), .s_beats_i(s_beats), .distance_i(distance), .path_i(path),
    .s_vcs_i({NumVcs{1'b1}}), .m_tvalid_o(m_tvalid),
    .m_tready_i(m_tready), .m_tdata_o(m_tdata), .m_tlast_o(m_tlast), .m_lane_o(m_lane),
    .inj_valid_o(inj_valid), .inj_vc_o(inj_vc), .inj_flit_o(inj_flit), .inj_credit_i(inj_credit),
    .ej_valid_i(ej_valid), .ej_vc_i(ej_vc), .ej_flit_i(ej_flit), .ej_credit_o(ej_credit)
  );

endmodule
