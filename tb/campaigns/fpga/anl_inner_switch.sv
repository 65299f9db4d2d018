// SPDX-License-Identifier: Apache-2.0
//
// A switch in the middle of a K x K mesh, with its label as a constant: routed by the formula
// (anl_cube_switch), or by a table of the same routes (anl_graph_switch), or by the table of options
// of minimal adaptive routing with one escape lane (anl_options_switch), to compare what they cost
// (docs/fpga.md).

module anl_inner_switch #(
  parameter  int K         = 8,
  parameter  int Table     = 1,                      // 1: routed by a table, 2: of options
  parameter  int NumVcs    = 1,
  parameter  int Depth     = 2,
  parameter  int FlitW     = 32,
  parameter  int Arbiter   = anl_pkg::RoundRobin,
  parameter  int FlowControl = anl_pkg::Wormhole,
  localparam int NumPorts  = 5,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int NumLanes  = NumPorts * NumVcs
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [31:0]               seed_i,
  input  logic [NumPorts-1:0]       valid_i,
  input  logic [NumPorts*VcW-1:0]   vc_i,
  input  logic [NumPorts*LinkW-1:0] flit_i,
  output logic [NumLanes-1:0]       credit_o,
  output logic [NumPorts-1:0]       valid_o,
  output logic [NumPorts*VcW-1:0]   vc_o,
  output logic [NumPorts*LinkW-1:0] flit_o,
  input  logic [NumLanes-1:0]       credit_i
);

  localparam int T     = K * K;
  localparam int X     = (K - 1) / 2;  // coordinates of the switch
  localparam int Y     = (K - 1) / 2;
  localparam int DstW  = anl_cube_pkg::label_width(K, 2);
  localparam int Label = X + (Y << (DstW / 2));

  if (Table == 2) begin : g_options
    logic [T*NumLanes-1:0] routes;

    // The four productive ports with their adaptive lanes, and the last lane of the first of them
    // that dimension order takes.
    for (genvar t = 0; t < T; t++) begin : g_entry
      localparam int AtX  = t % K;
      localparam int AtY  = t / K;
      localparam int Port = AtX > X ? 0 : AtX < X ? 1 : AtY > Y ? 2 : AtY < Y ? 3 : 4;
      localparam bit [4:0] Ways = {Port == 4, AtY < Y, AtY > Y, AtX < X, AtX > X};
      for (genvar o = 0; o < NumPorts; o++) begin : g_port
        assign routes[t*NumLanes + o*NumVcs +: NumVcs] = {Port == o, {NumVcs-1{Ways[o]}}};
      end
    end

    anl_options_switch #(
      .NumPorts(NumPorts), .T(T), .Atomic(1), .Escapes(1 << (NumVcs - 1)), .NumVcs(NumVcs), .Depth(Depth),
      .FlitW(FlitW), .Arbiter(Arbiter), .FlowControl(FlowControl),
      .Turns(anl_cube_pkg::turns(anl_cube_pkg::Mesh, anl_pkg::Adaptive, 2))
    ) u_switch (
      .clk_i, .rst_i, .seed_i, .here_i(16'd0), .table_i({1'b1, {NumPorts{routes}}}),
      .lanes_i({NumVcs*NumVcs{1'b1}}), .straight_i({NumPorts*NumPorts{1'b0}}), .terminals_i(5'b10000),
      .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o, .credit_i
    );
  end else if (Table == 1) begin : g_table
    logic [T*anl_pkg::EntryW-1:0] routes;

    for (genvar t = 0; t < T; t++) begin : g_entry
      localparam int AtX  = t % K;
      localparam int AtY  = t / K;
      localparam int Port = AtX > X ? 0 : AtX < X ? 1 : AtY > Y ? 2 : AtY < Y ? 3 : 4;
      assign routes[t*anl_pkg::EntryW +: anl_pkg::EntryW] = {8'hff, Port[7:0]};
    end

    anl_graph_switch #(
      .NumPorts(NumPorts), .T(T), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
      .FlowControl(FlowControl), .Turns(anl_cube_pkg::turns(anl_cube_pkg::Mesh, anl_pkg::DimensionOrder, 2))
    ) u_switch (
      .clk_i, .rst_i, .seed_i, .here_i(16'd0), .table_i(routes),
      .lanes_i({NumVcs*NumVcs{1'b1}}),
      .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o, .credit_i
    );
  end else begin : g_formula
    anl_cube_switch #(
      .K(K), .N(2), .Topology(anl_cube_pkg::Mesh), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
      .Arbiter(Arbiter), .FlowControl(FlowControl)
    ) u_switch (
      .clk_i, .rst_i, .seed_i, .here_i(Label[DstW-1:0]),
      .valid_i, .vc_i, .flit_i, .credit_o, .valid_o, .vc_o, .flit_o, .credit_i
    );
  end

endmodule
