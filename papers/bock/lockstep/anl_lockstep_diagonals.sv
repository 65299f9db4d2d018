// SPDX-License-Identifier: Apache-2.0
//
// A torus of sliding diagonals and what its sources show: C keeps the starts and the worms of the
// load. The number of the step is that of the cycle, and the first load begins in cycle 1.
// anl_lockstep_probe watches the nodes. No tool but Verilator reads this file.

module anl_lockstep_diagonals #(
  parameter int K = 8,
  parameter int N = 2,
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

  localparam int S = K ** N;
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
    .D(N),
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
    .odd_o(),
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

// The probe of a node: lines of a link between nodes but the first one are idle; that of the terminal has
// one for each register.
module anl_lockstep_slider #(
  parameter int K = 8,
  parameter int N = 2,
  parameter int DigitW = 3,
  parameter int FlitW = 32,
  parameter int StateW = 1,
  localparam int L = 2 * N,
  localparam int P = L + 1,
  localparam int LaneW = $clog2(L),
  localparam int LinkW = FlitW + 2
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] harness_i,
  input logic [N*DigitW-1:0] here_i,
  input logic [L-1:0] valid_i,
  input logic [L*LinkW-1:0] flit_i,
  input logic [L-1:0] exit_valid_i,
  input logic [L*LinkW-1:0] exit_flit_i,
  input logic [StateW-1:0] state_i
);

  logic [P*L-1:0] valid;
  logic [P*L*LaneW-1:0] lane;
  logic [P*L*LinkW-1:0] flit;

  always_comb begin : lines
    valid = '0;
    lane  = '0;
    flit  = '0;
    for (int l = 0; l < L; l++) begin
      valid[l*L] = valid_i[l];
      flit[l*L*LinkW+:LinkW] = flit_i[l*LinkW+:LinkW];
      lane[(L*L+l)*LaneW+:LaneW] = LaneW'(l);
    end
    valid[L*L+:L] = exit_valid_i;
    flit[L*L*LinkW+:L*LinkW] = exit_flit_i;
  end

  anl_lockstep_probe #(
    .K(K),
    .N(N),
    .DigitW(DigitW),
    .NumPorts(P),
    .NumVcs(L),
    .Lines(L),
    .FlitW(FlitW),
    .StateW(StateW)
  ) u_probe (
    .clk_i,
    .rst_i,
    .harness_i,
    .here_i,
    .valid_i (valid),
    .vc_i    (lane),
    .flit_i  (flit),
    .credit_i('0),
    .state_i
  );
endmodule

bind anl_diagonals anl_lockstep_slider #(
  .K(N),
  .N(D),
  .DigitW(W),
  .FlitW(FlitW),
`ifdef ANL_UNWATCHED
  .StateW(1)
`else
  .StateW(L * P + 1 + T + L + L * LinkW)
`endif
) u_probe (
  .clk_i,
  .rst_i,
  .harness_i(anl_lockstep_top.harness_i),
  .here_i,
  .valid_i(valid_o),
  .flit_i(flit_o),
  .exit_valid_i(exit_valid_o),
  .exit_flit_i(exit_flit_o),
`ifdef ANL_UNWATCHED
  .state_i(1'b0)
`else
  .state_i({flit, valid, taken, fault_o, latch})
`endif
);
