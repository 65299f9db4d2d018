// SPDX-License-Identifier: Apache-2.0
//
// Credits of the NumVcs lanes of an outgoing link. Each lane has Depth credits after reset, one
// less for each flit sent to it, and one more for each credit that comes back (docs/link.md).
//
// Timing: all outputs are functions of registers; credit_i and spend_i of cycle t count in t + 1.

// A counter gives one bit for each count; most users need only the first, the second or the last.
// verilator lint_off UNUSEDSIGNAL

module anl_credits #(
  parameter  int NumVcs = 4,
  parameter  int Depth  = 4,
  localparam int CntW   = $clog2(Depth + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [NumVcs-1:0]      credit_i,      // bit v: a credit comes back for lane v
  input  logic [NumVcs-1:0]      spend_i,       // bit v: a flit is sent to lane v
  output logic [NumVcs*CntW-1:0] count_o,
  output logic [NumVcs-1:0]      has_credit_o,  // bit v: lane v has at least one credit
  output logic [NumVcs-1:0]      all_credits_o         // bit v: lane v has Depth, so it is empty
);

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [CntW-1:0]  count;
    logic [Depth-1:0] least;
    anl_counter #(.Max(Depth), .Init(Depth)) u_count (
      .clk_i, .rst_i, .up_i(credit_i[v]), .down_i(spend_i[v]), .count_o(count),
      .least_o(least)
    );
    assign count_o[v*CntW +: CntW] = count;
    assign has_credit_o[v]         = least[0];
    assign all_credits_o[v]               = least[Depth-1];
  end

endmodule
