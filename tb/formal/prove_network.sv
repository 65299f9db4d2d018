// SPDX-License-Identifier: Apache-2.0
//
// anl_cube, anl_fat_tree, anl_butterfly and a graph, whole: the flits that come out at a terminal are addressed to
// it, form whole worms, are unchanged, come only once, and are never more than its lanes have room
// for.
//
// The terminals are the neighbours of neighbours.svh. Every flit carries the number of its
// destination, and the label of a terminal is its number (one dimension, or K = 2 or 4). Any one
// flit is marked by a data bit that is 0 in all others. Another data bit says whether a flit enters
// by one certain lane, which may be any. The graph has three switches, each linked with both
// others; its table sends what goes from switch 0 to terminal 2 round by switch 1.

`include "prove.svh"

module prove_network #(
  parameter  int K         = 2,
  parameter  int N         = 1,
  // At most one of these is 1: the network is then a fat-tree, a butterfly, or the graph; else a cube.
  parameter  int Tree      = 0,
  parameter  int Butterfly = 0,
  parameter  int Graph     = 0,
  parameter  int Topology  = anl_cube_pkg::Mesh,      // of a cube
  parameter  int Routing   = anl_pkg::DimensionOrder, // of all but the graph
  parameter  int NumVcs    = 1,
  parameter  int Depth     = 1,
  parameter  int Arbiter   = anl_pkg::Fixed,
  parameter  int CreditBypass = 0,
  parameter  int Stages    = 1,                     // of a switch
  parameter  int LinkCycles = 1,                    // of a link between switches, but not of the graph
  // Number of terminals.
  localparam int NumPorts  = (Graph != 0) ? 3 : (Tree != 0) ? 4 ** N : K ** N,
  localparam int DstW      = (Graph != 0) ? 2 : anl_cube_pkg::label_width((Tree != 0) ? 4 : K, N),
  localparam int FieldsW   = anl_head_pkg::head_width(DstW, Arbiter, anl_pkg::Wormhole, 0)
                             + ((Routing == anl_pkg::UpDownFixed) ? N - 1 : 0),
  localparam int MarkBit   = FieldsW,
  localparam int OriginBit = FieldsW + 1,
  localparam int FlitW     = FieldsW + 2,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int LaneW     = anl_pkg::index_width(NumLanes)
) (
  input logic                          clk_i,
  input logic [31:0]                   seed_i,
  input logic [NumPorts-1:0]           valid_i,
  input logic [NumPorts*VcW-1:0]       vc_i,
  input logic [NumPorts*(FlitW+2)-1:0] flit_i,
  input logic [NumLanes-1:0]           credit_i,
  input logic [LaneW-1:0]              origin_i    // the certain lane, sampled in the reset cycle
);

  `PROVE_RESET

  logic [NumLanes-1:0]           credit;
  logic [NumPorts-1:0]           valid;
  logic [NumPorts*VcW-1:0]       vc;
  logic [NumPorts*(FlitW+2)-1:0] flit;

  if (Graph != 0) begin : g_graph
    // Entry t of a table is that of terminal t: all lanes, and the port.
    localparam logic [3*3*anl_pkg::EntryW-1:0] Tables =
      {48'hFF02_FF00_FF01, 48'hFF01_FF02_FF00, 48'hFF00_FF00_FF02};
    // Returns where the link that leaves by a port ends; 3s + p is port p of switch s. Port 2 is
    // that of the terminal.
    function automatic int ends(input int port);
      case (port)
        0:       ends = 3;
        1:       ends = 7;
        3:       ends = 0;
        4:       ends = 6;
        6:       ends = 4;
        7:       ends = 1;
        default: ends = port;
      endcase
    endfunction

    localparam int LW = FlitW + 2;
    localparam int TableW = 3 * anl_pkg::EntryW;

    logic [8:0]          in_valid, out_valid;
    logic [9*VcW-1:0]    in_vc, out_vc;
    logic [9*LW-1:0]     in_flit, out_flit;
    logic [9*NumVcs-1:0] in_credit, out_credit;

    for (genvar s = 0; s < 3; s++) begin : g_switch
      anl_graph_switch #(
        .NumPorts(3), .T(3), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
        .Stages(Stages)
      ) u_dut (
        .clk_i, .rst_i, .seed_i, .here_i(16'(s)), .table_i(Tables[s*TableW +: TableW]),
        .valid_i(in_valid[3*s +: 3]), .vc_i(in_vc[3*s*VcW +: 3*VcW]),
        .flit_i(in_flit[3*s*LW +: 3*LW]), .credit_o(in_credit[3*s*NumVcs +: 3*NumVcs]),
        .valid_o(out_valid[3*s +: 3]), .vc_o(out_vc[3*s*VcW +: 3*VcW]),
        .flit_o(out_flit[3*s*LW +: 3*LW]), .credit_i(out_credit[3*s*NumVcs +: 3*NumVcs])
      );
    end
    for (genvar p = 0; p < 9; p++) begin : g_link
      localparam int E = ends(p);
      localparam int T = p / 3;
      if (p % 3 == 2) begin : g_terminal
        assign in_valid[p]                    = valid_i[T];
        assign in_vc[p*VcW +: VcW]            = vc_i[T*VcW +: VcW];
        assign in_flit[p*LW +: LW]            = flit_i[T*LW +: LW];
        assign credit[T*NumVcs +: NumVcs]     = in_credit[p*NumVcs +: NumVcs];
        assign valid[T]                       = out_valid[p];
        assign vc[T*VcW +: VcW]               = out_vc[p*VcW +: VcW];
        assign flit[T*LW +: LW]               = out_flit[p*LW +: LW];
        assign out_credit[p*NumVcs +: NumVcs] = credit_i[T*NumVcs +: NumVcs];
      end else begin : g_wire
        assign in_valid[E]                    = out_valid[p];
        assign in_vc[E*VcW +: VcW]            = out_vc[p*VcW +: VcW];
        assign in_flit[E*LW +: LW]            = out_flit[p*LW +: LW];
        assign out_credit[p*NumVcs +: NumVcs] = in_credit[E*NumVcs +: NumVcs];
      end
    end
  end else if (Tree != 0) begin : g_tree
    localparam int S = anl_fat_tree_pkg::first(N, N + 1);
    anl_fat_tree #(
      .N(N), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
      .CreditBypass(CreditBypass), .LinkCycles(LinkCycles), .Stages(Stages)
    ) u_dut (
      .clk_i, .rst_i, .seed_i({S{seed_i}}),
      .inj_valid_i(valid_i), .inj_vc_i(vc_i), .inj_flit_i(flit_i), .inj_credit_o(credit),
      .ej_valid_o(valid), .ej_vc_o(vc), .ej_flit_o(flit), .ej_credit_i(credit_i)
    );
  end else if (Butterfly != 0) begin : g_butterfly
    localparam int S = anl_butterfly_pkg::levels(N, Routing) * anl_butterfly_pkg::columns(K, N);
    anl_butterfly #(
      .K(K), .N(N), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
      .CreditBypass(CreditBypass), .LinkCycles(LinkCycles), .Stages(Stages)
    ) u_dut (
      .clk_i, .rst_i, .seed_i({S{seed_i}}),
      .inj_valid_i(valid_i), .inj_vc_i(vc_i), .inj_flit_i(flit_i), .inj_credit_o(credit),
      .ej_valid_o(valid), .ej_vc_o(vc), .ej_flit_o(flit), .ej_credit_i(credit_i)
    );
  end else begin : g_cube
    anl_cube #(
      .K(K), .N(N), .Topology(Topology), .Routing(Routing), .NumVcs(NumVcs), .Depth(Depth),
      .FlitW(FlitW), .Arbiter(Arbiter), .LinkCycles(LinkCycles), .Stages(Stages)
    ) u_dut (
      .clk_i, .rst_i, .seed_i({NumPorts{seed_i}}),
      .inj_valid_i(valid_i), .inj_vc_i(vc_i), .inj_flit_i(flit_i), .inj_credit_o(credit),
      .ej_valid_o(valid), .ej_vc_o(vc), .ej_flit_o(flit), .ej_credit_i(credit_i)
    );
  end

  `include "neighbours.svh"

  logic                marked_q, there_q;  // a flit has been marked; it is still in the network
  logic [LinkW-1:0]    flit_q, in_flit, out_flit;
  logic [NumPorts-1:0] arrives_marked, leaves_marked;
  logic [LaneW-1:0]    origin_q;

  always_ff @(posedge clk_i) begin : certain_lane
    if (rst_i) origin_q <= origin_i;
  end

  for (genvar t = 0; t < NumPorts; t++) begin : g_terminal
    wire [LinkW-1:0] sent = flit_i[t*LinkW +: LinkW];
    wire [LinkW-1:0] got  = flit[t*LinkW +: LinkW];
    logic [DstW-1:0] to;                   // destination of the worm that is being sent

    assign arrives_marked[t] = valid_i[t] && sent[MarkBit];
    assign leaves_marked[t]  = valid[t] && got[MarkBit];
    assign to = dst_q[(t*NumVcs + 32'(vc_i[t*VcW +: VcW]))*DstW +: DstW];

    `GIVEN(TerminalsExist, !valid_i[t] || 32'(sent[DstW-1:0]) < NumPorts)
    `GIVEN(EveryFlitSaysWhereTo, !valid_i[t] || sent[FlitW+1] || sent[DstW-1:0] == to)

    `PROVE(DeliveredToItsTerminal, !valid[t] || 32'(got[DstW-1:0]) == t)
    `COVER(MarkedIsDelivered, leaves_marked[t] && !got[FlitW] && !got[FlitW+1] && !got[OriginBit])
    for (genvar v = 0; v < NumVcs; v++) begin : g_worm
      localparam int L = t * NumVcs + v;
      // The worm that is coming out entered by the certain lane.
      logic of_origin_q;
      always_ff @(posedge clk_i) begin : model
        if (departs[L] && got[FlitW+1]) of_origin_q <= got[OriginBit];
      end
      `GIVEN(MarkedByOrigin, !arrives[L] || sent[OriginBit] == (32'(origin_q) == L))
      `PROVE(WormsAreWhole, !departs[L] || got[FlitW+1] == !sent_q[L])
      `PROVE(FlitsOfAWormTogether, !departs[L] || got[FlitW+1] || got[OriginBit] == of_origin_q)
    end
  end

  always_comb begin : marked
    {in_flit, out_flit} = '0;
    for (int t = 0; t < NumPorts; t++) begin
      if (arrives_marked[t]) in_flit  = flit_i[t*LinkW +: LinkW];
      if (leaves_marked[t])  out_flit = flit[t*LinkW +: LinkW];
    end
  end

  always_ff @(posedge clk_i) begin : model
    if (arrives_marked != '0) begin
      {marked_q, there_q} <= 2'b11;
      flit_q <= in_flit;
    end else if (leaves_marked != '0) begin
      there_q <= 1'b0;
    end
    if (rst_i) {marked_q, there_q} <= 2'b00;
  end

  `GIVEN(OneFlitIsMarked, arrives_marked == '0 || (!marked_q && $onehot(arrives_marked)))

  `PROVE(NotMadeUpNorDoubled, leaves_marked == '0 || (there_q && $onehot(leaves_marked)))
  `PROVE(NotChanged, leaves_marked == '0 || out_flit == flit_q)

  `COVER(AllSendAndAllGet, valid == '1 && (valid_i == '1 || Depth == 1))

endmodule
