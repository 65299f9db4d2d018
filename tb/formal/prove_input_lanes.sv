// SPDX-License-Identifier: Apache-2.0
//
// anl_input_lanes: flits leave their lane whole and in the order in which they came, and at the front each
// shows its marks, its fields and its route: an early one is that of the cycle in which it came, a late one
// that of the cycle. A lane is said to hold a whole worm if it holds the tail.
//
// The proof follows a marked flit as in prove_fifo.sv, with the route that came with it.

`include "prove.svh"

module prove_input_lanes #(
  parameter  int NumPorts  = 2,
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 2,
  parameter  int FlitW     = 3,
  parameter  int DstW      = 2,
  parameter  int Arbiter   = anl_pkg::RoundRobin,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int PathW     = 0,
  parameter  int Early     = 0,
  parameter  int Classes   = 1,
  localparam int ClassVcs  = NumVcs / Classes,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int PathOutW  = (PathW > 0) ? PathW : 1,
  localparam int RouteW    = ClassVcs + NumPorts,
  localparam int LinkW     = RouteW + FlitW + 2      // a flit and its route
) (
  input logic                       clk_i,
  input logic                       valid_i,
  input logic [VcW-1:0]             vc_i,
  input logic [FlitW+1:0]           flit_i,
  input logic [NumVcs*NumPorts-1:0] route_port_i,
  input logic [NumVcs*ClassVcs-1:0] route_vcs_i,
  input logic                       read_i,
  input logic [VcW-1:0]             read_vc_i,
  input logic                       pop_i,
  input logic                       mark_i,
  input logic [DstW-1:0]            here_i,         // constant, sampled in the reset cycle
  input logic [VcW-1:0]             lane_i          // lane of the mark, sampled in the reset cycle
);

  `PROVE_RESET

  logic [NumVcs-1:0]          credit, held, head, whole;
  logic [NumVcs*CntW-1:0]     count, held_q;        // held_q: number of flits in each lane
  logic [NumVcs*DstW-1:0]     dst, differs;
  logic [NumVcs*7-1:0]        length;
  logic [NumVcs*16-1:0]       rank;
  logic [NumVcs*PathOutW-1:0] path;
  logic [NumVcs*NumPorts-1:0] route_port;
  logic [NumVcs*ClassVcs-1:0] route_vcs;
  logic [FlitW+1:0]           flit;
  logic [DstW-1:0]            here_q;

  anl_input_lanes #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .Arbiter(Arbiter),
    .FlowControl(FlowControl), .PathW(PathW), .Early(Early), .Classes(Classes)
  ) u_dut (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o(credit), .here_i(here_q), .dst_o(dst), .differs_o(differs),
    .route_port_i, .route_vcs_i, .held_o(held), .count_o(count), .head_o(head), .whole_o(whole), .length_o(length),
    .rank_o(rank), .path_o(path), .route_port_o(route_port), .route_vcs_o(route_vcs),
    .sel_i(read_i ? NumVcs'(1) << read_vc_i : '0), .pop_i, .flit_o(flit)
  );

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    wire [CntW-1:0] here     = held_q[v*CntW +: CntW];
    wire            one_more = valid_i && 32'(vc_i) == v;
    wire            one_less = pop_i && read_i && 32'(read_vc_i) == v;

    always_ff @(posedge clk_i) begin : model
      held_q[v*CntW +: CntW] <= rst_i ? '0 : here + CntW'(one_more) - CntW'(one_less);
    end

    `GIVEN(PushHasRoom, !one_more || 32'(here) < Depth || one_less)
    `GIVEN(PopHasFlit, !one_less || here != '0)

    `PROVE(CountsWhatIsThere, count[v*CntW +: CntW] == here && held[v] == (here != '0) && credit[v] == one_less)
  end

  wire             pop       = pop_i && read_i && read_vc_i == lane_q;
  wire             push      = valid_i && vc_i == lane_q;
  wire [LinkW-1:0] push_flit = {route_vcs_i[ClassVcs-1:0], route_port_i[NumPorts-1:0], flit_i};

  `include "marked.svh"

  // The marked flit is in front of its lane; and it is a head.
  wire              front   = there_q && ahead_q == '0;
  wire              is_head = front && flit_q[FlitW+1];
  wire              is_tail = flit_q[FlitW];
  wire [FlitW-1:0]  data    = flit_q[FlitW-1:0];
  wire [RouteW-1:0] came    = flit_q[LinkW-1:FlitW+2];
  wire [RouteW-1:0] shown   = {route_vcs[lane_q*ClassVcs +: ClassVcs], route_port[lane_q*NumPorts +: NumPorts]};
  wire [RouteW-1:0] now     = {route_vcs_i[lane_q*ClassVcs +: ClassVcs], route_port_i[lane_q*NumPorts +: NumPorts]};

  // docs/link.md, "Data of a flit".
  localparam bit Whole  = FlowControl != anl_pkg::Wormhole;
  localparam bit Stores = FlowControl == anl_pkg::StoreAndForward;
  localparam bit Ranks  = Arbiter == anl_pkg::Age || Arbiter == anl_pkg::Farthest;
  wire [FlitW-1:0] behind_dst    = data >> DstW;
  wire [FlitW-1:0] behind_length = Whole ? behind_dst >> 7 : behind_dst;
  wire [FlitW-1:0] behind_rank   = Ranks ? behind_length >> 16 : behind_length;
  wire [DstW-1:0]  to            = (Early != 0) ? flit_i[DstW-1:0] : data[DstW-1:0];

  always_ff @(posedge clk_i) begin : once
    if (rst_i) here_q <= here_i;
  end

  `GIVEN(LanesExist, 32'(vc_i) < NumVcs && 32'(read_vc_i) < NumVcs && 32'(lane_q) < NumVcs)

  `PROVE(MarkOfTheFront, !front || head[lane_q] == flit_q[FlitW+1])
  `PROVE(LengthOfTheHead, !is_head || length[lane_q*7 +: 7] == (Whole ? 7'(behind_dst) : 7'd0))
  `PROVE(RankOfTheHead, !is_head || rank[lane_q*16 +: 16] == (Ranks ? 16'(behind_length) : 16'd0))
  `PROVE(PathOfTheHead, !is_head || path[lane_q*PathOutW +: PathOutW] == ((PathW > 0) ? PathOutW'(behind_rank) : PathOutW'(0)))
  `PROVE(RouteOfTheHead, !is_head || shown == ((Early != 0) ? came : now))
  `PROVE(DestinationToRoute, !(is_head || Early != 0) || dst[lane_q*DstW +: DstW] == to)
  `PROVE(DiffersFromHere, !(is_head || Early != 0) || differs[lane_q*DstW +: DstW] == (to ^ here_q))
  `PROVE(LeavesInOrder, !front || !read_i || read_vc_i != lane_q || flit == flit_q[FlitW+1:0])
  `PROVE(WholeIfTheTailIsHere, whole[lane_q] || (Stores && !(there_q && is_tail)))
  `PROVE(NotWholeWithoutATail, !Stores || !front || is_tail || held_q[lane_q*CntW +: CntW] != 1 || !whole[lane_q])

  `COVER(HeadIsRouted, is_head && shown != '0 && now == '0 || Early == 0)
  `COVER(MarkedLeavesAFullLane, front && pop && 32'(held_q[lane_q*CntW +: CntW]) == Depth)
  `COVER(WaitsForItsTail, !Stores || (is_head && !is_tail && !whole[lane_q]))
  `COVER(TailIsBehind, there_q && is_tail && ahead_q != '0)

endmodule
