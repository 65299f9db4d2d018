// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_butterfly_switch #(
  parameter int Index,
  parameter int K,
  parameter int N,
  parameter int Tag,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int LengthInHead = 0,
  parameter int CreditBypass = 0
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int VcW = anl_pkg::index_width(NumVcs);
  logic [31:0] seed;
  logic [K-1:0] valid, valid_out;
  logic [K*VcW-1:0] vc, vc_out;
  logic [K*(FlitW+2)-1:0] flit, flit_out;
  logic [K*NumVcs-1:0] credit, credit_in;

  `BENCH("anl_butterfly_switch", Index, {CreditBypass, LengthInHead, FlowControl, Arbiter, FlitW, Depth, NumVcs, Tag, N, K})
  assign {credit, flit, vc, valid, seed} = in;
  assign out = {u_dut.u_core.random, u_dut.u_core.out_ptr, u_dut.u_core.in_ptr,
    u_dut.u_core.owner_vc, u_dut.u_core.owner_port, u_dut.u_core.owned, u_dut.u_core.credit,
    u_dut.u_core.bound_vc, u_dut.u_core.bound_port, u_dut.u_core.bound, u_dut.u_core.count,
    credit_in, flit_out, vc_out, valid_out};

  // While another bench of the room runs, the inputs are 0; a generator must not get 0 as its
  // seed.
  anl_butterfly_switch #(
    .K(K), .N(N), .Tag(Tag), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .CreditBypass(CreditBypass)
  ) u_dut (
    .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed), .here_i(16'(Index)), .valid_i(valid),
    .vc_i(vc), .flit_i(flit), .credit_o(credit_in), .valid_o(valid_out), .vc_o(vc_out),
    .flit_o(flit_out), .credit_i(credit)
  );

endmodule
