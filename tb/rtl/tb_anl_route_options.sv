// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_options #(
  parameter int Index,
  parameter int T,
  parameter int NumPorts,
  parameter int NumVcs
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int DstW = anl_pkg::index_width(T);
  logic [T*NumPorts*NumVcs-1:0] routes;
  logic [DstW-1:0] dst;
  logic [NumPorts*NumVcs-1:0] options;

  `BENCH("anl_route_options", Index, {NumVcs, NumPorts, T})
  assign {routes, dst} = in;
  assign out = options;

  anl_route_options #(.T(T), .NumPorts(NumPorts), .NumVcs(NumVcs)) u_dut (
    .table_i(routes), .dst_i(dst), .options_o(options)
  );

endmodule
