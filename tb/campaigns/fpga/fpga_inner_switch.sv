// SPDX-License-Identifier: Apache-2.0
//
// anl_inner_switch between registers, on four pins, to measure its clock on a part (docs/fpga.md).

module fpga_inner_switch #(
  parameter  int K         = 8,
  parameter  int Table     = 1,
  parameter  int NumVcs    = 1,
  parameter  int Depth     = 2,
  parameter  int FlitW     = 32,
  parameter  int Arbiter   = anl_pkg::RoundRobin,
  parameter  int FlowControl = anl_pkg::Wormhole,
  localparam int NumPorts  = 5,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int LinksW    = NumPorts * (1 + VcW + LinkW) + NumLanes
) (
  input  logic clk_i,
  input  logic serial_i,
  input  logic load_i,
  output logic serial_o
);

  logic                      rst;
  logic [31:0]               seed;
  logic [NumPorts-1:0]       in_valid, out_valid;
  logic [NumPorts*VcW-1:0]   in_vc, out_vc;
  logic [NumPorts*LinkW-1:0] in_flit, out_flit;
  logic [NumLanes-1:0]       in_credit, out_credit;
  logic [LinksW-1:0]         out;
  logic [LinksW+32:0]        in;

  serial_in  #(.Width(LinksW + 33)) u_in (.clk_i, .serial_i, .data_o(in));
  serial_out #(.Width(LinksW)) u_out (.clk_i, .load_i, .data_i(out), .serial_o);

  assign {rst, seed, in_valid, in_vc, in_flit, out_credit} = in;
  assign out = {out_valid, out_vc, out_flit, in_credit};

  anl_inner_switch #(
    .K(K), .Table(Table), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
    .FlowControl(FlowControl)
  ) u_inner (
    .clk_i, .rst_i(rst), .seed_i(seed),
    .valid_i(in_valid), .vc_i(in_vc), .flit_i(in_flit), .credit_o(in_credit),
    .valid_o(out_valid), .vc_o(out_vc), .flit_o(out_flit), .credit_i(out_credit)
  );

endmodule
