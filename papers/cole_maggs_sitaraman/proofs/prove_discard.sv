// SPDX-License-Identifier: Apache-2.0
//
// The node that discards, with wide and with multiplexed links, whatever worms without gaps come: a
// head takes the lane that the rules say, its lane sends all flits of its worm and none of another
// one, and a worm is discarded only if all lanes of its link send, and then whole. The model keeps
// the way of each input; the module keeps the owner of each output. The input and the output of the
// properties are any two.

`include "prove.svh"

module prove_discard #(
  parameter  int NumVcs      = 2,
  parameter  int FlitW       = 1,
  parameter  int Multiplexed = 0,
  localparam int Inputs      = 2 * NumVcs,
  localparam int None        = 2 * NumVcs,             // as a way: nowhere
  localparam int WayW        = $clog2(None + 1),
  localparam int VcW         = anl_pkg::index_width(NumVcs),
  localparam int LinkW       = FlitW + 2
) (
  input logic                    clk_i,
  input logic [Inputs-1:0]       valid_i,              // what comes in each lane; multiplexed: in its cycle
  input logic [Inputs*LinkW-1:0] flit_i,
  input logic [WayW-1:0]         in_i,                 // sampled in reset
  input logic [WayW-1:0]         out_i                 // sampled in reset
);

  `PROVE_RESET

  logic [VcW-1:0]          lane_q;
  logic [WayW-1:0]         in_q, out_q;
  logic [Inputs-1:0]       discard, here, head, tail, link;
  logic [Inputs*LinkW-1:0] came;
  logic [Inputs*WayW-1:0]  way_q, goes;
  logic [Inputs-1:0]       busy_q, busy_d;
  wire                     last = Multiplexed == 0 || lane_q == VcW'(NumVcs - 1);

  always_ff @(posedge clk_i) begin : constants
    if (rst_i) {in_q, out_q} <= {in_i, out_i};
    lane_q <= (rst_i || last) ? '0 : lane_q + 1'b1;
  end
  `GIVEN(LanesExist, 32'(in_q) < Inputs && 32'(out_q) < None)

  // Flits come in the order of worms, without gaps, and stand here in the next step.
  for (genvar i = 0; i < Inputs; i++) begin : g_input
    logic             sends_q, waits_q, here_q;
    logic [LinkW-1:0] waiting_q, came_q;
    wire              comes    = Multiplexed == 0 || 32'(lane_q) == i % NumVcs;
    wire [LinkW-1:0]  coming   = flit_i[i*LinkW +: LinkW];
    wire              at_last  = i % NumVcs == NumVcs - 1 || Multiplexed == 0;

    always_ff @(posedge clk_i) begin : model
      if (comes) {sends_q, waits_q, waiting_q} <= {valid_i[i] && !coming[FlitW], valid_i[i], coming};
      if (last) {here_q, came_q} <= at_last ? {valid_i[i], coming} : {waits_q, waiting_q};
      if (rst_i) {sends_q, here_q} <= '0;
    end
    `GIVEN(WormsHaveNoGap, !comes || (sends_q ? valid_i[i] && !coming[FlitW+1] : !valid_i[i] || coming[FlitW+1]))

    assign {here[i], came[i*LinkW +: LinkW]} = {here_q, came_q};
    assign {head[i], tail[i], link[i]}       = {came_q[FlitW+1], came_q[FlitW], came_q[0]};
  end

  // Heads choose one after the other.
  always_comb begin : rule
    logic [Inputs-1:0]      taken;
    logic [Inputs*WayW-1:0] ways;
    logic [WayW-1:0]        way;
    taken  = busy_q;
    busy_d = busy_q;
    ways   = '0;
    for (int i = 0; i < Inputs; i++) begin
      way = WayW'(None);
      if (here[i] && !head[i]) way = way_q[i*WayW +: WayW];
      if (here[i] && head[i])
        for (int v = NumVcs - 1; v >= 0; v--)
          if (!taken[(link[i] ? NumVcs : 0) + v]) way = WayW'((link[i] ? NumVcs : 0) + v);
      for (int o = 0; o < None; o++)
        if (32'(way) == o) begin
          taken[o]  = 1'b1;
          busy_d[o] = !tail[i];
        end
      ways[i*WayW +: WayW] = way;
    end
    goes = ways;
  end

  always_ff @(posedge clk_i) begin : state
    if (last) {busy_q, way_q} <= {busy_d, goes};
    if (rst_i) busy_q <= '0;
  end

  // What the output of the properties sends, in the cycles in which that is seen.
  logic             sends;
  logic [LinkW-1:0] sent;
  wire  [1:0]       all_send;   // the lanes of each link, as far as they are seen
  wire              seen = Multiplexed == 0 || 32'(lane_q) == 32'(out_q) % NumVcs;

  if (Multiplexed != 0) begin : g_multiplexed
    logic [1:0]         valid, come;
    logic [2*LinkW-1:0] flit, coming;
    for (genvar l = 0; l < 2; l++) begin : g_link
      assign come[l]                  = 1'(valid_i >> (l * NumVcs + 32'(lane_q)));
      assign coming[l*LinkW +: LinkW] = LinkW'(flit_i >> ((l * NumVcs + 32'(lane_q)) * LinkW));
    end
    anl_discard_multiplexed_switch #(.FlitW(FlitW), .NumVcs(NumVcs), .Inputs(Inputs)) u_dut (
      .clk_i, .rst_i, .lane_i(lane_q), .valid_i(come), .flit_i(coming), .discard_o(discard),
      .valid_o(valid), .flit_o(flit)
    );
    assign sends    = valid[32'(out_q) >= NumVcs];
    assign sent     = LinkW'(flit >> (32'(out_q) >= NumVcs ? LinkW : 0));
    assign all_send = valid;
  end else begin : g_wide
    logic [Inputs-1:0]       valid;
    logic [Inputs*LinkW-1:0] flit;
    anl_discard_switch #(.FlitW(FlitW), .NumVcs(NumVcs), .Inputs(Inputs)) u_dut (
      .clk_i, .rst_i, .valid_i, .flit_i, .discard_o(discard), .valid_o(valid), .flit_o(flit)
    );
    assign sends    = valid[out_q];
    assign sent     = LinkW'(flit >> (out_q * LinkW));
    assign all_send = {&valid[NumVcs +: NumVcs], &valid[0 +: NumVcs]};
  end

  logic [Inputs-1:0] comes_here;   // inputs whose flit goes to this output
  for (genvar i = 0; i < Inputs; i++) begin : g_way
    assign comes_here[i] = goes[i*WayW +: WayW] == out_q;
  end
  wire [WayW-1:0]  mine   = WayW'(goes >> (in_q * WayW));
  wire [LinkW-1:0] stands = LinkW'(came >> (in_q * LinkW));

  logic open_q;                    // the worm in this lane has not ended
  always_ff @(posedge clk_i) begin : past
    if (seen) open_q <= sends && !sent[FlitW];
    if (rst_i) open_q <= 1'b0;
  end

  `PROVE(SendsIfAFlitHasThisWay, !seen || sends == (comes_here != '0))
  `PROVE(SendsTheFlitThatStands, !seen || mine != out_q || sent == stands)
  `PROVE(LaneHasOneWorm, !seen || (open_q ? sends && !sent[FlitW+1] : !sends || sent[FlitW+1]))
  `PROVE(DiscardsIfNoLaneIsFree, discard[in_q] == (here[in_q] && head[in_q] && mine == WayW'(None)))
  `PROVE(DiscardsOnlyIfTheLinkIsFull, !discard[in_q] || all_send[link[in_q]])

  `COVER(HeadBehindTail, seen && sends && sent[FlitW+1] && busy_q != '0)
  `COVER(AllLanesBusy, busy_q == '1)
  `COVER(DiscardedBody, here[in_q] && !head[in_q] && mine == WayW'(None))
  `COVER(AllButOneAreDiscarded, $countones(discard) == Inputs - NumVcs)

endmodule
