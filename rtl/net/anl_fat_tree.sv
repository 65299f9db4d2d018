// SPDX-License-Identifier: Apache-2.0
//
// A butterfly fat-tree of N levels: T = 4**N terminals, S switches and the links between them. The
// injection and ejection links of the terminals are ports.
//
// The wiring is that of docs/networks.md. The links of terminal t are at index t. The inputs above the
// root are tied to 0.
// Timing: if CreditBypass is 0, no combinational path leads from any input to any output. If
// CreditBypass is 1, the up links and the injection links are chained: credits come down from the root
// to inj_credit_o within the cycle.

// Above the root of a fat-tree there are no links.
// verilator lint_off UNUSEDSIGNAL
// Chains of credits end where no route goes on. Verilator sees whole vectors.
// verilator lint_off UNOPTFLAT

`include "anl_assert.svh"

module anl_fat_tree #(
  parameter  int N         = 2,                         // levels, at least 1
  parameter  int Routing   = anl_pkg::UpDownFixed,      // choice of up links (anl_pkg)
  parameter  int NumVcs    = 4,                         // lanes of a link, 1 .. 8
  parameter  int Depth     = 4,                         // flits of a lane, 1 .. 64
  parameter  int FlitW     = 32,                        // data bits of a flit (docs/link.md)
  parameter  int Arbiter   = anl_pkg::RoundRobin,       // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,       // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                      // 1: heads say their length under wormhole, too
  parameter  int CreditBypass = 0,                      // 1: up and injection links are chained, or all if they are wide
  parameter  int Wide      = 0,                         // 1: links are wide
  parameter  int LinkCycles = 1,                        // of a link between switches, 1 .. 16
  parameter  int Stages    = 1,                         // of a switch, 1 or 2
  parameter  int Classes   = 1,                         // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of the classes (anl_pkg)
  localparam int T         = anl_fat_tree_pkg::num_terminals(N),
  localparam int S         = anl_fat_tree_pkg::first(N, N + 1),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int Lines     = anl_pkg::lines_of(Wide, NumVcs),   // of a link
  localparam int LinkW     = FlitW + 2
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

  localparam int NumDown  = anl_fat_tree_pkg::NumDown;
  localparam int NumUp    = anl_fat_tree_pkg::NumUp;
  localparam int NumPorts = anl_fat_tree_pkg::NumPorts;
  localparam int DstW     = anl_fat_tree_pkg::label_width(N);

  for (genvar s = 0; s < S; s++) begin : g_switch
    localparam int Level   = anl_fat_tree_pkg::level_of(N, s);
    localparam int Address = s - anl_fat_tree_pkg::first(N, Level);

    logic [NumPorts*Lines-1:0]       in_valid, out_valid;
    logic [NumPorts*Lines*VcW-1:0]   in_vc, out_vc;
    logic [NumPorts*Lines*LinkW-1:0] in_flit, out_flit;
    logic [NumPorts*NumVcs-1:0] in_credit;                // credits that go back from the inputs
    logic [NumPorts*NumVcs-1:0] back_credit;              // the same, behind the slices of the links
    logic [NumDown*NumVcs-1:0]  down_credit;              // credits that come back for the outputs
    logic [NumUp*NumVcs-1:0]    up_credit;

    anl_fat_tree_switch #(
      .N(N), .Level(Level), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW),
      .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .CreditBypass(CreditBypass), .Wide(Wide),
      .Stages(Stages), .Classes(Classes), .Weights(Weights)
`ifdef ANL_HERE
      , .Here(Address)
