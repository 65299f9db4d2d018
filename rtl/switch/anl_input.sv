// SPDX-License-Identifier: Apache-2.0
//
// An input port: rules 2, 3 and 5 of docs/switch.md, and rule 6 on its side. It holds the lanes (virtual channels) at the
// end of a link, offers the front flit of one of them to an output port (input arbitration), and
// selects the output lane that the flit would take. Its parts are the lanes and what their front flits
// say (anl_input_lanes), which of these flits are eligible (anl_eligible), the lane that each class
// offers (anl_offer), the choice of a class (anl_class_scan), and the bindings (anl_binding). The output
// lane is selected by anl_vc_select, or by anl_ask if it is known at once which lane can be offered.
//
// The output lane is selected in parallel with the grant: every input port works out which lane its
// offer would take. With several classes of messages each class chooses one of its lanes, the scan
// over classes chooses one class, and a head has the output lanes of its own class alone. Lanes in a
// set are counted from 0 within the class. If the path is PathGreedy a head may be offered to both of the last two output
// ports; take_o is then its lane at the first of them and take_last_o its lane at the last. A port
// with a single lane has nothing to choose: the request of that lane is its offer.
// Timing: the offer is a function of registers, of the routes, random_i and the state of the output
// lanes; granted_i may depend on the offer; credit_o follows granted_i.

