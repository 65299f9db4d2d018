// SPDX-License-Identifier: Apache-2.0
//
// The buffered switch of docs/switch.md for any topology; the routes come from outside.
//
// A lane is the FIFO of one virtual channel. Lane v of port p is at index p*NumVcs + v of every
// vector of lanes. A flit is {head, tail, data}.
// Timing: a flit takes one cycle from the front of an input lane to the lane at the other end of
// the link, or two if Stages is 2: offers and grants are then registered in front of
// the crossbar, and credits behind the lanes. valid_o, vc_o, flit_o and credit_o are functions of
// registers and of the routes, and the routes must be combinational functions of dst_o, differs_o,
// path_o, random_o and of the outputs for a selection. So no combinational path leads through the
// switch, except those of chained links from chained_i to these four outputs (docs/switch.md, "Credits").
//
// If links are wide (docs/switch.md, "Wide links"), anl_wide_ports is in the place of both; line v of
// a link is then that of lane v, and vc_i has no meaning.
//
//   link in ─▶ anl_input ──offer──▶ anl_output ─▶ link out
//    credit ◀──  (× P)   ◀──grant──   (× P)    ◀─ credit

// Some state is read only by the probes (docs/switch.md, "State that is compared").
// verilator lint_off UNUSEDSIGNAL
// Chains of credits of wide links end where no turn goes on; the tool sees whole vectors.
// verilator lint_off UNOPTFLAT

