// SPDX-License-Identifier: Apache-2.0
//
// anl_front_fifo: entries leave in the order in which they came, none is lost, made up or doubled.
//
// As in prove_fifo.sv, with a mark on any one entry; at the front it must be found with its data.

`include "prove.svh"

module prove_front_fifo #(
  parameter  int Depth = 4,
  parameter  int Width = 2,
  localparam int CntW  = $clog2(Depth + 1)
) (
  input logic             clk_i,
  input logic             push_i,
  input logic [Width-1:0] data_i,
  input logic             pop_i,
  input logic             mark_i
);

  `PROVE_RESET

  logic [Width-1:0] front;
  logic [CntW-1:0]  count;

  anl_front_fifo #(.Depth(Depth), .Width(Width)) u_dut (
    .clk_i, .rst_i, .push_i, .data_i, .pop_i, .front_o(front), .count_o(count)
  );

  logic [CntW-1:0]  held_q, ahead_q;   // entries in the FIFO, and before the marked one
  logic             marked_q, there_q; // an entry has been marked; it is still in the FIFO
  logic             filled_q;          // the marked one made it full
  logic [Width-1:0] data_q;
  wire              mark = push_i && mark_i && !marked_q;
  wire  [CntW-1:0]  stay = held_q - CntW'(pop_i);

  always_ff @(posedge clk_i) begin : model
    held_q <= stay + CntW'(push_i);
    if (mark) begin
      {marked_q, there_q} <= 2'b11;
      ahead_q  <= stay;
      filled_q <= 32'(stay) == Depth - 1;
      data_q   <= data_i;
    end else if (there_q && pop_i) begin
      if (ahead_q == '0) there_q <= 1'b0;
      else               ahead_q <= ahead_q - 1'b1;
    end
    if (rst_i) begin
      held_q <= '0;
      {marked_q, there_q} <= 2'b00;
    end
  end

  `GIVEN(PushHasRoom, !push_i || 32'(held_q) < Depth || pop_i)
  `GIVEN(PopHasEntry, !pop_i || held_q != '0)

  wire at_front = there_q && ahead_q == '0;

  `PROVE(CountIsPushesLessPops, count == held_q)
  `PROVE(LeavesInOrder, !at_front || front == data_q)

  `COVER(PushAndPopWhenFull, push_i && pop_i && 32'(held_q) == Depth)
  `COVER(PushAndPopOfTheOnlyOne, push_i && pop_i && held_q == CntW'(1))
  `COVER(LastOfAFullFifoLeaves, at_front && filled_q && pop_i && held_q == CntW'(1))
  `COVER(MarkedIsPushedToAFullFifo, mark && 32'(held_q) == Depth)

endmodule
