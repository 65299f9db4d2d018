// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_diagonals_clock #(
  parameter int Index,
  parameter int N,
  parameter int D,
  parameter int Length,
  parameter int C,
  parameter int Brief
) (
  input logic clk_i,
  input logic rst_i
);

  logic run, odd;
  logic [anl_diagonals_pkg::CommandW-1:0] command;

  `BENCH("anl_diagonals_clock", Index, {Brief, C, Length, D, N})
  assign run = in[0];
  assign out = {32'(u_dut.round_q), 32'(u_dut.u_q), u_dut.phase_q, odd, command};

  anl_diagonals_clock #(.N(N), .D(D), .Length(Length), .C(C), .Brief(Brief)) u_dut (
    .clk_i, .rst_i, .run_i(run), .command_o(command), .odd_o(odd)
  );

endmodule
