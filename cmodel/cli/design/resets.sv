// SPDX-License-Identifier: Apache-2.0
//
@ORIGIN@//
// The resets of all clocks of @NAME@, made of one that need not be synchronous to any: a synchronizer for
// each clock. Entry d of clk_i and rst_o belongs to domain d (@NAME@.md).
//
// rst_i must last until each clock has had an edge in it. Then the rules of resets hold, and each clock has
// SyncStages edges in its reset behind the fall of rst_i.
// Timing: rst_o are registers with an asynchronous set.

module @NAME@_resets #(
  parameter  int SyncStages = 2,              // of a synchronizer, 2 .. 4
  localparam int Domains    = @DOMAINS@
) (
  input  logic [Domains-1:0] clk_i,
  input  logic               rst_i,           // asynchronous, active high
  output logic [Domains-1:0] rst_o            // active high, synchronous each to its clock
);

  for (genvar d = 0; d < Domains; d++) begin : g_reset
    anl_reset_synchronizer #(.SyncStages(SyncStages)) u_reset (.clk_i(clk_i[d]), .rst_i, .rst_o(rst_o[d]));
  end

endmodule
