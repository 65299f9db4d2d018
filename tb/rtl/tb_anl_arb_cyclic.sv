// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_arb_cyclic #(
  parameter int Index,
  parameter int Size,
  parameter int Members
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int IdxW   = anl_pkg::index_width(Size);
  localparam int IndexW = anl_pkg::index_width(anl_pkg::members(Members, Size));
  logic [Size-1:0]   req, gnt;
  logic [IdxW-1:0]   start;
  logic [IndexW-1:0] index;

  `BENCH("anl_arb_cyclic", Index, {Members, Size})
  assign {start, req} = in;
  assign out = {index, gnt};

  anl_arb_cyclic #(.Size(Size), .Members(Members)) u_dut (
    .req_i(req), .from_i({Size{1'b1}} << start), .gnt_o(gnt), .index_o(index)
  );

endmodule
