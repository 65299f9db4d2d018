// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_cube #(
  parameter int Index,
  parameter int K,
  parameter int N,
  parameter int Topology,
  parameter int Routing,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int FlowControl = anl_pkg::Wormhole
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int S = anl_cube_pkg::power(K, N);
  localparam int VcW = anl_pkg::index_width(NumVcs);
  logic [S-1:0] inj_valid, ej_valid;
  logic [S*VcW-1:0] inj_vc, ej_vc;
  logic [S*(FlitW+2)-1:0] inj_flit, ej_flit;
  logic [S*NumVcs-1:0] inj_credit, ej_credit;

  `BENCH("anl_cube", Index, {FlowControl, Arbiter, FlitW, Depth, NumVcs, Routing, Topology, N, K})
  assign {ej_credit, inj_flit, inj_vc, inj_valid} = in;
  assign out = {inj_credit, ej_flit, ej_vc, ej_valid};

  anl_cube #(
    .K(K), .N(N), .Topology(Topology), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
    .Arbiter(Arbiter), .FlowControl(FlowControl)
  ) u_dut (
    .clk_i, .rst_i, .seed_i({S{32'd1}}), .inj_valid_i(inj_valid), .inj_vc_i(inj_vc),
    .inj_flit_i(inj_flit), .inj_credit_o(inj_credit), .ej_valid_o(ej_valid), .ej_vc_o(ej_vc),
    .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
  );

endmodule
