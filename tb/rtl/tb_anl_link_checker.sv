// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_link_checker #(
  parameter int Index,
  parameter int Style,
  parameter int NumVcs,
  parameter int Depth,
  parameter int Rules = 1023
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int FlitW = 8;
  localparam int LengthW = 4;
  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int BackW = anl_checker_pkg::back_width(Style, NumVcs);
  localparam int CntW = $clog2(Depth + 1);
  logic restart, valid, head, tail, at_rest, crosses;
  logic [VcW-1:0] vc;
  logic [FlitW-1:0] flit;
  logic [BackW-1:0] back;
  logic [LengthW-1:0] length;
  logic [9:0] broken;
  logic [NumVcs-1:0] open;
  logic [NumVcs*CntW-1:0] spent;

  `BENCH("anl_link_checker", Index, {Rules, Depth, NumVcs, Style})
  assign {at_rest, length, back, flit, tail, head, vc, valid, restart} = in;
  assign out = {open, crosses, broken};

  anl_link_checker #(
    .Style(Style), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .LengthW(LengthW), .Rules(Rules), .Say(0)
  ) u_dut (
    .clk_i, .rst_i(rst_i || restart), .valid_i(valid), .vc_i(vc), .head_i(head), .tail_i(tail), .flit_i(flit),
    .back_i(back), .length_i(length), .at_rest_i(at_rest),
    .broken_o(broken), .crosses_o(crosses), .open_o(open), .spent_o(spent)
  );

endmodule
