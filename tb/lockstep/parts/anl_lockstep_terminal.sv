// SPDX-License-Identifier: Apache-2.0
//
// One terminal, as a part of a network that C puts together (tb/lockstep/run/by_switches.cpp): its links as those of
// anl_lockstep_switch, and its sources and sinks, one for each class or, if links are wide, one for each lane: then it is
// a terminal of one lane for each of them. Only Verilator reads this file.

`include "anl_lockstep_clock.svh"

module anl_lockstep_terminal #(
  parameter int NumVcs = 1,
  parameter int Depth = 4,
  parameter int FlitW = 32,
  parameter int DstW = 4,
  parameter int FlowControl = 0,
  parameter int LengthInHead = 0,
  parameter int CreditBypass = 0,
  parameter int Wide = 0,
  parameter int Classes = 1,
  parameter logic [anl_pkg::WeightsW-1:0] Weights = '0,
  localparam int Lines = anl_pkg::lines_of(Wide, NumVcs),  // of a link; terminals of the link
  localparam int LineVcs = NumVcs / Lines,
  localparam int Ends = Classes * Lines,  // sources, sinks
  localparam int VcW = anl_pkg::index_width(NumVcs),
  localparam int EndVcs = NumVcs / Ends,  // lanes of a source, of a sink
  localparam int EndVcW = anl_pkg::index_width(EndVcs),
  localparam int LinkW = FlitW + 2,
  localparam int WordsW = (LinkW + 31) / 32 * 32,
  localparam int CntW = $clog2(Depth + 1),
  localparam int LanesW = NumVcs * (2 * CntW + 1),
  localparam int StateW = LanesW + (Classes > 1 ? anl_pkg::index_width(Classes) + anl_pkg::WeightW : 0)
) (
  input logic toggle_i,
  input logic rst_i,
  input logic [63:0] harness_i,

  // Ejection link in, injection link out.
  input logic [7:0] valid_i[1],
  input logic [7:0] vc_i[1],
  input logic [WordsW-1:0] flit_i[Lines],
  output logic [7:0] credit_o[1],
  output logic [7:0] valid_o[1],
  output logic [7:0] vc_o[1],
  output logic [WordsW-1:0] flit_o[Lines],
  input logic [7:0] credit_i[1],

  // Sources and sinks; a bit or an element for each.
  input logic [7:0] src_valid_i,
  input logic [WordsW-1:0] src_flit_i[Ends],
  input logic [7:0] src_vcs_i[Ends],
  output logic [7:0] src_ready_o,
  output logic [7:0] snk_valid_o,
  output logic [WordsW-1:0] snk_flit_o[Ends],
  output logic [7:0] snk_vc_o[Ends],  // counted from 0 within the link
  input logic [7:0] snk_ready_i,

  output logic [(StateW+31)/32*32-1:0] state_o
);
  `ANL_LOCKSTEP_CLOCK
  logic [Ends-1:0] src_ready, snk_valid;
  logic [Ends*LinkW-1:0] src_flit, snk_flit;
  logic [NumVcs-1:0] src_vcs, credit_out, bound;
  logic [Ends*EndVcW-1:0] snk_vc;
  logic [Lines*anl_pkg::index_width(LineVcs)-1:0] vc_out;
  logic [NumVcs*CntW-1:0] credit, count;
  logic [Lines-1:0] valid_out;
  logic [StateW-1:0] state;

  for (genvar e = 0; e < Ends; e++) begin : g_end
    assign src_flit[e*LinkW+:LinkW] = src_flit_i[e][LinkW-1:0];
    assign src_vcs[e*EndVcs+:EndVcs] = src_vcs_i[e][EndVcs-1:0];
    assign snk_flit_o[e] = WordsW'(snk_flit[e*LinkW+:LinkW]);
    assign snk_vc_o[e] = 8'(e * EndVcs + (EndVcs > 1 ? 32'(snk_vc[e*EndVcW+:EndVcW]) : 0));
  end
  assign src_ready_o = 8'(src_ready);
  assign snk_valid_o = 8'(snk_valid);
  assign valid_o[0] = 8'(valid_out);
  assign vc_o[0] = Lines == 1 ? 8'(vc_out) : '0;
  assign credit_o[0] = 8'(credit_out);

  for (genvar l = 0; l < Lines; l++) begin : g_line
    localparam int LineVcW = anl_pkg::index_width(LineVcs);
    logic [LinkW-1:0] flit_out;
    anl_terminal #(
      .NumVcs(LineVcs),
      .Depth(Depth),
      .FlitW(FlitW),
      .DstW(DstW),
      .FlowControl(FlowControl),
      .LengthInHead(LengthInHead),
      .CreditBypass(CreditBypass),
      .Wide(Wide),
      .Classes(Classes),
      .Weights(Weights)
    ) u_terminal (
      .clk_i(clk),
      .rst_i,
      .src_valid_i(src_valid_i[l*Classes+:Classes]),
      .src_flit_i(src_flit[l*Classes*LinkW+:Classes*LinkW]),
      .src_vcs_i(src_vcs[l*LineVcs+:LineVcs]),
      .src_ready_o(src_ready[l*Classes+:Classes]),
      .inj_valid_o(valid_out[l]),
      .inj_vc_o(vc_out[l*LineVcW+:LineVcW]),
      .inj_flit_o(flit_out),
      .inj_credit_i(credit_i[0][l*LineVcs+:LineVcs]),
      .ej_valid_i(valid_i[0][l]),
      .ej_vc_i(vc_i[0][LineVcW-1:0]),
      .ej_flit_i(flit_i[l][LinkW-1:0]),
      .ej_credit_o(credit_out[l*LineVcs+:LineVcs]),
      .snk_valid_o(snk_valid[l*Classes+:Classes]),
      .snk_flit_o(snk_flit[l*Classes*LinkW+:Classes*LinkW]),
      .snk_vc_o(snk_vc[l*Classes*EndVcW+:Classes*EndVcW]),
      .snk_ready_i(snk_ready_i[l*Classes+:Classes])
    );
    assign flit_o[l] = WordsW'(flit_out);
    assign count[l*LineVcs*CntW+:LineVcs*CntW] = u_terminal.count;
    assign credit[l*LineVcs*CntW+:LineVcs*CntW] = u_terminal.credit;
    assign bound[l*LineVcs+:LineVcs] = u_terminal.bound;
  end

  assign state[LanesW-1:0] = {bound, credit, count};
  if (Classes > 1) begin : g_classes
    assign state[StateW-1:LanesW] = {g_line[0].u_terminal.quota, g_line[0].u_terminal.favoured};
  end
  assign state_o = $bits(state_o)'(state);
endmodule
