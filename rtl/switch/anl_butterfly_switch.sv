// SPDX-License-Identifier: Apache-2.0
//
// Switch of a butterfly: the buffered switch anl_switch and a route unit for every input lane.
//
// The routes are those of docs/networks.md: the port is one digit of the destination or of the
// intermediate column. here_i is the number of the switch and must be constant; our routes do not
// depend on it. A user's own switch replaces this module: it has the same parameters and ports and
// keeps the link contract of docs/link.md.
// Timing: as in anl_switch; if CreditBypass is 1 all links out of the switch are chained.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY
// A level of a butterfly reads one digit, and no level the number of the switch.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_butterfly_switch #(
  parameter  int K         = 2,                     // ports, 2 .. 32
  parameter  int N         = 3,                     // digits of a destination
  parameter  int Tag       = 0,                     // the digit to route by (anl_route_butterfly)
  parameter  int NumVcs    = 4,                     // lanes of a link, 1 .. 8
  parameter  int Depth     = 4,                     // flits of a lane, 1 .. 64
  parameter  int FlitW     = 32,                    // data bits of a flit (docs/link.md)
  parameter  int Arbiter   = anl_pkg::RoundRobin,   // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,   // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                  // 1: heads say their length under wormhole, too
  parameter  int CreditBypass = 0,                  // 1: the links out of the switch are chained
  parameter  int Wide      = 0,                     // 1: links are wide
  parameter  int Stages    = 1,                     // 1 or 2
  parameter  int Classes   = 1,                     // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of the classes (anl_pkg)
  localparam int NumPorts  = K,
  localparam int DstW      = anl_butterfly_pkg::label_width(K, N),
  localparam int PathW     = (Tag < N) ? 0 : (Tag - N + 1) * anl_butterfly_pkg::digit_width(K),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int NumLines  = NumPorts * anl_pkg::lines_of(Wide, NumVcs),   // of all its links
  localparam int ClassVcs  = NumVcs / Classes   // lanes of each class of messages
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [31:0]               seed_i,   // of the generator, sampled in reset
  input  logic [15:0]               here_i,   // number of this switch

  // Links into the switch, by input port (docs/link.md).
  input  logic [NumLines-1:0]       valid_i,
  input  logic [NumLines*VcW-1:0]   vc_i,
  input  logic [NumLines*LinkW-1:0] flit_i,
  output logic [NumLanes-1:0]       credit_o,

  // Links out of the switch, by output port (docs/link.md).
  output logic [NumLines-1:0]       valid_o,
  output logic [NumLines*VcW-1:0]   vc_o,
  output logic [NumLines*LinkW-1:0] flit_o,
  input  logic [NumLanes-1:0]       credit_i
);

  localparam int Path     = (PathW > 0) ? anl_pkg::PathListed : anl_pkg::PathNone;
  localparam int PathOutW = (PathW > 0) ? PathW : 1;

  logic [NumLanes*DstW-1:0]     dst;
  logic [NumLanes*PathOutW-1:0] path;
  logic [NumLanes*NumPorts-1:0] route_port;
  logic [NumLanes*ClassVcs-1:0] route_vcs;

  anl_switch #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Path(Path), .PathW(PathW),
    .CreditBypass((CreditBypass != 0) ? -1 : 0), .Wide(Wide), .Stages(Stages), .Classes(Classes), .Weights(Weights),
    .Turns(anl_butterfly_pkg::turns(NumPorts))
  ) u_core (
    .clk_i, .rst_i, .seed_i,
    .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o, .credit_i,
    .chained_i(credit_i & {NumLanes{CreditBypass != 0}}),
    .here_i({DstW{1'b0}}), .dst_o(dst), .differs_o(), .path_o(path), .random_o(),
    .route_port_i(route_port), .route_vcs_i(route_vcs), .route_either_i({NumLanes{1'b0}}),
    .free_o(), .has_credit_o(), .all_credits_o(), .credits_o(), .length_o()
  );

  for (genvar l = 0; l < NumLanes; l++) begin : g_route
    anl_route_butterfly #(.K(K), .N(N), .Tag(Tag), .NumVcs(ClassVcs)) u_route (
      .dst_i(dst[l*DstW +: DstW]), .path_i(path[l*PathOutW +: PathOutW]),
      .port_o(route_port[l*NumPorts +: NumPorts]), .vcs_o(route_vcs[l*ClassVcs +: ClassVcs])
    );
  end

  `ANL_ASSERT(AssumeHeadFitsFlit, FlitW >= anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead) + PathW)

endmodule
