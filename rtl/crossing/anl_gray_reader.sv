// SPDX-License-Identifier: Apache-2.0
//
// The end of an asynchronous FIFO that gives entries up (docs/clocks.md): where the front entry is, and whether there
// is one.
// Timing: held_o, ptr_o and gray_o are functions of registers. An entry that the other clock has written counts SyncStages
// edges later, or one more; so held_o may be 0 while there is an entry, never the other way round.

`include "anl_assert.svh"

module anl_gray_reader #(
  parameter int PtrW   = 3,                    // bits of a pointer: log2 of the slots, and one more; 1 .. 10
  parameter int SyncStages = 2                 // of the synchronizer, 2 .. 4
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            pop_i,
  output logic            held_o,
  output logic [PtrW-1:0] ptr_o,
  output logic [PtrW-1:0] gray_o,              // for the other clock
  input  logic [PtrW-1:0] gray_i               // pointer of the other clock
);

  logic [PtrW-1:0] gray;

  anl_synchronizer #(.Width(PtrW), .SyncStages(SyncStages)) u_sync (.clk_i, .rst_i, .d_i(gray_i), .q_o(gray));
  anl_gray_pointer #(.Width(PtrW)) u_ptr (.clk_i, .rst_i, .step_i(pop_i), .ptr_o, .gray_o);

  assign held_o = gray != gray_o;

  `ANL_ASSERT(AssumePopHasEntry, !pop_i || held_o)

endmodule
