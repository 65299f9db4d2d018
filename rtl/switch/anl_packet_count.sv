// SPDX-License-Identifier: Apache-2.0
//
// Counts the tails in each lane, for the flow control store_and_forward. Lanes hold worms in order, so
// a lane that holds a tail holds the whole worm at its front (docs/switch.md, rule 2).
//
// Timing: whole_o is a function of registers; a tail that enters or leaves in cycle t counts in
// t + 1.

// A counter gives one bit for each count; most users need only the first, the second or the last.
// verilator lint_off UNUSEDSIGNAL
// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

module anl_packet_count #(
  parameter int NumVcs = 4,
  parameter int Depth  = 4
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic [NumVcs-1:0] enter_i,  // bit v: a tail enters lane v
  input  logic [NumVcs-1:0] leave_i,  // bit v: a tail leaves lane v
  output logic [NumVcs-1:0] whole_o   // bit v: lane v holds at least one tail
);

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [Depth-1:0] least;
    anl_counter #(.Max(Depth), .Init(0)) u_count (
      .clk_i, .rst_i, .up_i(enter_i[v]), .down_i(leave_i[v]), .count_o(), .least_o(least)
    );
    assign whole_o[v] = least[0];
  end

endmodule
