// SPDX-License-Identifier: Apache-2.0
//
// FIFO of Depth entries whose front entry is always visible.
//
// Entries leave in the order in which they came. The user must not push into a full FIFO that does
// not pop in the same cycle, nor pop an empty one. (Senders on chained links do push into a full
// FIFO while it pops.) wr_ptr_o is the slot that a push writes and rd_ptr_o the slot of the front
// entry, so that a user can keep further bits of the entries in a memory that several FIFOs share.
//
// Timing: all outputs are functions of registers; an entry pushed in cycle t can be at the front in
// t + 1. The memory has no reset and one write port, so that it can be distributed RAM.

// A counter gives one bit for each count; most users need only the first, the second or the last.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_fifo #(
  parameter  int Depth = 4,
  parameter  int Width = 8,
  localparam int CntW  = $clog2(Depth + 1),
  localparam int PtrW  = anl_pkg::index_width(Depth)
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,
  output logic [Width-1:0] front_o,   // meaningful when held_o is 1
  output logic             held_o,    // the FIFO holds an entry
  output logic [CntW-1:0]  count_o,

  output logic [PtrW-1:0]  wr_ptr_o,
  output logic [PtrW-1:0]  rd_ptr_o
);

  logic [Width-1:0] mem [Depth];
  logic [Depth-1:0] least;

  anl_counter #(.Max(Depth), .Init(0)) u_count (
    .clk_i, .rst_i, .up_i(push_i), .down_i(pop_i), .count_o, .least_o(least)
  );
  anl_pointer #(.Size(Depth)) u_wr (.clk_i, .rst_i, .step_i(push_i), .ptr_o(wr_ptr_o));
  anl_pointer #(.Size(Depth)) u_rd (.clk_i, .rst_i, .step_i(pop_i),  .ptr_o(rd_ptr_o));

  assign front_o = mem[rd_ptr_o];
  assign held_o  = least[0];

  always_ff @(posedge clk_i) begin : memory
    if (push_i) mem[wr_ptr_o] <= data_i;
  end

  `ANL_ASSERT(AssumePushHasRoom, !push_i || 32'(count_o) != Depth || pop_i)
  `ANL_ASSERT(AssumePopHasEntry, !pop_i || held_o)

endmodule
