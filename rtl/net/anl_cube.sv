// SPDX-License-Identifier: Apache-2.0
//
// A k-ary n-cube: S = K**N switches and the links between them. The injection and ejection links of
// the terminals are ports.
//
// The wiring is that of docs/networks.md. The links of terminal t are at index t, and terminal t
// belongs to switch t. The label of each switch is a constant. Inputs that no link reaches, at the
// edge of a mesh, are tied to 0.
// Timing: if CreditBypass is 0, no combinational path leads from any input to any output. If
// CreditBypass is 1, credits go from ejection links to inj_credit_o within the cycle.

// At the edge of a mesh a port of a switch has no link.
// verilator lint_off UNUSEDSIGNAL
// Chains of credits end where no route goes on. Verilator sees whole vectors.
// verilator lint_off UNOPTFLAT

module anl_cube #(
  parameter  int K         = 4,                     // switches in each dimension
  parameter  int N         = 2,                     // dimensions, at least 1
  parameter  int Topology  = anl_cube_pkg::Mesh,    // of the cube (anl_cube_pkg)
  parameter  int Routing   = anl_pkg::DimensionOrder,  // (anl_pkg)
  parameter  int Select    = anl_pkg::MostCredits,  // which of several options (anl_pkg)
  parameter  int Atomic    = 0,                     // 1: adaptive lanes are atomic
  parameter  int NumVcs    = 4,                     // lanes of a link, 1 .. 8
  parameter  int Depth     = 4,                     // flits of a lane, 1 .. 64
  parameter  int FlitW     = 32,                    // data bits of a flit (docs/link.md)
  parameter  int Arbiter   = anl_pkg::RoundRobin,   // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,   // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                  // 1: heads say their length under wormhole, too
  parameter  int CreditBypass = 0,                  // 1: links are chained; wide links alone can be
  parameter  int Wide      = 0,                     // 1: links are wide
  parameter  int LinkCycles = 1,                    // of a link between switches, 1 .. 16
  parameter  int Stages    = 1,                     // of a switch, 1 or 2
  parameter  int Classes   = 1,                     // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of the classes (anl_pkg)
  localparam int S         = anl_cube_pkg::power(K, N),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int Lines     = anl_pkg::lines_of(Wide, NumVcs),   // of a link
  localparam int LinkW     = FlitW + 2
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  logic [S*32-1:0]     seed_i,         // one for each switch, sampled in reset

  // Injection links, from the terminals (docs/link.md).
  input  logic [S*Lines-1:0]  inj_valid_i,
  input  logic [S*Lines*VcW-1:0] inj_vc_i,
  input  logic [S*Lines*LinkW-1:0] inj_flit_i,
  output logic [S*NumVcs-1:0] inj_credit_o,

  // Ejection links, to the terminals (docs/link.md).
  output logic [S*Lines-1:0]  ej_valid_o,
  output logic [S*Lines*VcW-1:0] ej_vc_o,
  output logic [S*Lines*LinkW-1:0] ej_flit_o,
  input  logic [S*NumVcs-1:0] ej_credit_i
);

  localparam int NumPorts = anl_cube_pkg::num_ports(Topology, N);
  localparam int DstW     = anl_cube_pkg::label_width(K, N);
  localparam int T        = NumPorts - 1;                 // the terminal's port
  localparam bit TwoWay   = Topology <= anl_cube_pkg::Torus;

  for (genvar s = 0; s < S; s++) begin : g_switch
    localparam int Label = anl_cube_pkg::label(K, N, s);

    logic [NumPorts*Lines-1:0]       in_valid, out_valid;
    logic [NumPorts*Lines*VcW-1:0]   in_vc, out_vc;
    logic [NumPorts*Lines*LinkW-1:0] in_flit, out_flit;
    logic [NumPorts*NumVcs-1:0] in_credit;                // credits that go back from the inputs
    logic [T*NumVcs-1:0]        back_credit;              // the same, behind the slices of the links
    logic [NumPorts*NumVcs-1:0] out_credit;               // credits that come back for the outputs

    anl_cube_switch #(
      .K(K), .N(N), .Topology(Topology), .Routing(Routing), .Select(Select), .Atomic(Atomic),
      .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
      .FlowControl(FlowControl), .LengthInHead(LengthInHead), .CreditBypass(CreditBypass), .Wide(Wide), .Stages(Stages),
      .Classes(Classes), .Weights(Weights)
