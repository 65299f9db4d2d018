// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_reset_synchronizer #(
  parameter int Index,
  parameter int SyncStages
) (
  input logic clk_i,
  input logic rst_i
);

  logic rst, rst_o;

  `BENCH("anl_reset_synchronizer", Index, SyncStages)
  assign rst = in[0] || rst_i;
  assign out = rst_o;

  anl_reset_synchronizer #(.SyncStages(SyncStages)) u_dut (.clk_i, .rst_i(rst), .rst_o);

endmodule
