// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_fat_tree (input logic clk_i, input logic rst_i);

  localparam int NOf [5] = '{1, 2, 2, 3, 1};
  localparam int RoutingOf [5] = '{3, 4, 5, 3, 4};
  localparam int NumVcsOf [5] = '{1, 2, 1, 1, 2};
  localparam int DepthOf [5] = '{2, 4, 2, 2, 4};
  localparam int FlitWOf [5] = '{8, 24, 32, 8, 24};
  localparam int ScanOf [5] = '{0, 2, 4, 0, 2};
  localparam int AdmissionOf [5] = '{0, 2, 0, 0, 2};
  localparam int ChainedOf [5] = '{0, 1, 0, 1, 1};
  localparam bit SampleOf [5] = '{1, 0, 1, 0, 1};

  for (genvar g = 0; g < 5; g++) if (`BUILT(SampleOf[g])) begin : g_corner
    localparam int N = NOf[g];
    localparam int Routing = RoutingOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int Depth = DepthOf[g];
    localparam int FlitW = FlitWOf[g];
    localparam int Scan = ScanOf[g];
    localparam int Admission = AdmissionOf[g];
    localparam int Chained = ChainedOf[g];
    localparam int T = anl_fat_tree_pkg::num_terminals(N);
    localparam int S = T / 2 - T / (1 << (N + 1));
    localparam int VcW = anl_pkg::index_width(NumVcs);
    logic [T-1:0] inj_valid, ej_valid;
    logic [T*VcW-1:0] inj_vc, ej_vc;
    logic [T*(FlitW+2)-1:0] inj_flit, ej_flit;
    logic [T*NumVcs-1:0] inj_credit, ej_credit;
    logic [S*32-1:0] seed;

    for (genvar s = 0; s < S; s++) begin : g_seed
      assign seed[s*32 +: 32] = 32'h9e3779b9 * (s + 1);
    end

    `BENCH("anl_fat_tree", g, {Chained, Admission, Scan, FlitW, Depth, NumVcs, Routing, N})
    assign {ej_credit, inj_flit, inj_vc, inj_valid} = in;
    assign out = {inj_credit, ej_flit, ej_vc, ej_valid};

    anl_fat_tree #(
      .N(N), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Scan(Scan),
      .Admission(Admission), .Chained(Chained)
    ) u_dut (
      .clk_i, .rst_i, .seed_i(seed), .inj_valid_i(inj_valid), .inj_vc_i(inj_vc),
      .inj_flit_i(inj_flit), .inj_credit_o(inj_credit), .ej_valid_o(ej_valid), .ej_vc_o(ej_vc),
      .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
    );
  end

endmodule
