// SPDX-License-Identifier: Apache-2.0
//
// A double of the core of a switch, which lists wiring and routes (anl_cdg.sv). It sends the number
// of each outgoing link on that link, lists the numbers that arrive and the turns that the core
// would wire, shows the destination asked for to the route units of all lanes, and lists their
// answers. Where heads have several options (ANL_OPTIONS) it lists those of each lane before one of
// them is selected. Only Icarus reads this file.

module anl_switch #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlitW     = 32,
  parameter  int DstW      = 4,
  parameter  int Arbiter   = anl_pkg::RoundRobin,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int LengthInHead = 0,
  parameter  int Path      = anl_pkg::PathNone,
  parameter  int PathW     = 0,
  parameter  int Early     = 0,
  parameter  int CreditBypass = 0,
  parameter  int Wide      = 0,
  parameter  int Stages    = 1,
  parameter  int Classes   = 1,
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,
  parameter  logic [anl_pkg::TurnsW-1:0] Turns = '1,
  localparam int PathOutW  = (PathW > 0) ? PathW : 1,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LinkW     = FlitW + 2,
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int ClassVcs  = NumVcs / Classes
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [31:0]                  seed_i,
  input  logic [NumPorts-1:0]          valid_i,
  input  logic [NumPorts*VcW-1:0]      vc_i,
  input  logic [NumPorts*LinkW-1:0]    flit_i,
  output logic [NumLanes-1:0]          credit_o,
  output logic [NumPorts-1:0]          valid_o,
  output logic [NumPorts*VcW-1:0]      vc_o,
  output logic [NumPorts*LinkW-1:0]    flit_o,
  input  logic [NumLanes-1:0]          credit_i,
  input  logic [NumLanes-1:0]          chained_i,
  input  logic [DstW-1:0]              here_i,
  output logic [NumLanes*DstW-1:0]     dst_o,
  output logic [NumLanes*DstW-1:0]     differs_o,
  output logic [NumLanes*PathOutW-1:0] path_o,
  output logic [31:0]                  random_o,
  input  logic [NumLanes*NumPorts-1:0] route_port_i,
  input  logic [NumLanes*ClassVcs-1:0] route_vcs_i,
  input  logic [NumLanes-1:0]          route_either_i,
  output logic [NumLanes-1:0]          free_o,
  output logic [NumLanes-1:0]          has_credit_o,
  output logic [NumLanes-1:0]          all_credits_o,
  output logic [NumLanes*CntW-1:0]     credits_o,
  output logic [NumLanes*anl_head_pkg::LengthW-1:0] length_o
);

  // The number of the switch, from its place in the network.
  integer            number = 0;
  reg [8*1024-1:0]   place;

  initial begin
    $sformat(place, "%m");
    if ($sscanf(place, "anl_cdg.dut.g_switch[%d].u_switch.u_core", number) != 1)
      $fatal(1, "no number: %0s", place);
  end

  assign credit_o = '0;
  assign valid_o  = '1;
  assign vc_o     = '0;
  for (genvar p = 0; p < NumPorts; p++) begin : g_name
    assign flit_o[p*LinkW +: LinkW] = number * NumPorts + p;
    always @(anl_cdg.show_links)
      $fdisplay(anl_cdg.list, "turns %0d port %0d to %0h", number, p,
                Turns[p*anl_pkg::MaxPorts +: NumPorts]);
  end

  assign dst_o     = {NumLanes{anl_cdg.label}};
  assign differs_o = dst_o ^ {NumLanes{here_i}};
  if (Path == anl_pkg::PathListed) begin : g_list
