// SPDX-License-Identifier: Apache-2.0
//
// anl_port_adapters between registers, on four pins, to measure its clock on a part (docs/fpga.md).

module fpga_port_adapters #(
  parameter  int Style   = anl_checker_pkg::ReadyValid,
  parameter  int NumVcs  = 1,
  parameter  int Depth   = 4,
  parameter  int FlitW   = 32,
  localparam int VcW     = anl_pkg::index_width(NumVcs),
  localparam int LinkW   = FlitW + 2,
  localparam int BackW   = anl_checker_pkg::back_width(Style, NumVcs),
  localparam int AheadW  = 1 + VcW + LinkW,
  localparam int LinksW  = 2 * AheadW + BackW + NumVcs
) (
  input  logic clk_i,
  input  logic serial_i,
  input  logic load_i,
  output logic serial_o
);

  logic              rst, in_valid, to_valid, from_valid, out_valid;
  logic [VcW-1:0]    in_vc, to_vc, from_vc, out_vc;
  logic [LinkW-1:0]  in_flit, to_flit, from_flit, out_flit;
  logic [BackW-1:0]  in_back, out_back;
  logic [NumVcs-1:0] to_credit, from_credit;
  logic [LinksW:0]   in;
  logic [LinksW-1:0] out;

  serial_in  #(.Width(LinksW + 1)) u_in (.clk_i, .serial_i, .data_o(in));
  serial_out #(.Width(LinksW)) u_out (.clk_i, .load_i, .data_i(out), .serial_o);

  assign {rst, in_valid, in_vc, in_flit, to_credit, from_valid, from_vc, from_flit, out_back} = in;
  assign out = {in_back, to_valid, to_vc, to_flit, from_credit, out_valid, out_vc, out_flit};

  anl_port_adapters #(.Style(Style), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_adapters (
    .clk_i, .rst_i(rst),
    .foreign_valid_i(in_valid), .foreign_vc_i(in_vc), .foreign_flit_i(in_flit), .foreign_back_o(in_back),
    .valid_o(to_valid), .vc_o(to_vc), .flit_o(to_flit), .credit_i(to_credit),
    .valid_i(from_valid), .vc_i(from_vc), .flit_i(from_flit), .credit_o(from_credit),
    .foreign_valid_o(out_valid), .foreign_vc_o(out_vc), .foreign_flit_o(out_flit), .foreign_back_i(out_back)
  );

endmodule
