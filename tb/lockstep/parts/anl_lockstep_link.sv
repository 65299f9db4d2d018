// SPDX-License-Identifier: Apache-2.0
//
// The slices of a link of several cycles between two switches, as a part of a network that C puts together
// (tb/lockstep/run/by_switches.cpp): its ports are those of anl_lockstep_switch. Only Verilator reads this file.

`include "anl_lockstep_clock.svh"

module anl_lockstep_link #(
  parameter int Cycles = 2,
  parameter int NumVcs = 1,
  parameter int FlitW = 32,
  parameter int Wide = 0,
  localparam int Lines = anl_pkg::lines_of(Wide, NumVcs),  // of the link
  localparam int VcW = anl_pkg::index_width(NumVcs),
  localparam int LinkW = FlitW + 2,
  localparam int WordsW = (LinkW + 31) / 32 * 32
) (
  input logic toggle_i,
  input logic rst_i,
  input logic [63:0] harness_i,

  input logic [7:0] valid_i[1],
  input logic [7:0] vc_i[1],
  input logic [WordsW-1:0] flit_i[Lines],
  output logic [7:0] credit_o[1],
  output logic [7:0] valid_o[1],
  output logic [7:0] vc_o[1],
  output logic [WordsW-1:0] flit_o[Lines],
  input logic [7:0] credit_i[1],

  output logic [31:0] state_o  // no register of it is compared
);
  `ANL_LOCKSTEP_CLOCK
  logic [Lines-1:0] valid_out;
  logic [Lines*VcW-1:0] vc_in, vc_out;
  logic [Lines*LinkW-1:0] flit_in, flit_out;
  logic [NumVcs-1:0] credit_out;

  anl_link_slices #(
    .Cycles(Cycles),
    .NumVcs(NumVcs),
    .FlitW(FlitW),
    .Lines(Lines)
  ) u_slices (
    .clk_i(clk),
    .rst_i,
    .valid_i(valid_i[0][Lines-1:0]),
    .vc_i(vc_in),
    .flit_i(flit_in),
    .credit_o(credit_out),
    .valid_o(valid_out),
    .vc_o(vc_out),
    .flit_o(flit_out),
    .credit_i(credit_i[0][NumVcs-1:0])
  );

  assign valid_o[0] = 8'(valid_out);
  assign vc_o[0] = 8'(vc_out[VcW-1:0]);
  for (genvar l = 0; l < Lines; l++) begin : g_line
    assign vc_in[l*VcW+:VcW] = vc_i[0][VcW-1:0];  // a wide link has no other number of a lane than that of the line
    assign flit_in[l*LinkW+:LinkW] = flit_i[l][LinkW-1:0];
    assign flit_o[l] = WordsW'(flit_out[l*LinkW+:LinkW]);
  end
  assign credit_o[0] = 8'(credit_out);
  assign state_o = '0;
endmodule
