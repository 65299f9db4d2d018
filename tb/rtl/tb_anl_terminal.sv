// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_terminal (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [10] = '{1, 2, 3, 4, 8, 5, 1, 2, 3, 3};
  localparam int DepthOf [10] = '{1, 2, 3, 4, 16, 64, 1, 2, 4, 3};
  localparam int FlitWOf [10] = '{8, 16, 20, 32, 62, 33, 20, 30, 40, 24};
  localparam int DstWOf [10] = '{4, 5, 4, 4, 9, 8, 4, 4, 6, 5};
  localparam int AdmissionOf [10] = '{0, 0, 1, 2, 1, 0, 0, 1, 2, 3};
  localparam int ChainedOf [10] = '{0, 0, 0, 0, 0, 0, 1, 1, 1, 0};

  for (genvar g = 0; g < 10; g++) begin : g_corner
    localparam int NumVcs = NumVcsOf[g];
    localparam int Depth = DepthOf[g];
    localparam int FlitW = FlitWOf[g];
    localparam int DstW = DstWOf[g];
    localparam int Admission = AdmissionOf[g];
    localparam int Chained = ChainedOf[g];
    localparam int VcW = anl_pkg::index_width(NumVcs);
    localparam int CntW = $clog2(Depth + 1);
    logic src_valid, src_ready, inj_valid, ej_valid, snk_valid, snk_ready;
    logic [FlitW+1:0] src_flit, inj_flit, ej_flit, snk_flit;
    logic [VcW-1:0] inj_vc, ej_vc, snk_vc;
    logic [NumVcs-1:0] inj_credit, ej_credit, src_vcs;

    `BENCH("anl_terminal", g, {Chained, Admission, DstW, FlitW, Depth, NumVcs})
    assign {snk_ready, ej_flit, ej_vc, ej_valid, inj_credit, src_vcs, src_flit, src_valid} = in;
    assign out = {u_dut.bound, u_dut.credit, u_dut.count, snk_vc, snk_flit, snk_valid, ej_credit,
      inj_flit, inj_vc, inj_valid, src_ready};

    anl_terminal #(
      .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .Admission(Admission),
      .Chained(Chained)
    ) u_dut (
      .clk_i, .rst_i, .src_valid_i(src_valid), .src_flit_i(src_flit), .src_vcs_i(src_vcs),
      .src_ready_o(src_ready),
      .inj_valid_o(inj_valid), .inj_vc_o(inj_vc), .inj_flit_o(inj_flit), .inj_credit_i(inj_credit),
      .ej_valid_i(ej_valid), .ej_vc_i(ej_vc), .ej_flit_i(ej_flit), .ej_credit_o(ej_credit),
      .snk_valid_o(snk_valid), .snk_flit_o(snk_flit), .snk_vc_o(snk_vc), .snk_ready_i(snk_ready)
    );
  end

endmodule
