// SPDX-License-Identifier: Apache-2.0
//
// anl_options: the head of any input lane l_i selects by the credits of the ports, or goes straight
// on, and no adaptive lane that is atomic is taken unless it is empty (docs/switch.md, "Adaptive
// routes"). Only the lanes of the class of the head count, and a class without escape lanes has no
// atomic ones. Ports a_i and b_i and lane w_i of the class are any. anl_option_select has a proof of
// its own.

`include "prove.svh"

module prove_options #(
  parameter  int NumPorts  = 3,
  parameter  int NumVcs    = 2,
  parameter  int Classes   = 1,
  parameter  int Depth     = 2,
  parameter  int Select    = anl_pkg::MostCredits,
  parameter  int Atomic    = 1,
  parameter  int Escapes   = 2,                 // the escape lanes of a link, a bit for each lane
  localparam int ClassVcs  = NumVcs / Classes,
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int EntryW    = NumPorts * ClassVcs,
  localparam int PortW     = anl_pkg::index_width(NumPorts),
  localparam int VcW       = anl_pkg::index_width(ClassVcs),
  localparam int LaneW     = anl_pkg::index_width(NumLanes),
  localparam int CntW      = $clog2(Depth + 1)
) (
  input logic                         clk_i,
  input logic [NumLanes*EntryW-1:0]   options_i,
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

  logic [NumLanes-1:0]          has_credit, all_credits;
  logic [EntryW-1:0]            allowed;
  logic [NumPorts-1:0]          open;
  logic [NumLanes*NumPorts-1:0] ports;
  logic [NumLanes*ClassVcs-1:0] sets;

  wire [EntryW-1:0]   options = options_i[l_i*EntryW +: EntryW];
  wire [NumPorts-1:0] port    = ports[l_i*NumPorts +: NumPorts];
  wire [ClassVcs-1:0] vcs     = sets[l_i*ClassVcs +: ClassVcs];
  wire [PortW-1:0]    in      = PortW'(32'(l_i) / NumVcs);
  wire [NumPorts-1:0] on      = straight_i[in*NumPorts +: NumPorts];

  // The state of the output lanes of the class of the head, and its escape lanes.
  wire [31:0]            class_  = 32'(l_i) % NumVcs / ClassVcs;
  wire [EntryW-1:0]      free    = free_i[class_*EntryW +: EntryW];
  wire [EntryW*CntW-1:0] credits = credits_i[class_*EntryW*CntW +: EntryW*CntW];
  wire [ClassVcs-1:0]    escapes = ClassVcs'(Escapes >> (class_ * ClassVcs));

  for (genvar l = 0; l < NumLanes; l++) begin : g_lane
    assign has_credit[l]  = credits_i[l*CntW +: CntW] != '0;
    assign all_credits[l] = 32'(credits_i[l*CntW +: CntW]) == Depth;
  end
  for (genvar i = 0; i < EntryW; i++) begin : g_output_lane
    wire [CntW-1:0] count  = credits[i*CntW +: CntW];
    wire            atomic = Atomic != 0 && escapes != '0 && !escapes[i%ClassVcs]
                             && !terminals_i[i/ClassVcs];
    assign allowed[i] = options[i] && free[i] && count != '0 && (!atomic || 32'(count) == Depth);
  end

  // Open options if there is one with adaptive lanes.
  for (genvar o = 0; o < NumPorts; o++) begin : g_port
    logic [ClassVcs-1:0] lanes;
    for (genvar w = 0; w < ClassVcs; w++) begin : g_vc
      assign lanes[w] = allowed[o*ClassVcs + w] && (!escapes[w] || terminals_i[o]);
    end
    assign open[o] = lanes != '0;
  end

  function automatic int credits_of(input int o);
    credits_of = 0;
    for (int w = 0; w < ClassVcs; w++)
      credits_of = credits_of + 32'(CntW'(credits >> ((o * ClassVcs + w) * CntW)));
  endfunction

  anl_options #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .ClassVcs(ClassVcs), .Depth(Depth), .Select(Select),
    .Atomic(Atomic), .Escapes(Escapes)
  ) u_dut (
    .options_i, .length_i({NumLanes*anl_head_pkg::LengthW{1'b0}}), .straight_i, .terminals_i,
    .random_i, .free_i, .has_credit_i(has_credit), .all_credits_i(all_credits), .credits_i,
    .port_o(ports), .vcs_o(sets)
  );

  wire [31:0] rich_a = credits_of(32'(a_i));
  wire [31:0] rich_b = credits_of(32'(b_i));
  wire [31:0] lane   = 32'(a_i) * ClassVcs + 32'(w_i);

  `GIVEN(PortsAndLanesExist, 32'(a_i) < NumPorts && 32'(b_i) < NumPorts && 32'(w_i) < ClassVcs
                             && 32'(l_i) < NumLanes)
  `GIVEN(CreditsAreAtMostDepth, rich_a <= ClassVcs * Depth && rich_b <= ClassVcs * Depth)
  `GIVEN(OneIsStraightOn, $onehot0(on))

  `PROVE(TakesAllowedLanesOnly, !port[a_i] || !vcs[w_i] || allowed[lane])
  `PROVE(AdaptiveLanesFirst, open == '0 || (port & ~open) == '0)
  `PROVE(EligibleIfALaneIsAllowed, !allowed[lane] || (port != '0 && vcs != '0))
  `PROVE(MostCreditsThenLowest, Select != anl_pkg::MostCredits || !port[a_i] || !open[b_i]
                                || a_i == b_i || rich_a > rich_b
                                || (rich_a == rich_b && a_i < b_i))
  `PROVE(StraightFirst, Select != anl_pkg::StraightFirst || (open & on) == '0 || port == on)

  `COVER(AtomicLaneIsNotEmpty, Atomic == 0 || Depth == 1
                               || (options[lane] && free[lane] && credits[lane*CntW +: CntW] != '0 && !allowed[lane]))
  `COVER(SelectsTheSecond, port[a_i] && open[b_i] && b_i < a_i)
  `COVER(SelectsAnEscapeLane, Escapes == 0 || (open == '0 && port[a_i]))
  `COVER(HeadOfTheLastClass, 32'(class_) == Classes - 1 && port[a_i])

endmodule
