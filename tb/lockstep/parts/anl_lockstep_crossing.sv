// SPDX-License-Identifier: Apache-2.0
//
// A link between two clocks, one direction, as a part of a network that C puts together (tb/clocks): its ports are those
// of anl_lockstep_switch, and toggle_i and rst_i are those of the sender. Only Verilator reads this file.

`include "anl_lockstep_clock.svh"

module anl_lockstep_crossing #(
  parameter int NumVcs = 1,
  parameter int Depth = 4,
  parameter int FlitW = 32,
  parameter int SyncStages = 2,
  localparam int VcW = anl_pkg::index_width(NumVcs),
  localparam int LinkW = FlitW + 2,
  localparam int WordsW = (LinkW + 31) / 32 * 32
) (
  input logic toggle_i,
  input logic rst_i,
  input logic receiver_toggle_i,
  input logic receiver_rst_i,
  input logic [63:0] harness_i,

  input logic [7:0] valid_i[1],
  input logic [7:0] vc_i[1],
  input logic [WordsW-1:0] flit_i[1],
  output logic [7:0] credit_o[1],
  output logic [7:0] valid_o[1],
  output logic [7:0] vc_o[1],
  output logic [WordsW-1:0] flit_o[1],
  input logic [7:0] credit_i[1],

  output logic [31:0] state_o  // no register of it is compared
);
  `ANL_LOCKSTEP_CLOCK
  logic receiver_clk, receiver_toggled;
  initial receiver_toggled = 1'b0;
  assign receiver_clk = receiver_toggle_i ^ receiver_toggled;
  always_ff @(posedge receiver_clk) receiver_toggled <= receiver_toggle_i;

  logic valid_out;
  logic [VcW-1:0] vc_out;
  logic [LinkW-1:0] flit_out;
  logic [NumVcs-1:0] credit_out;

  anl_link_cdc #(
    .NumVcs(NumVcs),
    .Depth(Depth),
    .FlitW(FlitW),
    .SyncStages(SyncStages)
  ) u_cdc (
    .sender_clk_i(clk),
    .sender_rst_i(rst_i),
    .valid_i(valid_i[0][0]),
    .vc_i(vc_i[0][VcW-1:0]),
    .flit_i(flit_i[0][LinkW-1:0]),
    .credit_o(credit_out),
    .receiver_clk_i(receiver_clk),
    .receiver_rst_i,
    .valid_o(valid_out),
    .vc_o(vc_out),
    .flit_o(flit_out),
    .credit_i(credit_i[0][NumVcs-1:0])
  );

  assign valid_o[0] = 8'(valid_out);
  assign vc_o[0] = 8'(vc_out);
  assign flit_o[0] = WordsW'(flit_out);
  assign credit_o[0] = 8'(credit_out);
  assign state_o = '0;
endmodule
