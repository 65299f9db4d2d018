// SPDX-License-Identifier: Apache-2.0
//
// The end of an asynchronous FIFO that takes entries (docs/clocks.md): where the next one is written, and whether
// there is room for it.
//
// Pointers have a bit more than slots need, so that a full FIFO differs from an empty one. The FIFO is full if the
// pointers differ by all its slots: in gray code, if their two upper bits differ and no other.
// Timing: full_o, ptr_o and gray_o are functions of registers. A slot that the other clock has emptied counts SyncStages
// edges later, or one more; so full_o may be 1 while there is room, never the other way round.

`include "anl_assert.svh"

module anl_gray_writer #(
  parameter int PtrW   = 3,                    // bits of a pointer: log2 of the slots, and one more; 1 .. 10
  parameter int SyncStages = 2                 // of the synchronizer, 2 .. 4
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            push_i,
  output logic            full_o,
  output logic [PtrW-1:0] ptr_o,
  output logic [PtrW-1:0] gray_o,              // for the other clock
  input  logic [PtrW-1:0] gray_i               // pointer of the other clock
);

  // The two upper bits, or the only one.
  localparam logic [PtrW-1:0] Upper = PtrW'((1 << PtrW) - (PtrW == 1 ? 1 : (1 << PtrW) / 4));

  logic [PtrW-1:0] gray;

  anl_synchronizer #(.Width(PtrW), .SyncStages(SyncStages)) u_sync (.clk_i, .rst_i, .d_i(gray_i), .q_o(gray));
  anl_gray_pointer #(.Width(PtrW)) u_ptr (.clk_i, .rst_i, .step_i(push_i), .ptr_o, .gray_o);

  assign full_o = (gray_o ^ gray) == Upper;

  `ANL_ASSERT(AssumePushHasRoom, !push_i || !full_o)

endmodule
