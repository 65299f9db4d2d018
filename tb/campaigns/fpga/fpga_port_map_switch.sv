// SPDX-License-Identifier: Apache-2.0
//
// anl_port_map_switch between registers, on four pins, to measure its clock on a part
// (docs/fpga.md). Its tables are inputs as well, so it is larger than a cell whose tables are known.

module fpga_port_map_switch #(
  parameter  int FlitW  = 32,
  parameter  int DstW   = 10,
  localparam int P      = anl_bufferless_pkg::NumPorts,
  localparam int T      = anl_bufferless_pkg::Terminal,
  localparam int MapW   = anl_snakes_pkg::MapW,
  localparam int BirthW = anl_snakes_pkg::BirthW,
  localparam int LinkW  = FlitW + 2,
  localparam int InW    = T * (1 + LinkW) + 1 + LinkW + 4 + DstW + P + MapW + BirthW + P + P * P,
  localparam int OutW   = P * (1 + LinkW) + 1 + P + P * LinkW
) (
  input  logic clk_i,
  input  logic serial_i,
  input  logic load_i,
  output logic serial_o
);

  logic               rst, inj_valid, late, fault, birth, consume;
  logic [DstW-1:0]    here;
  logic [MapW-1:0]    map;
  logic [BirthW-1:0]  births;
  logic [P-1:0]       links, chosen, head, out_valid;
  logic [P*P-1:0]     choice;
  logic [T-1:0]       in_valid;
  logic [T*LinkW-1:0] in_flit;
  logic [LinkW-1:0]   inj_flit;
  logic [P*LinkW-1:0] front, out_flit;
  logic [InW-1:0]     in;
  logic [OutW-1:0]    out;

  serial_in  #(.Width(InW)) u_in (.clk_i, .serial_i, .data_o(in));
  serial_out #(.Width(OutW)) u_out (.clk_i, .load_i, .data_i(out), .serial_o);

  assign {rst, late, birth, consume, links, here, map, births, chosen, choice, inj_valid, inj_flit,
          in_valid, in_flit} = in;
  assign out = {fault, head, front, out_valid, out_flit};

  anl_port_map_switch #(.FlitW(FlitW), .DstW(DstW)) u_switch (
    .clk_i, .rst_i(rst), .here_i(here), .links_i(links), .map_i(map), .births_i(births),
    .birth_i(birth), .consume_i(consume), .chosen_i(chosen), .choice_i(choice),
    .valid_i(in_valid), .flit_i(in_flit), .inj_valid_i(inj_valid), .inj_flit_i(inj_flit),
    .late_i(late), .head_o(head), .front_o(front), .valid_o(out_valid), .flit_o(out_flit),
    .fault_o(fault)
  );

endmodule
