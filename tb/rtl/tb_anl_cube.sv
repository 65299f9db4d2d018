// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_cube (input logic clk_i, input logic rst_i);

  localparam int KOf [12] = '{1, 3, 3, 2, 5, 3, 2, 4, 2, 2, 3, 2};
  localparam int NOf [12] = '{1, 2, 2, 1, 1, 2, 3, 1, 2, 2, 1, 2};
  localparam int TopologyOf [12] = '{0, 0, 1, 1, 1, 2, 3, 1, 2, 0, 2, 3};
  localparam int RoutingOf [12] = '{0, 0, 1, 1, 1, 1, 2, 0, 0, 0, 1, 2};
  localparam int NumVcsOf [12] = '{1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 2, 1};
  localparam int DepthOf [12] = '{1, 2, 2, 3, 2, 2, 2, 1, 4, 2, 2, 2};
  localparam int FlitWOf [12] = '{8, 16, 24, 32, 16, 16, 8, 8, 26, 16, 16, 8};
  localparam int ScanOf [12] = '{0, 1, 0, 2, 1, 1, 0, 1, 3, 1, 1, 0};
  localparam int AdmissionOf [12] = '{0, 0, 1, 2, 0, 0, 0, 0, 2, 0, 0, 0};
  localparam bit SampleOf [12] = '{0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1};

  for (genvar g = 0; g < 12; g++) if (`BUILT(SampleOf[g])) begin : g_corner
    localparam int K = KOf[g];
    localparam int N = NOf[g];
    localparam int Topology = TopologyOf[g];
    localparam int Routing = RoutingOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int Depth = DepthOf[g];
    localparam int FlitW = FlitWOf[g];
    localparam int Scan = ScanOf[g];
    localparam int Admission = AdmissionOf[g];
    localparam int S = anl_cube_pkg::power(K, N);
    localparam int VcW = anl_pkg::index_width(NumVcs);
    logic [S-1:0] inj_valid, ej_valid;
    logic [S*VcW-1:0] inj_vc, ej_vc;
    logic [S*(FlitW+2)-1:0] inj_flit, ej_flit;
    logic [S*NumVcs-1:0] inj_credit, ej_credit;

    `BENCH("anl_cube", g, {Admission, Scan, FlitW, Depth, NumVcs, Routing, Topology, N, K})
    assign {ej_credit, inj_flit, inj_vc, inj_valid} = in;
    assign out = {inj_credit, ej_flit, ej_vc, ej_valid};

    anl_cube #(
      .K(K), .N(N), .Topology(Topology), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
      .Scan(Scan), .Admission(Admission)
    ) u_dut (
      .clk_i, .rst_i, .seed_i({S{32'd1}}), .inj_valid_i(inj_valid), .inj_vc_i(inj_vc),
      .inj_flit_i(inj_flit), .inj_credit_o(inj_credit), .ej_valid_o(ej_valid), .ej_vc_o(ej_vc),
      .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
    );
  end

endmodule
