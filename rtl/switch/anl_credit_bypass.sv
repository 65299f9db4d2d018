// SPDX-License-Identifier: Apache-2.0
//
// Credits of a chained link as the decisions of this cycle see them: the credits at the start of
// the cycle plus those that come back in it (docs/switch.md, "Credits").
//
// Timing: the outputs are combinational; the module has no state.

module anl_credit_bypass #(
  parameter  int NumVcs = 4,
  parameter  int Depth  = 4,
  localparam int CntW   = $clog2(Depth + 1)
) (
  // Credits at the start of the cycle: the outputs of anl_credits.
  input  logic [NumVcs*CntW-1:0] count_i,
  input  logic [NumVcs-1:0]      has_credit_i,
  input  logic [NumVcs-1:0]      all_credits_i,
  input  logic [NumVcs-1:0]      credit_i,      // bit v: a credit comes back for lane v

  output logic [NumVcs*CntW-1:0] count_o,
  output logic [NumVcs-1:0]      has_credit_o,
  output logic [NumVcs-1:0]      all_credits_o
);

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [CntW-1:0] count;
    assign count                   = count_i[v*CntW +: CntW];
    assign count_o[v*CntW +: CntW] = count + CntW'(credit_i[v]);
    assign has_credit_o[v]         = has_credit_i[v] || credit_i[v];
    assign all_credits_o[v]               = all_credits_i[v] || (credit_i[v] && count == CntW'(Depth - 1));
  end

endmodule