module anl_switch #(
  parameter  int NumPorts  = 5,                       // ports, at most 32
  parameter  int NumVcs    = 4,                       // lanes of a link, 1 .. 8
  parameter  int Depth     = 4,                       // flits of a lane, 1 .. 64
  parameter  int FlitW     = 32,                      // data bits of a flit
  parameter  int DstW      = 4,                       // bits of a destination's label
  parameter  int Arbiter   = anl_pkg::RoundRobin,     // how arbiters choose (anl_pkg)
  parameter  int FlowControl = anl_pkg::Wormhole,     // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                    // 1: heads say their length under wormhole, too
  parameter  int Path      = anl_pkg::PathNone,       // how a head's port is known (anl_pkg)
  parameter  int PathW     = 0,                       // bits of a path or list that heads carry
  parameter  int Early     = 0,                       // 1: heads are routed when they enter a lane
  parameter  int CreditBypass = 0,                    // bit o: the link of output o is chained
  parameter  int Wide      = 0,                       // 1: links are wide
  parameter  int Stages    = 1,                       // 1 or 2
  parameter  int Classes   = 1,                       // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of the classes (anl_pkg)
  parameter  logic [anl_pkg::TurnsW-1:0] Turns = {anl_pkg::TurnsW{1'b1}},  // turns that are wired
  localparam int PathOutW  = (PathW > 0) ? PathW : 1,
  localparam int PortW     = anl_pkg::index_width(NumPorts),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LinkW     = FlitW + 2,
  localparam int NumLines  = NumPorts * anl_pkg::lines_of(Wide, NumVcs),   // of all its links
  localparam int NumLanes  = NumPorts * NumVcs,
  localparam int OutPtrW   = anl_pkg::index_width((Wide != 0) ? NumLanes : NumPorts),
  localparam int ClassVcs  = NumVcs / Classes         // lanes of each class
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [31:0]                seed_i,        // of the generator, sampled in reset

  // Links into the switch, by input port (docs/link.md).
  input  logic [NumLines-1:0]        valid_i,
  input  logic [NumLines*VcW-1:0]    vc_i,
  input  logic [NumLines*LinkW-1:0]  flit_i,
  output logic [NumLanes-1:0]        credit_o,

  // Links out of the switch, by output port (docs/link.md).
  output logic [NumLines-1:0]        valid_o,
  output logic [NumLines*VcW-1:0]    vc_o,
  output logic [NumLines*LinkW-1:0]  flit_o,
  input  logic [NumLanes-1:0]        credit_i,
  input  logic [NumLanes-1:0]        chained_i,     // as credit_i; read for chained links only

  // Route of the head at the front of each input lane: an output port, one-hot, and the set of
  // lanes that it may take. If the path is greedy and route_either_i is 1, the head may go by
  // either of the last two ports, and route_port_i names the first of them.
  input  logic [DstW-1:0]            here_i,        // label that dst_o is compared with, constant
  output logic [NumLanes*DstW-1:0]   dst_o,
  output logic [NumLanes*DstW-1:0]   differs_o,     // dst_o ^ here_i
  output logic [NumLanes*PathOutW-1:0] path_o,      // 0 unless heads carry a path
  output logic [31:0]                random_o,      // 0 unless a policy reads random bits
  input  logic [NumLanes*NumPorts-1:0] route_port_i,
  input  logic [NumLanes*ClassVcs-1:0] route_vcs_i,
  input  logic [NumLanes-1:0]        route_either_i,

  // What a selection among several options reads: the state of the output lanes, and the length of
  // the head in front of each input lane (0 if heads carry none). Of output lanes, those of a class
  // stand together: lane w of class c of port o is at index (c*NumPorts + o)*ClassVcs + w.
  output logic [NumLanes-1:0]        free_o,        // no worm owns the lane
  output logic [NumLanes-1:0]        has_credit_o,
  output logic [NumLanes-1:0]        all_credits_o,
  output logic [NumLanes*CntW-1:0]   credits_o,
  output logic [NumLanes*anl_head_pkg::LengthW-1:0] length_o
);

  localparam int RankW    = anl_head_pkg::RankW;
  localparam int LengthW  = anl_head_pkg::LengthW;
  localparam int ClassW   = anl_pkg::index_width(Classes);
  localparam int ClassVcW = anl_pkg::index_width(ClassVcs);
  localparam int WeightW  = anl_pkg::WeightW;

  // State that the lock-step compares, under the names of docs/switch.md.
  logic [NumLanes*CntW-1:0]   count;
  logic [NumLanes-1:0]        bound;
  logic [NumLanes*PortW-1:0]  bound_port;
  logic [NumLanes*VcW-1:0]    bound_vc;
  logic [NumLanes*CntW-1:0]   credit;
  logic [NumLanes-1:0]        owned;
  logic [NumLanes*PortW-1:0]  owner_port;
  logic [NumLanes*VcW-1:0]    owner_vc;
  logic [NumPorts*Classes*ClassVcW-1:0] in_ptr;
  logic [NumPorts*ClassW-1:0]  favoured;
  logic [NumPorts*WeightW-1:0] quota;
  logic [NumPorts*OutPtrW-1:0] out_ptr;
  logic [31:0]                random;

  // has_credit, all_credits and usable are by port, those with by_class in front by class.
  logic [NumLanes-1:0]          held, has_credit, all_credits;
  logic [NumLanes-1:0]          by_class_free, by_class_has_credit, by_class_all_credits;
  logic [NumLanes*CntW-1:0]     by_class_usable;
  logic [NumPorts*NumPorts-1:0] request;          // [p*NumPorts + o]: p makes an offer to o
  logic [NumPorts*NumVcs-1:0]   take, take_last;
  logic [NumLanes*CntW-1:0]     usable;           // credits that count in this cycle
  logic [NumPorts*VcW-1:0]      lane;
  logic [NumPorts*RankW-1:0]   rank;
  logic [NumPorts*LinkW-1:0]    offer, crossing;  // crossing: in front of the crossbar
  logic [NumPorts*2-1:0]        ends;             // {head, tail} of the offer
  logic [NumLanes-1:0]          leaves;           // the front flit of an input lane leaves it

  if (Stages == 1) begin : g_one_stage
    assign crossing = offer;
    assign credit_o = leaves;
  end else begin : g_two_stages
    logic [NumPorts*LinkW-1:0] offer_q;
    logic [NumLanes-1:0]       leaves_q;

    always_ff @(posedge clk_i) begin : regs
      offer_q  <= offer;
      leaves_q <= rst_i ? '0 : leaves;
    end
    assign crossing = offer_q;
    assign credit_o = leaves_q;
  end

  for (genvar o = 0; o < NumPorts; o++) begin : g_port
    for (genvar c = 0; c < Classes; c++) begin : g_class
      localparam int From = o * NumVcs + c * ClassVcs;
      localparam int To   = (c * NumPorts + o) * ClassVcs;
      assign by_class_free[To +: ClassVcs]        = ~owned[From +: ClassVcs];
      assign by_class_has_credit[To +: ClassVcs]  = has_credit[From +: ClassVcs];
      assign by_class_all_credits[To +: ClassVcs] = all_credits[From +: ClassVcs];
      assign by_class_usable[To*CntW +: ClassVcs*CntW] = usable[From*CntW +: ClassVcs*CntW];
    end
  end

  if (Wide != 0) begin : g_wide
    logic [NumLines-1:0]       valid;
    logic [NumLines*LinkW-1:0] flit;

    anl_wide_ports #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
      .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Path(Path), .PathW(PathW),
      .CreditBypass((CreditBypass != 0) ? 1 : 0), .Turns(Turns)
    ) u_ports (
      .clk_i, .rst_i, .random_i(random[15:8]), .valid_i, .flit_i, .credit_o(leaves), .valid_o(valid), .flit_o(flit),
      .credit_i, .here_i, .dst_o, .differs_o, .path_o, .length_o, .route_port_i, .route_vcs_i, .route_either_i,
      .held_o(held), .count_o(count), .bound_o(bound), .bound_port_o(bound_port),
      .bound_vc_o(bound_vc), .credits_o(credit), .owned_o(owned), .owner_port_o(owner_port),
      .owner_vc_o(owner_vc), .out_ptr_o(out_ptr)
    );
    for (genvar l = 0; l < NumLanes; l++) begin : g_line
      localparam int Vc = l % NumVcs;
      assign vc_o[l*VcW +: VcW] = Vc[VcW-1:0];
    end
    if (Stages == 1) begin : g_one_stage_of_lines
      assign valid_o = valid;
      assign flit_o  = flit;
    end else begin : g_two_stages_of_lines
      logic [NumLines-1:0]       valid_q;
      logic [NumLines*LinkW-1:0] flit_q;

      always_ff @(posedge clk_i) begin : regs
        valid_q <= rst_i ? '0 : valid;
        flit_q  <= flit;
      end
      assign valid_o = valid_q;
      assign flit_o  = flit_q;
    end
    assign offer = '0;            // the crossbar is in anl_wide_ports
    assign in_ptr = '0;
    assign favoured = '0;
    assign quota = '0;
    assign has_credit = '0;       // wide links have no selection among several options
    assign all_credits = '0;
    assign usable = '0;
  end

  // The ports of shared links.
  for (genvar p = 0; p < (Wide != 0 ? 0 : NumPorts); p++) begin : g_input
    logic [NumPorts-1:0] granted;
    for (genvar o = 0; o < NumPorts; o++) begin : g_grant
      assign granted[o] = g_output[o].grant[p];
    end
    anl_input #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
      .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Path(Path), .PathW(PathW), .Early(Early),
      .Classes(Classes), .Weights(Weights), .Turns(32'(Turns[p*anl_pkg::MaxPorts +: NumPorts]))
    ) u_input (
      .clk_i, .rst_i, .random_i(random[23:16]),
      .valid_i(valid_i[p]), .vc_i(vc_i[p*VcW +: VcW]), .flit_i(flit_i[p*LinkW +: LinkW]),
      .credit_o(leaves[p*NumVcs +: NumVcs]),
      .here_i, .dst_o(dst_o[p*NumVcs*DstW +: NumVcs*DstW]),
      .differs_o(differs_o[p*NumVcs*DstW +: NumVcs*DstW]),
      .path_o(path_o[p*NumVcs*PathOutW +: NumVcs*PathOutW]),
      .length_o(length_o[p*NumVcs*LengthW +: NumVcs*LengthW]),
      .route_port_i(route_port_i[p*NumVcs*NumPorts +: NumVcs*NumPorts]),
      .route_vcs_i(route_vcs_i[p*NumVcs*ClassVcs +: NumVcs*ClassVcs]),
      .route_either_i(route_either_i[p*NumVcs +: NumVcs]),
      .free_i(by_class_free), .has_credit_i(by_class_has_credit),
      .all_credits_i(by_class_all_credits), .credits_i(by_class_usable),
      .request_o(request[p*NumPorts +: NumPorts]), .take_o(take[p*NumVcs +: NumVcs]),
      .take_last_o(take_last[p*NumVcs +: NumVcs]),
      .lane_o(lane[p*VcW +: VcW]), .rank_o(rank[p*RankW +: RankW]),
      .flit_o(offer[p*LinkW +: LinkW]), .granted_i(granted != '0),
      .granted_last_i(granted[NumPorts-1]),
      .held_o(held[p*NumVcs +: NumVcs]), .count_o(count[p*NumVcs*CntW +: NumVcs*CntW]),
      .bound_o(bound[p*NumVcs +: NumVcs]),
      .bound_port_o(bound_port[p*NumVcs*PortW +: NumVcs*PortW]),
      .bound_vc_o(bound_vc[p*NumVcs*VcW +: NumVcs*VcW]),
      .in_ptr_o(in_ptr[p*Classes*ClassVcW +: Classes*ClassVcW]),
      .favoured_o(favoured[p*ClassW +: ClassW]), .quota_o(quota[p*WeightW +: WeightW])
    );
    assign ends[p*2 +: 2] = offer[p*LinkW + FlitW +: 2];
  end

  for (genvar o = 0; o < (Wide != 0 ? 0 : NumPorts); o++) begin : g_output
    localparam bit LastOfTwo = Path == anl_pkg::PathGreedy && o == NumPorts - 1;
    logic [NumPorts-1:0]        requests, grant;
    logic [NumPorts*NumVcs-1:0] takes;

    for (genvar p = 0; p < NumPorts; p++) begin : g_request
      // An offer that the first of the two ports has granted is no longer there for the second.
      if (LastOfTwo) begin : g_left
        assign requests[p] = request[p*NumPorts + o] && !g_output[o-1].grant[p];
      end else begin : g_all
        assign requests[p] = request[p*NumPorts + o];
      end
    end
    assign takes = LastOfTwo ? take_last : take;

    anl_output #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Arbiter(Arbiter),
      .CreditBypass((CreditBypass >> o) % 2), .Turns(anl_pkg::turns_into(Turns, NumPorts, o)), .Stages(Stages)
    ) u_output (
      .clk_i, .rst_i, .random_i(random[15:8]),
      .request_i(requests), .take_i(takes), .lane_i(lane), .rank_i(rank), .ends_i(ends),
      .flit_i(crossing), .grant_o(grant),
      .valid_o(valid_o[o]), .vc_o(vc_o[o*VcW +: VcW]), .flit_o(flit_o[o*LinkW +: LinkW]),
      .credit_i(credit_i[o*NumVcs +: NumVcs]), .chained_i(chained_i[o*NumVcs +: NumVcs]),
      .has_credit_o(has_credit[o*NumVcs +: NumVcs]), .all_credits_o(all_credits[o*NumVcs +: NumVcs]),
      .usable_o(usable[o*NumVcs*CntW +: NumVcs*CntW]),
      .credits_o(credit[o*NumVcs*CntW +: NumVcs*CntW]), .owned_o(owned[o*NumVcs +: NumVcs]),
      .owner_port_o(owner_port[o*NumVcs*PortW +: NumVcs*PortW]),
      .owner_vc_o(owner_vc[o*NumVcs*VcW +: NumVcs*VcW]), .out_ptr_o(out_ptr[o*PortW +: PortW])
    );
  end

  if (anl_pkg::reads_random(Arbiter) != 0 || Path == anl_pkg::PathRandom) begin : g_random
    anl_prng u_prng (.clk_i, .rst_i, .seed_i, .step_i(held != '0), .random_o(random));
  end else begin : g_no_random
    assign random = '0;
  end
  assign random_o      = random;
  assign free_o        = by_class_free;
  assign has_credit_o  = by_class_has_credit;
  assign all_credits_o = by_class_all_credits;
  assign credits_o     = by_class_usable;

endmodule
