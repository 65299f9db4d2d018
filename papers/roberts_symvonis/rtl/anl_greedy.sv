// SPDX-License-Identifier: Apache-2.0
//
// The packet algorithm greedy: to which neighbour a worm wants to go, row first, then column
// (papers/roberts_symvonis/supernodes.md, "Command processors").
//
// Timing: combinational. here_i must be constant.

module anl_greedy #(
  parameter  int N      = 2,    // supernodes of a row
  localparam int DstW   = anl_cube_pkg::label_width(N * anl_layout_pkg::Side, 2),
  localparam int CoordW = DstW / 2,
  localparam int PlaceW = anl_pkg::index_width(N),
  localparam int T      = anl_bufferless_pkg::Terminal
) (
  input  logic [2*PlaceW-1:0] here_i,      // this supernode: row, column
  input  logic [DstW-1:0]     dst_i,       // label in a head

  output logic [T-1:0]        port_o,      // one-hot, 0: it is in its supernode
  output logic [PlaceW:0]     distance_o   // in supernodes
);

  logic [CoordW-1:0] cell_row, cell_column;
  logic [PlaceW-1:0] row, column, to_row, to_column, rows, columns;

  assign {row, column}           = here_i;
  assign {cell_row, cell_column} = dst_i;

  // A coordinate of a supernode is the number of first rows or columns up to that of the cell.
  always_comb begin : place
    to_row    = '0;
    to_column = '0;
    for (int i = 1; i < N; i++) begin
      if (32'(cell_row) >= i * anl_layout_pkg::Side)    to_row    = PlaceW'(i);
      if (32'(cell_column) >= i * anl_layout_pkg::Side) to_column = PlaceW'(i);
    end
  end

  assign rows       = (to_row > row) ? to_row - row : row - to_row;
  assign columns    = (to_column > column) ? to_column - column : column - to_column;
  assign distance_o = (PlaceW+1)'(rows) + (PlaceW+1)'(columns);

  assign port_o[anl_bufferless_pkg::East]  = to_column > column;
  assign port_o[anl_bufferless_pkg::West]  = to_column < column;
  assign port_o[anl_bufferless_pkg::South] = to_column == column && to_row > row;
  assign port_o[anl_bufferless_pkg::North] = to_column == column && to_row < row;

endmodule