`endif
    ) u_switch (
      .clk_i, .rst_i, .seed_i(seed_i[s*32 +: 32]), .here_i(Address[DstW-1:0]),
      .valid_i(in_valid), .vc_i(in_vc), .flit_i(in_flit), .credit_o(in_credit),
      .valid_o(out_valid), .vc_o(out_vc), .flit_o(out_flit),
      .down_credit_i(down_credit), .up_credit_i(up_credit)
    );

    for (genvar c = 0; c < NumDown; c++) begin : g_down
      if (Level == 1) begin : g_terminal
        localparam int Terminal = NumDown * Address + c;
        assign in_valid[c*Lines +: Lines]
          = inj_valid_i[Terminal*Lines +: Lines];
        assign in_vc[c*Lines*VcW +: Lines*VcW]
          = inj_vc_i[Terminal*Lines*VcW +: Lines*VcW];
        assign in_flit[c*Lines*LinkW +: Lines*LinkW]
          = inj_flit_i[Terminal*Lines*LinkW +: Lines*LinkW];
        assign inj_credit_o[Terminal*NumVcs +: NumVcs]        = in_credit[c*NumVcs +: NumVcs];
        assign back_credit[c*NumVcs +: NumVcs]                = '0;
        assign ej_valid_o[Terminal*Lines +: Lines]            = out_valid[c*Lines +: Lines];
        assign ej_vc_o[Terminal*Lines*VcW +: Lines*VcW]       = out_vc[c*Lines*VcW +: Lines*VcW];
        assign ej_flit_o[Terminal*Lines*LinkW +: Lines*LinkW]
          = out_flit[c*Lines*LinkW +: Lines*LinkW];
        assign down_credit[c*NumVcs +: NumVcs]
          = ej_credit_i[Terminal*NumVcs +: NumVcs];
      end else begin : g_child
        localparam int Child = anl_fat_tree_pkg::first(N, Level - 1)
                               + anl_fat_tree_pkg::child(Level, Address, c);
        localparam int Far   = NumDown + anl_fat_tree_pkg::child_up(Level, Address, c);
        anl_link_slices #(.Cycles(LinkCycles), .NumVcs(NumVcs), .FlitW(FlitW), .Lines(Lines)) u_slices (
          .clk_i, .rst_i,
          .valid_i(g_switch[Child].out_valid[Far*Lines +: Lines]),
          .vc_i(g_switch[Child].out_vc[Far*Lines*VcW +: Lines*VcW]),
          .flit_i(g_switch[Child].out_flit[Far*Lines*LinkW +: Lines*LinkW]),
          .credit_o(back_credit[c*NumVcs +: NumVcs]),
          .valid_o(in_valid[c*Lines +: Lines]), .vc_o(in_vc[c*Lines*VcW +: Lines*VcW]),
          .flit_o(in_flit[c*Lines*LinkW +: Lines*LinkW]), .credit_i(in_credit[c*NumVcs +: NumVcs])
        );
        assign down_credit[c*NumVcs +: NumVcs]
          = g_switch[Child].back_credit[Far*NumVcs +: NumVcs];
      end
    end

    for (genvar u = 0; u < NumUp; u++) begin : g_up
      localparam int P = NumDown + u;
      if (Level == N) begin : g_root
        assign in_valid[P*Lines +: Lines]            = '0;
        assign in_vc[P*Lines*VcW +: Lines*VcW]       = '0;
        assign in_flit[P*Lines*LinkW +: Lines*LinkW] = '0;
        assign up_credit[u*NumVcs +: NumVcs]         = '0;
        assign back_credit[P*NumVcs +: NumVcs]       = '0;
      end else begin : g_parent
        localparam int Above  = anl_fat_tree_pkg::parent(Level, Address, u);
        localparam int Parent = anl_fat_tree_pkg::first(N, Level + 1) + Above;
        localparam int Far    = anl_fat_tree_pkg::parent_port(Level, Address);
        anl_link_slices #(.Cycles(LinkCycles), .NumVcs(NumVcs), .FlitW(FlitW), .Lines(Lines)) u_slices (
          .clk_i, .rst_i,
          .valid_i(g_switch[Parent].out_valid[Far*Lines +: Lines]),
          .vc_i(g_switch[Parent].out_vc[Far*Lines*VcW +: Lines*VcW]),
          .flit_i(g_switch[Parent].out_flit[Far*Lines*LinkW +: Lines*LinkW]),
          .credit_o(back_credit[P*NumVcs +: NumVcs]),
          .valid_o(in_valid[P*Lines +: Lines]), .vc_o(in_vc[P*Lines*VcW +: Lines*VcW]),
          .flit_o(in_flit[P*Lines*LinkW +: Lines*LinkW]), .credit_i(in_credit[P*NumVcs +: NumVcs])
        );
        assign up_credit[u*NumVcs +: NumVcs]
          = g_switch[Parent].back_credit[Far*NumVcs +: NumVcs];

        // The child at the other end must find this link by the formulas for the way down.
        `ANL_ASSERT(LinkHasTwoEnds, anl_fat_tree_pkg::child(Level + 1, Above, Far) == Address
                                    && anl_fat_tree_pkg::child_up(Level + 1, Above, Far) == u)
      end
    end
  end

endmodule
