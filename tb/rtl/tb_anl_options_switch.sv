// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_options_switch (input logic clk_i, input logic rst_i);

  localparam int POf [9] = '{1, 3, 5, 4, 5, 4, 4, 3, 3};
  localparam int TOf [9] = '{1, 4, 9, 5, 3, 5, 5, 4, 3};
  localparam int SelectOf [9] = '{0, 1, 2, 0, 1, 0, 0, 2, 1};
  localparam int AtomicOf [9] = '{0, 0, 0, 1, 0, 1, 1, 0, 0};
  localparam int EscapesOf [9] = '{0, 0, 0, 4, 12, 8, 4, 0, 12};
  localparam int NumVcsOf [9] = '{2, 1, 2, 3, 4, 4, 3, 1, 4};
  localparam int DepthOf [9] = '{2, 1, 4, 3, 2, 3, 3, 2, 2};
  localparam int FlitWOf [9] = '{9, 16, 32, 40, 30, 40, 40, 16, 30};
  localparam int ScanOf [9] = '{1, 0, 2, 1, 3, 1, 6, 2, 3};
  localparam int AdmissionOf [9] = '{0, 0, 1, 0, 2, 0, 0, 1, 2};
  localparam int ClassesOf [9] = '{1, 1, 1, 1, 1, 2, 1, 1, 1};
  localparam bit SampleOf [9] = '{1, 1, 0, 1, 0, 1, 0, 1, 1};

  for (genvar g = 0; g < 9; g++) if (`BUILT(SampleOf[g])) begin : g_corner
    localparam int P = POf[g];
    localparam int T = TOf[g];
    localparam int Select = SelectOf[g];
    localparam int Atomic = AtomicOf[g];
    localparam int Escapes = EscapesOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int Classes = ClassesOf[g];
    localparam int ClassVcs = NumVcs / Classes;
    localparam logic [63:0] Weights = Classes > 1 ? 64'h0105010401030102 : 0;   // as set_classes()
    localparam int Depth = DepthOf[g];
    localparam int FlitW = FlitWOf[g];
    localparam int Scan = ScanOf[g];
    localparam int Admission = AdmissionOf[g];
    localparam int VcW = anl_pkg::index_width(NumVcs);
    localparam int L = P * NumVcs;
    logic [P*Classes*T*P*ClassVcs-1:0] routes;
    logic [NumVcs*ClassVcs-1:0] lanes;
    logic [P*P-1:0] straight;
    logic [P-1:0] terminals;
    logic [31:0] seed;
    logic [P-1:0] valid, valid_out;
    logic [P*VcW-1:0] vc, vc_out;
    logic [P*(FlitW+2)-1:0] flit, flit_out;
    logic [L-1:0] credit, credit_in;

    `BENCH("anl_options_switch", g, {Classes, Admission, Scan, FlitW, Depth, NumVcs, Escapes, Atomic, Select, T, P})
    assign {credit, flit, vc, valid, seed, terminals, straight, lanes, routes} = in;
    assign out = {u_dut.u_core.quota, u_dut.u_core.favoured, u_dut.u_core.random, u_dut.u_core.out_ptr, u_dut.u_core.in_ptr,
      u_dut.u_core.owner_vc, u_dut.u_core.owner_port, u_dut.u_core.owned, u_dut.u_core.credit,
      u_dut.u_core.bound_vc, u_dut.u_core.bound_port, u_dut.u_core.bound, u_dut.u_core.count,
      credit_in, flit_out, vc_out, valid_out};

    // While another bench of the room runs, the inputs are 0; a generator must not get 0 as its
    // seed.
    anl_options_switch #(
      .NumPorts(P), .T(T), .Select(Select), .Atomic(Atomic), .Escapes(Escapes), .NumVcs(NumVcs),
      .Depth(Depth), .FlitW(FlitW), .Scan(Scan), .Admission(Admission), .Classes(Classes), .Weights(Weights)
    ) u_dut (
      .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed), .here_i(16'(g)), .table_i({1'b1, routes}),
      .lanes_i(lanes),
      .straight_i(straight), .terminals_i(terminals),
      .valid_i(valid), .vc_i(vc), .flit_i(flit), .credit_o(credit_in),
      .valid_o(valid_out), .vc_o(vc_out), .flit_o(flit_out), .credit_i(credit)
    );
  end

endmodule
