// SPDX-License-Identifier: Apache-2.0
//
// A mesh without buffers and its sources. The number of the step is that of the cycle, since the
// step counts from cycle 0 on. anl_lockstep_probe watches the switches. No tool but Verilator reads
// this file.

module anl_lockstep_bufferless #(
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

  logic [S-1:0] start_valid, start_ready, src_valid, src_ready;
  logic [S*StepW-1:0] start;
  logic [S*LinkW-1:0] src_flit;
  logic [StepW-1:0] step;
  logic run;
  logic [S-1:0] ej_valid, fault;
  logic [S*LinkW-1:0] ej_flit;

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

bind anl_one_bend_switch anl_lockstep_probe #(
  .K(K),
  .N(2),
  .DigitW(DstW / 2),
  .NumPorts(P),
  .NumVcs(1),
  .FlitW(FlitW),
`ifdef ANL_UNWATCHED
  .StateW(1)
`else
  .StateW(P * P + 1 + T + T * LinkW)
`endif
) u_probe (
  .clk_i,
  .rst_i,
  .harness_i(anl_lockstep_top.harness_i),
  .here_i,
  .valid_i(valid_o),
  .vc_i('0),
  .flit_i(flit_o),
  .credit_i('0),
`ifdef ANL_UNWATCHED
  .state_i(1'b0)
`else
  .state_i({
    u_core.g_input[3].flit,
    u_core.g_input[2].flit,
    u_core.g_input[1].flit,
    u_core.g_input[0].flit,
    u_core.g_input[3].valid,
    u_core.g_input[2].valid,
    u_core.g_input[1].valid,
    u_core.g_input[0].valid,
    fault_o,
    u_core.latch
  })
`endif
);
