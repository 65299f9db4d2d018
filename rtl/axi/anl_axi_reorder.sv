// SPDX-License-Identifier: Apache-2.0
//
// The reorder buffer of one direction (docs/axi.md, "Reorder buffer"): replies come in any order of slots, each packet
// whole, and responses leave as the oldest of their ID.
//
// A beat that is shown stays until it is taken, and the beats of a burst follow each other, also where others of its
// packet have yet to come. Slots that have a response and are the oldest of their ID take turns.
// Timing: held_o, id_o, data_o and last_o are functions of registers and of first_i and id_i; a beat that comes in cycle
// t can be shown in t + 1. The memory has no reset and one write port, so that it can be distributed RAM.

`include "anl_assert.svh"

module anl_axi_reorder #(
  parameter int Slots = 4,               // 1 .. 16
  parameter int Beats = 16,              // that have room in a slot, 1 .. 256
  parameter int Width = 8,               // bits of a beat
  parameter int IdW   = 4                // bits of an ID, and of a tag
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  // Of each slot (anl_axi_slots).
  input  logic [Slots-1:0]     first_i,
  input  logic [Slots*IdW-1:0] id_i,

  // Replies, which are always taken.
  input  logic                 push_i,
  input  logic [IdW-1:0]       tag_i,    // the slot
  input  logic [Width-1:0]     data_i,
  input  logic                 last_i,

  // Responses.
  output logic                 held_o,   // a beat is shown
  output logic [IdW-1:0]       id_o,
  output logic [Width-1:0]     data_o,
  output logic                 last_o,
  input  logic                 pop_i     // it is taken
);

  localparam int SlotW = anl_pkg::index_width(Slots);
  localparam int BeatW = anl_pkg::index_width(Beats);
  localparam int AddrW = anl_pkg::index_width(Slots * Beats);
  localparam int Top   = Slots - 1;

  logic [Width:0]     mem [Slots*Beats];
  logic [Slots-1:0]   some_d, some_q, whole_d, whole_q;  // a beat of the burst in the slot has come; all have
  logic [Slots-1:0]   from_d, from_q;                    // the slots whose turn is first, up to the highest one
  logic [Slots-1:0]   winner, comes, ends;               // comes: the slot of a reply; ends: its last response is taken
  logic [SlotW-1:0]   win, slot, slot_q;                 // slot: the one that is shown
  logic               hold_d, hold_q;                    // slot_q was shown, and its burst has not ended
  logic [BeatW-1:0]   in_q, out_q;                       // beats of the packet that comes, and of the burst that is shown
  wire  [SlotW-1:0]   tag = SlotW'(tag_i);

  anl_arb_cyclic #(.Size(Slots), .Members((1 << Slots) - 1)) u_turns (
    .req_i(first_i & some_q), .from_i(from_q), .gnt_o(winner), .index_o(win)
  );

  // What is not whole is the packet that comes.
  assign slot   = hold_q ? slot_q : win;
  assign held_o = hold_q ? whole_q[slot_q] || out_q != in_q : winner != '0;
  assign id_o   = id_i[32'(slot)*IdW +: IdW];
  assign {last_o, data_o} = mem[AddrW'(32'(slot) * Beats + 32'(out_q))];

  for (genvar s = 0; s < Slots; s++) begin : g_slot
    assign comes[s] = push_i && 32'(tag) == s;
    assign ends[s]  = pop_i && last_o && 32'(slot) == s;
    // Behind the last slot comes the lowest one.
    assign from_d[s] = ends == '0 ? from_q[s] : ends[Top] || s == Top || (s > 0 && (ends & Slots'((1 << s) - 1)) != '0);
  end

  assign some_d  = (some_q | comes) & ~ends;
  assign whole_d = (whole_q | (last_i ? comes : '0)) & ~ends;
  assign hold_d  = held_o ? !(pop_i && last_o) : hold_q;

  always_ff @(posedge clk_i) begin : regs
    some_q  <= rst_i ? '0 : some_d;
    whole_q <= rst_i ? '0 : whole_d;
    from_q  <= rst_i ? '1 : from_d;
    hold_q  <= !rst_i && hold_d;
    slot_q  <= slot;
    if (push_i) in_q  <= last_i ? '0 : in_q + 1'b1;
    if (pop_i)  out_q <= last_o ? '0 : out_q + 1'b1;
    if (rst_i)  {in_q, out_q} <= '0;
  end

  always_ff @(posedge clk_i) begin : memory
    if (push_i) mem[AddrW'(32'(tag) * Beats + 32'(in_q))] <= {last_i, data_i};
  end

  `ANL_ASSERT(AssumeTagIsASlot, !push_i || 32'(tag_i) < Slots)
  `ANL_ASSERT(AssumeSlotHasRoom, !push_i || (comes & whole_q) == '0)
  `ANL_ASSERT(AssumeBeatHasRoom, !push_i || last_i || 32'(in_q) != Beats - 1)
  `ANL_ASSERT(AssumeTakenIfShown, !pop_i || held_o)

endmodule
