// SPDX-License-Identifier: Apache-2.0
//
// The lane a granted flit takes: of those it can take the lowest-numbered empty one (all credits
// home), or, if none is empty, the lowest-numbered (docs/switch.md, rule 5).
//
// lane_o is one-hot, or 0 if can_i is. If can_i is one-hot (a bound worm), lane_o is can_i.
// Timing: combinational, no state.

module anl_vc_select #(
  parameter int NumVcs = 4
) (
  input  logic [NumVcs-1:0] can_i,
  input  logic [NumVcs-1:0] all_credits_i,
  output logic [NumVcs-1:0] lane_o
);

  logic [NumVcs-1:0] empty, pool;

  assign empty = can_i & all_credits_i;
  assign pool  = (empty != '0) ? empty : can_i;

  anl_arb_cyclic #(.Size(NumVcs)) u_lowest (
    .req_i(pool), .from_i({NumVcs{1'b1}}), .gnt_o(lane_o), .index_o()
  );

endmodule
