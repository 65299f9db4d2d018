// SPDX-License-Identifier: Apache-2.0
//
// Number of the step of a mesh without buffers (papers/roberts_symvonis/bufferless.md, "Replay"): 0 after reset, one more
// in each cycle in which run_i is 1, up to its largest value, where it stops.
// Timing: step_o is a register.

module anl_steps #(
  parameter int StepW = 12   // bits of a step
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             run_i,
  output logic [StepW-1:0] step_o
);

  logic [StepW-1:0] step_d, step_q;

  assign step_d = (run_i && step_q != '1) ? step_q + 1'b1 : step_q;
  assign step_o = step_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) step_q <= '0;
    else       step_q <= step_d;
  end

endmodule
