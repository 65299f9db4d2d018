// SPDX-License-Identifier: Apache-2.0
//
// Memory shared by the lanes of a link: NumVcs rings of Depth entries. One write port and one read
// port are enough, because a link brings at most one flit in a cycle and at most one flit leaves.
//
// Timing: data_o follows read_lane_i and rd_ptr_i; an entry written in cycle t can be read in
// t + 1. The memory has no reset.

module anl_lane_memory #(
  parameter  int NumVcs = 4,
  parameter  int Depth  = 4,
  parameter  int Width  = 24,
  localparam int PtrW   = anl_pkg::index_width(Depth)
) (
  input  logic                   clk_i,

  input  logic                   write_i,
  input  logic [NumVcs-1:0]      write_lane_i,  // one-hot
  input  logic [NumVcs*PtrW-1:0] wr_ptr_i,      // slot of the next entry of each lane
  input  logic [Width-1:0]       data_i,

  input  logic [NumVcs-1:0]      read_lane_i,   // one-hot; if it is 0, data_o has no meaning
  input  logic [NumVcs*PtrW-1:0] rd_ptr_i,      // slot of the front entry of each lane
  output logic [Width-1:0]       data_o
);

  localparam int AddrW = anl_pkg::index_width(NumVcs * Depth);

  logic [Width-1:0]        mem [NumVcs*Depth];
  logic [NumVcs*AddrW-1:0] wr_addrs, rd_addrs;
  logic [AddrW-1:0]        wr_addr, rd_addr;

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    assign wr_addrs[v*AddrW +: AddrW] = AddrW'(v * Depth) + AddrW'(wr_ptr_i[v*PtrW +: PtrW]);
    assign rd_addrs[v*AddrW +: AddrW] = AddrW'(v * Depth) + AddrW'(rd_ptr_i[v*PtrW +: PtrW]);
  end

  anl_mux #(.Size(NumVcs), .Width(AddrW)) u_wr (
    .sel_i(write_lane_i), .data_i(wr_addrs), .data_o(wr_addr)
  );
  anl_mux #(.Size(NumVcs), .Width(AddrW)) u_rd (
    .sel_i(read_lane_i), .data_i(rd_addrs), .data_o(rd_addr)
  );

  assign data_o = mem[rd_addr];

  always_ff @(posedge clk_i) begin : memory
    if (write_i) mem[wr_addr] <= data_i;
  end

endmodule
