// SPDX-License-Identifier: Apache-2.0
//
// A torus of sliding diagonals and what its sources show: C keeps the starts and the worms of the
// load. The number of the step is that of the cycle, and the first load begins in cycle 1.
// anl_lockstep_probe watches the nodes. No tool but Verilator reads this file.

module anl_lockstep_diagonals #(
  parameter int K = 8,
  parameter int Length = 1,
  parameter int A = 2,
  parameter int B = 2,
  parameter int C = 2,
  parameter int Brief = 1,
  parameter int FlitW = 32
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] harness_i
);

  localparam int S = K * K;
  localparam int LinkW = FlitW + 2;
  localparam int StepW = 32;

  import "DPI-C" function void anl_lockstep_clean_up(
    input longint unsigned harness, input bit failed);

  logic [S-1:0] start_valid, start_ready, src_valid, src_ready;
  logic [S*StepW-1:0] start;
  logic [S*LinkW-1:0] src_flit;
  logic [StepW-1:0] step;
  logic [S-1:0] fault;
  logic failed, run;

  anl_diagonals_torus #(
    .N(K),
    .Length(Length),
    .A(A),
    .B(B),
    .C(C),
    .Brief(Brief),
    .FlitW(FlitW),
    .StepW(StepW)
  ) dut (
    .clk_i,
    .rst_i,
    .run_i(run),
    .step_o(step),
    .command_o(),
    .start_valid_i(start_valid),
    .start_i(start),
    .start_ready_o(start_ready),
    .src_valid_i(src_valid),
    .src_flit_i(src_flit),
    .src_ready_o(src_ready),
    .exit_valid_o(),
    .exit_flit_o(),
    .failed_o(failed),
    .fault_o(fault)
  );

  always @(negedge clk_i) anl_lockstep_clean_up(harness_i, failed);

  anl_lockstep_steps #(
    .Nodes(S),
    .StepW(StepW)
  ) u_steps (
    .clk_i,
    .rst_i,
    .harness_i,
    .run_o (run),
    .step_i(step),
    .lane_i('0),
    .fault_i(fault)
  );

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

bind anl_diagonals anl_lockstep_probe #(
  .K(N),
  .N(2),
  .DigitW(W),
  .NumPorts(L + 1),
  .NumVcs(L),
  .Lines(L),
  .FlitW(FlitW),
`ifdef ANL_UNWATCHED
  .StateW(1)
`else
  .StateW(L * P + 2 + L + L * LinkW)
`endif
) u_probe (
  .clk_i,
  .rst_i,
  .harness_i(anl_lockstep_top.harness_i),
  .here_i,
  // A link between nodes carries one flit; that of the terminal one from each register.
  .valid_i({exit_valid_o, 3'b0, valid_o[3], 3'b0, valid_o[2], 3'b0, valid_o[1], 3'b0, valid_o[0]}),
  .vc_i({8'hE4, 32'b0}),
  .flit_i({exit_flit_o, (3 * LinkW)'(0), flit_o[3*LinkW+:LinkW], (3 * LinkW)'(0), flit_o[2*LinkW+:LinkW],
           (3 * LinkW)'(0), flit_o[LinkW+:LinkW], (3 * LinkW)'(0), flit_o[0+:LinkW]}),
  .credit_i('0),
`ifdef ANL_UNWATCHED
  .state_i(1'b0)
`else
  .state_i({flit, valid, taken_q, fault_o, latch})
`endif
);
