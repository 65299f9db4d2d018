// SPDX-License-Identifier: Apache-2.0
//
// The input ports and the output ports of a switch whose links are wide (docs/switch.md, "Wide
// links"). anl_switch has them in place of its own ports, with the same state for the probes.
//
// Lane v of port p is at index p*NumVcs + v of every vector of lanes, links too.
// Timing: as in anl_switch. Of the credits that come back only flits that are not heads hear in the
// same cycle, and only if CreditBypass is 1: then paths lead from credit_i to valid_o, flit_o,
// credit_o.

// A policy or field that is absent leaves some inputs unread. The ports stay, so that all instances
// look the same.
// verilator lint_off UNUSEDSIGNAL
// Chained links make chains of gates, which end where no route goes on. Verilator sees whole vectors.
// verilator lint_off UNOPTFLAT

module anl_wide_ports #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlitW     = 32,
  parameter  int DstW      = 4,
  parameter  int Arbiter   = anl_pkg::RoundRobin,   // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,   // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                  // 1: heads say their length under wormhole, too
  parameter  int Path      = anl_pkg::PathNone,     // how a head's port is known (anl_pkg)
  parameter  int PathW     = 0,                     // bits of a path or list that heads carry
  parameter  int CreditBypass = 0,                  // 1: links are chained
  parameter  logic [anl_pkg::TurnsW-1:0] Turns = {anl_pkg::TurnsW{1'b1}},  // turns that are wired
  localparam int PathOutW  = (PathW > 0) ? PathW : 1,
  localparam int PortW     = anl_pkg::index_width(NumPorts),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LinkW     = FlitW + 2,
  localparam int RankW     = anl_head_pkg::RankW,
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int OutPtrW   = anl_pkg::index_width(NumLanes)
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [7:0]                 random_i,

  // Links (docs/link.md).
  input  logic [NumLanes-1:0]        valid_i,
  input  logic [NumLanes*LinkW-1:0]  flit_i,
  output logic [NumLanes-1:0]        credit_o,
  output logic [NumLanes-1:0]        valid_o,
  output logic [NumLanes*LinkW-1:0]  flit_o,
  input  logic [NumLanes-1:0]        credit_i,

  // Routes, as in anl_switch.
  input  logic [DstW-1:0]            here_i,
  output logic [NumLanes*DstW-1:0]   dst_o,
  output logic [NumLanes*DstW-1:0]   differs_o,
  output logic [NumLanes*PathOutW-1:0] path_o,
  output logic [NumLanes*LengthW-1:0]  length_o,
  input  logic [NumLanes*NumPorts-1:0] route_port_i,
  input  logic [NumLanes*NumVcs-1:0] route_vcs_i,
  input  logic [NumLanes-1:0]        route_either_i,

  // State for the switch (held_o) and for the probes.
  output logic [NumLanes-1:0]        held_o,
  output logic [NumLanes*CntW-1:0]   count_o,
  output logic [NumLanes-1:0]        bound_o,
  output logic [NumLanes*PortW-1:0]  bound_port_o,
  output logic [NumLanes*VcW-1:0]    bound_vc_o,
  output logic [NumLanes*CntW-1:0]   credits_o,
  output logic [NumLanes-1:0]        owned_o,
  output logic [NumLanes*PortW-1:0]  owner_port_o,
  output logic [NumLanes*VcW-1:0]    owner_vc_o,
  output logic [NumPorts*OutPtrW-1:0] out_ptr_o
);

  logic [NumLanes-1:0]          free, has_credit, usable;
  logic [NumPorts*NumLanes-1:0] ask, go;              // o*NumLanes + c: of the front flit of lane c
  logic [NumVcs*NumLanes-1:0]   can, can_last, bound_to;  // w*NumLanes + c
  logic [NumLanes*RankW-1:0]    rank;
  logic [NumLanes*LinkW-1:0]    front;

  assign free = ~owned_o;

  for (genvar p = 0; p < NumPorts; p++) begin : g_input
    localparam int First = p * NumVcs;
    logic [NumPorts*NumVcs-1:0] asks, goes, granted;
    logic [NumVcs*NumVcs-1:0]   can_take, can_take_last, bound, take;

    for (genvar o = 0; o < NumPorts; o++) begin : g_to
      assign ask[o*NumLanes + First +: NumVcs] = asks[o*NumVcs +: NumVcs];
      assign go[o*NumLanes + First +: NumVcs]  = goes[o*NumVcs +: NumVcs];
      assign granted[o*NumVcs +: NumVcs]       = g_output[o].granted[First +: NumVcs];
    end
    for (genvar w = 0; w < NumVcs; w++) begin : g_lane
      assign can[w*NumLanes + First +: NumVcs]      = can_take[w*NumVcs +: NumVcs];
      assign can_last[w*NumLanes + First +: NumVcs] = can_take_last[w*NumVcs +: NumVcs];
      assign bound_to[w*NumLanes + First +: NumVcs] = bound[w*NumVcs +: NumVcs];
      assign take[w*NumVcs +: NumVcs] = g_output[NumPorts-1].taken[w*NumLanes + First +: NumVcs];
    end

    anl_wide_input #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
      .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Path(Path), .PathW(PathW),
      .Turns(32'(Turns[p*anl_pkg::MaxPorts +: NumPorts]))
    ) u_input (
      .clk_i, .rst_i, .valid_i(valid_i[First +: NumVcs]), .flit_i(flit_i[First*LinkW +: NumVcs*LinkW]),
      .credit_o(credit_o[First +: NumVcs]), .here_i, .dst_o(dst_o[First*DstW +: NumVcs*DstW]),
      .differs_o(differs_o[First*DstW +: NumVcs*DstW]),
      .path_o(path_o[First*PathOutW +: NumVcs*PathOutW]),
      .length_o(length_o[First*LengthW +: NumVcs*LengthW]),
      .route_port_i(route_port_i[First*NumPorts +: NumVcs*NumPorts]),
      .route_vcs_i(route_vcs_i[First*NumVcs +: NumVcs*NumVcs]),
      .route_either_i(route_either_i[First +: NumVcs]),
      .free_i(free), .has_credit_i(has_credit), .credits_i(credits_o), .usable_i(usable),
      .ask_o(asks), .can_o(can_take), .can_last_o(can_take_last), .go_o(goes), .bound_to_o(bound),
      .rank_o(rank[First*RankW +: NumVcs*RankW]), .flit_o(front[First*LinkW +: NumVcs*LinkW]),
      .granted_i(granted), .take_i(take),
      .held_o(held_o[First +: NumVcs]), .count_o(count_o[First*CntW +: NumVcs*CntW]),
      .bound_o(bound_o[First +: NumVcs]), .bound_port_o(bound_port_o[First*PortW +: NumVcs*PortW]),
      .bound_vc_o(bound_vc_o[First*VcW +: NumVcs*VcW])
    );
  end

  for (genvar o = 0; o < NumPorts; o++) begin : g_output
    localparam int First = o * NumVcs;
    localparam bit LastOfTwo = Path == anl_pkg::PathGreedy && o == NumPorts - 1;
    // The heads that this port grants; the lanes that heads take, of all ports up to this one: at
    // most one port grants a head.
    logic [NumLanes-1:0]        asks, granted;
    logic [NumVcs*NumLanes-1:0] take, taken;

    if (LastOfTwo) begin : g_last
      // A head that the first of the two ports has granted asks the second one no more.
      assign asks = ask[o*NumLanes +: NumLanes] & ~g_output[o-1].granted;
    end else begin : g_other
      assign asks = ask[o*NumLanes +: NumLanes];
    end
    if (o == 0) begin : g_first
      assign taken = take;
    end else begin : g_next
      assign taken = g_output[o-1].taken | take;
    end
    for (genvar w = 0; w < NumVcs; w++) begin : g_grants
      logic [NumLanes-1:0] upto;
      if (w == 0) begin : g_first
        assign upto = take[w*NumLanes +: NumLanes];
      end else begin : g_next
        assign upto = g_grants[w-1].upto | take[w*NumLanes +: NumLanes];
      end
    end
    assign granted = g_grants[NumVcs-1].upto;

    anl_wide_output #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
      .CreditBypass(CreditBypass)
    ) u_output (
      .clk_i, .rst_i, .random_i, .ask_i(asks), .can_i(LastOfTwo ? can_last : can), .rank_i(rank),
      .go_i(go[o*NumLanes +: NumLanes]), .bound_i(bound_to), .flit_i(front), .take_o(take),
      .valid_o(valid_o[First +: NumVcs]), .flit_o(flit_o[First*LinkW +: NumVcs*LinkW]),
      .credit_i(credit_i[First +: NumVcs]), .has_credit_o(has_credit[First +: NumVcs]),
      .usable_o(usable[First +: NumVcs]), .credits_o(credits_o[First*CntW +: NumVcs*CntW]),
      .owned_o(owned_o[First +: NumVcs]), .owner_port_o(owner_port_o[First*PortW +: NumVcs*PortW]),
      .owner_vc_o(owner_vc_o[First*VcW +: NumVcs*VcW]), .out_ptr_o(out_ptr_o[o*OutPtrW +: OutPtrW])
    );
  end

endmodule
