// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_eligible #(
  parameter int Index,
  parameter int NumPorts,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int AtOnce = 0
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int PortW = anl_pkg::index_width(NumPorts);
  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int CntW = $clog2(Depth + 1);
  localparam int NumLanes = NumPorts * NumVcs;
  logic held, head, whole, eligible;
  logic [6:0] length;
  logic [PortW-1:0] route_port, bound_port;
  logic [NumVcs-1:0] route_vcs, can;
  logic [VcW-1:0] bound_vc;
  logic [NumLanes-1:0] free, has_credit;
  logic [NumLanes*CntW-1:0] credits;
  logic [NumPorts-1:0] port, request;

  `BENCH("anl_eligible", Index, {AtOnce, FlowControl, Depth, NumVcs, NumPorts})
  assign {credits, has_credit, free, bound_vc, bound_port, route_vcs, route_port, length, whole,
    head, held} = in;
  assign out = {request, eligible, can, port};

  anl_eligible #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl), .AtOnce(AtOnce)
  ) u_dut (
    .held_i(held), .head_i(head), .whole_i(whole), .length_i(length),
    .route_port_i(NumPorts'(1) << route_port), .route_vcs_i(route_vcs),
    .bound_to_i(NumPorts'(1) << bound_port), .bound_vc_i(bound_vc), .free_i(free),
    .has_credit_i(has_credit), .credits_i(credits), .port_o(port), .can_o(can),
    .eligible_o(eligible), .request_o(request)
  );

endmodule
