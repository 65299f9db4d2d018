// SPDX-License-Identifier: Apache-2.0
//
// Says when the step of a network without buffers counts, and tells C its number, the lane whose turn
// it is, and the nodes whose fault line is 1. No tool but Verilator reads this file.

module anl_lockstep_steps #(
  parameter int Nodes = 16,
  parameter int StepW = 32
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] harness_i,

  output logic run_o,
  input logic [StepW-1:0] step_i,
  input logic [StepW-1:0] lane_i,
  input logic [Nodes-1:0] fault_i
);

  // Returns the cycles behind a reset in which the step does not count.
  import "DPI-C" function int unsigned anl_lockstep_wait(input longint unsigned harness);
  // Reports the numbers of the step and of the lane whose turn it is.
  import "DPI-C" function void anl_lockstep_step(
    input longint unsigned harness, input int unsigned step, input int unsigned lane);
  // Reports that the fault line of a node is 1.
  import "DPI-C" function void anl_lockstep_fault(
    input longint unsigned harness, input int unsigned node);

  int unsigned waited;

  always @(negedge clk_i) begin : begins
    run_o = !rst_i && waited >= anl_lockstep_wait(harness_i);
    if (rst_i) waited = 0;
    else if (!run_o) waited = waited + 1;
  end

  always @(negedge clk_i) anl_lockstep_step(harness_i, step_i, lane_i);
  always @(posedge clk_i)
    for (int n = 0; n < Nodes; n++) if (!rst_i && fault_i[n]) anl_lockstep_fault(harness_i, n);
endmodule
