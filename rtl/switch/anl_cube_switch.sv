// SPDX-License-Identifier: Apache-2.0
//
// Switch of a k-ary n-cube: the buffered switch anl_switch and a route unit for every input lane.
//
// The routes are those of docs/networks.md. here_i is the label of this switch and must be
// constant. A user's own switch replaces this module: it has the same parameters and ports and
// keeps the link contract of docs/link.md.
// Timing: as in anl_switch.

// No route of a cube reads the path, and only the selection of options reads the state of the core.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_cube_switch #(
  parameter  int K         = 4,                     // switches in each dimension
  parameter  int N         = 2,                     // dimensions, at least 1
  parameter  int Topology  = anl_cube_pkg::Mesh,    // of the cube (anl_cube_pkg)
  parameter  int Routing   = anl_pkg::DimensionOrder,  // (anl_pkg)
  parameter  int Select    = anl_pkg::MostCredits,  // which of several options (anl_pkg)
  parameter  int Atomic    = 0,                     // 1: adaptive lanes are atomic
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
  localparam int NumPorts  = anl_cube_pkg::num_ports(Topology, N),
  localparam int DstW      = anl_cube_pkg::label_width(K, N),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int NumLines  = NumPorts * anl_pkg::lines_of(Wide, NumVcs),   // of all its links
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int ClassVcs  = NumVcs / Classes   // lanes of each class of messages
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [31:0]               seed_i,   // of the generator, sampled in reset
  input  logic [DstW-1:0]           here_i,   // label of this switch

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

  localparam int Dateline = (Routing == anl_pkg::Dateline) ? 1 : 0;
  localparam bit Options  = anl_pkg::has_options(Routing) != 0;   // heads have several options
  localparam int CntW     = $clog2(Depth + 1);
  // With several lanes each link has a route unit: in the place of the front of a lane it sees the
  // flit on the link (anl_input), and that of lane 0 is read.
  localparam int Early    = (NumVcs > 1 && !Options && Wide == 0) ? 1 : 0;
  localparam int Path     = (Options && Select == anl_pkg::SelectRandom) ? anl_pkg::PathRandom : anl_pkg::PathNone;
  localparam int Escapes  = anl_pkg::last_of_each(anl_cube_pkg::escape_vcs(Topology, Routing), ClassVcs, NumVcs);

  logic [NumLanes*DstW-1:0]     dst, differs;
  logic [NumLanes*NumPorts-1:0] route_port;
  logic [NumLanes*ClassVcs-1:0] route_vcs;
  // A cube's routes do not read the path.
  logic [NumLanes-1:0]          path;
  logic [31:0]                  random;

  // Of heads with several options: the options of each lane, the selected one, and what the
  // selection reads.
  logic [NumLanes*NumPorts*ClassVcs-1:0] options;
  logic [NumLanes*NumPorts-1:0] selected_port;
  logic [NumLanes*ClassVcs-1:0] selected_vcs;
  logic [NumLanes-1:0]          free, has_credit, all_credits;
  logic [NumLanes*CntW-1:0]     credits;
  logic [NumLanes*anl_head_pkg::LengthW-1:0] length;

  anl_switch #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Path(Path), .Early(Early),
    .CreditBypass((CreditBypass != 0) ? -1 : 0), .Wide(Wide), .Stages(Stages), .Classes(Classes), .Weights(Weights),
    .Turns(anl_cube_pkg::turns(Topology, Routing, N))
  ) u_core (
    .clk_i, .rst_i, .seed_i,
    .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o, .credit_i,
    .chained_i({NumLanes{1'b0}}),
    .here_i, .dst_o(dst), .differs_o(differs), .path_o(path), .random_o(random),
    .route_port_i(route_port), .route_vcs_i(route_vcs), .route_either_i({NumLanes{1'b0}}),
    .free_o(free), .has_credit_o(has_credit), .all_credits_o(all_credits), .credits_o(credits),
    .length_o(length)
  );

  for (genvar l = 0; l < NumLanes; l++) begin : g_route
    // Label of the destination, and the bits in which it differs from here_i.
    logic [DstW-1:0]     to, wrong;
    logic [NumPorts-1:0] port;
    logic [ClassVcs-1:0] vcs;

    assign to                                 = dst[l*DstW +: DstW];
    assign wrong                              = differs[l*DstW +: DstW];
    assign route_port[l*NumPorts +: NumPorts] = port;
    assign route_vcs[l*ClassVcs +: ClassVcs]  = vcs;

    if (Options) begin : g_options
      localparam bit FromWest = l / NumVcs == 1;
      logic [NumPorts*ClassVcs-1:0] ways;
      if (Routing == anl_pkg::Adaptive) begin : g_adaptive
        anl_route_adaptive #(.K(K), .N(N), .Topology(Topology), .NumVcs(ClassVcs)) u_route (
          .here_i, .differs_i(wrong), .dst_i(to), .options_o(ways)
        );
      end else begin : g_turns
        anl_route_turn_model #(.K(K), .N(N), .NumVcs(ClassVcs), .Rule(Routing)) u_route (
          .here_i, .differs_i(wrong), .dst_i(to), .from_west_i(FromWest), .options_o(ways)
        );
      end
      assign options[l*NumPorts*ClassVcs +: NumPorts*ClassVcs] = ways;
      assign port = selected_port[l*NumPorts +: NumPorts];
      assign vcs  = selected_vcs[l*ClassVcs +: ClassVcs];
    end else if (Topology == anl_cube_pkg::Mesh) begin : g_mesh
      anl_route_mesh #(.K(K), .N(N), .NumVcs(ClassVcs)) u_route (
        .differs_i(wrong), .dst_i(to), .port_o(port), .vcs_o(vcs)
      );
    end else if (Topology == anl_cube_pkg::Torus) begin : g_torus
      anl_route_torus #(.K(K), .N(N), .NumVcs(ClassVcs), .Dateline(Dateline)) u_route (
        .here_i, .dst_i(to), .port_o(port), .vcs_o(vcs)
      );
    end else if (Topology == anl_cube_pkg::UnidirectionalTorus) begin : g_ring
      anl_route_ring #(.K(K), .N(N), .NumVcs(ClassVcs), .Dateline(Dateline)) u_route (
        .here_i, .dst_i(to), .port_o(port), .vcs_o(vcs)
      );
    end else begin : g_hypercube
      anl_route_hypercube #(.N(N), .NumVcs(ClassVcs)) u_route (
        .differs_i(wrong), .port_o(port), .vcs_o(vcs)
      );
    end
  end

  if (Options) begin : g_select
    logic [NumPorts*NumPorts-1:0] straight;
    for (genvar p = 0; p < NumPorts; p++) begin : g_straight
      localparam int On = anl_cube_pkg::straight(Topology, N, p);
      assign straight[p*NumPorts +: NumPorts] = On[NumPorts-1:0];
    end
    anl_options #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .ClassVcs(ClassVcs), .Depth(Depth),
      .FlowControl(FlowControl), .Select(Select), .Atomic(Atomic), .Escapes(Escapes)
    ) u_options (
      .options_i(options), .length_i(length), .straight_i(straight),
      .terminals_i(NumPorts'(1 << (NumPorts - 1))), .random_i(random[31:24]), .free_i(free),
      .has_credit_i(has_credit), .all_credits_i(all_credits), .credits_i(credits),
      .port_o(selected_port), .vcs_o(selected_vcs)
    );
  end

  `ANL_ASSERT(AssumeLanesForTwoClasses, ClassVcs >= 2 || Routing != anl_pkg::Dateline)
  `ANL_ASSERT(AssumeAnAdaptiveLane, ClassVcs > anl_cube_pkg::escape_vcs(Topology, Routing))
  `ANL_ASSERT(AssumeHeadFitsFlit, FlitW >= anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead))

endmodule
