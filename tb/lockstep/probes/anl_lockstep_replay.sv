// SPDX-License-Identifier: Apache-2.0
//
// A mesh without buffers and what its sources show: C keeps the table of starts of each source and
// its worms. The number of the step is that of the cycle, since the step counts from the first cycle
// after reset on. anl_lockstep_probe watches the switches. No tool but Verilator reads this file.

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

  // Return 1 and the next start of a terminal, or its next flit, or 0 if there is none.
  import "DPI-C" function bit anl_lockstep_start(
      input longint unsigned harness, input int unsigned terminal, output int unsigned start);
  import "DPI-C" function bit anl_lockstep_pull(
      input longint unsigned harness, input int unsigned terminal, input int unsigned class_number,
      output bit [LinkW-1:0] flit, output int unsigned vcs);

  logic [S-1:0] start_valid, start_ready, start_taken, src_valid, src_ready, src_taken;
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

  always @(posedge clk_i) begin : taken
    start_taken <= start_valid & start_ready;
    src_taken   <= src_valid & src_ready;
  end

  for (genvar t = 0; t < S; t++) begin : g_source
    bit [LinkW-1:0] flit;
    int unsigned next, vcs;
    always @(negedge clk_i) begin : source
      if (rst_i) {start_valid[t], src_valid[t]} = '0;
      else begin
        if (!start_valid[t] || start_taken[t]) begin
          start_valid[t] = anl_lockstep_start(harness_i, t, next);
          start[t*StepW+:StepW] = next;
        end
        if (!src_valid[t] || src_taken[t]) begin
          src_valid[t] = anl_lockstep_pull(harness_i, t, 0, flit, vcs);
          src_flit[t*LinkW+:LinkW] = flit;
        end
      end
    end
  end

endmodule
