// SPDX-License-Identifier: Apache-2.0
//
// Takes a signal of another clock into this one (docs/clocks.md).
//
// d_i comes from registers of one other clock, without a gate. Of its bits at most one changes at an edge of that
// clock, as in a gray code; else q_o may be a value that d_i never had.
// Timing: q_o is a register. A change of d_i is in it behind SyncStages edges of clk_i, or one more if it came close to
// the first of them.

// What is near an edge is read in simulation and in proofs alone.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_synchronizer #(
  parameter int Width  = 1,                    // 1 .. 32
  parameter int SyncStages = 2                 // registers in a row, 2 .. 4
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  logic [Width-1:0] seen, near;
  (* ASYNC_REG = "TRUE" *) logic [SyncStages*Width-1:0] stages_q;   // the first stage lowest
  logic [SyncStages*Width-1:0] stages_d;

  anl_settle #(.Width(Width)) u_settle (.clk_i, .d_i, .seen_o(seen), .near_o(near));

  assign stages_d = (SyncStages*Width)'({stages_q, seen});

  always_ff @(posedge clk_i) begin : regs
    stages_q <= rst_i ? '0 : stages_d;
  end

`ifdef ANL_RANDOM_SETTLE
  // A first stage that saw a change near its edge is undecided for a cycle: whoever reads it sees anything. The stage
  // behind it does not, for a cycle is long enough to settle.
  logic [SyncStages*Width-1:0] undecided_q;
  always_ff @(posedge clk_i) begin : undecided
    undecided_q <= rst_i ? '0 : (SyncStages*Width)'(near);
  end
  wire [Width-1:0] open = undecided_q[(SyncStages-1)*Width +: Width];
  assign q_o = stages_q[(SyncStages-1)*Width +: Width] ^ (open & {Width{1'bx}});
  `ANL_ASSERT(OutputIsDecided, open == '0)
`else
  assign q_o = stages_q[(SyncStages-1)*Width +: Width];
`endif

endmodule
