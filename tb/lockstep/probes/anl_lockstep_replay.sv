// SPDX-License-Identifier: Apache-2.0
//
// A mesh without buffers and its sources. The number of the step is that of the cycle, since the
// step counts from cycle 0 on. anl_lockstep_probe watches the switches. No tool but Verilator reads
// this file.

module anl_lockstep_replay #(
    parameter int K = 4,
    parameter int FlitW = 32
) (
    input logic clk_i,
    input logic rst_i,
    input logic [63:0] harness_i
);

  localparam int S = K * K;
  localparam int LinkW = FlitW + 2;
  localparam int StepW = 32;

  // Returns the cycles behind a reset in which the step does not count.
  import "DPI-C" function int unsigned anl_lockstep_wait(input longint unsigned harness);
  // Reports the number of the step.
  import "DPI-C" function void anl_lockstep_step(
      input longint unsigned harness, input int unsigned step, input int unsigned lane);
  // Reports that the fault line of a node is 1.
  import "DPI-C" function void anl_lockstep_fault(
      input longint unsigned harness, input int unsigned node);

  logic [S-1:0] start_valid, start_ready, src_valid, src_ready;
  logic [S*StepW-1:0] start;
  logic [S*LinkW-1:0] src_flit;
  logic [StepW-1:0] step;
  logic run;
  int unsigned waited;
  logic [S-1:0] ej_valid, fault;
  logic [S*LinkW-1:0] ej_flit;

  always @(negedge clk_i) begin : begins
    run = !rst_i && waited >= anl_lockstep_wait(harness_i);
    if (rst_i) waited = 0;
    else if (!run) waited = waited + 1;
  end

  anl_bufferless_mesh #(
      .K(K),
      .FlitW(FlitW),
      .StepW(StepW)
  ) dut (
      .clk_i,
      .rst_i,
      .run_i(run),
      .step_o(step),
      .start_valid_i(start_valid),
      .start_i(start),
      .start_ready_o(start_ready),
      .src_valid_i(src_valid),
      .src_flit_i(src_flit),
      .src_ready_o(src_ready),
      .ej_valid_o(ej_valid),
      .ej_flit_o(ej_flit),
      .fault_o(fault)
  );

  always @(negedge clk_i) anl_lockstep_step(harness_i, step, 0);
  always @(posedge clk_i)
    for (int n = 0; n < S; n++) if (!rst_i && fault[n]) anl_lockstep_fault(harness_i, n);

  anl_lockstep_starts #(
      .S(S),
      .FlitW(FlitW),
      .StepW(StepW)
  ) u_starts (
      .clk_i,
      .rst_i,
      .harness_i,
      .start_valid_o(start_valid),
      .start_o(start),
      .start_ready_i(start_ready),
      .src_valid_o(src_valid),
      .src_flit_o(src_flit),
      .src_ready_i(src_ready)
  );
endmodule
