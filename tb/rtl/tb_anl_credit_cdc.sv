// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"
`include "two_clocks.svh"

module tb_anl_credit_cdc #(
  parameter int Index,
  parameter int NumVcs,
  parameter int Depth,
  parameter int SyncStages
) (
  input logic clk_i,
  input logic rst_i
);

  logic [NumVcs-1:0] credit, credit_o;
  logic [3:0]        clocks;

  `BENCH("anl_credit_cdc", Index, {SyncStages, Depth, NumVcs})
  `TWO_CLOCKS
  assign {credit, clocks} = in;
  assign out = credit_o;

  anl_credit_cdc #(.NumVcs(NumVcs), .Depth(Depth), .SyncStages(SyncStages)) u_dut (
    .sender_clk_i(a_clk), .sender_rst_i(a_rst), .credit_o,
    .receiver_clk_i(b_clk), .receiver_rst_i(b_rst), .credit_i(credit)
  );

endmodule
