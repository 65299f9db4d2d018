// SPDX-License-Identifier: Apache-2.0
//
// Looks up an address in the address map (docs/axi.md, "Address map").
//
// Row r of map_i is at r*RowW: {destination, mask, base}, base lowest. A row matches if the address is that of its base
// in all bits of its mask; the first row that matches says the destination. An address that no row matches is a hole.
// Timing: all outputs follow addr_i; map_i is constant.

module anl_axi_map #(
  parameter  int Rows  = 1,              // of the map, at least 1
  parameter  int AddrW = 32,             // bits of an address, 1 .. 64
  parameter  int DstW  = 4,              // bits of a terminal's label
  localparam int RowW  = 2 * AddrW + DstW
) (
  input  logic [Rows*RowW-1:0] map_i,
  input  logic [AddrW-1:0]     addr_i,
  output logic                 hit_o,
  output logic [DstW-1:0]      dest_o    // 0 in a hole
);

  always_comb begin : look_up
    hit_o  = 1'b0;
    dest_o = '0;
    for (int r = Rows - 1; r >= 0; r--) begin
      if (((addr_i ^ map_i[r*RowW +: AddrW]) & map_i[r*RowW+AddrW +: AddrW]) == {AddrW{1'b0}}) begin
        hit_o  = 1'b1;
        dest_o = map_i[r*RowW+2*AddrW +: DstW];
      end
    end
  end

endmodule
