// SPDX-License-Identifier: Apache-2.0
//
// anl_axi_slots and anl_axi_reorder (docs/axi.md, "Reorder buffer"): bursts of any IDs start, some of them refused, and a
// network answers them in any order, packet by packet, with as many beats as it likes.
//
// Of any ID, the bursts under way are counted. Any burst of the ID may be marked when it starts; the older ones of its ID
// are ahead of it. What is shown of the ID when none is ahead must be what came for the mark.

`include "prove.svh"

module prove_axi_reorder #(
  parameter  int Slots = 2,
  parameter  int Beats = 2,
  localparam int IdW   = Slots > 2 ? 2 : 1,
  localparam int Ids   = 1 << IdW,
  localparam int CntW  = $clog2(Slots + 1),
  localparam int BeatW = $clog2(Beats + 1)
) (
  input logic           clk_i,
  input logic [IdW-1:0] any_id_i,          // a symbolic constant
  input logic           ask_i,
  input logic [IdW-1:0] ask_id_i,
  input logic           ask_refused_i,
  input logic           mark_i,
  input logic           push_i,
  input logic [IdW-1:0] push_slot_i,
  input logic           push_last_i,
  input logic           push_data_i,
  input logic           pop_i,
  input logic           answer_i,          // the response of a refused burst of this ID is taken
  input logic [IdW-1:0] answer_id_i
);

  `PROVE_RESET

  logic                 may, elsewhere, held, last, data;
  logic [IdW-1:0]       tag, id, id_q;
  logic [Slots-1:0]     first;
  logic [Slots*IdW-1:0] slot_id;

  wire start  = ask_i && may;
  wire taken  = pop_i && held && !answer_i;
  wire ends   = taken && last;

  // Packets come whole.
  logic             mid_q;
  logic [IdW-1:0]   mid_slot_q;
  logic [BeatW-1:0] sent_q;
  logic [Ids-1:0]   due_q;                 // the burst with this tag has not been answered
  wire  [IdW-1:0]   slot  = mid_q ? mid_slot_q : push_slot_i;
  wire              final_beat = push_last_i || 32'(sent_q) == Beats - 1;

  anl_axi_slots #(.Slots(Slots), .IdW(IdW)) u_slots (
    .clk_i, .rst_i, .ask_id_i, .ask_refused_i, .may_o(may), .elsewhere_o(elsewhere), .tag_o(tag), .start_i(start),
    .done_i(ends || answer_i), .done_id_i(answer_i ? answer_id_i : id), .first_o(first), .id_o(slot_id)
  );
  anl_axi_reorder #(.Slots(Slots), .Beats(Beats), .Width(1), .IdW(IdW)) u_dut (
    .clk_i, .rst_i, .first_i(first), .id_i(slot_id), .push_i, .tag_i(slot), .data_i(push_data_i), .last_i(final_beat),
    .held_o(held), .id_o(id), .data_o(data), .last_o(last), .pop_i(taken)
  );

  always_ff @(posedge clk_i) begin : network
    id_q <= rst_i ? any_id_i : id_q;
    if (push_i) begin
      mid_q      <= !final_beat;
      mid_slot_q <= slot;
      sent_q     <= final_beat ? '0 : sent_q + 1'b1;
    end
    if (rst_i) {mid_q, sent_q} <= '0;
  end
  for (genvar s = 0; s < Ids; s++) begin : g_due
    always_ff @(posedge clk_i) begin : due
      due_q[s] <= !rst_i && ((start && !ask_refused_i && 32'(tag) == s)
                             || (due_q[s] && !(push_i && final_beat && 32'(slot) == s)));
    end
  end

  // Bursts under way: all, those of the ID, and the refused ones of each ID.
  logic [CntW-1:0]     total_q, good_q, before_q;
  logic [Ids*CntW-1:0] refused_q;
  logic                asked_q, asked_refused_q, could_q, began_q, waited_q;
  logic [IdW-1:0]      asked_id_q, tag_q;
  wire                 refused_here = refused_q[id_q*CntW +: CntW] != '0;

  for (genvar i = 0; i < Ids; i++) begin : g_id
    always_ff @(posedge clk_i) begin : refused
      refused_q[i*CntW +: CntW] <= rst_i ? '0 : refused_q[i*CntW +: CntW]
        + CntW'(start && ask_refused_i && 32'(ask_id_i) == i) - CntW'(answer_i && 32'(answer_id_i) == i);
    end
  end
  always_ff @(posedge clk_i) begin : under_way
    total_q  <= rst_i ? '0 : total_q + CntW'(start) - CntW'(ends || answer_i);
    good_q   <= rst_i ? '0 : good_q + CntW'(start && !ask_refused_i && ask_id_i == id_q) - CntW'(ends && id == id_q);
    before_q <= total_q;
    began_q  <= start;
    asked_q  <= !rst_i && ask_i && !may;
    could_q  <= !rst_i && may && !start;
    waited_q <= !rst_i;
    {asked_id_q, asked_refused_q, tag_q} <= {ask_id_i, ask_refused_i, tag};
  end

  `GIVEN(AskStays, !asked_q || (ask_i && {ask_id_i, ask_refused_i} == {asked_id_q, asked_refused_q}))
  `GIVEN(AnswersWhatWasAsked, !push_i || due_q[slot])
  `GIVEN(AnswersWhatWasRefused, !answer_i || refused_q[answer_id_i*CntW +: CntW] != '0)

  `PROVE(NoMoreThanSlots, !may || 32'(total_q) < Slots)
  `PROVE(TagIsASlot, !may || 32'(tag) < Slots)
  `PROVE(TagStaysUntilStart, !could_q || tag == tag_q)
  `PROVE(RefusedAndOthersAreApart, !may || ask_id_i != id_q || (ask_refused_i ? good_q == '0 : !refused_here))
  `PROVE(StartsIfASlotIsFree, !waited_q || 32'(total_q) == Slots || 32'(before_q) + 32'(began_q) == Slots || may
                              || ask_id_i != id_q || (ask_refused_i ? good_q != '0 : refused_here))

  // The mark.
  logic             marked_q;
  logic [IdW-1:0]   slot_q;
  logic [CntW-1:0]  ahead_q, passed_q;     // passed: bursts of other IDs that ended while the mark could be shown
  logic [BeatW-1:0] came_q, gone_q;        // its beats that came; beats that were taken, of the oldest burst of the ID
  logic [Beats-1:0] data_q;
  logic             whole_q;
  wire              mark   = start && mark_i && !ask_refused_i && ask_id_i == id_q && !marked_q;
  wire              here   = held && id == id_q;
  wire              turn   = marked_q && ahead_q == '0;
  wire              came   = push_i && marked_q && slot == slot_q && !whole_q;

  always_ff @(posedge clk_i) begin : the_mark
    if (mark) begin
      marked_q <= 1'b1;
      slot_q   <= tag;
      ahead_q  <= good_q - CntW'(ends && id == id_q);
      {came_q, whole_q} <= '0;
    end else if (ends && id == id_q && marked_q) begin
      marked_q <= !turn;
      ahead_q  <= ahead_q - 1'b1;
    end
    if (came) begin
      came_q <= came_q + 1'b1;
      for (int b = 0; b < Beats; b++) if (b == 32'(came_q)) data_q[b] <= push_data_i;
      whole_q <= final_beat;
    end
    if (taken && id == id_q) gone_q <= last ? '0 : gone_q + 1'b1;
    passed_q <= turn && gone_q < came_q && !(here && taken) ? passed_q + CntW'(ends) : '0;
    if (rst_i) {marked_q, gone_q, passed_q, whole_q, came_q} <= '0;
  end

  // What is shown.
  logic           shown_q, open_q;
  logic [IdW-1:0] open_id_q;
  logic [IdW+1:0] beat_q;

  always_ff @(posedge clk_i) begin : out
    shown_q <= !rst_i && held && !taken;
    beat_q  <= {id, data, last};
    if (taken) {open_q, open_id_q} <= {!last, id};
    if (rst_i) open_q <= 1'b0;
  end

  `PROVE(ShownIsUnderWay, !here || good_q != '0)
  `PROVE(OldestFirstAndAsItCame, !turn || !here || (gone_q < came_q && data == data_q[gone_q]
                                 && last == (whole_q && came_q == gone_q + 1'b1)))
  `PROVE(TagOfOneBurst, !marked_q || !may || tag != slot_q)
  `PROVE(ShownUntilTaken, !shown_q || (held && {id, data, last} == beat_q))
  `PROVE(BeatsFollowEachOther, !open_q || !held || id == open_id_q)
  `PROVE(WhatCameIsShown, !turn || gone_q == came_q || here || (held && id != id_q) || (open_q && open_id_q != id_q))
  `PROVE(SlotsTakeTurns, 32'(passed_q) < Slots)

  `COVER(AllSlotsAreTaken, 32'(total_q) == Slots)
  `COVER(YoungerCameFirst, marked_q && ahead_q != '0 && whole_q)
  `COVER(RefusedWaits, ask_i && elsewhere && ask_refused_i)
  `COVER(ShownBeforeItIsWhole, turn && here && !whole_q)
  `COVER(OtherPasses, passed_q != '0)

endmodule
