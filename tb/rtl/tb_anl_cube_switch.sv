// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_cube_switch (input logic clk_i, input logic rst_i);

  localparam int KOf [25] = '{1, 3, 4, 4, 2, 5, 3, 2, 4, 5, 4, 3, 3, 5, 4, 4, 4, 3, 3, 4, 3, 3, 3, 3, 3};
  localparam int NOf [25] = '{1, 2, 2, 1, 3, 2, 2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 1, 1, 2};
  localparam int TopologyOf [25] = '{0, 0, 1, 2, 3, 1, 2, 1, 0, 0, 0, 0, 0, 1, 2, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0};
  localparam int RoutingOf [25] = '{0, 0, 1, 1, 2, 0, 0, 1, 9, 10, 12, 11, 13, 13, 13, 13, 1, 13, 0, 1, 10, 12, 13, 13, 11};
  localparam int SelectOf [25] = '{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 1, 2, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2};
  localparam int AtomicOf [25] = '{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0};
  localparam int NumVcsOf [25] = '{1, 3, 4, 2, 3, 2, 1, 8, 1, 2, 3, 1, 2, 4, 3, 2, 4, 6, 2, 4, 1, 1, 2, 3, 1};
  localparam int DepthOf [25] = '{1, 3, 4, 2, 4, 2, 4, 2, 2, 4, 3, 2, 3, 4, 2, 4, 2, 3, 3, 2, 2, 2, 2, 2, 2};
  localparam int FlitWOf [25] = '{8, 32, 32, 30, 40, 16, 24, 20, 16, 20, 16, 16, 20, 40, 30, 24, 24, 24, 32, 20, 16, 16, 16, 20, 16};
  localparam int ScanOf [25] = '{0, 1, 2, 3, 3, 1, 0, 1, 1, 0, 1, 0, 1, 2, 3, 1, 1, 1, 1, 1, 0, 1, 1, 2, 0};
  localparam int AdmissionOf [25] = '{0, 0, 1, 2, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0};
  localparam bit SampleOf [25] = '{1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
  localparam int ClassesOf [25] = '{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 1, 2, 1, 1, 1, 1, 1};
  localparam int StagesOf [25] = '{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1};

  for (genvar g = 0; g < 25; g++) if (`BUILT(SampleOf[g])) begin : g_corner
    localparam int K = KOf[g];
    localparam int N = NOf[g];
    localparam int Topology = TopologyOf[g];
    localparam int Routing = RoutingOf[g];
    localparam int Select = SelectOf[g];
    localparam int Atomic = AtomicOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int Classes = ClassesOf[g];
    localparam int ClassVcs = NumVcs / Classes;
    localparam logic [63:0] Weights = Classes > 1 ? 64'h0105010401030102 : 0;   // as set_classes()
    localparam int Depth = DepthOf[g];
    localparam int FlitW = FlitWOf[g];
    localparam int Scan = ScanOf[g];
    localparam int Admission = AdmissionOf[g];
    localparam int Stages = StagesOf[g];
    localparam int NumPorts = anl_cube_pkg::num_ports(Topology, N);
    localparam int DstW = anl_cube_pkg::label_width(K, N);
    localparam int VcW = anl_pkg::index_width(NumVcs);
    localparam int L = NumPorts * NumVcs;
    logic [DstW-1:0] here;
    logic [31:0] seed;
    logic [NumPorts-1:0] valid, valid_out;
    logic [NumPorts*VcW-1:0] vc, vc_out;
    logic [NumPorts*(FlitW+2)-1:0] flit, flit_out;
    logic [L-1:0] credit, credit_in;

    `BENCH("anl_cube_switch", g, {Stages, Classes, Admission, Scan, FlitW, Depth, NumVcs, Atomic, Select, Routing,
      Topology, N, K})
    assign {credit, flit, vc, valid, seed, here} = in;
    assign out = {u_dut.u_core.quota, u_dut.u_core.favoured, u_dut.u_core.random, u_dut.u_core.out_ptr, u_dut.u_core.in_ptr,
      u_dut.u_core.owner_vc, u_dut.u_core.owner_port, u_dut.u_core.owned, u_dut.u_core.credit,
      u_dut.u_core.bound_vc, u_dut.u_core.bound_port, u_dut.u_core.bound, u_dut.u_core.count,
      credit_in, flit_out, vc_out, valid_out};

    // While another bench of the room runs, the inputs are 0; a generator must not get 0 as its
    // seed.
    anl_cube_switch #(
      .K(K), .N(N), .Topology(Topology), .Routing(Routing), .Select(Select), .Atomic(Atomic),
      .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Scan(Scan), .Admission(Admission),
      .Stages(Stages), .Classes(Classes), .Weights(Weights)
    ) u_dut (
      .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed), .here_i(here), .valid_i(valid), .vc_i(vc),
      .flit_i(flit), .credit_o(credit_in), .valid_o(valid_out), .vc_o(vc_out), .flit_o(flit_out),
      .credit_i(credit)
    );
  end

endmodule
