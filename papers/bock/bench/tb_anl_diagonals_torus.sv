// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_diagonals_torus #(
  parameter int Index,
  parameter int D,
  parameter int Length
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int N = 4;
  localparam int FlitW = 8;
  localparam int StepW = 11;
  localparam int S = N ** D;
  localparam int L = 2 * D;
  localparam int LinkW = FlitW + 2;
  logic run, failed, odd;
  logic [StepW-1:0] step;
  logic [anl_diagonals_pkg::CommandW-1:0] command;
  logic [S-1:0] start_valid, start_ready, src_valid, src_ready, fault;
  logic [S*StepW-1:0] start;
  logic [S*LinkW-1:0] src_flit;
  logic [S*L-1:0] exit_valid;
  logic [S*L*LinkW-1:0] exit_flit;
  logic [LinkW-1:0] leaves;   // the flit that leaves, as there is one worm alone

  `BENCH("anl_diagonals_torus", Index, {StepW, FlitW, Length, D, N})
  assign {src_flit, src_valid, start, start_valid, run} = in;
  assign out = {fault, failed, leaves, exit_valid, src_ready, start_ready, odd, command, step};

  always_comb begin : one_flit
    leaves = '0;
    for (int e = 0; e < S * L; e++) leaves = leaves | (exit_valid[e] ? exit_flit[e*LinkW +: LinkW] : '0);
  end

  anl_diagonals_torus #(
    .N(N), .D(D), .Length(Length), .A(1), .B(1), .C(2), .Brief(1), .FlitW(FlitW), .StepW(StepW)
  ) u_dut (
    .clk_i, .rst_i, .run_i(run), .step_o(step), .command_o(command), .odd_o(odd),
    .start_valid_i(start_valid), .start_i(start), .start_ready_o(start_ready),
    .src_valid_i(src_valid), .src_flit_i(src_flit), .src_ready_o(src_ready),
    .exit_valid_o(exit_valid), .exit_flit_o(exit_flit), .failed_o(failed), .fault_o(fault)
  );

endmodule
