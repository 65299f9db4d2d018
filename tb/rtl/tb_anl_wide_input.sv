// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_wide_input #(
  parameter int Index,
  parameter int NumPorts,
  parameter int NumVcs,
  parameter int Depth,
  parameter int Arbiter = anl_pkg::RoundRobin,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int LengthInHead = 0,
  parameter int Path = anl_pkg::PathNone
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
  localparam logic [DstW-1:0] Here = DstW'(32'h2545f491);   // the same as in test_anl_wide_input.c
  logic [NumVcs-1:0] valid, credit, held, bound, route_either, grant, last;
  logic [NumVcs*(FlitW+2)-1:0] flit, flit_out;
  logic [NumVcs*DstW-1:0] dst, differs;
  logic [NumVcs*PathOutW-1:0] path;
  logic [NumVcs*NumPorts-1:0] route_port;
  logic [NumVcs*NumVcs-1:0] route_vcs, can, can_last, bound_to, take;
  logic [L-1:0] free, has_credit, usable, ask, go, granted;
  logic [L*CntW-1:0] credits;
  logic [NumVcs*16-1:0] rank;
  logic [NumVcs*CntW-1:0] count;
  logic [NumVcs*anl_pkg::index_width(NumPorts)-1:0] bound_port;
  logic [NumVcs*anl_pkg::index_width(NumVcs)-1:0] bound_vc;

  `BENCH("anl_wide_input", Index, {PathW, Path, LengthInHead, FlowControl, Arbiter, DstW, FlitW, Depth, NumVcs, NumPorts})
  assign {last, grant, usable, credits, has_credit, free, flit, valid} = in;
  assign out = {differs, bound_vc, bound_port, bound, count, held, credit, flit_out, rank, bound_to, go,
    can_last, can, ask};

  // The destination spells out the route (test_anl_wide_input.c). A head that is granted takes the
  // lowest lane that it can take; one that asks two ports is granted by the last if its bit says so.
  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [NumPorts-1:0] asks;
    logic [NumVcs-1:0] lanes, low;
    logic by_last;
    assign route_port[v*NumPorts +: NumPorts] = NumPorts'(1) << (
      (dst[v*DstW +: DstW] + (Path == anl_pkg::PathCarried ? path[v*PathOutW +: PathOutW] : 0)) % NumPorts);
    assign route_either[v] = Path == anl_pkg::PathGreedy && dst[v*DstW +: DstW] % NumPorts == NumPorts - 2;
    assign route_vcs[v*NumVcs +: NumVcs] = '1;
    assign by_last = Path == anl_pkg::PathGreedy && asks[NumPorts-1] && (last[v] || !asks[NumPorts-2]);
    for (genvar o = 0; o < NumPorts; o++) begin : g_port
      assign asks[o] = ask[o*NumVcs + v];
      assign granted[o*NumVcs + v] = grant[v] && asks[o]
        && (Path != anl_pkg::PathGreedy || o < NumPorts - 2 || by_last == (o == NumPorts - 1));
    end
    for (genvar w = 0; w < NumVcs; w++) begin : g_take
      assign lanes[w] = by_last ? can_last[w*NumVcs + v] : can[w*NumVcs + v];
      assign take[w*NumVcs + v] = low[w] && grant[v] && asks != '0;
    end
    assign low = lanes & -lanes;
  end

  anl_wide_input #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Path(Path), .PathW(PathW)
  ) u_dut (
    .clk_i, .rst_i, .valid_i(valid), .flit_i(flit), .credit_o(credit), .here_i(Here), .dst_o(dst),
    .differs_o(differs), .path_o(path), .length_o(), .route_port_i(route_port),
    .route_vcs_i(route_vcs), .route_either_i(route_either), .free_i(free), .has_credit_i(has_credit),
    .credits_i(credits), .usable_i(usable), .ask_o(ask), .can_o(can), .can_last_o(can_last), .go_o(go),
    .bound_to_o(bound_to), .rank_o(rank), .flit_o(flit_out), .granted_i(granted), .take_i(take),
    .held_o(held), .count_o(count), .bound_o(bound), .bound_port_o(bound_port), .bound_vc_o(bound_vc)
  );

endmodule
