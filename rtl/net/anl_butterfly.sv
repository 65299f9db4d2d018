// SPDX-License-Identifier: Apache-2.0
//
// A butterfly with T = K**N terminals: levels of K**(N-1) switches and the links between them. The
// injection and ejection links of the terminals are ports.
//
// The wiring is that of docs/networks.md. The links of terminal t are at index t: it injects in the
// first level and receives in the last one.
// Timing: if CreditBypass is 0, no combinational path leads from any input to any output. If
// CreditBypass is 1, all links but the ejection links are chained: credits come up from the last level
// to inj_credit_o within the cycle.

// No link between switches ends in the first level.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_butterfly #(
  parameter  int K         = 2,                             // ports of a switch, 2 .. 32
  parameter  int N         = 3,                             // digits of a terminal's number
  parameter  int Routing   = anl_pkg::DestinationTag,       // in one pass, or Valiant in two
  parameter  int NumVcs    = 4,                             // lanes of a link, 1 .. 8
  parameter  int Depth     = 4,                             // flits of a lane, 1 .. 64
  parameter  int FlitW     = 32,                            // data bits of a flit (docs/link.md)
  parameter  int Arbiter   = anl_pkg::RoundRobin,           // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,           // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                          // 1: heads say their length under wormhole, too
  parameter  int CreditBypass = 0,                          // 1: links are chained, ejection links only if they are wide
  parameter  int Wide      = 0,                             // 1: links are wide
  parameter  int LinkCycles = 1,                            // of a link between switches, 1 .. 16
  parameter  int Stages    = 1,                             // of a switch, 1 or 2
  parameter  int Classes   = 1,                             // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of the classes (anl_pkg)
  localparam int Columns   = anl_butterfly_pkg::columns(K, N),
  localparam int Levels    = anl_butterfly_pkg::levels(N, Routing),
  localparam int T         = K * Columns,
  localparam int S         = Levels * Columns,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LinkW     = FlitW + 2,
  localparam int Lines     = anl_pkg::lines_of(Wide, NumVcs)   // of a link
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  logic [S*32-1:0]     seed_i,         // one for each switch, sampled in reset

  // Injection links, from the terminals (docs/link.md).
  input  logic [T*Lines-1:0]  inj_valid_i,
  input  logic [T*Lines*VcW-1:0] inj_vc_i,
  input  logic [T*Lines*LinkW-1:0] inj_flit_i,
  output logic [T*NumVcs-1:0] inj_credit_o,

  // Ejection links, to the terminals (docs/link.md).
  output logic [T*Lines-1:0]  ej_valid_o,
  output logic [T*Lines*VcW-1:0] ej_vc_o,
  output logic [T*Lines*LinkW-1:0] ej_flit_o,
  input  logic [T*NumVcs-1:0] ej_credit_i
);

  for (genvar s = 0; s < S; s++) begin : g_switch
    localparam int Level  = s / Columns;
    localparam int Column = s % Columns;

    logic [K*Lines-1:0]       in_valid, out_valid;
    logic [K*Lines*VcW-1:0]   in_vc, out_vc;
    logic [K*Lines*LinkW-1:0] in_flit, out_flit;
    logic [K*NumVcs-1:0]      in_credit, out_credit;   // go back from the inputs; come for the outputs
    logic [K*NumVcs-1:0]      back_credit;             // in_credit behind the slices of the links

    anl_butterfly_switch #(
      .K(K), .N(N), .Tag(anl_butterfly_pkg::tag(N, Routing, Level)), .NumVcs(NumVcs), .Depth(Depth),
      .FlitW(FlitW), .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead),
      .CreditBypass((Level < Levels - 1 || Wide != 0) ? CreditBypass : 0), .Wide(Wide), .Stages(Stages), .Classes(Classes),
      .Weights(Weights)
`ifdef ANL_HERE
      , .Here(s)
`endif
    ) u_switch (
      .clk_i, .rst_i, .seed_i(seed_i[s*32 +: 32]), .here_i(s[15:0]),
      .valid_i(in_valid), .vc_i(in_vc), .flit_i(in_flit), .credit_o(in_credit),
      .valid_o(out_valid), .vc_o(out_vc), .flit_o(out_flit), .credit_i(out_credit)
    );

    for (genvar p = 0; p < K; p++) begin : g_in
      if (Level == 0) begin : g_terminal
        localparam int Terminal = K * Column + p;
        assign in_valid[p*Lines +: Lines] = inj_valid_i[Terminal*Lines +: Lines];
        assign in_vc[p*Lines*VcW +: Lines*VcW] = inj_vc_i[Terminal*Lines*VcW +: Lines*VcW];
        assign in_flit[p*Lines*LinkW +: Lines*LinkW]
          = inj_flit_i[Terminal*Lines*LinkW +: Lines*LinkW];
        assign inj_credit_o[Terminal*NumVcs +: NumVcs] = in_credit[p*NumVcs +: NumVcs];
        assign back_credit[p*NumVcs +: NumVcs] = '0;
      end else begin : g_link
        localparam int Weight = anl_butterfly_pkg::weight(K, N, Level - 1);
        localparam int From   = (Level - 1) * Columns
                                + anl_butterfly_pkg::replaced(K, Column, Weight, p);
        localparam int Far    = anl_butterfly_pkg::digit_of(K, Column, Weight);
        anl_link_slices #(.Cycles(LinkCycles), .NumVcs(NumVcs), .FlitW(FlitW), .Lines(Lines)) u_slices (
          .clk_i, .rst_i,
          .valid_i(g_switch[From].out_valid[Far*Lines +: Lines]),
          .vc_i(g_switch[From].out_vc[Far*Lines*VcW +: Lines*VcW]),
          .flit_i(g_switch[From].out_flit[Far*Lines*LinkW +: Lines*LinkW]),
          .credit_o(back_credit[p*NumVcs +: NumVcs]),
          .valid_o(in_valid[p*Lines +: Lines]), .vc_o(in_vc[p*Lines*VcW +: Lines*VcW]),
          .flit_o(in_flit[p*Lines*LinkW +: Lines*LinkW]), .credit_i(in_credit[p*NumVcs +: NumVcs])
        );
      end
    end

    for (genvar o = 0; o < K; o++) begin : g_out
      if (Level == Levels - 1) begin : g_terminal
        localparam int Terminal = K * Column + o;
        assign ej_valid_o[Terminal*Lines +: Lines] = out_valid[o*Lines +: Lines];
        assign ej_vc_o[Terminal*Lines*VcW +: Lines*VcW] = out_vc[o*Lines*VcW +: Lines*VcW];
        assign ej_flit_o[Terminal*Lines*LinkW +: Lines*LinkW]
          = out_flit[o*Lines*LinkW +: Lines*LinkW];
        assign out_credit[o*NumVcs +: NumVcs] = ej_credit_i[Terminal*NumVcs +: NumVcs];
      end else begin : g_link
        localparam int Weight = anl_butterfly_pkg::weight(K, N, Level);
        localparam int To     = (Level + 1) * Columns
                                + anl_butterfly_pkg::replaced(K, Column, Weight, o);
        localparam int Far    = anl_butterfly_pkg::digit_of(K, Column, Weight);
        assign out_credit[o*NumVcs +: NumVcs] = g_switch[To].back_credit[Far*NumVcs +: NumVcs];

        // The switch at the other end must find this link by its own digit.
        `ANL_ASSERT(LinkHasTwoEnds,
                    anl_butterfly_pkg::replaced(K, To % Columns, Weight, Far) == Column
                    && anl_butterfly_pkg::digit_of(K, To % Columns, Weight) == o)
      end
    end
  end

endmodule
