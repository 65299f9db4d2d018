// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_arb_farthest #(
  parameter int Index,
  parameter int Size
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int IdxW = anl_pkg::index_width(Size);
  logic [Size-1:0] req, gnt;
  logic [Size*16-1:0] distance;
  logic [IdxW-1:0] start;

  `BENCH("anl_arb_farthest", Index, {Size})
  assign {start, distance, req} = in;
  assign out = {gnt};

  anl_arb_farthest #(.Size(Size)) u_dut (
    .req_i(req), .distance_i(distance), .from_i({Size{1'b1}} << start), .gnt_o(gnt)
  );

endmodule
