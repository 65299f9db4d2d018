// SPDX-License-Identifier: Apache-2.0
//
// anl_fat_tree_switch between registers, on four pins, to measure its clock on a part
// (docs/fpga.md).

module fpga_fat_tree_switch #(
  parameter  int N         = 2,
  parameter  int Level     = 1,
  parameter  int Routing   = anl_pkg::UpDownFixed,
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 4,
  parameter  int FlitW     = 32,
  parameter  int Arbiter   = anl_pkg::RoundRobin,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int Stages    = 1,
  localparam int NumDown   = 4,
  localparam int NumUp     = 2,
  localparam int NumPorts  = NumDown + NumUp,
  localparam int DstW      = anl_fat_tree_pkg::label_width(N),
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
  logic [DstW-1:0]           here;
  logic [NumPorts-1:0]       in_valid, out_valid;
  logic [NumPorts*VcW-1:0]   in_vc, out_vc;
  logic [NumPorts*LinkW-1:0] in_flit, out_flit;
  logic [NumLanes-1:0]       in_credit;
  logic [NumDown*NumVcs-1:0] down_credit;
  logic [NumUp*NumVcs-1:0]   up_credit;
  logic [LinksW-1:0]         out;
  logic [LinksW+DstW+32:0]   in;

  serial_in  #(.Width(LinksW + DstW + 33)) u_in (.clk_i, .serial_i, .data_o(in));
  serial_out #(.Width(LinksW)) u_out (.clk_i, .load_i, .data_i(out), .serial_o);

  assign {rst, seed, here, in_valid, in_vc, in_flit, up_credit, down_credit} = in;
  assign out = {out_valid, out_vc, out_flit, in_credit};

  anl_fat_tree_switch #(
    .N(N), .Level(Level), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
    .FlowControl(FlowControl), .Stages(Stages)
  ) u_switch (
    .clk_i, .rst_i(rst), .seed_i(seed), .here_i(here),
    .valid_i(in_valid), .vc_i(in_vc), .flit_i(in_flit), .credit_o(in_credit),
    .valid_o(out_valid), .vc_o(out_vc), .flit_o(out_flit),
    .down_credit_i(down_credit), .up_credit_i(up_credit)
  );

endmodule
