// SPDX-License-Identifier: Apache-2.0
//
// The bursts that a port with a reorder buffer has under way in one direction (docs/axi.md, "Reorder buffer"): each has
// a slot, and knows the older ones of its ID.
//
// may_o says that a burst of ask_id_i may start: there is a slot for it, and no burst of its ID is under way of which one
// is refused and the other is not. Once it is 1 it stays so until a burst starts, and so does tag_o, the slot that the
// burst will have. What is done is the oldest burst of its ID.
// Timing: all outputs but elsewhere_o and may_o, which follow ask_*, are functions of registers; start_i and done_i count
// from the next cycle on.

`include "anl_assert.svh"

module anl_axi_slots #(
  parameter int Slots = 4,               // bursts under way at most, 1 .. 16, no more than 2**IdW
  parameter int IdW   = 4                // bits of an ID
) (
  input  logic                 clk_i,
  input  logic                 rst_i,

  input  logic [IdW-1:0]       ask_id_i,
  input  logic                 ask_refused_i,
  output logic                 may_o,
  output logic                 elsewhere_o,  // a burst of the ID is under way that does not fit
  output logic [IdW-1:0]       tag_o,
  input  logic                 start_i,  // the burst starts; only if may_o is 1

  input  logic                 done_i,   // the oldest burst of this ID is done
  input  logic [IdW-1:0]       done_id_i,

  output logic [Slots-1:0]     first_o,  // the burst in the slot is the oldest of its ID
  output logic [Slots*IdW-1:0] id_o      // of the burst in the slot
);

  localparam int SlotW = anl_pkg::index_width(Slots);

  logic [Slots-1:0]       used_d, used_q, refused_q, same, done;
  logic [Slots-1:0]       next_d, next_q, free;        // the slot that is taken next; 0 if there is none
  logic [Slots*Slots-1:0] after_d, after_q;            // of each slot, those with older bursts of its ID
  logic [Slots*IdW-1:0]   id_q;
  logic [SlotW-1:0]       next;
  wire  [Slots-1:0]       start = start_i ? next_q : '0;

  for (genvar s = 0; s < Slots; s++) begin : g_slot
    assign first_o[s] = used_q[s] && after_q[s*Slots +: Slots] == '0;
    assign same[s]    = used_q[s] && id_q[s*IdW +: IdW] == ask_id_i;
    assign done[s]    = done_i && first_o[s] && id_q[s*IdW +: IdW] == done_id_i;
    assign after_d[s*Slots +: Slots] = (start[s] ? same : after_q[s*Slots +: Slots]) & ~done;
  end

  assign elsewhere_o = (same & (ask_refused_i ? ~refused_q : refused_q)) != '0;
  assign may_o       = !elsewhere_o && next_q != '0;
  assign id_o        = id_q;

  anl_encode #(.Size(Slots)) u_next (.onehot_i(next_q), .index_o(next));
  assign tag_o = IdW'(next);

  // The next slot changes only when it is taken, or if there was none.
  assign used_d = (used_q | start) & ~done;
  assign free   = ~used_q & ~start;
  assign next_d = (next_q & free) != '0 ? next_q : free & (~free + 1'b1);

  always_ff @(posedge clk_i) begin : regs
    used_q  <= rst_i ? '0 : used_d;
    next_q  <= rst_i ? Slots'(1) : next_d;
    after_q <= after_d;
    for (int s = 0; s < Slots; s++)
      if (start[s]) {refused_q[s], id_q[s*IdW +: IdW]} <= {ask_refused_i, ask_id_i};
  end

  `ANL_ASSERT(AssumeStartsIfItMay, !start_i || may_o)
  `ANL_ASSERT(AssumeDoneWasStarted, !done_i || done != '0)
  `ANL_ASSERT(NextSlotIsFree, (next_q & used_q) == '0 && $onehot0(next_q))

endmodule
