// SPDX-License-Identifier: Apache-2.0
//
// anl_cube between registers, on four pins, to find the biggest network that a part holds
// (docs/fpga.md).

module fpga_cube #(
  parameter  int K         = 2,
  parameter  int N         = 2,
  parameter  int Topology  = anl_cube_pkg::Mesh,
  parameter  int Routing   = anl_pkg::DimensionOrder,
  parameter  int NumVcs    = 1,
  parameter  int Depth     = 2,
  parameter  int FlitW     = 32,
  parameter  int Arbiter   = anl_pkg::RoundRobin,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int Stages    = 1,
  localparam int S         = anl_cube_pkg::power(K, N),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int LinksW    = S * (1 + VcW + LinkW + NumVcs)
) (
  input  logic clk_i,
  input  logic serial_i,
  input  logic load_i,
  output logic serial_o
);

  logic                rst;
  logic [S-1:0]        inj_valid, ej_valid;
  logic [S*VcW-1:0]    inj_vc, ej_vc;
  logic [S*LinkW-1:0]  inj_flit, ej_flit;
  logic [S*NumVcs-1:0] inj_credit, ej_credit;
  logic [LinksW-1:0]   out;
  logic [LinksW:0]     in;

  serial_in  #(.Width(LinksW + 1)) u_in (.clk_i, .serial_i, .data_o(in));
  serial_out #(.Width(LinksW)) u_out (.clk_i, .load_i, .data_i(out), .serial_o);

  assign {rst, inj_valid, inj_vc, inj_flit, ej_credit} = in;
  assign out = {ej_valid, ej_vc, ej_flit, inj_credit};

  anl_cube #(
    .K(K), .N(N), .Topology(Topology), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .Stages(Stages)
  ) u_network (
    .clk_i, .rst_i(rst), .seed_i({S{32'h1}}),
    .inj_valid_i(inj_valid), .inj_vc_i(inj_vc), .inj_flit_i(inj_flit), .inj_credit_o(inj_credit),
    .ej_valid_o(ej_valid), .ej_vc_o(ej_vc), .ej_flit_o(ej_flit), .ej_credit_i(ej_credit)
  );

endmodule
