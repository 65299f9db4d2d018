// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_terminal (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [14] = '{1, 2, 3, 4, 8, 5, 1, 2, 3, 3, 4, 3, 6, 1};
  localparam int DepthOf [14] = '{1, 2, 3, 4, 16, 64, 1, 2, 4, 3, 2, 3, 4, 2};
  localparam int FlitWOf [14] = '{8, 16, 20, 32, 62, 33, 20, 30, 40, 24, 20, 24, 40, 20};
  localparam int DstWOf [14] = '{4, 5, 4, 4, 9, 8, 4, 4, 6, 5, 4, 4, 5, 4};
  localparam int AdmissionOf [14] = '{0, 0, 1, 2, 1, 0, 0, 1, 2, 0, 0, 2, 1, 1};
  localparam int LengthInHeadOf [14] = '{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  localparam int ChainedOf [14] = '{0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1};
  localparam int ClassesOf [14] = '{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 2, 1};
  localparam bit SampleOf [14] = '{1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1};

  localparam int WideOf [14] = '{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  // Behind these, every depth of a lane (docs/switch.md), with each number of lanes.
  localparam int Listed = 14;

  for (genvar g = 0; g < Listed + 64; g++)
    if ((g >= Listed || `BUILT(SampleOf[g % Listed])) && `SWEPT(g - Listed, 64, 128)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1 + S / 8;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int FlitW = (g < Listed) ? FlitWOf[g % Listed] : 20;
    localparam int DstW = (g < Listed) ? DstWOf[g % Listed] : 4;
    localparam int Admission = (g < Listed) ? AdmissionOf[g % Listed] : S % 4 % 3;
    localparam int LengthInHead = (g < Listed) ? LengthInHeadOf[g % Listed] : S % 4 / 3;
    localparam int Chained = (g < Listed) ? ChainedOf[g % Listed] : S / 4 % 2;
    localparam int Classes = (g < Listed) ? ClassesOf[g % Listed] : 1;
    localparam int Wide = (g < Listed) ? WideOf[g % Listed] : 0;                                  // wide links, chained
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

    `BENCH("anl_terminal", g, {Wide, Classes, Chained, LengthInHead, Admission, DstW, FlitW, Depth, NumVcs})
    `BENCH_IN_RESET({src_ready, inj_valid, snk_valid})
    assign {snk_ready, ej_flit, ej_vc, ej_valid, inj_credit, src_vcs, src_flit, src_valid} = in;
    assign out = {u_dut.quota, u_dut.favoured, u_dut.bound, u_dut.credit, u_dut.count, snk_vc, snk_flit, snk_valid, ej_credit,
      inj_flit, inj_vc, inj_valid, src_ready};

    anl_terminal #(
      .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .Admission(Admission),
      .LengthInHead(LengthInHead), .Chained(Chained), .Wide(Wide), .Classes(Classes), .Weights(Weights)
    ) u_dut (
      .clk_i, .rst_i, .src_valid_i(src_valid), .src_flit_i(src_flit), .src_vcs_i(src_vcs),
      .src_ready_o(src_ready),
      .inj_valid_o(inj_valid), .inj_vc_o(inj_vc), .inj_flit_o(inj_flit), .inj_credit_i(inj_credit),
      .ej_valid_i(ej_valid), .ej_vc_i(ej_vc), .ej_flit_i(ej_flit), .ej_credit_o(ej_credit),
      .snk_valid_o(snk_valid), .snk_flit_o(snk_flit), .snk_vc_o(snk_vc), .snk_ready_i(snk_ready)
    );
  end

endmodule
