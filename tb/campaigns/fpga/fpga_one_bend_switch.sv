// SPDX-License-Identifier: Apache-2.0
//
// anl_one_bend_switch between registers, on four pins, to measure its clock on a part
// (docs/fpga.md).

module fpga_one_bend_switch #(
  parameter  int K      = 8,
  parameter  int FlitW  = 32,
  localparam int DstW   = anl_cube_pkg::label_width(K, 2),
  localparam int P      = anl_bufferless_pkg::NumPorts,
  localparam int T      = anl_bufferless_pkg::Terminal,
  localparam int LinkW  = FlitW + 2,
  localparam int InW    = T * (1 + LinkW) + 1 + LinkW + 2 + DstW + P,
  localparam int OutW   = P * (1 + LinkW) + 1
) (
  input  logic clk_i,
  input  logic serial_i,
  input  logic load_i,
  output logic serial_o
);

  logic               rst, inj_valid, late, fault;
  logic [DstW-1:0]    here;
  logic [P-1:0]       links, out_valid;
  logic [T-1:0]       in_valid;
  logic [T*LinkW-1:0] in_flit;
  logic [LinkW-1:0]   inj_flit;
  logic [P*LinkW-1:0] out_flit;
  logic [InW-1:0]     in;
  logic [OutW-1:0]    out;

  serial_in  #(.Width(InW)) u_in (.clk_i, .serial_i, .data_o(in));
  serial_out #(.Width(OutW)) u_out (.clk_i, .load_i, .data_i(out), .serial_o);

  assign {rst, late, links, here, inj_valid, inj_flit, in_valid, in_flit} = in;
  assign out = {fault, out_valid, out_flit};

  anl_one_bend_switch #(.K(K), .FlitW(FlitW)) u_switch (
    .clk_i, .rst_i(rst), .here_i(here), .links_i(links),
    .valid_i(in_valid), .flit_i(in_flit), .inj_valid_i(inj_valid), .inj_flit_i(inj_flit),
    .late_i(late), .valid_o(out_valid), .flit_o(out_flit), .fault_o(fault)
  );

endmodule