`ifdef ANL_HERE
      , .Here(Label)
`endif
    ) u_switch (
      .clk_i, .rst_i, .seed_i(seed_i[s*32 +: 32]), .here_i(Label[DstW-1:0]),
      .valid_i(in_valid), .vc_i(in_vc), .flit_i(in_flit), .credit_o(in_credit),
      .valid_o(out_valid), .vc_o(out_vc), .flit_o(out_flit), .credit_i(out_credit)
    );

    // The port of the terminal.
    assign in_valid[T*Lines +: Lines]             = inj_valid_i[s*Lines +: Lines];
    assign in_vc[T*Lines*VcW +: Lines*VcW]        = inj_vc_i[s*Lines*VcW +: Lines*VcW];
    assign in_flit[T*Lines*LinkW +: Lines*LinkW]  = inj_flit_i[s*Lines*LinkW +: Lines*LinkW];
    assign inj_credit_o[s*NumVcs +: NumVcs]    = in_credit[T*NumVcs +: NumVcs];
    assign ej_valid_o[s*Lines +: Lines]           = out_valid[T*Lines +: Lines];
    assign ej_vc_o[s*Lines*VcW +: Lines*VcW]      = out_vc[T*Lines*VcW +: Lines*VcW];
    assign ej_flit_o[s*Lines*LinkW +: Lines*LinkW] = out_flit[T*Lines*LinkW +: Lines*LinkW];
    assign out_credit[T*NumVcs +: NumVcs]      = ej_credit_i[s*NumVcs +: NumVcs];

    // The other ports. Switch From sends to input p, switch To receives from output p, and Far is
    // the port at their end of the link; -1 means that there is no such switch.
    for (genvar p = 0; p < T; p++) begin : g_port
      localparam int Stride = anl_cube_pkg::power(K, TwoWay ? p / 2 : p);
      localparam int Step   = (TwoWay && p % 2 == 1) ? -1 : 1;
      localparam int To     = anl_cube_pkg::neighbour(Topology, K, s, Stride, Step);
      localparam int From   = TwoWay ? To : anl_cube_pkg::neighbour(Topology, K, s, Stride, -Step);
      localparam int Far    = TwoWay ? p + Step : p;

      if (From >= 0) begin : g_link_in
        anl_link_slices #(.Cycles(LinkCycles), .NumVcs(NumVcs), .FlitW(FlitW), .Lines(Lines)) u_slices (
          .clk_i, .rst_i,
          .valid_i(g_switch[From].out_valid[Far*Lines +: Lines]),
          .vc_i(g_switch[From].out_vc[Far*Lines*VcW +: Lines*VcW]),
          .flit_i(g_switch[From].out_flit[Far*Lines*LinkW +: Lines*LinkW]),
          .credit_o(back_credit[p*NumVcs +: NumVcs]),
          .valid_o(in_valid[p*Lines +: Lines]), .vc_o(in_vc[p*Lines*VcW +: Lines*VcW]),
          .flit_o(in_flit[p*Lines*LinkW +: Lines*LinkW]), .credit_i(in_credit[p*NumVcs +: NumVcs])
        );
      end else begin : g_edge_in
        assign back_credit[p*NumVcs +: NumVcs]       = '0;
        assign in_valid[p*Lines +: Lines]            = '0;
        assign in_vc[p*Lines*VcW +: Lines*VcW]       = '0;
        assign in_flit[p*Lines*LinkW +: Lines*LinkW] = '0;
      end

      if (To >= 0) begin : g_link_out
        assign out_credit[p*NumVcs +: NumVcs] = g_switch[To].back_credit[Far*NumVcs +: NumVcs];
      end else begin : g_edge_out
        assign out_credit[p*NumVcs +: NumVcs] = '0;
      end
    end
  end

endmodule
