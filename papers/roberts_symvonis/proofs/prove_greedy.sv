// SPDX-License-Identifier: Apache-2.0
//
// anl_greedy: the direction leads to a supernode that is one nearer to that of the destination, a
// column before a row; the distance is the number of such steps.

`include "prove.svh"

module prove_greedy #(
  parameter  int N      = 2,
  localparam int Side   = anl_layout_pkg::Side,
  localparam int DstW   = anl_cube_pkg::label_width(N * Side, 2),
  localparam int CoordW = DstW / 2,
  localparam int PlaceW = anl_pkg::index_width(N),
  localparam int T      = anl_bufferless_pkg::Terminal
) (
  input logic                clk_i,
  input logic [2*PlaceW-1:0] here_i,
  input logic [2*PlaceW-1:0] to_i,      // supernode of the destination
  input logic [2*CoordW-1:0] cell_i     // row and column in it
);

  `PROVE_RESET

  logic [PlaceW-1:0] row, column, to_row, to_column;
  logic [CoordW-1:0] cell_row, cell_column;
  logic [T-1:0]      port;
  logic [PlaceW:0]   distance;
  assign {row, column}           = here_i;
  assign {to_row, to_column}     = to_i;
  assign {cell_row, cell_column} = cell_i;
  `GIVEN(PlacesExist, 32'(row) < N && 32'(column) < N && 32'(to_row) < N && 32'(to_column) < N)
  `GIVEN(CellExists, 32'(cell_row) < Side && 32'(cell_column) < Side)

  anl_greedy #(.N(N)) u_dut (
    .here_i,
    .dst_i({CoordW'(32'(to_row) * Side + 32'(cell_row)), CoordW'(32'(to_column) * Side + 32'(cell_column))}),
    .port_o(port), .distance_o(distance)
  );

  // How far it is after one step by each port.
  function automatic int apart(input int a, input int b);
    apart = (a > b) ? a - b : b - a;
  endfunction
  wire [31:0] columns = apart(32'(column), 32'(to_column));
  wire [31:0] rows    = apart(32'(row), 32'(to_row));
  wire [31:0] after   = apart(32'(column) + 32'(port[0]) - 32'(port[1]), 32'(to_column)) +
                        apart(32'(row) + 32'(port[2]) - 32'(port[3]), 32'(to_row));

  `PROVE(OnePortAtMost, (port & (port - 1'b1)) == '0)
  `PROVE(DistanceCountsSupernodes, 32'(distance) == columns + rows)
  `PROVE(StepLeadsNearer, (columns + rows == 0) ? port == '0 : after + 1 == columns + rows)
  `PROVE(ColumnsFirst, columns == 0 || port[3:2] == '0)

  `COVER(Far, 32'(distance) == 2 * (N - 1) && N > 1)
  `COVER(North, port[3])

endmodule
