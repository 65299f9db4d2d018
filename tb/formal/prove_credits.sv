// SPDX-License-Identifier: Apache-2.0
//
// anl_credits: with a link behind it, credits + flits on their way + flits in the lane + credits on
// their way back = Depth, for every lane, whatever the sender and the receiver do. A flit takes
// Wire cycles to the lane, and a credit as many back. No lane overflows.

`include "prove.svh"

module prove_credits #(
  parameter  int NumVcs = 2,
  parameter  int Depth  = 2,
  parameter  int Wire   = 1,
  localparam int CntW   = $clog2(Depth + 1)
) (
  input logic              clk_i,
  input logic [NumVcs-1:0] send_i,         // a flit is sent to lane v if it has a credit
  input logic [NumVcs-1:0] leave_i         // a flit leaves lane v if there is one
);

  `PROVE_RESET

  logic [NumVcs*CntW-1:0] count;
  logic [NumVcs-1:0]      has_credit, all_credits, send, credit;

  anl_credits #(.NumVcs(NumVcs), .Depth(Depth)) u_dut (
    .clk_i, .rst_i, .credit_i(credit), .spend_i(send),
    .count_o(count), .has_credit_o(has_credit), .all_credits_o(all_credits)
  );

  assign send = send_i & has_credit;

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [Wire:0]   flits, credits;       // put in at bit 0, come out at bit Wire
    logic [CntW:0]   lane_q, way;
    wire             leave = leave_i[v] && lane_q != '0;
    wire [CntW-1:0]  here  = count[v*CntW +: CntW];

    assign flits[0]   = send[v];
    assign credits[0] = leave;
    assign credit[v]  = credits[Wire];
    for (genvar i = 0; i < Wire; i++) begin : g_wire
      always_ff @(posedge clk_i) begin : model
        flits[i+1]   <= !rst_i && flits[i];
        credits[i+1] <= !rst_i && credits[i];
      end
    end

    always_ff @(posedge clk_i) begin : model
      lane_q <= rst_i ? '0 : lane_q + (CntW+1)'(flits[Wire]) - (CntW+1)'(leave);
    end

    always_comb begin : on_their_way
      way = '0;
      for (int i = 1; i <= Wire; i++) way = way + (CntW+1)'(flits[i]) + (CntW+1)'(credits[i]);
    end

    `PROVE(CreditsAndFlitsAreDepth, (CntW+1)'(here) + way + lane_q == (CntW+1)'(Depth))
    `PROVE(LaneHasRoom, !flits[Wire] || 32'(lane_q) < Depth)
    `PROVE(HasCreditIfAny, has_credit[v] == (here != '0))
    `COVER(LaneIsFull, 32'(lane_q) == Depth && send_i[v] && here == '0)
    `COVER(SendsAndGetsACredit, Depth == 1 || (send[v] && credit[v] && here == CntW'(1)))
    `COVER(AllAreOnTheirWay, 32'(way) == Depth || 2 * Wire < Depth)
    `COVER(LastCreditComesHome, credit[v] && 32'(here) == Depth - 1)
    `PROVE(AllCreditsAreHere, all_credits[v] == (32'(here) == Depth))
  end

endmodule
