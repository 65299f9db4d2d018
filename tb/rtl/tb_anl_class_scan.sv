// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_class_scan #(
  parameter int Index,
  parameter int Classes,
  parameter logic [63:0] WeightBytes
) (
  input logic clk_i,
  input logic rst_i
);

  logic [Classes-1:0] req, gnt;
  logic moved;
  logic [anl_pkg::index_width(Classes)-1:0] favoured;
  logic [anl_pkg::WeightW-1:0] quota;

  `BENCH("anl_class_scan", Index, {WeightBytes, Classes})
  // Something moves only if a class was chosen.
  assign {moved, req} = in;
  assign out = {quota, favoured, gnt};

  anl_class_scan #(.Classes(Classes), .Weights(WeightBytes)) u_dut (
    .clk_i, .rst_i, .req_i(req), .gnt_o(gnt), .moved_i(moved), .favoured_o(favoured), .quota_o(quota)
  );

endmodule
