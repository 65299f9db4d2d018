// SPDX-License-Identifier: Apache-2.0
//
// anl_graph_switch, or anl_options_switch if Options is 1, with a table for each class of messages:
// each head leaves by the port that the table of its class names, in a lane of its class
// (docs/switch.md, "Message classes").
//
// The table of class c sends what goes to terminal t to port (t + c) mod NumPorts, so no two
// classes agree on any terminal. Each flit carries the number of its class in data bits, which the
// switch does not read. The neighbours are those of neighbours.svh.

`include "prove.svh"

module prove_class_routes #(
  parameter  int Options  = 0,
  parameter  int NumPorts = 2,
  parameter  int Classes  = 2,
  parameter  int ClassVcs = 1,                  // lanes of a class
  parameter  int Depth    = 1,
  parameter  int Arbiter  = anl_pkg::Fixed,
  localparam int CreditBypass = 0,
  localparam int NumVcs   = Classes * ClassVcs,
  localparam int NumLanes = NumPorts * NumVcs,
  localparam int DstW     = anl_pkg::index_width(NumPorts),
  localparam int ClassW   = anl_pkg::index_width(Classes),
  localparam int ClassBit = anl_head_pkg::head_width(DstW, Arbiter, anl_pkg::Wormhole, 0),
  localparam int FlitW    = ClassBit + ClassW,
  localparam int VcW      = anl_pkg::index_width(NumVcs)
) (
  input logic                          clk_i,
  input logic [31:0]                   seed_i,
  input logic [NumPorts-1:0]           valid_i,
  input logic [NumPorts*VcW-1:0]       vc_i,
  input logic [NumPorts*(FlitW+2)-1:0] flit_i,
  input logic [NumLanes-1:0]           credit_i
);

  `PROVE_RESET

  logic [NumLanes-1:0]           credit;
  logic [NumPorts-1:0]           valid;
  logic [NumPorts*VcW-1:0]       vc;
  logic [NumPorts*(FlitW+2)-1:0] flit;

  if (Options != 0) begin : g_options
    localparam int EntryW = NumPorts * ClassVcs;
    logic [NumPorts*Classes*NumPorts*EntryW-1:0] routes;
    for (genvar i = 0; i < NumPorts * Classes * NumPorts; i++) begin : g_entry
      localparam int Port = (i % NumPorts + i / NumPorts % Classes) % NumPorts;
      assign routes[i*EntryW +: EntryW] = EntryW'({ClassVcs{1'b1}}) << (Port * ClassVcs);
    end
    anl_options_switch #(
      .NumPorts(NumPorts), .T(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
      .Arbiter(Arbiter), .Classes(Classes)
    ) u_dut (
      .clk_i, .rst_i, .seed_i, .here_i('0), .table_i({1'b1, routes}),
      .lanes_i({NumVcs*ClassVcs{1'b1}}), .straight_i('0), .terminals_i('0),
      .valid_i, .vc_i, .flit_i, .credit_o(credit),
      .valid_o(valid), .vc_o(vc), .flit_o(flit), .credit_i
    );
  end else begin : g_table
    logic [Classes*NumPorts*anl_pkg::EntryW-1:0] routes;
    for (genvar i = 0; i < Classes * NumPorts; i++) begin : g_entry
      localparam int Port = (i % NumPorts + i / NumPorts) % NumPorts;
      assign routes[i*anl_pkg::EntryW +: anl_pkg::EntryW] = {8'hFF, 8'(Port)};
    end
    anl_graph_switch #(
      .NumPorts(NumPorts), .T(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
      .Classes(Classes)
    ) u_dut (
      .clk_i, .rst_i, .seed_i, .here_i('0), .table_i(routes),
      .lanes_i({NumVcs*ClassVcs{1'b1}}),
      .valid_i, .vc_i, .flit_i, .credit_o(credit),
      .valid_o(valid), .vc_o(vc), .flit_o(flit), .credit_i
    );
  end

  `include "neighbours.svh"

  logic [NumPorts-1:0] tells, keeps, goes, later;

  for (genvar p = 0; p < NumPorts; p++) begin : g_class
    wire [LinkW-1:0]  sent     = flit[p*LinkW +: LinkW];
    wire [ClassW-1:0] came     = flit_i[p*LinkW + ClassBit +: ClassW];
    wire [ClassW-1:0] class_   = sent[ClassBit +: ClassW];
    wire [DstW-1:0]   to       = sent[DstW-1:0];
    wire [DstW-1:0]   terminal = flit_i[p*LinkW +: DstW];
    assign tells[p] = !valid_i[p] || (32'(came) == 32'(vc_i[p*VcW +: VcW]) / ClassVcs
                                      && 32'(terminal) < NumPorts);
    assign keeps[p] = !valid[p] || 32'(class_) == 32'(vc[p*VcW +: VcW]) / ClassVcs;
    assign goes[p]  = !valid[p] || !sent[FlitW+1] || (32'(to) + 32'(class_)) % NumPorts == p;
    assign later[p] = valid[p] && sent[FlitW+1] && 32'(class_) == Classes - 1;
  end

  `GIVEN(FlitsTellTheirClass, tells == {NumPorts{1'b1}})

  `PROVE(KeepsToLanesOfItsClass, keeps == {NumPorts{1'b1}})
  `PROVE(GoesByTheTableOfItsClass, goes == {NumPorts{1'b1}})

  `COVER(HeadsOfTheLastClassByAllPorts, later == {NumPorts{1'b1}})
  `COVER(ClassesToOneTerminal, later == 1 && valid == {NumPorts{1'b1}}
                               && flit[0 +: DstW] == flit[LinkW +: DstW])

endmodule
