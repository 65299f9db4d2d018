// SPDX-License-Identifier: Apache-2.0
//
// anl_output with two stages beside one with one stage, with the same inputs: what it sends is what the
// other one sent in the cycle before, its grants and its state are the same, and after reset it sends
// nothing.
//
// The offers are any that input ports may make. The link of the output with two stages has Cycles
// cycles and ends in lanes of a switch with Next stages, out of which flits go at any time. So the
// credits that both outputs get are those of the deepest loop: with the flits in the register, on the
// link and in the lane, and the credits on their way back, they are Depth, and no lane overflows.

`include "prove.svh"

module prove_output_stages #(
  parameter  int NumPorts = 2,
  parameter  int NumVcs   = 2,
  parameter  int Depth    = 2,
  parameter  int Arbiter  = anl_pkg::RoundRobin,
  parameter  int Cycles   = 1,                       // of the link
  parameter  int Next     = 2,                       // stages of the switch at its end
  localparam int FlitW    = 1,
  localparam int LinkW    = FlitW + 2,
  localparam int PortW    = anl_pkg::index_width(NumPorts),
  localparam int VcW      = anl_pkg::index_width(NumVcs),
  localparam int CntW     = $clog2(Depth + 1),
  localparam int RankW    = anl_head_pkg::RankW
) (
  input logic                      clk_i,
  input logic [7:0]                random_i,
  input logic [NumPorts-1:0]       request_i,
  input logic [NumPorts*VcW-1:0]   to_i,             // output lane of an offer
  input logic [NumPorts*VcW-1:0]   lane_i,
  input logic [NumPorts*RankW-1:0] rank_i,
  input logic [NumPorts*LinkW-1:0] flit_i,
  input logic [NumVcs-1:0]         leave_i           // a flit leaves lane v at the end if there is one
);

  `PROVE_RESET

  // Number 0 is the output with one stage.
  logic [1:0]          valid;
  logic [NumPorts-1:0] grant [2];
  logic [VcW-1:0]      vc [2];
  logic [LinkW-1:0]    flit [2];
  logic [NumVcs-1:0]   has_credit [2], all_credits [2], owned [2];
  logic [NumVcs*CntW-1:0]  credits [2], usable [2];
  logic [NumVcs*PortW-1:0] owner_port [2];
  logic [NumVcs*VcW-1:0]   owner_vc [2];
  logic [PortW-1:0]        pointer [2];

  logic [NumPorts*NumVcs-1:0] take;
  logic [NumPorts*2-1:0]      ends;
  logic [NumPorts*LinkW-1:0]  crossing_q;            // the offers of the cycle before
  logic [NumVcs-1:0]          credit;

  for (genvar s = 0; s < 2; s++) begin : g_stages
    anl_output #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter), .Stages(s + 1)
    ) u_dut (
      .clk_i, .rst_i, .random_i, .request_i, .take_i(take), .lane_i, .rank_i, .ends_i(ends),
      .flit_i((s == 0) ? flit_i : crossing_q), .grant_o(grant[s]),
      .valid_o(valid[s]), .vc_o(vc[s]), .flit_o(flit[s]), .credit_i(credit), .chained_i(credit),
      .has_credit_o(has_credit[s]), .all_credits_o(all_credits[s]), .usable_o(usable[s]), .credits_o(credits[s]),
      .owned_o(owned[s]), .owner_port_o(owner_port[s]), .owner_vc_o(owner_vc[s]), .out_ptr_o(pointer[s])
    );
  end

  // The offers: a head goes to a lane that is free, and what is behind it follows it.
  for (genvar p = 0; p < NumPorts; p++) begin : g_offer
    wire [VcW-1:0] to     = to_i[p*VcW +: VcW];
    wire [VcW-1:0] from   = lane_i[p*VcW +: VcW];
    wire           head   = flit_i[p*LinkW + FlitW + 1];
    wire           mine   = owned[1][to] && 32'(owner_port[1][to*PortW +: PortW]) == p
                            && owner_vc[1][to*VcW +: VcW] == from;

    assign ends[p*2 +: 2]           = flit_i[p*LinkW + FlitW +: 2];
    assign take[p*NumVcs +: NumVcs] = NumVcs'(1) << to;
    `GIVEN(OfferMayBeGranted, !request_i[p] || (32'(to) < NumVcs && 32'(from) < NumVcs && has_credit[1][to]
                              && (head ? !owned[1][to] : mine)))
  end

  // The link and the lanes at its end. flits_q counts those that are granted and not in the lane yet,
  // back_q the credits of those that have left it and whose slot is not counted at the sender yet.
  logic              arrives;
  logic [VcW-1:0]    arrives_vc;
  logic [NumVcs-1:0] leaves, leaves_q;
  logic [NumVcs-1:0] to_lane;                        // lane of the flit that is granted

  always_comb begin : lanes
    to_lane = '0;
    for (int p = 0; p < NumPorts; p++) if (grant[1][p]) to_lane = take[p*NumVcs +: NumVcs];
  end

  anl_link_slices #(.Cycles(Cycles), .NumVcs(NumVcs), .FlitW(FlitW)) u_link (
    .clk_i, .rst_i, .valid_i(valid[1]), .vc_i(vc[1]), .flit_i(flit[1]), .credit_o(credit),
    .valid_o(arrives), .vc_o(arrives_vc), .flit_o(), .credit_i((Next == 2) ? leaves_q : leaves)
  );

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [CntW-1:0] held_q, flits_q, back_q;
    wire             granted = to_lane[v];
    wire             comes   = arrives && 32'(arrives_vc) == v;
    assign leaves[v] = leave_i[v] && held_q != '0;

    always_ff @(posedge clk_i) begin : model
      held_q      <= rst_i ? '0 : held_q + CntW'(comes) - CntW'(leaves[v]);
      flits_q     <= rst_i ? '0 : flits_q + CntW'(granted) - CntW'(comes);
      back_q      <= rst_i ? '0 : back_q + CntW'(leaves[v]) - CntW'(credit[v]);
      leaves_q[v] <= !rst_i && leaves[v];
    end

    `PROVE(CreditsAndFlitsAreDepth, 32'(credits[1][v*CntW +: CntW]) + 32'(flits_q) + 32'(held_q) + 32'(back_q) == Depth)
    `PROVE(LaneHasRoom, !comes || 32'(held_q) < Depth)
    `COVER(LaneIsFull, 32'(held_q) == Depth)
    `COVER(AllAreOnTheirWay, 32'(flits_q) + 32'(back_q) == Depth || 2 * Cycles < Depth)
    if (Depth > 2) begin : g_deep
      `COVER(SendsAndGetsACredit, granted && comes && credit[v])
    end
  end

  // What the output with one stage sent in the cycle before.
  logic             first_q, valid_q;
  logic [VcW-1:0]   vc_q;
  logic [LinkW-1:0] flit_q;

  always_ff @(posedge clk_i) begin : before
    first_q    <= rst_i;
    valid_q    <= valid[0];
    vc_q       <= vc[0];
    flit_q     <= flit[0];
    crossing_q <= flit_i;
  end

  `PROVE(NothingIsSentAfterReset, !first_q || !valid[1])
  `PROVE(SendsIfTheOtherSent, first_q || valid[1] == valid_q)
  `PROVE(LaneIsThatOfTheCycleBefore, !valid[1] || vc[1] == vc_q)
  `PROVE(FlitIsThatOfTheCycleBefore, !valid[1] || flit[1] == flit_q)
  `PROVE(GrantsAreTheSame, grant[1] == grant[0])
  `PROVE(CreditsAreTheSame, {credits[1], usable[1], has_credit[1], all_credits[1]}
                            == {credits[0], usable[0], has_credit[0], all_credits[0]})
  `PROVE(PointersAreTheSame, pointer[1] == pointer[0])
  `PROVE(OwnedLanesAreTheSame, owned[1] == owned[0])
  for (genvar v = 0; v < NumVcs; v++) begin : g_owner
    `PROVE(OwnersAreTheSame, !owned[1][v] || {owner_port[1][v*PortW +: PortW], owner_vc[1][v*VcW +: VcW]}
                                             == {owner_port[0][v*PortW +: PortW], owner_vc[0][v*VcW +: VcW]})
  end
  `COVER(FlitBehindAFlit, valid == '1)
  `COVER(WormBehindWorm, valid[1] && flit[1][FlitW] && valid[0] && flit[0][FlitW+1])

endmodule
