// SPDX-License-Identifier: Apache-2.0
//
// A torus of sliding diagonals beside the model: C gives worms and starts at the falling edge, and sees
// all registers and what leaves at the rising edge, before they change. Only Verilator reads this file.

module diagonals_top #(
  parameter int N      = 8,
  parameter int Length = 1,
  parameter int A      = 2,
  parameter int B      = 2,
  parameter int C      = 2,
  parameter int Brief  = 1,
  parameter int FlitW  = 40,
  parameter int StepW  = 16
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int S     = N * N;
  localparam int L     = anl_diagonals_pkg::NumLinks;
  localparam int P     = anl_diagonals_pkg::NumWays;
  localparam int LinkW = FlitW + 2;

  // What the sources of all nodes show.
  import "DPI-C" function void diagonals_drive(
      input bit reset, output bit run, output bit [S-1:0] start_valid, output bit [S*StepW-1:0] start,
      output bit [S-1:0] src_valid, output bit [S*LinkW-1:0] src_flit);
  // What stands in the torus in this step, what leaves, and what the sources take.
  import "DPI-C" function void diagonals_see(
      input int step, input bit [S-1:0] start_ready, input bit [S-1:0] src_ready,
      input bit [S*L-1:0] valid, input bit [S*L*LinkW-1:0] flit, input bit [S*L*P-1:0] latch,
      input bit [S-1:0] taken, input bit [S-1:0] fault, input bit failed,
      input bit [S*L-1:0] exit_valid, input bit [S*L*LinkW-1:0] exit_flit);
  import "DPI-C" function void diagonals_parameters(
      input int n, input int length, input int a, input int b, input int c, input int brief,
      input int flit_w, input int step_w);

  bit run;
  bit [S-1:0] start_valid, src_valid;
  bit [S*StepW-1:0] start;
  bit [S*LinkW-1:0] src_flit;
  logic [StepW-1:0] step;
  logic [anl_diagonals_pkg::CommandW-1:0] command;
  logic [S-1:0] start_ready, src_ready, taken, fault;
  logic [S*L-1:0] valid, exit_valid;
  logic [S*L*LinkW-1:0] flit, exit_flit;
  logic [S*L*P-1:0] latch;
  logic failed;

  anl_diagonals_torus #(
    .N(N), .Length(Length), .A(A), .B(B), .C(C), .Brief(Brief), .FlitW(FlitW), .StepW(StepW)
  ) u_torus (
    .clk_i, .rst_i, .run_i(run), .step_o(step), .command_o(command),
    .start_valid_i(start_valid), .start_i(start), .start_ready_o(start_ready),
    .src_valid_i(src_valid), .src_flit_i(src_flit), .src_ready_o(src_ready),
    .exit_valid_o(exit_valid), .exit_flit_o(exit_flit), .failed_o(failed), .fault_o(fault)
  );

  for (genvar s = 0; s < S; s++) begin : g_node
    assign valid[s*L +: L]             = u_torus.g_node[s].u_node.valid;
    assign flit[s*L*LinkW +: L*LinkW]  = u_torus.g_node[s].u_node.flit;
    assign latch[s*L*P +: L*P]         = u_torus.g_node[s].u_node.latch;
    assign taken[s]                    = u_torus.g_node[s].u_node.taken_q;
  end

  initial diagonals_parameters(N, Length, A, B, C, Brief, FlitW, StepW);
  always @(negedge clk_i) diagonals_drive(rst_i, run, start_valid, start, src_valid, src_flit);
  always @(posedge clk_i)
    if (!rst_i)
      diagonals_see(32'(step), start_ready, src_ready, valid, flit, latch, taken, fault, failed,
                    exit_valid, exit_flit);

endmodule