`ifdef ANL_BUTTERFLY
    // All digits of a path are the one that is asked for.
    localparam int DigitW = anl_pkg::index_width(NumPorts);
    assign path_o  = {NumLanes*PathOutW/DigitW{DigitW'(anl_cdg.way)}};
`else
    // The first port of a list is what is asked for in the place of a destination.
    assign path_o  = {NumLanes{PathOutW'(anl_cdg.destination)}};
`endif
  end else begin : g_path
    assign path_o  = {NumLanes*PathOutW{anl_cdg.choice}};
  end
  assign random_o  = {32{anl_cdg.choice}};

  // The selection among options is not asked.
  assign free_o        = '0;
  assign has_credit_o  = '0;
  assign all_credits_o = '0;
  assign credits_o     = '0;
  assign length_o      = '0;

  always @(anl_cdg.show_links)
    for (int p = 0; p < NumPorts; p++)
      if (valid_i[p] === 1'b1)
        $fdisplay(anl_cdg.list, "link %0d switch %0d port %0d", flit_i[p*LinkW +: 32], number, p);

  // Returns lane 0 of the class of an input lane.
  function integer first_of(input integer l);
    first_of = l % NumVcs / ClassVcs * ClassVcs;
  endfunction

  // Returns whether all lanes have the same route, as they usually have; the route is then one
  // line.
  function all_agree(input integer unused);
    all_agree = ClassVcs == NumVcs;
    for (int l = 1; l < NumLanes; l++)
      if (route_port_i[l*NumPorts +: NumPorts] !== route_port_i[0 +: NumPorts]
          || route_vcs_i[l*ClassVcs +: ClassVcs] !== route_vcs_i[0 +: ClassVcs]
          || route_either_i[l] !== route_either_i[0])
        all_agree = 1'b0;
  endfunction

  // Returns the number of the output port of lane l, or NumPorts if the route names none.
  function integer port_of(input integer l);
    port_of = NumPorts;
    for (int p = 0; p < NumPorts; p++)
      if (route_port_i[l*NumPorts +: NumPorts] === NumPorts'(1) << p) port_of = p;
  endfunction

  task list_route(input [8*8-1:0] lane, input integer l, input integer more);
    $fdisplay(anl_cdg.list, "route %0d to %0d lane %0s port %0d vcs %0h", number,
              anl_cdg.destination, lane, port_of(l) + more,
              NumVcs'(route_vcs_i[l*ClassVcs +: ClassVcs]) << first_of(l));
  endtask

  // A set without lanes stands for an entry that the table of a graph does not have.
  task list_routes(input [8*8-1:0] lane, input integer l);
`ifdef ANL_GRAPH
    if (route_vcs_i[l*ClassVcs +: ClassVcs] !== '0)
`endif
    list_route(lane, l, 0);
    if (route_either_i[l] === 1'b1) list_route(lane, l, 1);
  endtask

  reg [8*8-1:0] lane_name;

`ifdef ANL_OPTIONS
  localparam int EntryW = NumPorts * ClassVcs;
  wire [NumLanes*EntryW-1:0] options = u_switch.options;   // of the switch around this core

  function all_options_agree(input integer unused);
    all_options_agree = ClassVcs == NumVcs;
    for (int l = 1; l < NumLanes; l++)
      if (options[l*EntryW +: EntryW] !== options[0 +: EntryW]) all_options_agree = 1'b0;
  endfunction

  // Lists each output port that lane l has an option for, with its lanes.
  task list_options(input [8*8-1:0] lane, input integer l);
    for (int o = 0; o < NumPorts; o++)
      if (options[l*EntryW + o*ClassVcs +: ClassVcs] !== '0)
        $fdisplay(anl_cdg.list, "route %0d to %0d lane %0s port %0d vcs %0h", number,
                  anl_cdg.destination, lane, o,
                  NumVcs'(options[l*EntryW + o*ClassVcs +: ClassVcs]) << first_of(l));
  endtask

  always @(anl_cdg.show_routes)
    if (all_options_agree(0)) begin
      list_options("*", 0);
    end else begin
      for (int l = 0; l < NumLanes; l++) begin
        $sformat(lane_name, "%0d", l);
        list_options(lane_name, l);
      end
    end
`else
  always @(anl_cdg.show_routes)
    if (all_agree(0)) begin
      list_routes("*", 0);
    end else begin
      for (int l = 0; l < NumLanes; l++) begin
        $sformat(lane_name, "%0d", l);
        list_routes(lane_name, l);
      end
    end
`endif

endmodule
