// SPDX-License-Identifier: Apache-2.0
//
// FIFO of Depth entries whose front entry is in a register of its own.
//
// It behaves as anl_fifo, but the front is read without an address. When the front leaves, or if
// there is none, its register is loaded with the entry behind it or, if there is none, with the
// entry that is pushed. load_o and next_o show this load to a user who keeps something else beside
// the front.
//
// Timing: front_o, held_o, count_o and the pointers are functions of registers; an entry pushed in
// cycle t can be at the front in t + 1. Neither the front nor the memory has a reset; the memory
// has one write port, so that it can be distributed RAM. A push into a full FIFO that pops writes
// the slot that is read in the same cycle; the read gives the old entry.

// A counter gives one bit for each count; most users need only the first, the second or the last.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_front_fifo #(
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
  output logic [PtrW-1:0]  rd_ptr_o,
  output logic             load_o,    // the front is loaded at the end of this cycle
  output logic [Width-1:0] next_o     // value that it is loaded with
);

  logic [Depth-1:0] least;
  logic [Width-1:0] front_q;

  anl_counter #(.Max(Depth), .Init(0)) u_count (
    .clk_i, .rst_i, .up_i(push_i), .down_i(pop_i), .count_o, .least_o(least)
  );
  anl_pointer #(.Size(Depth)) u_wr (.clk_i, .rst_i, .step_i(push_i), .ptr_o(wr_ptr_o));
  anl_pointer #(.Size(Depth)) u_rd (.clk_i, .rst_i, .step_i(pop_i),  .ptr_o(rd_ptr_o));

  assign held_o  = least[0];
  assign load_o  = pop_i || !held_o;
  assign front_o = front_q;

  always_ff @(posedge clk_i) begin : front
    if (load_o) front_q <= next_o;
  end

  if (Depth == 1) begin : g_alone
    assign next_o = data_i;
  end else begin : g_memory
    localparam int Slots = (Depth == 2) ? 1 : Depth;     // a single entry needs no address
    logic [Width-1:0] mem [Slots];
    logic [PtrW-1:0]  slot, behind;

    if (Slots == 1) begin : g_one
      assign {slot, behind} = '0;
    end else begin : g_many
      assign slot   = wr_ptr_o;
      assign behind = (32'(rd_ptr_o) == Depth - 1) ? '0 : rd_ptr_o + 1'b1;
    end
    assign next_o = least[1] ? mem[behind] : data_i;

    always_ff @(posedge clk_i) begin : memory
      if (push_i) mem[slot] <= data_i;
    end
  end

  `ANL_ASSERT(AssumePushHasRoom, !push_i || 32'(count_o) != Depth || pop_i)
  `ANL_ASSERT(AssumePopHasEntry, !pop_i || held_o)

endmodule
