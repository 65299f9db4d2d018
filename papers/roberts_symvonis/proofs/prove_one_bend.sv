// SPDX-License-Identifier: Apache-2.0
//
// anl_one_bend_switch: a head that comes alone goes along its row to the column of its destination,
// then along this column, then to the terminal; and no way leads back, out of a column into a row, or
// over the edge. The node is any one.

`include "prove.svh"

module prove_one_bend #(
  parameter  int K      = 4,
  parameter  int FlitW  = 4,
  localparam int P      = anl_bufferless_pkg::NumPorts,
  localparam int T      = anl_bufferless_pkg::Terminal,
  localparam int DstW   = anl_cube_pkg::label_width(K, 2),
  localparam int CoordW = DstW / 2,
  localparam int LinkW  = FlitW + 2
) (
  input logic               clk_i,
  input logic [CoordW-1:0]  row_i,      // of the node; sampled in reset
  input logic [CoordW-1:0]  column_i,
  input logic [T-1:0]       valid_i,
  input logic [T*LinkW-1:0] flit_i,
  input logic               inj_valid_i,
  input logic [LinkW-1:0]   inj_flit_i,
  input logic [2:0]         in_i        // sampled in reset
);

  `PROVE_RESET

  logic [CoordW-1:0]  row_q, column_q;
  logic [2:0]         in_q;
  logic [P-1:0]       out_valid;
  logic [P*LinkW-1:0] out;
  logic               fault;

  always_ff @(posedge clk_i) begin : constants
    if (rst_i) {row_q, column_q, in_q} <= {row_i, column_i, in_i};
  end
  `GIVEN(NodeAndPortExist, 32'(row_q) < K && 32'(column_q) < K && 32'(in_q) < P)

  wire east = 32'(column_q) + 1 < K, west = column_q != '0;
  wire south = 32'(row_q) + 1 < K,   north = row_q != '0;
  wire [P-1:0] links = {1'b1, north, south, west, east};

  anl_one_bend_switch #(.K(K), .FlitW(FlitW)) u_dut (
    .clk_i, .rst_i, .here_i({row_q, column_q}), .links_i(links),
    .valid_i, .flit_i, .inj_valid_i, .inj_flit_i, .late_i(1'b0),
    .valid_o(out_valid), .flit_o(out), .fault_o(fault)
  );

  // What stands at the inputs.
  logic [T-1:0]       valid_q;
  logic [T*LinkW-1:0] flit_q;
  always_ff @(posedge clk_i) begin : registers
    valid_q <= rst_i ? '0 : valid_i;
    flit_q  <= flit_i;
  end
  wire [P-1:0]      here = {inj_valid_i, valid_q};
  wire [LinkW-1:0]  flit = LinkW'({inj_flit_i, flit_q} >> (in_q * LinkW));
  wire [CoordW-1:0] to_column = flit[0 +: CoordW];
  wire [CoordW-1:0] to_row    = flit[CoordW +: CoordW];

  logic [2:0] way;
  always_comb begin : one_bend
    if (to_column > column_q)      way = 3'(anl_bufferless_pkg::East);
    else if (to_column < column_q) way = 3'(anl_bufferless_pkg::West);
    else if (to_row > row_q)       way = 3'(anl_bufferless_pkg::South);
    else if (to_row < row_q)       way = 3'(anl_bufferless_pkg::North);
    else                           way = 3'(T);
  end
  wire wired = way != in_q && (32'(in_q) < 2 || 32'(in_q) == T || 32'(way) >= 2) && links[way];
  wire head_alone = here == P'(1) << in_q && flit[FlitW+1];

  `PROVE(HeadGoesOneBend, !head_alone || !wired || out_valid == P'(1) << way)
  `PROVE(HeadHasNoOtherWay, !head_alone || wired || out_valid == '0)

  `COVER(FromARowIntoAColumn, head_alone && wired && in_q == 3'd1 && way == 3'd2)
  `COVER(ToTheTerminal, head_alone && wired && way == 3'(T))
  `COVER(NotBack, head_alone && !wired && way == in_q)

endmodule
