// SPDX-License-Identifier: Apache-2.0
//
// A k-ary n-cube of switches with a terminal at each, watched by passive probes. The C side of the
// lock-step (tb/lockstep/*.c) is reached through harness_i, the address of its data; it sets the
// clock: low first, then high, once a cycle. With ANL_RULES defined no register of a switch is
// watched: for switches whose inside is unknown. Read by Verilator alone.

module anl_lockstep_top #(
    parameter int K = 2,
    parameter int N = 2,
    parameter int Kind = 0,
    parameter int NumVcs = 1,
    parameter int Depth = 4,
    parameter int FlitW = 32,
    parameter int Scan = 1,
    parameter int Admission = 0
) (
    input logic clk_i,
    input logic rst_i,
    input logic [63:0] harness_i
);
  localparam int S = K ** N;
  localparam int P = (Kind % 4 < 2 ? 2 * N : N) + 1;
  localparam int V = NumVcs;
  localparam int VcW = V > 1 ? $clog2(V) : 1;
  localparam int DstW = N * (K > 2 ? $clog2(K) : 1);
  localparam int F = FlitW + 2;

  import "DPI-C" function int unsigned anl_lockstep_seed(
      input longint unsigned harness, input int unsigned switch_number);

  logic [S*32-1:0] seed;
  logic [S-1:0] inj_valid, ej_valid;
  logic [S*VcW-1:0] inj_vc, ej_vc;
  logic [S*F-1:0] inj_flit, ej_flit;
  logic [S*V-1:0] inj_credit, ej_credit;

  for (genvar s = 0; s < S; s++) begin : g_seed
    always @(negedge clk_i)
      if (rst_i) seed[s*32+:32] <= anl_lockstep_seed(harness_i, s);
  end

  anl_cube #(
      .K(K),
      .N(N),
      .Kind(Kind),
      .NumVcs(NumVcs),
      .Depth(Depth),
      .FlitW(FlitW),
      .Scan(Scan),
      .Admission(Admission)
  ) dut (
      .clk_i,
      .rst_i,
      .seed_i(seed),
      .inj_valid_i(inj_valid),
      .inj_vc_i(inj_vc),
      .inj_flit_i(inj_flit),
      .inj_credit_o(inj_credit),
      .ej_valid_o(ej_valid),
      .ej_vc_o(ej_vc),
      .ej_flit_o(ej_flit),
      .ej_credit_i(ej_credit)
  );

  for (genvar s = 0; s < S; s++) begin : g_node
    anl_lockstep_node #(
        .NumVcs(NumVcs),
        .Depth(Depth),
        .FlitW(FlitW),
        .DstW(DstW),
        .Admission(Admission)
    ) u_node (
        .clk_i,
        .rst_i,
        .harness_i,
        .terminal_i(s),
        .link_i(S * P + s),
        .inj_valid_o(inj_valid[s]),
        .inj_vc_o(inj_vc[s*VcW+:VcW]),
        .inj_flit_o(inj_flit[s*F+:F]),
        .inj_credit_i(inj_credit[s*V+:V]),
        .ej_valid_i(ej_valid[s]),
        .ej_vc_i(ej_vc[s*VcW+:VcW]),
        .ej_flit_i(ej_flit[s*F+:F]),
        .ej_credit_o(ej_credit[s*V+:V])
    );
  end
endmodule
