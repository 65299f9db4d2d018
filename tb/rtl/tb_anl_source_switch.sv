// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_source_switch (input logic clk_i, input logic rst_i);

  localparam int POf [6] = '{1, 2, 4, 4, 5, 7};
  localparam int TOf [6] = '{1, 3, 6, 16, 9, 12};
  localparam int LongestOf [6] = '{1, 3, 2, 6, 4, 5};
  localparam int NumVcsOf [6] = '{2, 1, 2, 1, 4, 1};
  localparam int DepthOf [6] = '{2, 1, 4, 3, 2, 2};
  localparam int FlitWOf [6] = '{9, 16, 32, 40, 30, 40};
  localparam int ScanOf [6] = '{1, 0, 2, 3, 1, 4};
  localparam int AdmissionOf [6] = '{0, 0, 2, 1, 0, 0};
  localparam int SomeOf [6] = '{0, 1, 0, 1, 1, 1};
  localparam bit SampleOf [6] = '{1, 1, 1, 1, 0, 0};

  // All turns; or, if some is 1, those from p to o for which p + 2 o is no multiple of 3.
  function automatic logic [anl_pkg::TurnsW-1:0] turns(input int some);
    for (int p = 0; p < anl_pkg::MaxPorts; p++)
      for (int o = 0; o < anl_pkg::MaxPorts; o++)
        turns[p*anl_pkg::MaxPorts + o] = some == 0 || (p + 2 * o) % 3 != 0;
  endfunction

  for (genvar g = 0; g < 6; g++) if (`BUILT(SampleOf[g])) begin : g_corner
    localparam int P = POf[g];
    localparam int T = TOf[g];
    localparam int Longest = LongestOf[g];
    localparam int NumVcs = NumVcsOf[g];
    localparam int Depth = DepthOf[g];
    localparam int FlitW = FlitWOf[g];
    localparam int Scan = ScanOf[g];
    localparam int Admission = AdmissionOf[g];
    localparam int Some = SomeOf[g];
    localparam int VcW = anl_pkg::index_width(NumVcs);
    logic [31:0] seed;
    logic [P-1:0] valid, valid_out;
    logic [P*VcW-1:0] vc, vc_out;
    logic [P*(FlitW+2)-1:0] flit, flit_out;
    logic [P*NumVcs-1:0] credit, credit_in;

    `BENCH("anl_source_switch", g, {Some, Admission, Scan, FlitW, Depth, NumVcs, Longest, T, P})
    assign {credit, flit, vc, valid, seed} = in;
    assign out = {u_dut.u_core.random, u_dut.u_core.out_ptr, u_dut.u_core.in_ptr,
      u_dut.u_core.owner_vc, u_dut.u_core.owner_port, u_dut.u_core.owned, u_dut.u_core.credit,
      u_dut.u_core.bound_vc, u_dut.u_core.bound_port, u_dut.u_core.bound, u_dut.u_core.count,
      credit_in, flit_out, vc_out, valid_out};

    // While another bench of the room runs, the inputs are 0; a generator must not get 0 as its
    // seed.
    anl_source_switch #(
      .NumPorts(P), .T(T), .Longest(Longest), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
      .Scan(Scan), .Admission(Admission), .Turns(turns(Some))
    ) u_dut (
      .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed), .here_i(16'(g)),
      .valid_i(valid), .vc_i(vc), .flit_i(flit), .credit_o(credit_in),
      .valid_o(valid_out), .vc_o(vc_out), .flit_o(flit_out), .credit_i(credit)
    );
  end

endmodule
