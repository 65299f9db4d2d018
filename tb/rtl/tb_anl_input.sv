// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_input #(
  parameter int Index,
  parameter int NumPorts,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int DstW,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int LengthInHead = 0,
  parameter int Path = anl_pkg::PathNone
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int PathW = Path == anl_pkg::PathCarried ? DstW / 2 - 1 : 0;   // as in a fat-tree
  localparam int PathOutW = PathW > 0 ? PathW : 1;
  localparam int PortW = anl_pkg::index_width(NumPorts);
  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int CntW = $clog2(Depth + 1);
  localparam int L = NumPorts * NumVcs;
  logic [7:0] random;
  logic valid, grant, last;
  logic [VcW-1:0] vc, lane, in_ptr;
  logic [FlitW+1:0] flit, flit_out;
  logic [NumVcs-1:0] credit, take, take_last, held, bound, route_either;
  localparam logic [DstW-1:0] Here = DstW'(32'h2545f491);   // the same as in test_anl_input.c
  logic [NumVcs*DstW-1:0] dst, differs;
  logic [NumVcs*PathOutW-1:0] path;
  logic [NumVcs*PortW-1:0] bound_port;
  logic [NumVcs*NumPorts-1:0] route_port;
  logic [NumVcs*NumVcs-1:0] route_vcs;
  logic [L-1:0] free, has_credit, all_credits;
  logic [L*CntW-1:0] credits;
  logic [NumPorts-1:0] request;
  logic [15:0] rank;
  logic [NumVcs*CntW-1:0] count;
  logic [NumVcs*VcW-1:0] bound_vc;

  `BENCH("anl_input", Index, {PathW, Path, LengthInHead, FlowControl, Arbiter, DstW, FlitW, Depth, NumVcs, NumPorts})
  assign {last, grant, credits, all_credits, has_credit, free, flit, vc, valid, random} = in;
  assign out = {differs, in_ptr, bound_vc, bound_port, bound, count, held, credit, flit_out,
    rank, lane, take_last, take, request};

  // The destination spells out the route (test_anl_input.c); bound lanes get a route of 0.
  for (genvar v = 0; v < NumVcs; v++) begin : g_route
    assign route_port[v*NumPorts +: NumPorts] = NumPorts'(1) << (
      (dst[v*DstW +: DstW] + (Path == anl_pkg::PathCarried ? path[v*PathOutW +: PathOutW] : 0)) % NumPorts);
    assign route_either[v] = Path == anl_pkg::PathGreedy && dst[v*DstW + DstW - 1]
                             && dst[v*DstW +: DstW] % NumPorts == NumPorts - 2;
    assign route_vcs[v*NumVcs +: NumVcs] = '1;
  end

  anl_input #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Path(Path), .PathW(PathW)
  ) u_dut (
    .clk_i, .rst_i, .random_i(random), .valid_i(valid), .vc_i(vc), .flit_i(flit),
    .credit_o(credit), .here_i(Here), .dst_o(dst), .differs_o(differs), .path_o(path), .length_o(),
    .route_port_i(route_port), .route_vcs_i(route_vcs), .route_either_i(route_either),
    .free_i(free), .has_credit_i(has_credit), .all_credits_i(all_credits), .credits_i(credits),
    .request_o(request), .take_o(take), .take_last_o(take_last), .lane_o(lane),
    .rank_o(rank), .flit_o(flit_out),
    .granted_i(grant && request != 0),
    .granted_last_i(grant && request[NumPorts-1] && (last || request == 1 << (NumPorts - 1))),
    .held_o(held), .count_o(count), .bound_o(bound),
    .bound_port_o(bound_port), .bound_vc_o(bound_vc), .in_ptr_o(in_ptr), .favoured_o(), .quota_o()
  );

endmodule
