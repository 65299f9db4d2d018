// SPDX-License-Identifier: Apache-2.0
//
// One switch, as the part of a network that C puts together (tb/lockstep/run/by_switches.cpp). C gives it the flits and
// credits that come in a cycle, and reads those that leave, and the registers that are compared. Elements of ports have
// whole bytes, flits whole words, so that C finds them. The family is a macro as in anl_lockstep_top. A switch of a graph
// gets its routes at ports, has all turns wired, and so is the same for all graphs of its size; load_i takes them, once.
// With ANL_UNWATCHED defined no register is watched, for switches whose inside is unknown. Only Verilator reads this file.

`include "anl_lockstep_clock.svh"
`include "anl_lockstep_state.svh"

module anl_lockstep_switch #(
  // Those of the network that its switches have, too.
  parameter int K = 2,
  parameter int N = 2,
  parameter int Topology = 0,
  parameter int Routing = 0,
  parameter int Select = 0,
  parameter int Atomic = 0,
  parameter int NumVcs = 1,
  parameter int Depth = 4,
  parameter int FlitW = 32,
  parameter int Arbiter = 1,
  parameter int FlowControl = 0,
  parameter int LengthInHead = 0,
  parameter int CreditBypass = 0,
  parameter int Wide = 0,
  parameter int Stages = 1,
  parameter int Classes = 1,
  parameter logic [anl_pkg::WeightsW-1:0] Weights = 0,
  parameter int Level = 0,  // of the switch, where levels differ; of a fat-tree from 1
  parameter int Ports = 1,  // of a graph, of which K is the number of terminals and N is 1
  parameter int Escapes = 0,
  parameter int Longest = 1,
`ifdef ANL_GRAPH
  localparam int NumPorts = Ports,
  localparam int DstW = 16,
`elsif ANL_FAT_TREE
  localparam int NumPorts = anl_fat_tree_pkg::NumPorts,
  localparam int DstW = anl_fat_tree_pkg::label_width(N),
`elsif ANL_BUTTERFLY
  localparam int NumPorts = K,
  localparam int DstW = 16,
  localparam int Chained = Wide != 0 || Level < anl_butterfly_pkg::levels(N, Routing) - 1 ? CreditBypass : 0,
`else
  localparam int NumPorts = anl_cube_pkg::num_ports(Topology, N),
  localparam int DstW = anl_cube_pkg::label_width(K, N),
`endif
  localparam int VcW = anl_pkg::index_width(NumVcs),
  localparam int NumLanes = NumPorts * NumVcs,
  localparam int ClassVcs = NumVcs / Classes,
  localparam int LinkW = FlitW + 2,
  localparam int Lines = anl_pkg::lines_of(Wide, NumVcs),  // of a link
  localparam int WordsW = (LinkW + 31) / 32 * 32,
`ifdef ANL_OPTIONS
  localparam int TableW = NumPorts * Classes * K * NumPorts * ClassVcs + 1,
`else
  localparam int TableW = Classes * K * anl_pkg::EntryW,
`endif
  localparam int StateW = `ANL_STATE_BITS
) (
  input logic toggle_i,
  input logic rst_i,
  input logic [63:0] harness_i,
  input logic [31:0] seed_i,
  input logic [63:0] here_i,  // label of the switch, or its number
`ifdef ANL_TABLES
  input logic load_i,
  input logic [(TableW+31)/32*32-1:0] table_i,
  input logic [(NumVcs*ClassVcs+31)/32*32-1:0] lanes_i,
  input logic [(NumPorts*NumPorts+31)/32*32-1:0] straight_i,
  input logic [31:0] terminals_i,
