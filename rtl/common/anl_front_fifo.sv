// SPDX-License-Identifier: Apache-2.0
//
// FIFO of Depth entries whose front entry stands in a register of its own.
//
// As anl_fifo, with a memory of Depth - 1 entries behind the front, none if Depth is 1: the front is
// seen without an address. A push while full and popping writes the slot that is read in that cycle.
//
// Timing: all outputs are functions of registers; an entry pushed in t can be at the front in t + 1.
// Neither the front nor the memory has a reset; the memory has one write port, so that it can be
// distributed RAM.

`include "anl_assert.svh"

module anl_front_fifo #(
  parameter  int Depth = 4,
  parameter  int Width = 8,
  localparam int CntW  = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,
  output logic [Width-1:0] front_o,   // meaningful when count_o != 0
  output logic [CntW-1:0]  count_o
);

  logic [Width-1:0] front_d, front_q;
  logic             load;               // the front leaves, or there is none

  anl_counter #(.Max(Depth), .Init(0)) u_count (
    .clk_i, .rst_i, .up_i(push_i), .down_i(pop_i), .count_o
  );

  assign load    = pop_i || count_o == '0;
  assign front_o = front_q;

  always_ff @(posedge clk_i) begin : front
    if (load) front_q <= front_d;
  end

  if (Depth == 1) begin : g_alone
    assign front_d = data_i;
  end else begin : g_memory
    localparam int Behind = Depth - 1;
    localparam int PtrW   = anl_pkg::index_width(Behind);
    logic [Width-1:0] mem [Behind];
    logic [PtrW-1:0]  wr_ptr, rd_ptr;
    logic             more;             // entries behind the front

    assign more    = count_o > CntW'(1);
    assign front_d = more ? mem[rd_ptr] : data_i;

    anl_pointer #(.Size(Behind)) u_wr (
      .clk_i, .rst_i, .step_i(push_i && (more || !load)), .ptr_o(wr_ptr)
    );
    anl_pointer #(.Size(Behind)) u_rd (.clk_i, .rst_i, .step_i(pop_i && more), .ptr_o(rd_ptr));

    always_ff @(posedge clk_i) begin : memory
      if (push_i) mem[wr_ptr] <= data_i;
    end
  end

  `ANL_ASSERT(AssumePushHasRoom, !push_i || 32'(count_o) != Depth || pop_i)
  `ANL_ASSERT(AssumePopHasEntry, !pop_i || count_o != '0)

endmodule
