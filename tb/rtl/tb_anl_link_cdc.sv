// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"
`include "two_clocks.svh"

module tb_anl_link_cdc #(
  parameter int Index,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlitW,
  parameter int SyncStages
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int LinkW = FlitW + 2;
  logic              valid, valid_o;
  logic [VcW-1:0]    vc, vc_o;
  logic [LinkW-1:0]  flit, flit_o;
  logic [NumVcs-1:0] credit, credit_o;
  logic [3:0]        clocks;

  `BENCH("anl_link_cdc", Index, {SyncStages, FlitW, Depth, NumVcs})
  `TWO_CLOCKS
  assign {credit, flit, vc, valid, clocks} = in;
  assign out = {credit_o, flit_o, vc_o, valid_o};

  anl_link_cdc #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .SyncStages(SyncStages)) u_dut (
    .sender_clk_i(a_clk), .sender_rst_i(a_rst), .valid_i(valid), .vc_i(vc), .flit_i(flit), .credit_o,
    .receiver_clk_i(b_clk), .receiver_rst_i(b_rst), .valid_o, .vc_o, .flit_o, .credit_i(credit)
  );

endmodule
