// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_link_slices #(
  parameter int Index,
  parameter int Cycles,
  parameter int NumVcs,
  parameter int FlitW,
  parameter int Lines
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int LinkW = FlitW + 2;
  logic [Lines-1:0] valid, valid_o;
  logic [Lines*VcW-1:0] vc, vc_o;
  logic [Lines*LinkW-1:0] flit, flit_o;
  logic [NumVcs-1:0] credit, credit_o;

  `BENCH("anl_link_slices", Index, {Lines, FlitW, NumVcs, Cycles})
  assign {credit, flit, vc, valid} = in;
  assign out = {credit_o, flit_o, vc_o, valid_o};

  anl_link_slices #(.Cycles(Cycles), .NumVcs(NumVcs), .FlitW(FlitW), .Lines(Lines)) u_dut (
    .clk_i, .rst_i,
    .valid_i(valid), .vc_i(vc), .flit_i(flit), .credit_o,
    .valid_o, .vc_o, .flit_o, .credit_i(credit)
  );

endmodule
