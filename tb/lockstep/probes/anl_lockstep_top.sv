// SPDX-License-Identifier: Apache-2.0
//
// A network of switches with its terminals, watched by passive probes: a k-ary n-cube; with
// ANL_FAT_TREE defined, a butterfly fat-tree; with ANL_BUTTERFLY, a butterfly; with ANL_GRAPH, a
// graph, of which K is the number of terminals and N is 1. ANL_KIND is the module of another kind of
// switch with its parameters: papers/<slice>/lockstep/anl_lockstep_<kind>.sv has network, sources
// and probes. harness_i is the address of the data of the lock-step's C side
// (tb/lockstep/compare), which also drives the clock: once a cycle low, then high. With
// ANL_UNWATCHED defined no register of a switch is watched, for switches whose inside is unknown.
// With ANL_CREDITS defined the credits of all links are watched. With ANL_CLOSED defined no switch is
// watched at all, for networks that are one module. With ANL_WIDE defined links are wide. This file
// is read by Verilator alone.

module anl_lockstep_top #(
  parameter int K = 2,
  parameter int N = 2,
  parameter int Topology = 0,
  parameter int Routing = 0,
  parameter int Select = 0,
  parameter int Atomic = 0,
  parameter int NumVcs = 1,
  parameter int Depth = 4,
  parameter int FlitW = 32,
  parameter int Arbiter = 1,
  parameter int FlowControl = 0,
  parameter int LengthInHead = 0,
  parameter int CreditBypass = 0,
  parameter int Wide = 0,
  parameter int LinkCycles = 1,
  parameter int Stages = 1,
  parameter int Classes = 1,
  parameter logic [anl_pkg::WeightsW-1:0] Weights = 0
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] harness_i
);
  localparam int T = K ** N;  // terminals
`ifdef ANL_GRAPH
  localparam int S = anl_graph_pkg::NumSwitches;
  localparam int P = anl_graph_pkg::NumPorts;
`elsif ANL_BUTTERFLY
  localparam int S = (Routing == anl_pkg::Valiant ? 2 * N - 1 : N) * K ** (N - 1);
  localparam int P = K;
`elsif ANL_FAT_TREE
  localparam int S = T / 2 - T / 2 ** (N + 1);
  localparam int P = 6;
`else
  localparam int S = T;
  localparam int P = (Topology <= anl_cube_pkg::Torus ? 2 * N : N) + 1;
`endif
  localparam int V = NumVcs;
  localparam int VcW = V > 1 ? $clog2(V) : 1;
  localparam int DstW = N * (K > 2 ? $clog2(K) : 1);
  localparam int F = FlitW + 2;
  localparam int L = anl_pkg::lines_of(Wide, V);  // of a link

  import "DPI-C" function int unsigned anl_lockstep_seed(
    input longint unsigned harness, input int unsigned switch_number);

  logic [S*32-1:0] seed;
  logic [T*L-1:0] inj_valid, ej_valid;
  logic [T*L*VcW-1:0] inj_vc, ej_vc;
  logic [T*L*F-1:0] inj_flit, ej_flit;
  logic [T*V-1:0] inj_credit, ej_credit;

`ifdef ANL_KIND
  `ANL_KIND u_kind (
    .clk_i,
    .rst_i,
    .harness_i
  );
`else
  for (genvar s = 0; s < S; s++) begin : g_seed
    always @(negedge clk_i)
      if (rst_i) seed[s*32+:32] <= anl_lockstep_seed(harness_i, s);
  end

`ifdef ANL_GRAPH
  anl_graph #(
`else
`ifdef ANL_BUTTERFLY
  anl_butterfly #(
    .K(K),
`elsif ANL_FAT_TREE
  anl_fat_tree #(
`else
  anl_cube #(
    .K(K),
    .Topology(Topology),
    .Select(Select),
    .Atomic(Atomic),
`endif
    .N(N),
    .Routing(Routing),
    .LinkCycles(LinkCycles),
`endif
    .Arbiter(Arbiter),
    .FlowControl(FlowControl),
    .LengthInHead(LengthInHead),
    .CreditBypass(CreditBypass),
    .Wide(Wide),
    .Stages(Stages),
    .Classes(Classes),
    .Weights(Weights),
    .NumVcs(NumVcs),
    .Depth(Depth),
    .FlitW(FlitW)
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

  for (genvar t = 0; t < T; t++) begin : g_node
`ifdef ANL_WIDE
    anl_lockstep_wide_node #(
`else
    anl_lockstep_node #(
      .Classes(Classes),
      .Weights(Weights),
`endif
      .NumVcs(NumVcs),
      .Depth(Depth),
      .FlitW(FlitW),
      .DstW(DstW),
      .FlowControl(FlowControl),
      .LengthInHead(LengthInHead),
      .CreditBypass(CreditBypass)
    ) u_node (
      .clk_i,
      .rst_i,
      .harness_i,
      .terminal_i(t),
      .link_i(S * P + t),
      .inj_valid_o(inj_valid[t*L+:L]),
      .inj_vc_o(inj_vc[t*L*VcW+:L*VcW]),
      .inj_flit_o(inj_flit[t*L*F+:L*F]),
      .inj_credit_i(inj_credit[t*V+:V]),
      .ej_valid_i(ej_valid[t*L+:L]),
`ifndef ANL_WIDE
      .ej_vc_i(ej_vc[t*VcW+:VcW]),
`endif
      .ej_flit_i(ej_flit[t*L*F+:L*F]),
      .ej_credit_o(ej_credit[t*V+:V])
    );
  end
`endif
endmodule
