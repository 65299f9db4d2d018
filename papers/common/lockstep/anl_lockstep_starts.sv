// SPDX-License-Identifier: Apache-2.0
//
// What the sources of a network without buffers show: C keeps the table of starts of each source and
// its worms. No tool but Verilator reads this file.

module anl_lockstep_starts #(
  parameter int S = 16,  // sources
  parameter int FlitW = 32,
  parameter int StepW = 32,
  localparam int LinkW = FlitW + 2
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] harness_i,

  output logic [S-1:0] start_valid_o,
  output logic [S*StepW-1:0] start_o,
  input logic [S-1:0] start_ready_i,
  output logic [S-1:0] src_valid_o,
  output logic [S*LinkW-1:0] src_flit_o,
  input logic [S-1:0] src_ready_i
);

  // Return 1 and the next start of a source, or its next flit, or 0 if there is none.
  import "DPI-C" function bit anl_lockstep_start(
    input longint unsigned harness, input int unsigned source, output int unsigned start);
  import "DPI-C" function bit anl_lockstep_pull(
    input longint unsigned harness, input int unsigned source, input int unsigned class_number,
    output bit [LinkW-1:0] flit, output int unsigned vcs);

  logic [S-1:0] start_taken, src_taken;

  always @(posedge clk_i) begin : taken
    start_taken <= start_valid_o & start_ready_i;
    src_taken   <= src_valid_o & src_ready_i;
  end

  // The loop is no generate block: Verilator would make code for each source.
  bit [LinkW-1:0] flit;
  int unsigned next, vcs;
  always @(negedge clk_i) begin : sources
    if (rst_i) {start_valid_o, src_valid_o} = '0;
    else
      for (int s = 0; s < S; s++) begin
        if (!start_valid_o[s] || start_taken[s]) begin
          start_valid_o[s] = anl_lockstep_start(harness_i, s, next);
          start_o[s*StepW+:StepW] = StepW'(next);
        end
        if (!src_valid_o[s] || src_taken[s]) begin
          src_valid_o[s] = anl_lockstep_pull(harness_i, s, 0, flit, vcs);
          src_flit_o[s*LinkW+:LinkW] = flit;
        end
      end
  end
endmodule
