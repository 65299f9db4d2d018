// SPDX-License-Identifier: Apache-2.0
//
// The lanes of an input port, and what rules 1 and 2 of docs/switch.md ask of the flit at the front of
// each: its marks, its fields and its route if it is a head, and whether the tail of its worm is there.
//
// A route is either late or early. A late one comes from the route unit of the lane while the head is at
// the front. An early one comes while the head is on the link, and lies in front of its data in the lane:
// one route unit serves all lanes.
// Timing: head_o, whole_o, held_o, count_o, length_o, rank_o and path_o are functions of registers. So are
// the routes if they are early, and dst_o and differs_o if they are late. flit_o follows sel_i; credit_o
// follows sel_i and pop_i.

// A policy or field that is absent leaves some inputs unread. The ports stay, so that all instances
// look the same.
// verilator lint_off UNUSEDSIGNAL

module anl_input_lanes #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlitW     = 32,
  parameter  int DstW      = 4,
  parameter  int Arbiter   = anl_pkg::RoundRobin,      // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,      // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                     // 1: heads say their length under wormhole, too
  parameter  int PathW     = 0,                        // bits of a path or list that heads carry
  parameter  int Early     = 0,                        // 1: heads are routed when they enter a lane
  parameter  int Classes   = 1,                        // of messages
  parameter  int Turns     = (1 << NumPorts) - 1,      // bit o: some route leads to port o
  localparam int PathOutW  = (PathW > 0) ? PathW : 1,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam int RankW     = anl_head_pkg::RankW,
  localparam int ClassVcs  = NumVcs / Classes          // lanes of each class
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  // The link that ends here (docs/link.md).
  input  logic                       valid_i,
  input  logic [VcW-1:0]             vc_i,
  input  logic [FlitW+1:0]           flit_i,
  output logic [NumVcs-1:0]          credit_o,

  // What a route unit reads, for each lane: the front flit, or with early routes the one on the link.
  // Then every lane shows the same, and the route of lane 0 is read.
  input  logic [DstW-1:0]            here_i,        // constant, compared with dst_o
  output logic [NumVcs*DstW-1:0]     dst_o,
  output logic [NumVcs*DstW-1:0]     differs_o,     // dst_o ^ here_i
  input  logic [NumVcs*NumPorts-1:0] route_port_i,  // one-hot for each lane with a set
  input  logic [NumVcs*ClassVcs-1:0] route_vcs_i,   // lanes of the class

  // Front flits of the lanes. The fields and the route have a meaning for heads only.
  output logic [NumVcs-1:0]          held_o,        // the lane holds a flit
  output logic [NumVcs*CntW-1:0]     count_o,
  output logic [NumVcs-1:0]          head_o,
  output logic [NumVcs-1:0]          whole_o,       // the tail of its worm is in the lane, if anybody waits for it
  output logic [NumVcs*LengthW-1:0]  length_o,      // of the worm, 0 under wormhole
  output logic [NumVcs*RankW-1:0]    rank_o,        // 0 unless the arbiter compares ranks
  output logic [NumVcs*PathOutW-1:0] path_o,        // 0 unless heads carry a path
  output logic [NumVcs*NumPorts-1:0] route_port_o,
  output logic [NumVcs*ClassVcs-1:0] route_vcs_o,

  // The lane that is read, one-hot or 0, and whether its front flit leaves.
  input  logic [NumVcs-1:0]          sel_i,
  input  logic                       pop_i,
  output logic [FlitW+1:0]           flit_o
);

  // Behind an early route the fields need not be visible, unless an arbiter or the flow control reads
  // them.
  localparam bit Blind   = Early != 0 && FlowControl == anl_pkg::Wormhole && anl_pkg::ranked(Arbiter) == 0;
  localparam int FieldsW = anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead) + PathW;
  localparam int RouteW  = (Early != 0) ? NumPorts + ClassVcs : 0;
  localparam int LowW    = RouteW + (Blind ? 0 : FieldsW);
  localparam int FrontW  = LowW + 2;
  localparam int StoredW = FlitW + RouteW + 2;

  logic [StoredW-1:0]       stored, read;        // a flit in its lane, with its route if that is early
  logic [NumVcs*FrontW-1:0] front;
  logic [NumVcs*LowW-1:0]   differs;
  logic [NumVcs-1:0]        tail;

  assign stored = (Early == 0) ? StoredW'(flit_i)
                               : StoredW'({flit_i, route_vcs_i[ClassVcs-1:0], route_port_i[NumPorts-1:0] & NumPorts'(Turns)});
  assign flit_o = read[StoredW-1:RouteW];

  anl_lanes #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW + RouteW), .LowW(LowW)) u_lanes (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i(stored), .credit_o,
    .here_i(LowW'(here_i)), .front_o(front), .differs_o(differs), .held_o, .count_o,
    .sel_i, .pop_i, .flit_o(read)
  );

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [RouteW+FieldsW-1:0] low;              // fields that are not visible are 0
    logic [DstW-1:0]           dst;

    assign {head_o[v], tail[v]} = front[(v+1)*FrontW-1 -: 2];
    assign low = (RouteW+FieldsW)'(front[v*FrontW +: LowW]);
    anl_head_fields #(
      .DstW(DstW), .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .PathW(PathW)
    ) u_fields (
      .data_i(low[RouteW +: FieldsW]), .dst_o(dst), .length_o(length_o[v*LengthW +: LengthW]),
      .rank_o(rank_o[v*RankW +: RankW]), .path_o(path_o[v*PathOutW +: PathOutW])
    );

    if (Early != 0) begin : g_early
      assign dst_o[v*DstW +: DstW]     = flit_i[DstW-1:0];
      assign differs_o[v*DstW +: DstW] = flit_i[DstW-1:0] ^ here_i;
      assign {route_vcs_o[v*ClassVcs +: ClassVcs], route_port_o[v*NumPorts +: NumPorts]} = low[RouteW-1:0];
    end else begin : g_late
      assign dst_o[v*DstW +: DstW]     = dst;
      assign differs_o[v*DstW +: DstW] = differs[v*LowW +: DstW];
      assign route_vcs_o[v*ClassVcs +: ClassVcs]  = route_vcs_i[v*ClassVcs +: ClassVcs];
      assign route_port_o[v*NumPorts +: NumPorts] = route_port_i[v*NumPorts +: NumPorts];
    end
  end

  if (FlowControl == anl_pkg::StoreAndForward) begin : g_packet_count
    logic [NumVcs-1:0] vc;
    anl_decode #(.Size(NumVcs)) u_vc (.index_i(vc_i), .onehot_o(vc));
    anl_packet_count #(.NumVcs(NumVcs), .Depth(Depth)) u_packet_count (
      .clk_i, .rst_i, .enter_i(vc & {NumVcs{valid_i && flit_i[FlitW]}}),
      .leave_i(credit_o & tail), .whole_o
    );
  end else begin : g_no_packet_count
    assign whole_o = '1;
  end

endmodule
