// SPDX-License-Identifier: Apache-2.0
//
// Makes the reset of a clock from one that any clock, or none, has made (docs/clocks.md, "Reset").
//
// rst_o rises with rst_i, without an edge of clk_i, and falls at an edge of clk_i.
// Timing: rst_o is a register with an asynchronous set. It is 1 at the first SyncStages edges of clk_i behind the fall of
// rst_i, or at one more if that came close to the first of them.

// What is near an edge is read in simulation and in proofs alone.
// verilator lint_off UNUSEDSIGNAL
// The reset is asynchronous, and the assertion reads it at an edge.
// verilator lint_off SYNCASYNCNET

`include "anl_assert.svh"

module anl_reset_synchronizer #(
  parameter int SyncStages = 2                  // registers in a row, 2 .. 4
) (
  input  logic clk_i,
  input  logic rst_i,                          // asynchronous, active high
  output logic rst_o
);

  logic seen, near;
  (* ASYNC_REG = "TRUE" *) logic [SyncStages-1:0] stages_q;   // the first stage lowest
  logic [SyncStages-1:0] stages_d;

  anl_settle #(.Width(1)) u_settle (.clk_i, .d_i(rst_i), .seen_o(seen), .near_o(near));

  assign stages_d = SyncStages'({stages_q, seen});

  always_ff @(posedge clk_i or posedge rst_i) begin : regs
    if (rst_i) stages_q <= '1;
    else       stages_q <= stages_d;
  end

`ifdef ANL_RANDOM_SETTLE
  // As in anl_synchronizer, a first stage that saw the fall near its edge is undecided for a cycle.
  logic [SyncStages-1:0] undecided_q;
  always_ff @(posedge clk_i or posedge rst_i) begin : undecided
    if (rst_i) undecided_q <= '0;
    else       undecided_q <= SyncStages'(near);
  end
  wire open = undecided_q[SyncStages-1];
  assign rst_o = stages_q[SyncStages-1] ^ (open & 1'bx);
  `ANL_ASSERT(OutputIsDecided, !open)
`else
  assign rst_o = stages_q[SyncStages-1];
`endif

endmodule
