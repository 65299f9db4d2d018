// SPDX-License-Identifier: Apache-2.0
//
// anl_reset_synchronizer: its reset begins at once, lasts for SyncStages edges behind the fall of the asynchronous one, and
// ends an edge later at most (docs/clocks.md, "Reset").
//
// The asynchronous reset lasts for an edge of the clock at least. The other clock of two_clocks.svh has no part in this.

`include "prove.svh"

module prove_reset_synchronizer #(
  parameter  int SyncStages = 2,
  localparam int EdgesW = 3
) (
  input logic a_clk_i,
  input logic b_clk_i,
  input logic a_leaves_i,
  input logic b_leaves_i,
  input logic reset_i                          // the asynchronous reset
);

`include "two_clocks.svh"

  logic reset;

  anl_reset_synchronizer #(.SyncStages(SyncStages)) u_dut (.clk_i(a_clk_i), .rst_i(reset_i), .rst_o(reset));

  logic [EdgesW-1:0] edges_q;                  // since the fall of the reset
  logic              was_q, held_q, known_q;   // it was 1 in the step before; with an edge; ever

  initial {was_q, held_q, known_q, edges_q} = '0;

  always_ff @($global_clock) begin : model
    was_q  <= reset_i;
    held_q <= reset_i && (held_q || a_clk_i);
    if (reset_i && a_clk_i) known_q <= 1'b1;
    if (reset_i)                            edges_q <= '0;
    else if (a_clk_i && !edges_q[EdgesW-1]) edges_q <= edges_q + 1'b1;
  end

  always_comb begin : begins_in_reset
    if (rst_i) assume (reset_i);
  end

  `GIVEN(LastsForAnEdge, reset_i || !was_q || held_q)
  `PROVE(BeginsAtOnce, !reset_i || reset)
  `PROVE(LastsForItsEdges, !known_q || 32'(edges_q) >= SyncStages || reset)
  `PROVE(EndsInTime, !known_q || reset_i || 32'(edges_q) <= SyncStages || !reset)
  `COVER(EndsAnEdgeLate, known_q && !reset_i && 32'(edges_q) == SyncStages && reset)
  `COVER(BeginsAgain, known_q && reset_i && !was_q)

endmodule
