// SPDX-License-Identifier: Apache-2.0
//
// anl_fifo and anl_front_fifo: entries leave in the order in which they came, and none is lost,
// made up or doubled.
//
// Any one entry is marked when it is pushed. From then on its place in the queue is known: it is
// behind the entries that were there before it, and each pop brings it one place nearer to the
// front. At the front it must appear with its data, and in the slot that wr_ptr_o named when it was
// pushed. As the mark can fall on any entry, this fixes the place of all of them.

`include "prove.svh"

module prove_fifo #(
  parameter  int Depth = 4,
  parameter  int Width = 2,
  parameter  int Front = 0,      // 1: proves anl_front_fifo
  localparam int CntW  = $clog2(Depth + 1),
  localparam int PtrW  = anl_pkg::index_width(Depth)
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
  logic             held;
  logic [PtrW-1:0]  wr_ptr, rd_ptr;

  if (Front != 0) begin : g_front
    logic             load, told_q;
    logic [Width-1:0] next, next_q;
    anl_front_fifo #(.Depth(Depth), .Width(Width)) u_dut (
      .clk_i, .rst_i, .push_i, .data_i, .pop_i, .front_o(front), .held_o(held), .count_o(count),
      .wr_ptr_o(wr_ptr), .rd_ptr_o(rd_ptr), .load_o(load), .next_o(next)
    );

    always_ff @(posedge clk_i) begin : told
      told_q <= load && (push_i || 32'(count) > 1);
      next_q <= next;
    end
    `PROVE(TellsTheNextFront, !told_q || rst_i || front == next_q)
    `COVER(NextIsPushed, told_q && 32'(count) == 1)
  end else begin : g_memory
    anl_fifo #(.Depth(Depth), .Width(Width)) u_dut (
      .clk_i, .rst_i, .push_i, .data_i, .pop_i,
      .front_o(front), .held_o(held), .count_o(count), .wr_ptr_o(wr_ptr), .rd_ptr_o(rd_ptr)
    );
  end

  logic [CntW-1:0]  held_q, ahead_q;   // entries in the FIFO; entries before the marked one
  logic             marked_q, there_q; // an entry has been marked; it is still in the FIFO
  logic             filled_q;          // the marked entry filled the FIFO
  logic [Width-1:0] data_q;
  logic [PtrW-1:0]  slot_q;
  wire              mark = push_i && mark_i && !marked_q;

  always_ff @(posedge clk_i) begin : model
    held_q <= held_q + CntW'(push_i) - CntW'(pop_i);
    if (mark) begin
      {marked_q, there_q} <= 2'b11;
      ahead_q  <= held_q - CntW'(pop_i);
      data_q   <= data_i;
      slot_q   <= wr_ptr;
      filled_q <= 32'(held_q) - 32'(pop_i) == Depth - 1;
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

  `PROVE(HeldIfAny, held == (held_q != '0))
  `PROVE(LeavesFromItsSlot, !at_front || rd_ptr == slot_q)
  `COVER(LastSlotIsLeft, at_front && pop_i && held_q == CntW'(1) && slot_q == PtrW'(Depth - 1))

endmodule
