// SPDX-License-Identifier: Apache-2.0
//
// anl_mux, anl_select, anl_encode, anl_decode: each part of the crossbar computes its function. The
// index i_i is any one.

`include "prove.svh"

module prove_crossbar #(
  parameter  int Size    = 4,
  parameter  int Width   = 2,
  parameter  int Members = (1 << Size) - 1,  // the members of anl_select
  localparam int IdxW    = anl_pkg::index_width(Size),
  localparam int IndexW  = anl_pkg::index_width(anl_pkg::members(Members, Size))
) (
  input logic                  clk_i,
  input logic [Size*Width-1:0] data_i,
  input logic [IdxW-1:0]       index_i,  // may be past the last entry
  input logic [IdxW-1:0]       i_i,
  input logic                  none_i
);

  `PROVE_RESET

  logic [Size-1:0]  onehot;
  logic [IdxW-1:0]  index;
  logic [Width-1:0] data, selected;
  wire  [Size-1:0]  sel = none_i ? '0 : Size'(1) << i_i;

  anl_decode #(.Size(Size)) u_decode (.index_i, .onehot_o(onehot));
  anl_encode #(.Size(Size)) u_encode (.onehot_i(sel), .index_o(index));
  anl_mux #(.Size(Size), .Width(Width)) u_mux (.sel_i(sel), .data_i, .data_o(data));

  localparam bit [Size-1:0] Member = Size'(Members);
  wire [Size-1:0] below = Member & ~({Size{1'b1}} << i_i);

  anl_select #(.Size(Size), .Width(Width), .Members(Members)) u_select (
    .index_i(IndexW'($countones(below))), .data_i, .data_o(selected)
  );

  `GIVEN(IndexInRange, 32'(i_i) < Size)

  `PROVE(DecodeSetsTheBitOfTheIndexAlone, onehot[i_i] == (index_i == i_i))
  `PROVE(EncodeFindsTheBit, index == (none_i ? '0 : i_i))
  `PROVE(MuxPassesTheEntry, none_i || data == Width'(data_i >> (i_i * Width)))
  `PROVE(MuxOfNothingIsZero, !none_i || data == '0)
  `PROVE(SelectPassesTheEntryOfAMember, !Member[i_i] || selected == Width'(data_i >> (i_i * Width)))

  if ((Size & (Size - 1)) != 0) begin : g_past
    `COVER(IndexPastTheEnd, 32'(index_i) >= Size && index_i != i_i)
  end
  `COVER(LastEntry, !none_i && 32'(i_i) == Size - 1 && data != '0)

endmodule