// A policy or field that is absent leaves some inputs unread. The ports stay, so that all instances
// look the same.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_input #(
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
  parameter  int Early     = 0,                        // 1: heads are routed when they enter a lane
  parameter  int Classes   = 1,                        // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of the classes (anl_pkg)
  parameter  int Turns     = (1 << NumPorts) - 1,      // bit o: some route leads to port o
  localparam int PathOutW  = (PathW > 0) ? PathW : 1,
  localparam int PortW     = anl_pkg::index_width(NumPorts),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int RankW     = anl_head_pkg::RankW,
  localparam int ClassW    = anl_pkg::index_width(Classes),
  localparam int ClassVcs  = NumVcs / Classes,                  // lanes of each class
  localparam int ClassVcW  = anl_pkg::index_width(ClassVcs)
) (
  input  logic                            clk_i,
  input  logic                            rst_i,
  input  logic [7:0]                      random_i,

  // The link that ends here (docs/link.md).
  input  logic                            valid_i,
  input  logic [VcW-1:0]                  vc_i,
  input  logic [FlitW+1:0]                flit_i,
  output logic [NumVcs-1:0]               credit_o,

  // Route of the front flit of each lane; route_* are combinational functions of the outputs. With
  // an early route (anl_pkg) every lane shows the flit on the link, and the route of lane 0 is that
  // of this flit.
  input  logic [DstW-1:0]                 here_i,      // constant, compared with dst_o
  output logic [NumVcs*DstW-1:0]          dst_o,
  output logic [NumVcs*DstW-1:0]          differs_o,   // dst_o ^ here_i
  output logic [NumVcs*PathOutW-1:0]      path_o,      // 0 unless heads carry a path
  output logic [NumVcs*anl_head_pkg::LengthW-1:0] length_o,  // of a worm, 0 under wormhole
  input  logic [NumVcs*NumPorts-1:0]      route_port_i,    // one-hot for each lane with a set
  input  logic [NumVcs*ClassVcs-1:0]      route_vcs_i,     // lanes of the class
  input  logic [NumVcs-1:0]               route_either_i,  // read only if the path is greedy

  // State of all output lanes of the switch. Lane w of class c of port o is at index
  // (c*NumPorts + o)*ClassVcs + w.
  input  logic [NumPorts*NumVcs-1:0]      free_i,
  input  logic [NumPorts*NumVcs-1:0]      has_credit_i,
  input  logic [NumPorts*NumVcs-1:0]      all_credits_i,
  input  logic [NumPorts*NumVcs*CntW-1:0] credits_i,

  // The offer. request_o is the output port, one-hot, or both of the last two; it is 0 if there is
  // no offer, and then the other signals have no meaning. The output lane is take_last_o at the
  // last port and take_o at another one, one-hot.
  output logic [NumPorts-1:0]             request_o,
  output logic [NumVcs-1:0]               take_o,
  output logic [NumVcs-1:0]               take_last_o,
  output logic [VcW-1:0]                  lane_o,    // input lane of the offered flit
  output logic [RankW-1:0]               rank_o,
  output logic [FlitW+1:0]                flit_o,
  input  logic                            granted_i,
  input  logic                            granted_last_i,  // by the last port; read only if greedy

  // State for the switch (held_o) and for the probes.
  output logic [NumVcs-1:0]               held_o,
  output logic [NumVcs*CntW-1:0]          count_o,
  output logic [NumVcs-1:0]               bound_o,
  output logic [NumVcs*PortW-1:0]         bound_port_o,
  output logic [NumVcs*VcW-1:0]           bound_vc_o,
  output logic [Classes*ClassVcW-1:0]     in_ptr_o,      // of each class, counted within it
  output logic [ClassW-1:0]               favoured_o,    // class; 0 with one class
  output logic [anl_pkg::WeightW-1:0]     quota_o        // 0 with one class
);

  localparam int ClassLanes = NumPorts * ClassVcs;     // output lanes of a class
  localparam int LengthW = anl_head_pkg::LengthW;
  localparam bit Greedy  = Path == anl_pkg::PathGreedy;
  localparam bit Choice  = NumVcs > 1 || Greedy;
  // The lane that can be offered is known before it is known whether its flit is eligible: it is the only
  // one, or the one that asks under registered_priority.
  localparam bit AtOnce  = Classes == 1 && !Greedy && (NumVcs == 1 || Arbiter == anl_pkg::RegisteredPriority);

  // Front flits of the lanes, and what they could do.
  logic [NumVcs-1:0]          head, whole, eligible;
  logic [NumVcs*NumPorts-1:0] route_port, port, request;
  logic [NumVcs*ClassVcs-1:0] route_vcs, can;
  logic [NumVcs*RankW-1:0]    head_rank, rank;
  // Bit v: the last port, which the route does not name, could accept the head of lane v.
  logic [NumVcs-1:0]          either_eligible;
  // The offer.
  logic [Classes-1:0]         candidate;        // the class has a lane that can be offered
  logic [Classes-1:0]         chosen;           // by the scan over classes, one-hot or 0
  logic [NumVcs-1:0]          sel;
  logic [Classes*ClassVcW-1:0] index;            // index of the lane in sel, within its class
  logic [NumPorts-1:0]        port_sel;
  logic [NumPorts-1:0]        by_route;         // the port of the route, or the bound one, if it could accept the flit
  logic [NumVcs-1:0]          last;             // lane at the last port of a head that may go by either; 0: not there
  // The bindings. They store bind_port for the lanes of learn; one-hot for each lane.
  logic [NumVcs-1:0]          taken;            // output lane if the offer is granted
  logic [NumVcs-1:0]          learn;
  logic [NumVcs*NumPorts-1:0] bind_port, bound_to;
  logic [NumVcs*ClassVcW-1:0] bound_vc;         // within the class
  logic [NumVcs*RankW-1:0]    bound_rank;

  anl_input_lanes #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .PathW(PathW), .Early(Early),
    .Classes(Classes), .Turns(Turns)
  ) u_lanes (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o,
    .here_i, .dst_o, .differs_o, .route_port_i, .route_vcs_i,
    .held_o, .count_o, .head_o(head), .whole_o(whole), .length_o, .rank_o(head_rank), .path_o,
    .route_port_o(route_port), .route_vcs_o(route_vcs), .sel_i(sel), .pop_i(granted_i), .flit_o
  );

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    localparam int Class = v / ClassVcs;

    assign rank[v*RankW +: RankW] = head[v] ? head_rank[v*RankW +: RankW] : bound_rank[v*RankW +: RankW];

    anl_eligible #(
      .NumPorts(NumPorts), .NumVcs(ClassVcs), .Depth(Depth), .FlowControl(FlowControl),
      .AtOnce(32'(AtOnce && NumVcs > 1)), .Turns(Turns)
    ) u_eligible (
      .held_i(held_o[v]), .head_i(head[v]), .whole_i(whole[v]),
      .length_i(length_o[v*LengthW +: LengthW]),
      .route_port_i(route_port[v*NumPorts +: NumPorts]),
      .route_vcs_i(route_vcs[v*ClassVcs +: ClassVcs]),
      .bound_to_i(bound_to[v*NumPorts +: NumPorts]), .bound_vc_i(bound_vc[v*ClassVcW +: ClassVcW]),
      .free_i(free_i[Class*ClassLanes +: ClassLanes]),
      .has_credit_i(has_credit_i[Class*ClassLanes +: ClassLanes]),
      .credits_i(credits_i[Class*ClassLanes*CntW +: ClassLanes*CntW]),
      .port_o(port[v*NumPorts +: NumPorts]), .can_o(can[v*ClassVcs +: ClassVcs]),
      .eligible_o(eligible[v]), .request_o(request[v*NumPorts +: NumPorts])
    );

    assign bound_vc_o[v*VcW +: VcW] = VcW'(Class * ClassVcs) + VcW'(bound_vc[v*ClassVcW +: ClassVcW]);

    `ANL_ASSERT(AssumeRouteIsOneTurn, !held_o[v] || $onehot(port[v*NumPorts +: NumPorts])
                                      || (head[v] && route_vcs[v*ClassVcs +: ClassVcs] == '0))
    `ANL_ASSERT(AssumeWormFitsItsLane, FlowControl == anl_pkg::Wormhole || !(held_o[v] && head[v])
                                       || (length_o[v*LengthW +: LengthW] != '0
                                           && 32'(length_o[v*LengthW +: LengthW]) <= Depth))
    `ANL_ASSERT(AssumeRestHasRoom, FlowControl == anl_pkg::Wormhole || !held_o[v] || head[v]
                                   || can[v*ClassVcs +: ClassVcs] != '0)
    `ANL_ASSERT(RestIsWhole, !held_o[v] || head[v] || whole[v])
    `ANL_ASSERT(BoundIsHeld, FlowControl != anl_pkg::StoreAndForward || !bound_o[v] || held_o[v])
    `ANL_ASSERT(RequestsIfEligible, (AtOnce && NumVcs > 1 && !held_o[v])
                                    || request[v*NumPorts +: NumPorts]
                                       == (port[v*NumPorts +: NumPorts] & {NumPorts{eligible[v]}}))
  end

  // Rule 3 in each class: the lane that is offered if the class is chosen.
  for (genvar c = 0; c < Classes; c++) begin : g_class
    localparam int First = c * ClassVcs;             // its first lane

    anl_offer #(.NumVcs(ClassVcs), .Arbiter(Arbiter), .AtOnce(32'(AtOnce))) u_offer (
      .clk_i, .rst_i, .random_i, .held_i(held_o[First +: ClassVcs]),
      .eligible_i(eligible[First +: ClassVcs] | either_eligible[First +: ClassVcs]),
      .rank_i(rank[First*RankW +: ClassVcs*RankW]), .any_o(candidate[c]), .chosen_i(chosen[c]),
      .sel_o(sel[First +: ClassVcs]), .index_o(index[c*ClassVcW +: ClassVcW]), .granted_i,
      .ptr_o(in_ptr_o[c*ClassVcW +: ClassVcW])
    );
  end

  // Rule 3 between the classes.
  if (Classes > 1) begin : g_classes
    anl_class_scan #(.Classes(Classes), .Weights(Weights)) u_classes (
      .clk_i, .rst_i, .req_i(candidate), .gnt_o(chosen), .moved_i(granted_i), .favoured_o, .quota_o
    );
    anl_encode #(.Size(NumVcs)) u_lane (.onehot_i(sel), .index_o(lane_o));
  end else begin : g_one_class
    assign chosen     = 1'b1;
    assign lane_o     = index;
    assign favoured_o = '0;
    assign quota_o    = '0;
  end

  anl_mux #(.Size(NumVcs), .Width(NumPorts)) u_port (
    .sel_i(sel), .data_i(port), .data_o(port_sel)
  );
  anl_mux #(.Size(NumVcs), .Width(RankW)) u_rank (
    .sel_i(sel), .data_i(rank), .data_o(rank_o)
  );

  // Rule 5: the output lane, and the port that could accept the flit.
  if (AtOnce && NumVcs > 1) begin : g_ask
    logic [NumPorts-1:0] asked;

    anl_ask #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl), .Turns(Turns)
    ) u_ask (
      .sel_i(sel), .head_i(head), .whole_i(whole), .length_i(length_o), .route_port_i(route_port),
      .route_vcs_i(route_vcs), .bound_to_i(bound_to), .bound_vc_i(bound_vc),
      .free_i, .has_credit_i, .all_credits_i, .credits_i, .request_o(asked), .take_o
    );
    // Under wormhole every lane's request is known as early as the lane that asks (anl_eligible).
    if (FlowControl == anl_pkg::Wormhole) begin : g_each_lane
      anl_mux #(.Size(NumVcs), .Width(NumPorts)) u_request (
        .sel_i(sel), .data_i(request), .data_o(by_route)
      );
    end else begin : g_one_lane
      assign by_route = asked;
    end
  end else begin : g_take
    logic [NumVcs-1:0] can_sel, all_credits_sel;

    for (genvar c = 0; c < Classes; c++) begin : g_class
      localparam int First = c * ClassVcs;

      anl_mux #(.Size(ClassVcs), .Width(ClassVcs)) u_can (
        .sel_i(sel[First +: ClassVcs]), .data_i(can[First*ClassVcs +: ClassVcs*ClassVcs]),
        .data_o(can_sel[First +: ClassVcs])
      );
      anl_mux #(.Size(NumPorts), .Width(ClassVcs)) u_all_credits (
        .sel_i(port_sel), .data_i(all_credits_i[c*ClassLanes +: ClassLanes]),
        .data_o(all_credits_sel[First +: ClassVcs])
      );
      anl_vc_select #(.NumVcs(ClassVcs)) u_vc_select (
        .can_i(can_sel[First +: ClassVcs]), .all_credits_i(all_credits_sel[First +: ClassVcs]),
        .lane_o(take_o[First +: ClassVcs])
      );
    end
    assign by_route = !Choice ? request[NumPorts-1:0] : port_sel & {NumPorts{!Greedy || can_sel != '0}};
  end

  // A head that may go by either of the last two ports. Its route names the first of them.
  if (Greedy) begin : g_second_port
    for (genvar c = 0; c < Classes; c++) begin : g_class
      localparam int First = c * ClassVcs;
      localparam int Far   = c * ClassLanes + (NumPorts - 1) * ClassVcs;     // its lanes at the last port
      anl_second_port #(.NumVcs(ClassVcs), .Depth(Depth), .FlowControl(FlowControl)) u_second_port (
        .held_i(held_o[First +: ClassVcs]), .head_i(head[First +: ClassVcs]),
        .whole_i(whole[First +: ClassVcs]), .either_i(route_either_i[First +: ClassVcs]),
        .length_i(length_o[First*LengthW +: ClassVcs*LengthW]),
        .set_i(route_vcs_i[First*ClassVcs +: ClassVcs*ClassVcs]),
        .free_i(free_i[Far +: ClassVcs]), .has_credit_i(has_credit_i[Far +: ClassVcs]),
        .all_credits_i(all_credits_i[Far +: ClassVcs]),
        .credits_i(credits_i[Far*CntW +: ClassVcs*CntW]),
        .eligible_o(either_eligible[First +: ClassVcs]), .sel_i(sel[First +: ClassVcs]),
        .take_o(last[First +: ClassVcs])
      );
    end
    assign taken     = granted_last_i ? take_last_o : take_o;
    assign learn     = credit_o & head;
    assign bind_port = {NumVcs{granted_last_i ? NumPorts'(1 << (NumPorts - 1)) : port_sel}};
  end else begin : g_one_port
    assign either_eligible = '0;
    assign last            = '0;
    assign taken           = take_o;
    assign learn           = held_o & head;   // the value stored in the cycle of the move stays
    assign bind_port       = port;
  end
  assign request_o   = by_route | (NumPorts'(last != '0) << (NumPorts - 1));
  assign take_last_o = (last != '0) ? last : take_o;

  // Rule 6 on the input side: the bindings.
  for (genvar c = 0; c < Classes; c++) begin : g_bindings
    localparam int First = c * ClassVcs;
    logic [ClassVcW-1:0] take_index;

    anl_encode #(.Size(ClassVcs)) u_take_index (
      .onehot_i(taken[First +: ClassVcs]), .index_o(take_index)
    );
    anl_binding #(.NumPorts(NumPorts), .NumVcs(ClassVcs), .Arbiter(Arbiter)) u_binding (
      .clk_i, .rst_i, .learn_i(learn[First +: ClassVcs]),
      .port_i(bind_port[First*NumPorts +: ClassVcs*NumPorts]),
      .offer_i(sel[First +: ClassVcs]),
      .move_i(credit_o[First +: ClassVcs]), .head_i(flit_o[FlitW+1]), .tail_i(flit_o[FlitW]),
      .vc_i(take_index), .rank_i(rank_o),
      .bound_o(bound_o[First +: ClassVcs]), .to_o(bound_to[First*NumPorts +: ClassVcs*NumPorts]),
      .port_o(bound_port_o[First*PortW +: ClassVcs*PortW]),
      .vc_o(bound_vc[First*ClassVcW +: ClassVcs*ClassVcW]),
      .rank_o(bound_rank[First*RankW +: ClassVcs*RankW])
    );
  end

  `ANL_ASSERT(AssumeClassesShareTheLanes, Classes * ClassVcs == NumVcs)

endmodule
