// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_butterfly (input logic clk_i, input logic rst_i);

  localparam int KOf [6] = '{2, 2, 3, 4, 2, 2};
  localparam int NOf [6] = '{1, 3, 2, 2, 3, 2};
  localparam int RoutingOf [6] = '{16, 17, 16, 17, 16, 17};
  localparam int NumVcsOf [6] = '{1, 2, 1, 1, 3, 2};
  localparam int DepthOf [6] = '{2, 4, 4, 2, 2, 2};
  localparam int FlitWOf [6] = '{8, 24, 40, 32, 16, 24};
  localparam int ScanOf [6] = '{0, 2, 3, 1, 1, 2};
  localparam int AdmissionOf [6] = '{0, 1, 2, 0, 0, 1};
  localparam int ChainedOf [6] = '{0, 1, 0, 0, 1, 1};
  localparam bit SampleOf [6] = '{1, 0, 1, 0, 0, 1};

  for (genvar g = 0; g < 6; g++) if (`BUILT(SampleOf[g])) begin : g_corner
    localparam int K = KOf[g];
    localparam int N = NOf[g];
    localparam int Routing = RoutingOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int Depth = DepthOf[g];
    localparam int FlitW = FlitWOf[g];
    localparam int Scan = ScanOf[g];
    localparam int Admission = AdmissionOf[g];
    localparam int Chained = ChainedOf[g];
    localparam int T = K ** N;
    localparam int S = (Routing == anl_pkg::Valiant ? 2 * N - 1 : N) * K ** (N - 1);
    localparam int VcW = anl_pkg::index_width(NumVcs);
    logic [T-1:0] inj_valid, ej_valid;
    logic [T*VcW-1:0] inj_vc, ej_vc;
    logic [T*(FlitW+2)-1:0] inj_flit, ej_flit;
    logic [T*NumVcs-1:0] inj_credit, ej_credit;
    logic [S*32-1:0] seed;

    for (genvar s = 0; s < S; s++) begin : g_seed
      assign seed[s*32 +: 32] = 32'h9e3779b9 * (s + 1);
    end

    `BENCH("anl_butterfly", g, {Chained, Admission, Scan, FlitW, Depth, NumVcs, Routing, N, K})
    assign {ej_credit, inj_flit, inj_vc, inj_valid} = in;
    assign out = {inj_credit, ej_flit, ej_vc, ej_valid};

    anl_butterfly #(
      .K(K), .N(N), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
      .Scan(Scan), .Admission(Admission), .Chained(Chained)
    ) u_dut (
      .clk_i, .rst_i, .seed_i(seed), .inj_valid_i(inj_valid), .inj_vc_i(inj_vc),
      .inj_flit_i(inj_flit), .inj_credit_o(inj_credit), .ej_valid_o(ej_valid), .ej_vc_o(ej_vc),
      .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
    );
  end

endmodule