`endif

  // Links into the switch, by input port; valid has a bit, and flit an element, for each line.
  input logic [7:0] valid_i[NumPorts],
  input logic [7:0] vc_i[NumPorts],
  input logic [WordsW-1:0] flit_i[NumPorts*Lines],
  output logic [7:0] credit_o[NumPorts],

  // Links out of the switch, by output port.
  output logic [7:0] valid_o[NumPorts],
  output logic [7:0] vc_o[NumPorts],
  output logic [WordsW-1:0] flit_o[NumPorts*Lines],
  input logic [7:0] credit_i[NumPorts],

  output logic [(StateW+31)/32*32-1:0] state_o
);
  `ANL_LOCKSTEP_CLOCK
  logic [NumPorts*Lines-1:0] valid_in, valid_out;
  logic [NumPorts*Lines*VcW-1:0] vc_in, vc_out;
  logic [NumPorts*Lines*LinkW-1:0] flit_in, flit_out;
  logic [NumLanes-1:0] credit_in, credit_out;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign valid_in[p*Lines+:Lines] = valid_i[p][Lines-1:0];
    assign valid_o[p] = 8'(valid_out[p*Lines+:Lines]);
    assign vc_o[p] = 8'(vc_out[p*Lines*VcW+:VcW]);
    for (genvar l = p * Lines; l < (p + 1) * Lines; l++) begin : g_line
      assign vc_in[l*VcW+:VcW] = Lines == 1 ? vc_i[p][VcW-1:0] : VcW'(l % Lines);
      assign flit_in[l*LinkW+:LinkW] = flit_i[l][LinkW-1:0];
      assign flit_o[l] = WordsW'(flit_out[l*LinkW+:LinkW]);
    end
    assign credit_in[p*NumVcs+:NumVcs] = credit_i[p][NumVcs-1:0];
    assign credit_o[p] = 8'(credit_out[p*NumVcs+:NumVcs]);
  end

`ifdef ANL_TABLES
  // What follows from these registers alone is worked out when they are loaded.
  logic [TableW-1:0] routes;
  logic [NumVcs*ClassVcs-1:0] lanes;
  logic [NumPorts*NumPorts-1:0] straight;
  logic [NumPorts-1:0] terminals;

  always_ff @(posedge load_i) begin
    routes <= table_i[TableW-1:0];
    lanes <= lanes_i[NumVcs*ClassVcs-1:0];
    straight <= straight_i[NumPorts*NumPorts-1:0];
    terminals <= terminals_i[NumPorts-1:0];
  end
`endif

`ifdef ANL_OPTIONS
  anl_options_switch #(
    .NumPorts(NumPorts),
    .T(K),
    .Select(Select),
    .Atomic(Atomic),
    .Escapes(Escapes),
`elsif ANL_SOURCE
  anl_source_switch #(
    .NumPorts(NumPorts),
    .T(K),
    .Longest(Longest),
`elsif ANL_GRAPH
  anl_graph_switch #(
    .NumPorts(NumPorts),
    .T(K),
`elsif ANL_FAT_TREE
  anl_fat_tree_switch #(
    .N(N),
    .Level(Level),
    .Routing(Routing),
`elsif ANL_BUTTERFLY
  anl_butterfly_switch #(
    .K(K),
    .N(N),
    .Tag(anl_butterfly_pkg::tag(N, Routing, Level)),
`else
  anl_cube_switch #(
    .K(K),
    .N(N),
    .Topology(Topology),
    .Routing(Routing),
    .Select(Select),
    .Atomic(Atomic),
`endif
    .NumVcs(NumVcs),
    .Depth(Depth),
    .FlitW(FlitW),
    .Arbiter(Arbiter),
    .FlowControl(FlowControl),
    .LengthInHead(LengthInHead),
`ifndef ANL_OPTIONS
`ifdef ANL_BUTTERFLY
    .CreditBypass(Chained),  // but the links to terminals, unless they are wide
`else
    .CreditBypass(CreditBypass),
`endif
    .Wide(Wide),
`endif
    .Stages(Stages),
    .Classes(Classes),
    .Weights(Weights)
  ) u_switch (
    .clk_i(clk),
    .rst_i,
    .seed_i,
    .here_i(here_i[DstW-1:0]),
`ifdef ANL_TABLES
    .table_i(routes),
    .lanes_i(lanes),
`endif
`ifdef ANL_OPTIONS
    .straight_i(straight),
    .terminals_i(terminals),
`endif
    .valid_i(valid_in),
    .vc_i(vc_in),
    .flit_i(flit_in),
    .credit_o(credit_out),
    .valid_o(valid_out),
    .vc_o(vc_out),
    .flit_o(flit_out),
`ifdef ANL_FAT_TREE
    .down_credit_i(credit_in[anl_fat_tree_pkg::NumDown*NumVcs-1:0]),
    .up_credit_i(credit_in[NumLanes-1:anl_fat_tree_pkg::NumDown*NumVcs])
`else
    .credit_i(credit_in)
`endif
  );

`ifdef ANL_UNWATCHED
  assign state_o = '0;
`else
  assign state_o = $bits(state_o)'(`ANL_STATE_OF(u_switch.u_core));
`endif
endmodule
