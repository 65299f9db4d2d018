// SPDX-License-Identifier: Apache-2.0
//
// Lists the wiring and the routes of a network (docs/cdg.md). The network and the route units of
// every lane are those of the RTL. In the place of each switch core is a double
// (tb/campaigns/cdg/anl_switch.sv), which names itself on every link and asks the route units for
// every destination. The parameters are those of the network; for a fat-tree, ANL_FAT_TREE is
// defined, for a butterfly ANL_BUTTERFLY, for a graph ANL_GRAPH, and if heads have several options ANL_OPTIONS. If ANL_SOURCE is
// defined with ANL_GRAPH, heads carry their routes: the route units are asked for every first port
// of a list, in the place of a destination. The list is written to +list=FILE. Only Icarus reads
// this file.

module anl_cdg #(
  parameter int K         = 4,
  parameter int N         = 2,
  parameter int Topology  = 0,
  parameter int Routing   = 0,
  parameter int Select    = 0,            // not read: what is asked are the options
  parameter int Atomic    = 0,
  parameter int NumVcs    = 1,
  parameter int Depth     = 4,
  parameter int FlitW     = 32,           // not read: flits are as wide as names of links
  parameter int Arbiter   = 1,
  parameter int FlowControl = 0,
  parameter int LengthInHead = 0,
  parameter int CreditBypass = 0,
  parameter int Wide      = 0,            // 1: read as if links were shared; routes do not depend on it
  parameter int LinkCycles = 1,
  parameter int Stages    = 1,
  parameter int Classes   = 1,
  parameter int Weights   = 0
);

  localparam int T      = K ** N;
`ifdef ANL_GRAPH
  localparam int S      = anl_graph_pkg::NumSwitches;
  localparam int P      = anl_graph_pkg::NumPorts;
`elsif ANL_BUTTERFLY
  localparam int S      = (Routing == anl_pkg::Valiant ? 2 * N - 1 : N) * K ** (N - 1);
  localparam int P      = K;
`elsif ANL_FAT_TREE
  localparam int S      = T / 2 - T / 2 ** (N + 1);
  localparam int P      = 6;
`else
  localparam int S      = T;
  localparam int P      = (Topology <= anl_cube_pkg::Torus ? 2 * N : N) + 1;
`endif
  localparam int VcW    = NumVcs > 1 ? $clog2(NumVcs) : 1;
  localparam int DigitW = K > 2 ? $clog2(K) : 1;
  localparam int DstW   = N * DigitW;
`ifdef ANL_SOURCE
  localparam int Asked  = P;              // first ports of lists
`else
  localparam int Asked  = T;              // destinations
`endif
`ifdef ANL_BUTTERFLY
  localparam int Ways   = Routing == anl_pkg::Valiant ? K : 1;
`elsif ANL_FAT_TREE
  localparam int Ways   = 2;
`else
  localparam int Ways   = 1;
`endif
  localparam int NameW  = 96;             // data bits of a flit that carries a name

  logic [T-1:0]              inj_valid = '1, ej_valid;
  logic [T*VcW-1:0]          inj_vc = '0, ej_vc;
  logic [T*(NameW+2)-1:0]    inj_flit, ej_flit;
  logic [T*NumVcs-1:0]       inj_credit, ej_credit = '0;

  // What the doubles read.
  logic [DstW-1:0]           label;       // label of the destination asked for
  integer                    way;         // each digit of the paths of heads
  logic                      choice;      // path bit of heads, and random bit
  integer                    list, destination;
  event                      show_links, show_routes;

`ifdef ANL_GRAPH
  anl_graph #(
    .CreditBypass(0),
`elsif ANL_BUTTERFLY
  anl_butterfly #(
    .K(K), .N(N), .Routing(Routing), .CreditBypass(CreditBypass),
`elsif ANL_FAT_TREE
  anl_fat_tree #(
    .N(N), .Routing(Routing), .CreditBypass(CreditBypass),
`else
  anl_cube #(
    .K(K), .N(N), .Topology(Topology), .Routing(Routing),
`endif
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Wide(0), .Classes(Classes),
    .NumVcs(NumVcs), .Depth(Depth), .FlitW(NameW)
  ) dut (
    .clk_i(1'b0), .rst_i(1'b1), .seed_i({S*32{1'b0}}),
    .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
    .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
  );

  for (genvar t = 0; t < T; t++) begin : g_inject
    assign inj_flit[t*(NameW+2) +: NameW+2] = S * P + t;
  end

  // Returns the label of a terminal: its coordinates, packed.
  function [DstW-1:0] label_of(input integer terminal);
    integer rest;
    rest = terminal;
    for (int d = 0; d < N; d++) begin
      label_of[d*DigitW +: DigitW] = rest % K;
      rest = rest / K;
    end
  endfunction

  task list_ejections;
    for (int t = 0; t < T; t++)
      if (ej_valid[t] === 1'b1)
        $fdisplay(list, "link %0d terminal %0d", ej_flit[t*(NameW+2) +: 32], t);
  endtask

  reg [8*1024-1:0] path;

  initial begin
    if (!$value$plusargs("list=%s", path)) $fatal(1, "+list=FILE is missing");
    list = $fopen(path, "w");
    if (list == 0) $fatal(1, "the list cannot be opened");
    #1 -> show_links;
    list_ejections;
    for (destination = 0; destination < Asked; destination = destination + 1) begin
      label = label_of(destination);
      for (way = 0; way < Ways; way = way + 1) begin
        choice = way[0];
        #1 -> show_routes;
        #1;
      end
    end
    $fclose(list);
    $finish;
  end

endmodule
