// SPDX-License-Identifier: Apache-2.0
//
// anl_lane_memory: any slot of any lane gives back what was last written to it.

`include "prove.svh"

module prove_lane_memory #(
  parameter  int NumVcs = 2,
  parameter  int Depth  = 3,
  parameter  int Width  = 2,
  localparam int PtrW   = anl_pkg::index_width(Depth),
  localparam int VcW    = anl_pkg::index_width(NumVcs)
) (
  input logic                   clk_i,
  input logic                   write_i,
  input logic [VcW-1:0]         write_vc_i,
  input logic [NumVcs*PtrW-1:0] wr_ptr_i,
  input logic [Width-1:0]       data_i,
  input logic [VcW-1:0]         read_vc_i,
  input logic [NumVcs*PtrW-1:0] rd_ptr_i,
  input logic [VcW-1:0]         vc_i,      // lane and slot, sampled in the reset cycle
  input logic [PtrW-1:0]        slot_i
);

  `PROVE_RESET

  logic [Width-1:0] data;

  anl_lane_memory #(.NumVcs(NumVcs), .Depth(Depth), .Width(Width)) u_dut (
    .clk_i, .write_i, .write_lane_i(NumVcs'(1) << write_vc_i), .wr_ptr_i, .data_i,
    .read_lane_i(NumVcs'(1) << read_vc_i), .rd_ptr_i, .data_o(data)
  );

  logic [VcW-1:0]   vc_q;
  logic [PtrW-1:0]  slot_q;
  logic [Width-1:0] data_q;
  logic             written_q;
  wire [PtrW-1:0]   wr_slot = wr_ptr_i[write_vc_i*PtrW +: PtrW];
  wire [PtrW-1:0]   rd_slot = rd_ptr_i[read_vc_i*PtrW +: PtrW];
  wire              write   = write_i && write_vc_i == vc_q && wr_slot == slot_q;

  always_ff @(posedge clk_i) begin : model
    if (rst_i) vc_q   <= vc_i;
    if (rst_i) slot_q <= slot_i;
    written_q <= !rst_i && (written_q || write);
    if (write) data_q <= data_i;
  end

  `GIVEN(LanesExist, 32'(write_vc_i) < NumVcs && 32'(read_vc_i) < NumVcs)
  `GIVEN(SlotsExist, 32'(wr_slot) < Depth && 32'(rd_slot) < Depth)

  `PROVE(ReadsWhatWasWritten, !written_q || read_vc_i != vc_q || rd_slot != slot_q || data == data_q)

  wire read = written_q && read_vc_i == vc_q && rd_slot == slot_q;

  `COVER(ReadWhileItIsWritten, read && write && data != data_i)
  `COVER(ReadBesideAnother, read && write_i && !write && 32'(vc_q) == NumVcs - 1
                            && 32'(slot_q) == Depth - 1)

endmodule
