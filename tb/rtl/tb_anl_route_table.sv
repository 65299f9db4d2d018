// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_table #(
  parameter int Index,
  parameter int T,
  parameter int NumPorts,
  parameter int NumVcs
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int DstW = anl_pkg::index_width(T);
  logic [T*anl_pkg::EntryW-1:0] routes;
  logic [DstW-1:0] dst;
  logic [NumPorts-1:0] port;
  logic [NumVcs-1:0] vcs;

  `BENCH("anl_route_table", Index, {NumVcs, NumPorts, T})
  assign {routes, dst} = in;
  assign out = {vcs, port};

  anl_route_table #(.T(T), .NumPorts(NumPorts), .NumVcs(NumVcs)) u_dut (
    .table_i(routes), .dst_i(dst), .port_o(port), .vcs_o(vcs)
  );

endmodule
