// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_butterfly_switch (input logic clk_i, input logic rst_i);

  localparam int KOf [8] = '{2, 2, 3, 4, 2, 2, 5, 2};
  localparam int NOf [8] = '{1, 3, 2, 2, 4, 3, 2, 3};
  localparam int TagOf [8] = '{0, 1, 1, 2, 6, 3, 0, 4};
  localparam int NumVcsOf [8] = '{1, 2, 1, 3, 4, 1, 2, 2};
  localparam int DepthOf [8] = '{2, 1, 4, 2, 3, 1, 2, 2};
  localparam int FlitWOf [8] = '{9, 16, 40, 30, 40, 20, 40, 30};
  localparam int ScanOf [8] = '{0, 1, 3, 2, 4, 1, 1, 1};
  localparam int AdmissionOf [8] = '{0, 0, 2, 0, 1, 0, 0, 0};
  localparam int LengthInHeadOf [8] = '{0, 0, 0, 0, 0, 0, 1, 1};
  localparam int ChainedOf [8] = '{0, 1, 1, 0, 1, 1, 0, 0};
  localparam bit SampleOf [8] = '{1, 1, 1, 0, 1, 0, 0, 1};

  for (genvar g = 0; g < 8; g++) if (`BUILT(SampleOf[g])) begin : g_corner
    localparam int K = KOf[g];
    localparam int N = NOf[g];
    localparam int Tag = TagOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int Depth = DepthOf[g];
    localparam int FlitW = FlitWOf[g];
    localparam int Scan = ScanOf[g];
    localparam int Admission = AdmissionOf[g];
    localparam int LengthInHead = LengthInHeadOf[g];
    localparam int Chained = ChainedOf[g];
    localparam int VcW = anl_pkg::index_width(NumVcs);
    logic [31:0] seed;
    logic [K-1:0] valid, valid_out;
    logic [K*VcW-1:0] vc, vc_out;
    logic [K*(FlitW+2)-1:0] flit, flit_out;
    logic [K*NumVcs-1:0] credit, credit_in;

    `BENCH("anl_butterfly_switch", g, {Chained, LengthInHead, Admission, Scan, FlitW, Depth, NumVcs, Tag, N, K})
    assign {credit, flit, vc, valid, seed} = in;
    assign out = {u_dut.u_core.random, u_dut.u_core.out_ptr, u_dut.u_core.in_ptr,
      u_dut.u_core.owner_vc, u_dut.u_core.owner_port, u_dut.u_core.owned, u_dut.u_core.credit,
      u_dut.u_core.bound_vc, u_dut.u_core.bound_port, u_dut.u_core.bound, u_dut.u_core.count,
      credit_in, flit_out, vc_out, valid_out};

    // While another bench of the room runs, the inputs are 0; a generator must not get 0 as its
    // seed.
    anl_butterfly_switch #(
      .K(K), .N(N), .Tag(Tag), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
      .Scan(Scan), .Admission(Admission), .LengthInHead(LengthInHead), .Chained(Chained)
    ) u_dut (
      .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed), .here_i(16'(g)), .valid_i(valid),
      .vc_i(vc), .flit_i(flit), .credit_o(credit_in), .valid_o(valid_out), .vc_o(vc_out),
      .flit_o(flit_out), .credit_i(credit)
    );
  end

endmodule
