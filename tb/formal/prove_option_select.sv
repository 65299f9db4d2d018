// SPDX-License-Identifier: Apache-2.0
//
// anl_option_select: the selected option is an open one, of the part that docs/switch.md ("Adaptive
// routes") considers, and the one that the selection prefers. Ports a_i and b_i and lane w_i are
// any, and so is the rank by which ports are preferred.

`include "prove.svh"

module prove_option_select #(
  parameter  int NumPorts  = 3,
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 3,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int Select    = anl_pkg::MostCredits,
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int PortW     = anl_pkg::index_width(NumPorts),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LengthW   = anl_head_pkg::LengthW
) (
  input logic                     clk_i,
  input logic [NumLanes-1:0]      options_i,
  input logic [NumLanes-1:0]      escape_i,
  input logic [LengthW-1:0]       length_i,
  input logic [NumLanes-1:0]      free_i,
  input logic [NumLanes*CntW-1:0] credits_i,
  input logic [NumPorts*3-1:0]    rank_i,
  input logic [7:0]               random_i,
  input logic [PortW-1:0]         a_i,
  input logic [PortW-1:0]         b_i,
  input logic [VcW-1:0]           w_i
);

  `PROVE_RESET

  wire [31:0] need = (FlowControl == anl_pkg::Wormhole) ? 1 : 32'(length_i);

  logic [NumLanes-1:0]          has_credit, takeable;
  logic [NumPorts*NumPorts-1:0] ahead;
  logic [NumPorts-1:0]          adaptive, escape, open, port;
  logic [NumVcs-1:0]            vcs;

  for (genvar l = 0; l < NumLanes; l++) begin : g_lane
    assign has_credit[l] = credits_i[l*CntW +: CntW] != '0;
    assign takeable[l]   = options_i[l] && free_i[l] && 32'(credits_i[l*CntW +: CntW]) >= need;
  end
  for (genvar o = 0; o < NumPorts; o++) begin : g_port
    assign adaptive[o] = (takeable[o*NumVcs +: NumVcs] & ~escape_i[o*NumVcs +: NumVcs]) != '0;
    assign escape[o]   = (takeable[o*NumVcs +: NumVcs] & escape_i[o*NumVcs +: NumVcs]) != '0;
    for (genvar q = 0; q < NumPorts; q++) begin : g_pair
      assign ahead[q*NumPorts + o] = rank_i[q*3 +: 3] < rank_i[o*3 +: 3]
                                     || (rank_i[q*3 +: 3] == rank_i[o*3 +: 3] && q < o);
    end
  end
  assign open = (adaptive != '0) ? adaptive : escape;

  anl_option_select #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl), .Select(Select)
  ) u_dut (
    .options_i, .escape_i, .length_i, .free_i, .has_credit_i(has_credit), .credits_i,
    .ahead_i(ahead), .random_i, .port_o(port), .vcs_o(vcs)
  );

  // Number of open options, and of those below port a_i; the number that is selected.
  logic [31:0] count, below, number;
  always_comb begin : counts
    count = 0;
    below = 0;
    for (int o = 0; o < NumPorts; o++) begin
      count = count + 32'(open[o]);
      below = below + 32'(open[o] && o < 32'(a_i));
    end
    number = (32'(random_i) * count) >> 8;
  end

  wire [31:0] lane   = 32'(a_i) * NumVcs + 32'(w_i);

  `GIVEN(PortsAndLaneExist, 32'(a_i) < NumPorts && 32'(b_i) < NumPorts && 32'(w_i) < NumVcs)
  `GIVEN(LengthIsLegal, length_i >= 1 && length_i <= 64)

  `PROVE(NamesOnePortAtMost, $onehot0(port))
  `PROVE(EligibleIfAnOptionIsOpen, open == '0 || (port != '0 && vcs != '0))
  `PROVE(SelectsAnOpenOption, (port & ~open) == '0)
  `PROVE(LanesOfTheConsideredPart, !port[a_i] || vcs[w_i]
         == (takeable[lane] && escape_i[lane] == (adaptive == '0)))
  `PROVE(NoLanesWithoutAPort, port != '0 || vcs == '0)
  `PROVE(NothingIsPreferred, Select == anl_pkg::SelectRandom || !port[a_i] || !open[b_i]
                             || a_i == b_i || !ahead[32'(b_i) * NumPorts + 32'(a_i)])
  `PROVE(ByTheRandomNumber, Select != anl_pkg::SelectRandom || !port[a_i] || below == number)

  `COVER(SelectsAnAdaptiveLane, port[a_i] && adaptive[a_i] && escape[b_i])
  `COVER(SelectsAnEscapeLane, port[a_i] && adaptive == '0 && vcs[w_i])
  `COVER(SelectsALaterOption, port[a_i] && open[b_i] && b_i < a_i)

endmodule
