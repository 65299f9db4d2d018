// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_fifo #(
  parameter int Index,
  parameter int Depth,
  parameter int Width
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int CntW = $clog2(Depth + 1);
  localparam int PtrW = anl_pkg::index_width(Depth);
  logic push, pop, held;
  logic [Width-1:0] data, front;
  logic [CntW-1:0] count;
  logic [PtrW-1:0] wr_ptr, rd_ptr;

  `BENCH("anl_fifo", Index, {Width, Depth})
  assign {pop, data, push} = in;
  assign out = {rd_ptr, wr_ptr, front, held, count};

  anl_fifo #(.Depth(Depth), .Width(Width)) u_dut (
    .clk_i, .rst_i, .push_i(push), .data_i(data), .pop_i(pop), .front_o(front),
    .held_o(held), .count_o(count), .wr_ptr_o(wr_ptr), .rd_ptr_o(rd_ptr)
  );

endmodule
