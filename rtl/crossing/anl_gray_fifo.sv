// SPDX-License-Identifier: Apache-2.0
//
// FIFO between two clocks whose front entry is always visible (docs/clocks.md).
//
// Entries leave in the order in which they came. The user must not push while full_o is 1, nor pop while held_o is 0.
// What crosses the clocks is both pointers, in gray code and through synchronizers, and the memory, of which a slot
// is read only when its pointer has come across, so that it does not change any more.
// Timing: full_o is a function of registers of the writing clock, front_o and held_o of registers alone. The memory
// has no reset, one write port and one read port, so that it can be distributed RAM.

// A FIFO of one slot needs no address.
// verilator lint_off UNUSEDSIGNAL

module anl_gray_fifo #(
  parameter int Depth  = 4,                    // entries, a power of two, 1 .. 512
  parameter int Width  = 8,                    // bits of an entry
  parameter int SyncStages = 2                 // of the synchronizers, 2 .. 4
) (
  input  logic             wr_clk_i,
  input  logic             wr_rst_i,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             full_o,

  input  logic             rd_clk_i,
  input  logic             rd_rst_i,
  input  logic             pop_i,
  output logic [Width-1:0] front_o,            // meaningful when held_o is 1
  output logic             held_o              // the FIFO holds an entry
);

  localparam int PtrW  = $clog2(Depth) + 1;
  localparam int AddrW = anl_pkg::index_width(Depth);

  logic [Width-1:0] mem [Depth];
  logic [PtrW-1:0]  wr_ptr, rd_ptr, wr_gray, rd_gray;
  logic [AddrW-1:0] wr_addr, rd_addr;

  anl_gray_writer #(.PtrW(PtrW), .SyncStages(SyncStages)) u_writer (
    .clk_i(wr_clk_i), .rst_i(wr_rst_i), .push_i, .full_o, .ptr_o(wr_ptr), .gray_o(wr_gray), .gray_i(rd_gray)
  );
  anl_gray_reader #(.PtrW(PtrW), .SyncStages(SyncStages)) u_reader (
    .clk_i(rd_clk_i), .rst_i(rd_rst_i), .pop_i, .held_o, .ptr_o(rd_ptr), .gray_o(rd_gray), .gray_i(wr_gray)
  );

  assign wr_addr = (Depth == 1) ? '0 : AddrW'(wr_ptr);
  assign rd_addr = (Depth == 1) ? '0 : AddrW'(rd_ptr);
  assign front_o = mem[rd_addr];

  always_ff @(posedge wr_clk_i) begin : memory
    if (push_i) mem[wr_addr] <= data_i;
  end

endmodule
