// SPDX-License-Identifier: Apache-2.0
//
// What the first stage of a synchronizer sees of a signal of another clock (docs/clocks.md, "Metastability").
//
// Without the macro ANL_RANDOM_SETTLE this is a wire, and synthesis sees nothing else. With it, a bit that changed
// close to the edge of clk_i may be seen as it was or as it is, each bit for itself.
// The bits that are close are those of the latest change of d_i, if it came behind the last edge of clk_i. Which way
// they are seen is drawn by $urandom in simulation; in proofs the solver chooses.
// Timing: seen_o and near_o follow d_i.

// Without the macro nothing is clocked.
// verilator lint_off UNUSEDSIGNAL

module anl_settle #(
  parameter int Width = 1                      // bits of a signal of another clock, 1 .. 32
) (
  input  logic             clk_i,              // of the synchronizer
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] seen_o,
  output logic [Width-1:0] near_o              // bits that may be seen either way
);

  logic [Width-1:0] late;                      // bits that are seen as they were, if they are near

`ifdef ANL_RANDOM_SETTLE
`ifdef FORMAL
  (* anyseq *) logic [Width-1:0] choice;
  logic [Width-1:0] is_q, was_q;
  logic             since_q;                   // there was a change behind the last edge

  wire              changes = d_i != is_q;
  wire [Width-1:0]  was     = changes ? is_q : was_q;

  initial since_q = 1'b0;

  always_ff @($global_clock) begin : step
    {is_q, was_q} <= {d_i, was};
    since_q       <= !clk_i && (since_q || changes);
  end

  assign late   = choice;
  assign near_o = (since_q || changes) ? d_i ^ was : '0;
`else
  logic [Width-1:0] is = '0, was = '0, late_q = '0;
  int changes = 0, known_q = 0;

  // Not a register: what the bits were is kept when they change.
  // verilator lint_off BLKSEQ
  always @(d_i) begin : change
    was     = is;
    is      = d_i;
    changes = changes + 1;
  end
  // verilator lint_on BLKSEQ

  always_ff @(posedge clk_i) begin : edges
    known_q <= changes;
    late_q  <= Width'($urandom);
  end

  assign late   = late_q;
  assign near_o = (changes != known_q) ? is ^ was : '0;
`endif
`else
  assign late   = '0;
  assign near_o = '0;
`endif

  assign seen_o = d_i ^ (near_o & late);

endmodule
