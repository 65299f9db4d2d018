// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_switch (input logic clk_i, input logic rst_i);

  localparam int NumPortsOf [9] = '{2, 3, 5, 5, 7, 4, 5, 2, 7};
  localparam int NumVcsOf [9] = '{1, 2, 4, 3, 8, 2, 4, 3, 2};
  localparam int DepthOf [9] = '{1, 2, 4, 3, 2, 16, 4, 64, 5};
  localparam int FlitWOf [9] = '{6, 22, 32, 40, 29, 62, 32, 40, 30};
  localparam int DstWOf [9] = '{6, 6, 6, 8, 6, 9, 6, 5, 7};
  localparam int ScanOf [9] = '{0, 3, 1, 2, 0, 3, 1, 2, 3};
  localparam int AdmissionOf [9] = '{0, 0, 0, 1, 1, 2, 2, 0, 1};

  for (genvar g = 0; g < 9; g++) begin : g_corner
    localparam int NumPorts = NumPortsOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int Depth = DepthOf[g];
    localparam int FlitW = FlitWOf[g];
    localparam int DstW = DstWOf[g];
    localparam int Scan = ScanOf[g];
    localparam int Admission = AdmissionOf[g];
    localparam int PortW = anl_pkg::index_width(NumPorts);
    localparam int VcW = anl_pkg::index_width(NumVcs);
    localparam int L = NumPorts * NumVcs;
    logic [31:0] seed;
    logic [NumPorts-1:0] valid, valid_out;
    logic [NumPorts*VcW-1:0] vc, vc_out;
    logic [NumPorts*(FlitW+2)-1:0] flit, flit_out;
    logic [L-1:0] credit, credit_in;
    logic [L*DstW-1:0] dst;
    logic [L*PortW-1:0] route_port;
    logic [L*NumVcs-1:0] route_vcs;

    `BENCH("anl_switch", g, {Admission, Scan, DstW, FlitW, Depth, NumVcs, NumPorts})
    assign {credit, flit, vc, valid, seed} = in;
    assign out = {u_dut.random, u_dut.out_ptr, u_dut.in_ptr, u_dut.owner_vc, u_dut.owner_port,
      u_dut.owned, u_dut.credit, u_dut.bound_vc, u_dut.bound_port, u_dut.bound, u_dut.count,
      credit_in, flit_out, vc_out, valid_out};

    // The route is written in the destination (test_anl_switch.c).
    for (genvar l = 0; l < L; l++) begin : g_route
      logic [DstW-1:0] to;
      logic [NumVcs-1:0] vcs;
      assign to = dst[l*DstW +: DstW];
      for (genvar w = 0; w < NumVcs; w++) begin : g_vc
        assign vcs[w] = to[w % DstW];
      end
      assign route_port[l*PortW +: PortW] = PortW'(to % NumPorts);
      assign route_vcs[l*NumVcs +: NumVcs] = vcs == 0 ? '1 : vcs;
    end

    // While another bench of the room runs nothing is driven: 0 is not a seed.
    anl_switch #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .Scan(Scan),
      .Admission(Admission)
    ) u_dut (
      .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed), .valid_i(valid), .vc_i(vc), .flit_i(flit),
      .credit_o(credit_in), .valid_o(valid_out), .vc_o(vc_out), .flit_o(flit_out),
      .credit_i(credit), .dst_o(dst), .route_port_i(route_port), .route_vcs_i(route_vcs)
    );
  end

endmodule
