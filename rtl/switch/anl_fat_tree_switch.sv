// SPDX-License-Identifier: Apache-2.0
//
// Switch of a butterfly fat-tree: the buffered switch anl_switch and a route unit for every input
// lane.
//
// The routes are those of docs/networks.md. Ports 0 .. 3 lead down, 4 and 5 up. here_i is the
// address of the switch in its level and must be constant. A user's own switch replaces this
// module: it has the same parameters and ports and keeps the link contract of docs/link.md.
// Timing: as in anl_switch; if CreditBypass is 1 the up links are chained. The credits of the up links
// have a port of their own, so that no signal belongs both to the way up and to the way down of a
// chained network.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY
// A level of a fat-tree reads some bits of an address and of a path. Not every routing of a fat-tree reads
// the path or the random state.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_fat_tree_switch #(
  parameter  int N         = 2,                         // levels of the network, at least 1
  parameter  int Level     = 1,                         // level of this switch, 1 .. N
  parameter  int Routing   = anl_pkg::UpDownFixed,      // choice of up links (anl_pkg)
  parameter  int NumVcs    = 4,                         // lanes of a link, 1 .. 8
  parameter  int Depth     = 4,                         // flits of a lane, 1 .. 64
  parameter  int FlitW     = 32,                        // data bits of a flit (docs/link.md)
  parameter  int Arbiter   = anl_pkg::RoundRobin,       // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,       // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                      // 1: heads say their length under wormhole, too
  parameter  int CreditBypass = 0,                      // 1: the up links are chained, or all if they are wide
  parameter  int Wide      = 0,                         // 1: links are wide
  parameter  int Stages    = 1,                         // 1 or 2
  parameter  int Classes   = 1,                         // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of the classes (anl_pkg)
  localparam int NumDown   = anl_fat_tree_pkg::NumDown,
  localparam int NumUp     = anl_fat_tree_pkg::NumUp,
  localparam int NumPorts  = anl_fat_tree_pkg::NumPorts,
  localparam int DstW      = anl_fat_tree_pkg::label_width(N),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int NumLines  = NumPorts * anl_pkg::lines_of(Wide, NumVcs),   // of all its links
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int ClassVcs  = NumVcs / Classes   // lanes of each class of messages
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [31:0]               seed_i,   // of the generator, sampled in reset
  input  logic [DstW-1:0]           here_i,   // address of this switch in its level

  // Links into the switch, by input port (docs/link.md).
  input  logic [NumLines-1:0]       valid_i,
  input  logic [NumLines*VcW-1:0]   vc_i,
  input  logic [NumLines*LinkW-1:0] flit_i,
  output logic [NumLanes-1:0]       credit_o,

  // Links out of the switch, by output port (docs/link.md).
  output logic [NumLines-1:0]       valid_o,
  output logic [NumLines*VcW-1:0]   vc_o,
  output logic [NumLines*LinkW-1:0] flit_o,
  input  logic [NumDown*NumVcs-1:0] down_credit_i,
  input  logic [NumUp*NumVcs-1:0]   up_credit_i
);

  localparam int Path     = anl_fat_tree_pkg::path_of(Routing);
  localparam int PathW    = (Path == anl_pkg::PathCarried) ? N - 1 : 0;   // a bit for each level but the highest
  localparam int PathOutW = (PathW > 0) ? PathW : 1;

  logic [NumLanes*DstW-1:0]     dst;
  logic [NumLanes*PathOutW-1:0] path;
  logic [31:0]                  random;
  logic [NumLanes*NumPorts-1:0] route_port;
  logic [NumLanes*ClassVcs-1:0] route_vcs;
  logic [NumLanes-1:0]          route_either;

  anl_switch #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Path(Path), .PathW(PathW),
    .CreditBypass((CreditBypass != 0) ? 3 << NumDown : 0), .Wide(Wide), .Stages(Stages), .Classes(Classes), .Weights(Weights),
    .Turns(anl_fat_tree_pkg::turns(NumPorts))
  ) u_core (
    .clk_i, .rst_i, .seed_i,
    .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o,
    .credit_i({up_credit_i, down_credit_i}),
    .chained_i({up_credit_i, {NumDown*NumVcs{1'b0}}}),
    .here_i({DstW{1'b0}}), .dst_o(dst), .differs_o(), .path_o(path), .random_o(random),
    .route_port_i(route_port), .route_vcs_i(route_vcs), .route_either_i(route_either),
    .free_o(), .has_credit_o(), .all_credits_o(), .credits_o(), .length_o()
  );

  for (genvar l = 0; l < NumLanes; l++) begin : g_route
    anl_route_fat_tree #(.N(N), .Level(Level), .NumVcs(ClassVcs), .Path(Path)) u_route (
      .here_i, .dst_i(dst[l*DstW +: DstW]), .path_i(path[l*PathOutW +: PathOutW]),
      .random_i(random[l/NumVcs]),
      .port_o(route_port[l*NumPorts +: NumPorts]), .either_o(route_either[l]),
      .vcs_o(route_vcs[l*ClassVcs +: ClassVcs])
    );
  end

  `ANL_ASSERT(AssumeHeadFitsFlit, FlitW >= anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead) + PathW)

endmodule
