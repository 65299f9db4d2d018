// SPDX-License-Identifier: Apache-2.0
//
// An input port whose link is wide (docs/switch.md, "Wide links"): it holds the lanes at the end of
// the link, offers the front flits of all of them, and each of them can leave in the same cycle.
//
// A flit that is not a head goes on whenever its lane has room (go_o); a head asks for a lane
// (ask_o), and the output port decides. Under the path PathGreedy a head may ask both of the last
// two ports; can_last_o are the lanes that it can take at the last one.
// Timing: ask_o, can_o and can_last_o are functions of registers and of the routes; go_o follows
// usable_i; granted_i may depend on ask_o; credit_o follows granted_i and usable_i.

// A policy or field that is absent leaves some inputs unread. The ports stay, so that all instances
// look the same.
// verilator lint_off UNUSEDSIGNAL
// Chained links make chains of gates, which end where no route goes on. Verilator sees whole vectors.
// verilator lint_off UNOPTFLAT
// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

`include "anl_assert.svh"

module anl_wide_input #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlitW     = 32,
  parameter  int DstW      = 4,
  parameter  int Arbiter   = anl_pkg::RoundRobin,      // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,      // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                     // 1: heads say their length under wormhole, too
  parameter  int Path      = anl_pkg::PathNone,        // how a head's port is known (anl_pkg)
  parameter  int PathW     = 0,                        // bits of a path or list that heads carry
  parameter  int Turns     = (1 << NumPorts) - 1,      // bit o: some route leads to port o
  localparam int PathOutW  = (PathW > 0) ? PathW : 1,
  localparam int LinkW     = FlitW + 2,
  localparam int PortW     = anl_pkg::index_width(NumPorts),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int RankW     = anl_head_pkg::RankW
) (
  input  logic                            clk_i,
  input  logic                            rst_i,

  // The link that ends here (docs/link.md).
  input  logic [NumVcs-1:0]               valid_i,
  input  logic [NumVcs*LinkW-1:0]         flit_i,
  output logic [NumVcs-1:0]               credit_o,

  // Route of the head at the front of each lane; route_* are combinational functions of the outputs.
  input  logic [DstW-1:0]                 here_i,      // constant, compared with dst_o
  output logic [NumVcs*DstW-1:0]          dst_o,
  output logic [NumVcs*DstW-1:0]          differs_o,   // dst_o ^ here_i
  output logic [NumVcs*PathOutW-1:0]      path_o,      // 0 unless heads carry a path
  output logic [NumVcs*anl_head_pkg::LengthW-1:0] length_o,  // of a worm, 0 under wormhole
  input  logic [NumVcs*NumPorts-1:0]      route_port_i,    // one-hot for each lane with a set
  input  logic [NumVcs*NumVcs-1:0]        route_vcs_i,
  input  logic [NumVcs-1:0]               route_either_i,  // read only if the path is greedy

  // State of all output lanes of the switch; lane w of port o is at index o*NumVcs + w.
  input  logic [NumPorts*NumVcs-1:0]      free_i,
  input  logic [NumPorts*NumVcs-1:0]      has_credit_i,
  input  logic [NumPorts*NumVcs*CntW-1:0] credits_i,
  input  logic [NumPorts*NumVcs-1:0]      usable_i,    // a flit that is not a head could be sent

  // Of the front flits: bit o*NumVcs + v of ask_o says that the head of lane v asks port o; several
  // bits of a lane are 1 only for the last two ports. Bit w*NumVcs + v of can_o and can_last_o: it
  // can take lane w there. The same bits of go_o and bound_to_o: the flit of lane v, which is not a
  // head, goes on by port o; its lane is w.
  output logic [NumPorts*NumVcs-1:0]      ask_o,
  output logic [NumVcs*NumVcs-1:0]        can_o,
  output logic [NumVcs*NumVcs-1:0]        can_last_o,
  output logic [NumPorts*NumVcs-1:0]      go_o,
  output logic [NumVcs*NumVcs-1:0]        bound_to_o,
  output logic [NumVcs*RankW-1:0]         rank_o,
  output logic [NumVcs*LinkW-1:0]         flit_o,
  input  logic [NumPorts*NumVcs-1:0]      granted_i,   // o*NumVcs + v: port o grants the head of lane v
  input  logic [NumVcs*NumVcs-1:0]        take_i,      // w*NumVcs + v: it takes lane w

  // State for the switch (held_o) and for the probes.
  output logic [NumVcs-1:0]               held_o,
  output logic [NumVcs*CntW-1:0]          count_o,
  output logic [NumVcs-1:0]               bound_o,
  output logic [NumVcs*PortW-1:0]         bound_port_o,
  output logic [NumVcs*VcW-1:0]           bound_vc_o
);

  localparam int FieldsW = anl_head_pkg::head_width(DstW, Arbiter, FlowControl, LengthInHead) + PathW;
  localparam int LengthW = anl_head_pkg::LengthW;

  logic [NumVcs-1:0] tail, tail_in, whole;

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [LinkW-1:0]    front;
    logic                head, waits, leaves;
    logic [LengthW-1:0]  length;
    logic [NumPorts-1:0] granted, goes, port, request, last, bound_to;
    logic [NumVcs-1:0]   bound_vc, can, can_last, taken;
    logic [VcW-1:0]      take;

    anl_fifo #(.Depth(Depth), .Width(LinkW)) u_fifo (
      .clk_i, .rst_i, .push_i(valid_i[v]), .data_i(flit_i[v*LinkW +: LinkW]), .pop_i(leaves),
      .front_o(front), .held_o(held_o[v]), .count_o(count_o[v*CntW +: CntW]), .wr_ptr_o(), .rd_ptr_o()
    );
    assign head                     = front[FlitW+1];
    assign tail[v]                  = front[FlitW];
    assign tail_in[v]               = valid_i[v] && flit_i[v*LinkW + FlitW];
    assign waits                    = held_o[v] && head;
    assign flit_o[v*LinkW +: LinkW] = front;
    assign leaves                   = granted != '0 || goes != '0;
    assign credit_o[v]              = leaves;

    anl_head_fields #(
      .DstW(DstW), .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .PathW(PathW)
    ) u_fields (
      .data_i(front[FieldsW-1:0]), .dst_o(dst_o[v*DstW +: DstW]), .length_o(length), .rank_o(rank_o[v*RankW +: RankW]),
      .path_o(path_o[v*PathOutW +: PathOutW])
    );
    assign differs_o[v*DstW +: DstW]      = dst_o[v*DstW +: DstW] ^ here_i;
    assign length_o[v*LengthW +: LengthW] = length;

    // Rules 1 and 2 for a head.
    anl_eligible #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl), .Turns(Turns)
    ) u_eligible (
      .held_i(waits), .head_i(1'b1), .whole_i(whole[v]), .length_i(length),
      .route_port_i(route_port_i[v*NumPorts +: NumPorts]),
      .route_vcs_i(route_vcs_i[v*NumVcs +: NumVcs]),
      .bound_to_i({NumPorts{1'b0}}), .bound_vc_i({VcW{1'b0}}), .free_i, .has_credit_i, .credits_i,
      .port_o(port), .can_o(can), .eligible_o(), .request_o(request)
    );
    if (Path == anl_pkg::PathGreedy) begin : g_second_port
      anl_eligible #(
        .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl), .Turns(Turns)
      ) u_last (
        .held_i(waits && route_either_i[v]), .head_i(1'b1), .whole_i(whole[v]), .length_i(length),
        .route_port_i(NumPorts'(1 << (NumPorts - 1))),
        .route_vcs_i(route_vcs_i[v*NumVcs +: NumVcs]),
        .bound_to_i({NumPorts{1'b0}}), .bound_vc_i({VcW{1'b0}}), .free_i, .has_credit_i, .credits_i,
        .port_o(), .can_o(can_last), .eligible_o(), .request_o(last)
      );
    end else begin : g_one_port
      assign last     = '0;
      assign can_last = can;
    end

    // Rule 2 for another flit. Each port has gates of its own, so that chains of credits take no way
    // that no route takes.
    for (genvar o = 0; o < NumPorts; o++) begin : g_go
      if ((Turns >> o) % 2 != 0) begin : g_turn
        assign goes[o] = held_o[v] && !head && bound_to[o]
                         && (bound_vc & usable_i[o*NumVcs +: NumVcs]) != '0;
      end else begin : g_none
        assign goes[o] = 1'b0;
      end
    end

    for (genvar o = 0; o < NumPorts; o++) begin : g_port
      assign ask_o[o*NumVcs + v] = request[o] || last[o];
      assign go_o[o*NumVcs + v]  = goes[o];
      assign granted[o]          = granted_i[o*NumVcs + v];
    end
    for (genvar w = 0; w < NumVcs; w++) begin : g_out
      assign can_o[w*NumVcs + v]      = can[w];
      assign can_last_o[w*NumVcs + v] = can_last[w];
      assign bound_to_o[w*NumVcs + v] = bound_vc[w];
      assign taken[w]                 = take_i[w*NumVcs + v];
    end

    // Rule 6: the binding.
    anl_encode #(.Size(NumVcs)) u_take (.onehot_i(taken), .index_o(take));
    anl_decode #(.Size(NumVcs)) u_vc (.index_i(bound_vc_o[v*VcW +: VcW]), .onehot_o(bound_vc));
    anl_binding #(.NumPorts(NumPorts), .NumVcs(1), .OutVcs(NumVcs), .Arbiter(anl_pkg::Fixed)) u_binding (
      .clk_i, .rst_i, .learn_i(granted != '0), .port_i(granted), .offer_i(leaves), .move_i(leaves), .head_i(head),
      .tail_i(tail[v]), .vc_i(take), .rank_i({RankW{1'b0}}), .bound_o(bound_o[v]), .to_o(bound_to),
      .port_o(bound_port_o[v*PortW +: PortW]), .vc_o(bound_vc_o[v*VcW +: VcW]), .rank_o()
    );

    `ANL_ASSERT(AssumeRouteIsOneTurn, !waits || $onehot(port) || route_vcs_i[v*NumVcs +: NumVcs] == '0)
    `ANL_ASSERT(AssumeGrantsOneWhoAsks, (granted & ~(request | last)) == '0
                                        && (granted & (granted - 1'b1)) == '0)
    `ANL_ASSERT(RestIsBound, !held_o[v] || head != bound_o[v])
    `ANL_ASSERT(LeavesOneWay, granted == '0 || goes == '0)
  end

  if (FlowControl == anl_pkg::StoreAndForward) begin : g_packet_count
    anl_packet_count #(.NumVcs(NumVcs), .Depth(Depth)) u_packet_count (
      .clk_i, .rst_i, .enter_i(tail_in), .leave_i(credit_o & tail), .whole_o(whole)
    );
  end else begin : g_no_packet_count
    assign whole = '1;
  end

endmodule
