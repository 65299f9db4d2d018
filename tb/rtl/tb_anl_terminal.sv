// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_terminal #(
  parameter int Index,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int DstW,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int LengthInHead = 0,
  parameter int CreditBypass = 0,
  parameter int Classes = 1,
  parameter int Wide = 0
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int ClassVcW = anl_pkg::index_width(NumVcs / Classes);
  localparam logic [63:0] Weights = Classes > 1 ? 64'h030102 : 0;   // as test_anl_terminal.c
  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int CntW = $clog2(Depth + 1);
  logic inj_valid, ej_valid;
  logic [Classes-1:0] src_valid, src_ready, snk_valid, snk_ready;
  logic [FlitW+1:0] inj_flit, ej_flit;
  logic [Classes*(FlitW+2)-1:0] src_flit, snk_flit;
  logic [VcW-1:0] inj_vc, ej_vc;
  logic [Classes*ClassVcW-1:0] snk_vc;
  logic [NumVcs-1:0] inj_credit, ej_credit, src_vcs;

  `BENCH("anl_terminal", Index, {Wide, Classes, CreditBypass, LengthInHead, FlowControl, DstW, FlitW, Depth, NumVcs})
  `BENCH_IN_RESET({src_ready, inj_valid, snk_valid})
  assign {snk_ready, ej_flit, ej_vc, ej_valid, inj_credit, src_vcs, src_flit, src_valid} = in;
  assign out = {u_dut.quota, u_dut.favoured, u_dut.bound, u_dut.credit, u_dut.count, snk_vc, snk_flit, snk_valid, ej_credit,
    inj_flit, inj_vc, inj_valid, src_ready};

  anl_terminal #(
    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .FlowControl(FlowControl),
    .LengthInHead(LengthInHead), .CreditBypass(CreditBypass), .Wide(Wide), .Classes(Classes), .Weights(Weights)
  ) u_dut (
    .clk_i, .rst_i, .src_valid_i(src_valid), .src_flit_i(src_flit), .src_vcs_i(src_vcs),
    .src_ready_o(src_ready),
    .inj_valid_o(inj_valid), .inj_vc_o(inj_vc), .inj_flit_o(inj_flit), .inj_credit_i(inj_credit),
    .ej_valid_i(ej_valid), .ej_vc_i(ej_vc), .ej_flit_i(ej_flit), .ej_credit_o(ej_credit),
    .snk_valid_o(snk_valid), .snk_flit_o(snk_flit), .snk_vc_o(snk_vc), .snk_ready_i(snk_ready)
  );

endmodule
