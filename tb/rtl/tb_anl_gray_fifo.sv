// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"
`include "two_clocks.svh"

module tb_anl_gray_fifo #(
  parameter int Index,
  parameter int Depth,
  parameter int Width,
  parameter int SyncStages
) (
  input logic clk_i,
  input logic rst_i
);

  logic             push, pop, full, held;
  logic [Width-1:0] data, front;
  logic [3:0]       clocks;

  `BENCH("anl_gray_fifo", Index, {SyncStages, Width, Depth})
  `TWO_CLOCKS
  assign {data, pop, push, clocks} = in;
  assign out = {front, held, full};

  anl_gray_fifo #(.Depth(Depth), .Width(Width), .SyncStages(SyncStages)) u_dut (
    .wr_clk_i(a_clk), .wr_rst_i(a_rst), .push_i(push), .data_i(data), .full_o(full),
    .rd_clk_i(b_clk), .rd_rst_i(b_rst), .pop_i(pop), .front_o(front), .held_o(held)
  );

endmodule
