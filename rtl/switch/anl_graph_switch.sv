// SPDX-License-Identifier: Apache-2.0
//
// Switch of a graph: the buffered switch anl_switch and a route unit for every input lane.
//
// The routes are those of the tables at table_i (docs/networks.md, "Routing tables"): that of class c
// of messages is at c*T*EntryW; equal tables cost what one does. A head in lane v keeps to the lanes
// v*ClassVcs +: ClassVcs of lanes_i, those of its layer. The lanes in table_i and lanes_i are counted
// from 0 within the class. table_i, lanes_i and here_i, the number of this switch, must be constant. A
// user's own switch replaces this module: it has the same parameters and ports and keeps the link
// contract of docs/link.md.
// Timing: as in anl_switch.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY
// The routes of a graph read a table alone; the number of a switch tells others who it is.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_graph_switch #(
  parameter  int NumPorts  = 5,                     // ports, 1 .. 32
  parameter  int T         = 16,                    // terminals of the network
  parameter  int NumVcs    = 4,                     // lanes of a link, 1 .. 8
  parameter  int Depth     = 4,                     // flits of a lane, 1 .. 64
  parameter  int FlitW     = 32,                    // data bits of a flit (docs/link.md)
  parameter  int Arbiter   = anl_pkg::RoundRobin,   // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,   // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                  // 1: heads say their length under wormhole, too
  parameter  int CreditBypass = 0,                  // 1: links are chained; wide links alone can be
  parameter  int Wide      = 0,                     // 1: links are wide
  parameter  int Stages    = 1,                     // 1 or 2
  parameter  int Classes   = 1,                     // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of the classes (anl_pkg)
  parameter  logic [anl_pkg::TurnsW-1:0] Turns = {anl_pkg::TurnsW{1'b1}},  // turns that are wired
  localparam int DstW      = anl_pkg::index_width(T),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int NumLines  = NumPorts * anl_pkg::lines_of(Wide, NumVcs),   // of all its links
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int ClassVcs  = NumVcs / Classes,      // lanes of each class of messages
  localparam int TableW    = T * anl_pkg::EntryW
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [31:0]                  seed_i,   // of the generator, sampled in reset
  input  logic [15:0]                  here_i,   // number of this switch
  input  logic [Classes*TableW-1:0]    table_i,  // routes of this switch (anl_route_table)
  input  logic [NumVcs*ClassVcs-1:0]   lanes_i,  // for each lane, the lanes that a head in it may take

  // Links into the switch, by input port (docs/link.md).
  input  logic [NumLines-1:0]          valid_i,
  input  logic [NumLines*VcW-1:0]      vc_i,
  input  logic [NumLines*LinkW-1:0]    flit_i,
  output logic [NumLanes-1:0]          credit_o,

  // Links out of the switch, by output port (docs/link.md).
  output logic [NumLines-1:0]          valid_o,
  output logic [NumLines*VcW-1:0]      vc_o,
  output logic [NumLines*LinkW-1:0]    flit_o,
  input  logic [NumLanes-1:0]          credit_i
);

  logic [NumLanes*DstW-1:0]     dst;
  logic [NumLanes*NumPorts-1:0] route_port;
  logic [NumLanes*ClassVcs-1:0] route_vcs;

  anl_switch #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead),
    .CreditBypass((CreditBypass != 0) ? -1 : 0), .Wide(Wide), .Stages(Stages), .Classes(Classes), .Weights(Weights), .Turns(Turns)
  ) u_core (
    .clk_i, .rst_i, .seed_i,
    .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o, .credit_i,
    .chained_i({NumLanes{1'b0}}),
    .here_i({DstW{1'b0}}), .dst_o(dst), .differs_o(), .path_o(), .random_o(),
    .route_port_i(route_port), .route_vcs_i(route_vcs), .route_either_i({NumLanes{1'b0}}),
    .free_o(), .has_credit_o(), .all_credits_o(), .credits_o(), .length_o()
  );

  for (genvar l = 0; l < NumLanes; l++) begin : g_route
    logic [ClassVcs-1:0] vcs;
    anl_route_table #(.T(T), .NumPorts(NumPorts), .NumVcs(ClassVcs)) u_route (
      .table_i(table_i[l%NumVcs/ClassVcs*TableW +: TableW]), .dst_i(dst[l*DstW +: DstW]),
      .port_o(route_port[l*NumPorts +: NumPorts]), .vcs_o(vcs)
    );
    assign route_vcs[l*ClassVcs +: ClassVcs] = vcs & lanes_i[(l%NumVcs)*ClassVcs +: ClassVcs];
  end

  `ANL_ASSERT(AssumeHeadFitsFlit, FlitW >= anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead))

endmodule
