// SPDX-License-Identifier: Apache-2.0
//
// anl_gray_fifo, between two clocks of which a solver chooses in each step which ones tick: entries leave in the order
// in which they came, each of them once, and each is seen in time (docs/clocks.md).
//
// The order follows a marked entry, which may be any one. An entry is in time if it is shown behind SyncStages + 1
// edges of the reader, and a slot behind as many of the writer.

`include "prove.svh"

module prove_gray_fifo #(
  parameter  int Depth  = 2,
  parameter  int SyncStages = 2,
  localparam int Width  = 2,
  localparam int CntW   = $clog2(Depth + 1),
  localparam int AgeW   = 3
) (
  input logic             a_clk_i,              // of the writer
  input logic             b_clk_i,              // of the reader
  input logic             a_leaves_i,
  input logic             b_leaves_i,
  input logic             push_i,
  input logic [Width-1:0] data_i,
  input logic             mark_i,               // the entry that is pushed is followed
  input logic             pop_i
);

`include "two_clocks.svh"

  logic             full, held;
  logic [Width-1:0] front;

  anl_gray_fifo #(.Depth(Depth), .Width(Width), .SyncStages(SyncStages)) u_dut (
    .wr_clk_i(a_clk_i), .wr_rst_i(a_rst), .push_i, .data_i, .full_o(full),
    .rd_clk_i(b_clk_i), .rd_rst_i(b_rst), .pop_i, .front_o(front), .held_o(held)
  );

  // A side that ticks out of reset does what it may.
  `GIVEN(PushHasRoom, !(a_tick && push_i && full))
  `GIVEN(PopHasEntry, !(b_tick && pop_i && !held))

  wire push = a_tick && push_i;
  wire pop  = b_tick && pop_i;

  logic [CntW-1:0]  count_q, ahead_q;           // entries; those in front of the marked one
  logic             marked_q, there_q;
  logic [Width-1:0] data_q;
  logic [AgeW-1:0]  waits_q, room_q;            // edges of the reader with an entry, of the writer with room

  initial {count_q, marked_q, there_q, waits_q, room_q} = '0;

  always_ff @($global_clock) begin : model
    count_q <= count_q + CntW'(push) - CntW'(pop);
    if (push && mark_i && !marked_q) begin
      {marked_q, there_q} <= 2'b11;
      ahead_q <= count_q - CntW'(pop);
      data_q  <= data_i;
    end else if (there_q && pop) begin
      if (ahead_q == '0) there_q <= 1'b0;
      else               ahead_q <= ahead_q - 1'b1;
    end
    if (pop || count_q == '0)             waits_q <= '0;
    else if (b_tick && !waits_q[AgeW-1])  waits_q <= waits_q + 1'b1;
    if (push || 32'(count_q) == Depth)    room_q  <= '0;
    else if (a_tick && !room_q[AgeW-1])   room_q  <= room_q + 1'b1;
  end

  `PROVE(HoldsNoMoreThanItHasSlots, 32'(count_q) <= Depth)
  `PROVE(PushesOnlyWhereThereIsRoom, a_rst || full || 32'(count_q) < Depth)
  `PROVE(ShowsOnlyWhatIsThere, b_rst || !held || count_q != '0)
  `PROVE(LeavesInOrder, b_rst || !(held && there_q && ahead_q == '0) || front == data_q)
  `PROVE(EntryIsShownInTime, b_rst || held || 32'(waits_q) <= SyncStages)
  `PROVE(RoomIsSeenInTime, a_rst || !full || 32'(room_q) <= SyncStages)

  `COVER(IsFull, 32'(count_q) == Depth && full && !b_rst && !held)
  `COVER(PushAndPopInAStep, push && pop)
  `COVER(MarkedEntryLeaves, pop && there_q && ahead_q == '0 && data_q == '1)
  `COVER(SlotIsUsedAgain, marked_q && !there_q && 32'(count_q) == Depth)
  `COVER(WriterIsAhead, !a_rst && b_rst && count_q != '0)
  `COVER(EntryIsLate, !b_rst && !held && 32'(waits_q) == SyncStages)

endmodule
