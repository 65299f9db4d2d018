// SPDX-License-Identifier: Apache-2.0
//
// A k-ary n-cube of switches with a terminal at each, watched by passive probes. The C side of the
// lock-step (tb/lockstep/*.c) is reached through harness_i, the address of its data; it sets the
// clock: low first, then high, once a cycle. With ANL_RULES defined only links and terminals' ends
// are watched, no register: for switches whose inside is unknown. Read by Verilator alone.

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
  localparam int CntW = $clog2(Depth + 1);
  localparam int PortW = $clog2(P);
  localparam int DstW = N * (K > 2 ? $clog2(K) : 1);
  localparam int F = FlitW + 2;
`ifdef ANL_RULES
  localparam int SwitchStateW = 1;
`else
  localparam int SwitchStateW = P * V * 2 * (CntW + 1 + PortW + VcW) + P * (VcW + PortW) + 32;
`endif
  localparam int TerminalStateW = V * (2 * CntW + 1);

  import "DPI-C" function int unsigned anl_lockstep_seed(
      input longint unsigned harness, input int unsigned switch_number);

  logic [S*32-1:0] seed;
  logic [S-1:0] inj_valid, ej_valid;
  logic [S*VcW-1:0] inj_vc, ej_vc;
  logic [S*F-1:0] inj_flit, ej_flit;
  logic [S*V-1:0] inj_credit, ej_credit;

  always_ff @(negedge clk_i) begin : seeds
    if (rst_i) for (int s = 0; s < S; s++) seed[s*32+:32] <= anl_lockstep_seed(harness_i, s);
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
    logic src_valid, src_ready, snk_valid;
    logic [F-1:0] src_flit, snk_flit;
    logic [VcW-1:0] snk_vc;
    logic [SwitchStateW-1:0] switch_state;

`ifdef ANL_RULES
    assign switch_state = '0;
`else
    assign switch_state = {
      dut.g_switch[s].u_switch.u_core.random,
      dut.g_switch[s].u_switch.u_core.out_ptr,
      dut.g_switch[s].u_switch.u_core.in_ptr,
      dut.g_switch[s].u_switch.u_core.owner_vc,
      dut.g_switch[s].u_switch.u_core.owner_port,
      dut.g_switch[s].u_switch.u_core.owned,
      dut.g_switch[s].u_switch.u_core.credit,
      dut.g_switch[s].u_switch.u_core.bound_vc,
      dut.g_switch[s].u_switch.u_core.bound_port,
      dut.g_switch[s].u_switch.u_core.bound,
      dut.g_switch[s].u_switch.u_core.count
    };
`endif

    anl_probe_switch #(
        .NumPorts(P),
        .NumVcs(NumVcs),
        .FlitW(FlitW),
        .StateW(SwitchStateW)
    ) u_probe (
        .clk_i,
        .rst_i,
        .harness_i,
        .switch_i(s),
        .valid_i(dut.g_switch[s].out_valid),
        .vc_i(dut.g_switch[s].out_vc),
        .flit_i(dut.g_switch[s].out_flit),
        .state_i(switch_state)
    );

    anl_terminal #(
        .NumVcs(NumVcs),
        .Depth(Depth),
        .FlitW(FlitW),
        .DstW(DstW),
        .Admission(Admission)
    ) u_terminal (
        .clk_i,
        .rst_i,
        .src_valid_i(src_valid),
        .src_flit_i(src_flit),
        .src_ready_o(src_ready),
        .inj_valid_o(inj_valid[s]),
        .inj_vc_o(inj_vc[s*VcW+:VcW]),
        .inj_flit_o(inj_flit[s*F+:F]),
        .inj_credit_i(inj_credit[s*V+:V]),
        .ej_valid_i(ej_valid[s]),
        .ej_vc_i(ej_vc[s*VcW+:VcW]),
        .ej_flit_i(ej_flit[s*F+:F]),
        .ej_credit_o(ej_credit[s*V+:V]),
        .snk_valid_o(snk_valid),
        .snk_flit_o(snk_flit),
        .snk_vc_o(snk_vc),
        .snk_ready_i(1'b1)
    );

    anl_probe_terminal #(
        .NumVcs(NumVcs),
        .FlitW(FlitW),
        .StateW(TerminalStateW)
    ) u_world (
        .clk_i,
        .rst_i,
        .harness_i,
        .terminal_i(s),
        .link_i(S * P + s),
        .src_valid_o(src_valid),
        .src_flit_o(src_flit),
        .src_ready_i(src_ready),
        .inj_valid_i(inj_valid[s]),
        .inj_vc_i(inj_vc[s*VcW+:VcW]),
        .inj_flit_i(inj_flit[s*F+:F]),
        .snk_valid_i(snk_valid),
        .snk_vc_i(snk_vc),
        .snk_flit_i(snk_flit),
        .state_i({u_terminal.bound, u_terminal.credit, u_terminal.count})
    );
  end
endmodule
