// SPDX-License-Identifier: Apache-2.0
//
// anl_options: the head of any input lane l_i selects by the credits of the ports, or goes straight
// on, and no adaptive lane that is atomic is taken unless it is empty (docs/switch.md, "Adaptive
// routes"). Ports a_i and b_i and lane w_i are any. anl_option_select has a proof of its own.

`include "prove.svh"

module prove_options #(
  parameter  int NumPorts  = 3,
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 2,
  parameter  int Select    = anl_pkg::MostCredits,
  parameter  int Atomic    = 1,
  parameter  int Escape    = 1,
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int PortW     = anl_pkg::index_width(NumPorts),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LaneW     = anl_pkg::index_width(NumLanes),
  localparam int CntW      = $clog2(Depth + 1)
) (
  input logic                         clk_i,
  input logic [NumLanes*NumLanes-1:0] options_i,
  input logic [NumPorts*NumPorts-1:0] straight_i,
  input logic [NumPorts-1:0]          terminals_i,
  input logic [7:0]                   random_i,
  input logic [NumLanes-1:0]          free_i,
  input logic [NumLanes*CntW-1:0]     credits_i,
  input logic [LaneW-1:0]             l_i,
  input logic [PortW-1:0]             a_i,
  input logic [PortW-1:0]             b_i,
  input logic [VcW-1:0]               w_i
);

  `PROVE_RESET

  logic [NumLanes-1:0]          has_credit, all_credits, allowed;
  logic [NumPorts-1:0]          open;
  logic [NumLanes*NumPorts-1:0] ports;
  logic [NumLanes*NumVcs-1:0]   sets;

  wire [NumLanes-1:0] options = options_i[l_i*NumLanes +: NumLanes];
  wire [NumPorts-1:0] port    = ports[l_i*NumPorts +: NumPorts];
  wire [NumVcs-1:0]   vcs     = sets[l_i*NumVcs +: NumVcs];
  wire [PortW-1:0]    in      = PortW'(32'(l_i) / NumVcs);
  wire [NumPorts-1:0] on      = straight_i[in*NumPorts +: NumPorts];

  for (genvar l = 0; l < NumLanes; l++) begin : g_lane
    localparam bit Last = l % NumVcs >= NumVcs - Escape;
    assign has_credit[l]  = credits_i[l*CntW +: CntW] != '0;
    assign all_credits[l] = 32'(credits_i[l*CntW +: CntW]) == Depth;
    assign allowed[l]     = options[l] && free_i[l] && has_credit[l]
                            && (Atomic == 0 || Last || terminals_i[l/NumVcs] || all_credits[l]);
  end

  // Open options if there is one with adaptive lanes.
  for (genvar o = 0; o < NumPorts; o++) begin : g_port
    logic [NumVcs-1:0] lanes;
    for (genvar w = 0; w < NumVcs; w++) begin : g_vc
      assign lanes[w] = allowed[o*NumVcs + w] && (w < NumVcs - Escape || terminals_i[o]);
    end
    assign open[o] = lanes != '0;
  end

  function automatic int credits_of(input int o);
    credits_of = 0;
    for (int w = 0; w < NumVcs; w++)
      credits_of = credits_of + 32'(CntW'(credits_i >> ((o * NumVcs + w) * CntW)));
  endfunction

  anl_options #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .Select(Select), .Atomic(Atomic),
    .Escapes(anl_pkg::last_of_each(Escape, NumVcs, NumVcs))
  ) u_dut (
    .options_i, .length_i({NumLanes*anl_head_pkg::LengthW{1'b0}}), .straight_i, .terminals_i,
    .random_i, .free_i, .has_credit_i(has_credit), .all_credits_i(all_credits), .credits_i,
    .port_o(ports), .vcs_o(sets)
  );

  wire [31:0] rich_a = credits_of(32'(a_i));
  wire [31:0] rich_b = credits_of(32'(b_i));
  wire [31:0] lane   = 32'(a_i) * NumVcs + 32'(w_i);

  `GIVEN(PortsAndLanesExist, 32'(a_i) < NumPorts && 32'(b_i) < NumPorts && 32'(w_i) < NumVcs
                             && 32'(l_i) < NumLanes)
  `GIVEN(CreditsAreAtMostDepth, rich_a <= NumVcs * Depth && rich_b <= NumVcs * Depth)
  `GIVEN(OneIsStraightOn, $onehot0(on))

  `PROVE(TakesAllowedLanesOnly, !port[a_i] || !vcs[w_i] || allowed[lane])
  `PROVE(AdaptiveLanesFirst, open == '0 || (port & ~open) == '0)
  `PROVE(EligibleIfALaneIsAllowed, !allowed[lane] || (port != '0 && vcs != '0))
  `PROVE(MostCreditsThenLowest, Select != anl_pkg::MostCredits || !port[a_i] || !open[b_i]
                                || a_i == b_i || rich_a > rich_b
                                || (rich_a == rich_b && a_i < b_i))
  `PROVE(StraightFirst, Select != anl_pkg::StraightFirst || (open & on) == '0 || port == on)

  `COVER(AtomicLaneIsNotEmpty, Atomic == 0 || Depth == 1
                               || (options[lane] && free_i[lane] && has_credit[lane] && !allowed[lane]))
  `COVER(SelectsTheSecond, port[a_i] && open[b_i] && b_i < a_i)
  `COVER(SelectsAnEscapeLane, Escape == 0 || (open == '0 && port[a_i]))

endmodule
