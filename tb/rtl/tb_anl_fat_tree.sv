// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_fat_tree #(
  parameter int Index,
  parameter int N,
  parameter int Routing,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int CreditBypass = 0
) (
  input logic clk_i,
  input logic rst_i
);

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

  `BENCH("anl_fat_tree", Index, {CreditBypass, FlowControl, Arbiter, FlitW, Depth, NumVcs, Routing, N})
  assign {ej_credit, inj_flit, inj_vc, inj_valid} = in;
  assign out = {inj_credit, ej_flit, ej_vc, ej_valid};

  anl_fat_tree #(
    .N(N), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
    .FlowControl(FlowControl), .CreditBypass(CreditBypass)
  ) u_dut (
    .clk_i, .rst_i, .seed_i(seed), .inj_valid_i(inj_valid), .inj_vc_i(inj_vc),
    .inj_flit_i(inj_flit), .inj_credit_o(inj_credit), .ej_valid_o(ej_valid), .ej_vc_o(ej_vc),
    .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
  );

endmodule
