// SPDX-License-Identifier: Apache-2.0
//
// anl_packet_count: a lane is reported to hold a whole worm if and only if it holds a tail. The
// model of a lane is a shift register of tail marks; it counts nothing.

`include "prove.svh"

module prove_packet_count #(
  parameter  int NumVcs = 2,
  parameter  int Depth  = 4,
  localparam int VcW    = anl_pkg::index_width(NumVcs)
) (
  input logic              clk_i,
  input logic              push_i,
  input logic [VcW-1:0]    push_vc_i,
  input logic              tail_i,
  input logic              pop_i,
  input logic [VcW-1:0]    pop_vc_i
);

  `PROVE_RESET

  logic [NumVcs-1:0] enter, leave, whole;

  anl_packet_count #(.NumVcs(NumVcs), .Depth(Depth)) u_dut (
    .clk_i, .rst_i, .enter_i(enter), .leave_i(leave), .whole_o(whole)
  );

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    // Entry 0 is the front. There is one entry more than Depth, because a full lane may take a flit
    // in the cycle in which it gives one up.
    logic [Depth:0] held_q, tail_q;
    wire            push = push_i && 32'(push_vc_i) == v;
    wire            pop  = pop_i && 32'(pop_vc_i) == v;
    wire [Depth:0]  held = pop ? held_q >> 1 : held_q;
    wire [Depth:0]  tail = pop ? tail_q >> 1 : tail_q;
    wire [Depth:0]  next = (held + 1'b1) & ~held;   // the first entry that holds no flit

    assign enter[v] = push && tail_i;
    assign leave[v] = pop && tail_q[0];

    always_ff @(posedge clk_i) begin : model
      held_q <= rst_i ? '0 : held | (push ? next : '0);
      tail_q <= rst_i ? '0 : tail | (push && tail_i ? next : '0);
    end

    `GIVEN(PopHasEntry, !pop || held_q[0])
    `GIVEN(PushHasRoom, !push || !held[Depth-1])

    if (Depth > 1) begin : g_two
      `COVER(TwoTails, tail_q[1:0] == '1 && pop && push && tail_i)
      `COVER(FullWithoutATail, held_q[Depth-1] && tail_q == '0)
    end
    `COVER(TailTakesThePlaceOfATail, held_q[Depth-1] && leave[v] && enter[v])
    `COVER(LastTailLeavesAFullLane, leave[v] && !push && tail_q == (Depth+1)'(1) && held_q[Depth-1])

    `PROVE(WholeIffTail, whole[v] == (tail_q != '0))
  end

endmodule
