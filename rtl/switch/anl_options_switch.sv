// SPDX-License-Identifier: Apache-2.0
//
// Switch of a graph whose tables give a head several options: the buffered switch anl_switch, a
// route unit for every input lane, and the selection of an option (docs/switch.md, "Adaptive
// routes").
//
// Each class of messages has a table of its own at each input port (anl_route_options), that of class
// c at port p at (p*Classes + c)*T*NumPorts*ClassVcs of table_i; equal tables cost what one does. A
// head in lane v keeps to the lanes v*ClassVcs +: ClassVcs of lanes_i, those of its layer, which are
// counted from 0 within its class. The highest bit of table_i is 1 and is not read, since Verilator
// 5.006 leaves the highest word of a wide constant as it was if it should be 0. table_i, lanes_i,
// straight_i, terminals_i and here_i, the number of this switch, must be constant. A user's own
// switch replaces this module: it has the same parameters and ports and keeps the link contract of
// docs/link.md.
// Timing: as in anl_switch.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY
// The routes of a graph read a table alone; the number of a switch tells others who it is.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_options_switch #(
  parameter  int NumPorts  = 5,                     // ports, 1 .. 32
  parameter  int T         = 16,                    // terminals of the network
  parameter  int Select    = anl_pkg::MostCredits,  // which of several options (anl_pkg)
  parameter  int Atomic    = 0,                     // 1: adaptive lanes are atomic
  parameter  int Escapes   = 0,                     // bit v: lane v of a link is an escape lane
  parameter  int NumVcs    = 4,                     // lanes of a link, 1 .. 8
  parameter  int Depth     = 4,                     // flits of a lane, 1 .. 64
  parameter  int FlitW     = 32,                    // data bits of a flit (docs/link.md)
  parameter  int Arbiter   = anl_pkg::RoundRobin,   // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,   // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                  // 1: heads say their length under wormhole, too
  parameter  int Stages    = 1,                     // 1 or 2
  parameter  int Classes   = 1,                     // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of the classes (anl_pkg)
  parameter  logic [anl_pkg::TurnsW-1:0] Turns = {anl_pkg::TurnsW{1'b1}},  // turns that are wired
  localparam int DstW      = anl_pkg::index_width(T),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int ClassVcs  = NumVcs / Classes       // lanes of each class of messages
) (
  input  logic                           clk_i,
  input  logic                           rst_i,
  input  logic [31:0]                    seed_i,     // of the generator, sampled in reset
  input  logic [15:0]                    here_i,     // number of this switch
  input  logic [NumPorts*Classes*T*NumPorts*ClassVcs:0] table_i,  // routes of this switch
  input  logic [NumVcs*ClassVcs-1:0]     lanes_i,    // for each lane, the lanes that a head in it may take
  input  logic [NumPorts*NumPorts-1:0]   straight_i, // bit p*NumPorts + o: o is straight on from p
  input  logic [NumPorts-1:0]            terminals_i,  // bit o: port o leads to a terminal

  // Links into the switch, by input port (docs/link.md).
  input  logic [NumPorts-1:0]            valid_i,
  input  logic [NumPorts*VcW-1:0]        vc_i,
  input  logic [NumPorts*LinkW-1:0]      flit_i,
  output logic [NumLanes-1:0]            credit_o,

  // Links out of the switch, by output port (docs/link.md).
  output logic [NumPorts-1:0]            valid_o,
  output logic [NumPorts*VcW-1:0]        vc_o,
  output logic [NumPorts*LinkW-1:0]      flit_o,
  input  logic [NumLanes-1:0]            credit_i
);

  localparam int CntW      = $clog2(Depth + 1);
  localparam int Path      = (Select == anl_pkg::SelectRandom) ? anl_pkg::PathRandom : anl_pkg::PathNone;
  localparam int EntryW    = NumPorts * ClassVcs;
  localparam int TableW    = T * EntryW;

  logic [31:0]                  random;
  logic [NumLanes*DstW-1:0]     dst;
  logic [NumLanes*EntryW-1:0]   options;
  logic [NumLanes*NumPorts-1:0] route_port;
  logic [NumLanes*ClassVcs-1:0] route_vcs;
  logic [NumLanes-1:0]          free, has_credit, all_credits;
  logic [NumLanes*CntW-1:0]     credits;
  logic [NumLanes*anl_head_pkg::LengthW-1:0] length;

  anl_switch #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Path(Path), .Stages(Stages),
    .Classes(Classes), .Weights(Weights), .Turns(Turns)
  ) u_core (
    .clk_i, .rst_i, .seed_i,
    .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o, .credit_i,
    .chained_i({NumLanes{1'b0}}),
    .here_i({DstW{1'b0}}), .dst_o(dst), .differs_o(), .path_o(), .random_o(random),
    .route_port_i(route_port), .route_vcs_i(route_vcs), .route_either_i({NumLanes{1'b0}}),
    .free_o(free), .has_credit_o(has_credit), .all_credits_o(all_credits), .credits_o(credits),
    .length_o(length)
  );

  for (genvar l = 0; l < NumLanes; l++) begin : g_route
    logic [EntryW-1:0] ways;
    anl_route_options #(.T(T), .NumPorts(NumPorts), .NumVcs(ClassVcs)) u_route (
      .table_i(table_i[l/ClassVcs*TableW +: TableW]), .dst_i(dst[l*DstW +: DstW]), .options_o(ways)
    );
    assign options[l*EntryW +: EntryW] = ways & {NumPorts{lanes_i[(l%NumVcs)*ClassVcs +: ClassVcs]}};
  end

  anl_options #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .ClassVcs(ClassVcs), .Depth(Depth),
    .FlowControl(FlowControl), .Select(Select), .Atomic(Atomic), .Escapes(Escapes)
  ) u_options (
    .options_i(options), .length_i(length), .straight_i, .terminals_i, .random_i(random[31:24]),
    .free_i(free), .has_credit_i(has_credit), .all_credits_i(all_credits), .credits_i(credits),
    .port_o(route_port), .vcs_o(route_vcs)
  );

  for (genvar c = 0; c < Classes; c++) begin : g_adaptive_lane
    `ANL_ASSERT(AssumeAnAdaptiveLane,
                ClassVcs'(Escapes >> (c * ClassVcs)) != {ClassVcs{1'b1}})
  end
  `ANL_ASSERT(AssumeHeadFitsFlit, FlitW >= anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead))

endmodule
