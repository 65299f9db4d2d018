// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_cube_switch #(
  parameter int Index,
  parameter int K,
  parameter int N,
  parameter int Topology,
  parameter int Routing,
  parameter int Select = 0,
  parameter int Atomic = 0,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int Classes = 1,
  parameter int Stages = 1
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int ClassVcs = NumVcs / Classes;
  localparam logic [63:0] Weights = Classes > 1 ? 64'h0105010401030102 : 0;   // as set_classes()
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

  `BENCH("anl_cube_switch", Index, {Stages, Classes, FlowControl, Arbiter, FlitW, Depth, NumVcs, Atomic, Select, Routing,
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
    .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter), .FlowControl(FlowControl),
    .Stages(Stages), .Classes(Classes), .Weights(Weights)
  ) u_dut (
    .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed), .here_i(here), .valid_i(valid), .vc_i(vc),
    .flit_i(flit), .credit_o(credit_in), .valid_o(valid_out), .vc_o(vc_out), .flit_o(flit_out),
    .credit_i(credit)
  );

endmodule
