// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_wide_ports #(
  parameter int Index,
  parameter int NumPorts,
  parameter int NumVcs,
  parameter int Depth,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int LengthInHead = 0,
  parameter int Path = anl_pkg::PathNone,
  parameter int CreditBypass = 0
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int FlitW = 40;
  localparam int DstW = 6;
  localparam int PathW = Path == anl_pkg::PathCarried ? DstW / 2 - 1 : 0;   // as in a fat-tree
  localparam int PathOutW = PathW > 0 ? PathW : 1;
  localparam int CntW = $clog2(Depth + 1);
  localparam int L = NumPorts * NumVcs;
  logic [7:0] random;
  logic [L-1:0] valid, valid_out, credit, credit_out, held, bound, owned, route_either;
  logic [L*(FlitW+2)-1:0] flit, flit_out;
  logic [L*DstW-1:0] dst;
  logic [L*PathOutW-1:0] path;
  logic [L*NumPorts-1:0] route_port;
  logic [L*CntW-1:0] count, credits;
  logic [L*anl_pkg::index_width(NumPorts)-1:0] bound_port, owner_port;
  logic [L*anl_pkg::index_width(NumVcs)-1:0] bound_vc, owner_vc;
  logic [NumPorts*anl_pkg::index_width(L)-1:0] out_ptr;

  `BENCH("anl_wide_ports", Index, {CreditBypass, PathW, Path, LengthInHead, FlowControl, Arbiter, DstW, FlitW, Depth, NumVcs,
                                   NumPorts})
  assign {credit, flit, valid, random} = in;
  assign out = {out_ptr, owner_vc, owner_port, owned, credits, bound_vc, bound_port, bound, count, held,
    credit_out, flit_out, valid_out};

  // The destination spells out the route (test_anl_wide_ports.c).
  for (genvar l = 0; l < L; l++) begin : g_lane
    assign route_port[l*NumPorts +: NumPorts] = NumPorts'(1) << (
      (dst[l*DstW +: DstW] + (Path == anl_pkg::PathCarried ? path[l*PathOutW +: PathOutW] : 0)) % NumPorts);
    assign route_either[l] = Path == anl_pkg::PathGreedy && dst[l*DstW +: DstW] % NumPorts == NumPorts - 2;
  end

  anl_wide_ports #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead),
    .Path(Path), .PathW(PathW), .CreditBypass(CreditBypass)
  ) u_dut (
    .clk_i, .rst_i, .random_i(random), .valid_i(valid), .flit_i(flit), .credit_o(credit_out),
    .valid_o(valid_out), .flit_o(flit_out), .credit_i(credit), .here_i('0), .dst_o(dst), .differs_o(),
    .path_o(path), .length_o(), .route_port_i(route_port), .route_vcs_i('1),
    .route_either_i(route_either), .held_o(held), .count_o(count), .bound_o(bound),
    .bound_port_o(bound_port), .bound_vc_o(bound_vc), .credits_o(credits), .owned_o(owned),
    .owner_port_o(owner_port), .owner_vc_o(owner_vc), .out_ptr_o(out_ptr)
  );

endmodule
