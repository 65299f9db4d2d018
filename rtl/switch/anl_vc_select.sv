// SPDX-License-Identifier: Apache-2.0
//
// Selects the lane that a granted head takes (docs/switch.md, rule 5): the lowest-numbered lane of
// can_i that is empty, which means that it has all its credits, or the lowest-numbered lane of
// can_i if none is empty.
//
// lane_o is one-hot, or 0 if can_i is 0. For a flit of a bound worm can_i is one-hot or 0, and
// lane_o equals it.
// Timing: lane_o is combinational; the module has no state.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

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
