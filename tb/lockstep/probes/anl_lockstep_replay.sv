// SPDX-License-Identifier: Apache-2.0
//
// A mesh without buffers and its sources. The number of the step is that of the cycle, since the
// step counts from the first cycle after reset on. anl_lockstep_probe watches the switches. No tool
// but Verilator reads this file.

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

  logic [S-1:0] start_valid, start_ready, src_valid, src_ready;
  logic [S*StepW-1:0] start;
  logic [S*LinkW-1:0] src_flit;
  logic [StepW-1:0] step;
  logic [S-1:0] ej_valid, fault;
  logic [S*LinkW-1:0] ej_flit;

  anl_bufferless_mesh #(
      .K(K),
      .FlitW(FlitW),
      .StepW(StepW)
  ) dut (
      .clk_i,
      .rst_i,
      .run_i(1'b1),
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
