// SPDX-License-Identifier: Apache-2.0
//
// Checks a whole switch, of any make, at its links: by the rules of each link (anl_link_checker) and
// by those of the game, which have the names of the referee (docs/checker.md).
//
// A flit that leaves must be the front of an input lane, which is known by its data. The first
// broken rule of a run is said in the cycle in which it is broken: by its bit in switch_broken_o if
// the switch breaks it, in user_broken_o if its neighbours do. Then the checker is over until rst_i.
// Timing: the outputs are functions of all inputs.

// A style does not read all inputs, and a simulation not the masks of a prover.
// verilator lint_off UNUSEDPARAM
// verilator lint_off UNUSEDSIGNAL

module anl_switch_checker #(
  parameter  int Style    = anl_checker_pkg::Credit,
  parameter  int NumPorts = 2,
  parameter  int NumVcs   = 1,
  parameter  int Depth    = 4,                     // flits that a lane takes without giving credits
  parameter  int Extra    = 0,                     // flits in registers behind a lane, with their credits back
  parameter  int FlitW    = 32,                    // wires of a flit
  parameter  logic [FlitW-1:0] Same     = '1,      // bits that the switch does not change; without marks
  parameter  logic [FlitW-1:0] HeadSame = Same,    // of a head
  parameter  int LengthW  = 16,
  parameter  int Patience = 0,                     // cycles without a flit after which a stall is told; 0: never
  parameter  int Rest     = 0,                     // cycles after which a switch is at rest; 0: at_rest_i alone says so
  parameter  int Rules    = -1,                    // bit r: rule r is looked for
  parameter  int Assert   = -1,                    // what a prover asserts of the switch
  parameter  int Assume   = -1,                    // what a prover assumes of its neighbours
  parameter  int Say      = 1,                     // 0: silent, 1: $display, 2: $error
  localparam int VcW      = anl_pkg::index_width(NumVcs),
  localparam int BackW    = anl_checker_pkg::back_width(Style, NumVcs),
  localparam int NumLanes = NumPorts * NumVcs,
  localparam int NumRules = anl_checker_pkg::Rules
) (
  input  logic                         clk_i,
  input  logic                         rst_i,

  // Links to the switch. routes_i: lane v of output port o, at o*NumVcs + v, is allowed to the head.
  input  logic [NumPorts-1:0]          in_valid_i,
  input  logic [NumPorts*VcW-1:0]      in_vc_i,
  input  logic [NumPorts-1:0]          in_head_i,
  input  logic [NumPorts-1:0]          in_tail_i,
  input  logic [NumPorts*FlitW-1:0]    in_flit_i,
  input  logic [NumPorts*BackW-1:0]    in_back_i,
  input  logic [NumPorts*LengthW-1:0]  in_length_i,   // with a head: flits of its worm; 0: not told
  input  logic [NumPorts*NumLanes-1:0] routes_i,      // with a head

  // Links from the switch.
  input  logic [NumPorts-1:0]          out_valid_i,
  input  logic [NumPorts*VcW-1:0]      out_vc_i,
  input  logic [NumPorts-1:0]          out_head_i,
  input  logic [NumPorts-1:0]          out_tail_i,
  input  logic [NumPorts*FlitW-1:0]    out_flit_i,
  input  logic [NumPorts*BackW-1:0]    out_back_i,

  input  logic                         at_rest_i,     // every credit has had the time to come back

  output logic [NumRules-1:0]          switch_broken_o,
  output logic [NumRules-1:0]          user_broken_o,
  output logic                         over_o         // a rule was broken in an earlier cycle
);

  localparam bit HasCredits = Style == anl_checker_pkg::Credit || Style == anl_checker_pkg::CreditPulseShared;
  localparam int Slots  = Depth + Extra;           // flits of an input lane that may be in the switch
  localparam int AllSlots = NumLanes * Slots;
  localparam int CntW   = $clog2(Depth + 1);
  localparam int HeldW  = $clog2(Slots + 1);
  localparam int LaneW  = anl_pkg::index_width(NumLanes);
  localparam int Links  = 2 * NumPorts;            // output links first

  // What may be broken in a cycle, in the order in which it is looked for: an event has a rule and a link.
  localparam int OfFlit  = 7;                      // events of a flit, in this order:
  localparam int Marks = 0, Early = 1, Order = 2, Split = 3, Route = 4, Shared = 5, Full = 6;
  localparam int OfWires = 4;                      // no_credit, sent_at_stop, withdrawn, changed
  localparam int ThisLane = 0, ThisStray = Links, ThisFlit = ThisStray + NumPorts,
                 ThisWorm = ThisFlit + Links, ThisWire = ThisWorm + OfFlit*Links,
                 ThisBack = ThisWire + OfWires*Links, AtRest = ThisBack + 2*Links, Events = AtRest + 2;

  function automatic int rule_of(input int e);
    rule_of = anl_checker_pkg::Stalled;
    if (e == AtRest) rule_of = anl_checker_pkg::LostCredit;
    else if (e < ThisStray) rule_of = anl_checker_pkg::BadLink;
    else if (e < ThisFlit) rule_of = anl_checker_pkg::BadMarks;
    else if (e < ThisWorm) rule_of = (e - ThisFlit < NumPorts) ? anl_checker_pkg::MadeUpFlit : anl_checker_pkg::TwoAlike;
    else if (e < ThisWire) begin
      case ((e - ThisWorm) % OfFlit)
        Marks:   rule_of = anl_checker_pkg::BadMarks;
        Early:   rule_of = anl_checker_pkg::TooEarly;
        Order:   rule_of = anl_checker_pkg::OutOfOrder;
        Split:   rule_of = anl_checker_pkg::SplitWorm;
        Route:   rule_of = anl_checker_pkg::IllegalRoute;
        Shared:  rule_of = anl_checker_pkg::LaneShared;
        default: rule_of = anl_checker_pkg::Overflow;
      endcase
    end else if (e < ThisBack) begin
      case ((e - ThisWire) / Links)
        0:       rule_of = anl_checker_pkg::NoCredit;
        1:       rule_of = anl_checker_pkg::SentAtStop;
        2:       rule_of = anl_checker_pkg::Withdrawn;
        default: rule_of = anl_checker_pkg::Changed;
      endcase
    end else if (e < AtRest) rule_of = ((e - ThisBack) % 2 == 0) ? anl_checker_pkg::BadPulse : anl_checker_pkg::EarlyCredit;
  endfunction

  function automatic int link_of(input int e);
    link_of = 0;
    if (e < ThisStray) link_of = e;
    else if (e < ThisFlit) link_of = NumPorts + e - ThisStray;
    else if (e < ThisWorm) link_of = e - ThisFlit;
    else if (e < ThisWire) link_of = (e - ThisWorm) / OfFlit;
    else if (e < ThisBack) link_of = (e - ThisWire) % Links;
    else if (e < AtRest) link_of = (e - ThisBack) / 2;
  endfunction

  // Flits on output links and credits on input links are the switch's, and so is what no link has.
  function automatic logic is_of_switch(input int e);
    is_of_switch = (e >= AtRest) || ((e >= ThisBack) == (link_of(e) >= NumPorts));
    if (rule_of(e) == anl_checker_pkg::Overflow) is_of_switch = 1'b1;
  endfunction

  logic [Events-1:0] seen, event_now, first, wanted, of_switch;
  logic              over_q, moves, holds;

  // --- the links ---

  logic [Links*anl_checker_pkg::LinkRules-1:0] of_link;
  logic [Links-1:0]          valid, head, tail, crosses;
  logic [Links*VcW-1:0]      vc;
  logic [Links*FlitW-1:0]    flit;
  logic [Links*BackW-1:0]    back;
  logic [Links*LengthW-1:0]  length;
  logic [Links*NumVcs-1:0]   open, credit, sent_q;   // sent_q: a flit crossed in the cycle before
  logic [Links*NumVcs*CntW-1:0] spent;
  logic [Links*NumVcs-1:0]   passes;               // a flit crosses by this lane

  assign valid  = {in_valid_i, out_valid_i};
  assign vc     = {in_vc_i, out_vc_i};
  assign head   = {in_head_i, out_head_i};
  assign tail   = {in_tail_i, out_tail_i};
  assign flit   = {in_flit_i, out_flit_i};
  assign back   = {in_back_i, out_back_i};
  assign length = {in_length_i, {NumPorts*LengthW{1'b0}}};

  for (genvar l = 0; l < Links; l++) begin : g_link
    anl_link_checker #(
      .Style(Style), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .LengthW(LengthW), .Assert(0), .Assume(0), .Say(0)
    ) u_link (
      .clk_i, .rst_i,
      .valid_i(valid[l]), .vc_i(vc[l*VcW +: VcW]), .head_i(head[l]), .tail_i(tail[l]),
      .flit_i(flit[l*FlitW +: FlitW]), .back_i(back[l*BackW +: BackW]), .length_i(length[l*LengthW +: LengthW]),
      .at_rest_i(1'b0),
      .broken_o(of_link[l*anl_checker_pkg::LinkRules +: anl_checker_pkg::LinkRules]),
      .crosses_o(crosses[l]), .open_o(open[l*NumVcs +: NumVcs]), .spent_o(spent[l*NumVcs*CntW +: NumVcs*CntW])
    );
    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      assign passes[l*NumVcs + v] = crosses[l] && 32'(vc[l*VcW +: VcW]) == v;
      if (Style == anl_checker_pkg::Credit) begin : g_wire
        assign credit[l*NumVcs + v] = back[l*BackW + v];
      end else if (!HasCredits) begin : g_none
        assign credit[l*NumVcs + v] = 1'b0;
      end else begin : g_pulse
        assign credit[l*NumVcs + v] = back[(l+1)*BackW - 1] && 32'(back[l*BackW +: VcW]) == v;
      end
    end
  end
  always_ff @(posedge clk_i) begin : last_cycle
    sent_q <= rst_i ? '0 : passes;
  end

  // --- the input lanes: what was seen to come and not to go; slot 0 is the front ---

  logic [NumLanes-1:0]       comes, pops, empty, full, bound_q, no_tail, alike;
  logic [NumLanes*LaneW-1:0] bound_to_q;           // output lane in which the head of the front worm has left
  logic [NumLanes*FlitW-1:0] come_flit;            // of what comes to a lane
  logic [NumLanes-1:0]       come_head, come_tail;
  logic [AllSlots-1:0]       there, is_head, is_tail, of_first;  // of_first: of the front worm
  logic [AllSlots*FlitW-1:0] slot;
  logic [NumLanes*NumLanes-1:0] front_routes;
  logic [NumLanes-1:0]       early, lost;
  logic [NumPorts*NumLanes-1:0] claim;             // output port o sends what is the front of a lane

  for (genvar l = 0; l < NumLanes; l++) begin : g_in
    localparam int P = l / NumVcs;
    localparam int EntryW = NumLanes + FlitW + 2;
    logic [Slots*EntryW-1:0] entries_q, entries_d;
    logic [HeldW-1:0]        held_q, after_pop, held_d;
    logic [NumPorts-1:0]     claims;
    logic [LaneW-1:0]        to;
    wire [EntryW-1:0]        enters = {routes_i[P*NumLanes +: NumLanes], in_head_i[P], in_tail_i[P], in_flit_i[P*FlitW +: FlitW]};
    wire [CntW-1:0]          spent_now = spent[(NumLanes + l)*CntW +: CntW];
    wire [31:0]              owed = 32'(spent_now) + 32'(comes[l]);

    assign comes[l]     = passes[NumLanes + l];
    assign come_head[l] = in_head_i[P];
    assign come_tail[l] = in_tail_i[P];
    assign come_flit[l*FlitW +: FlitW] = in_flit_i[P*FlitW +: FlitW];
    assign empty[l]     = held_q == '0;
    assign full[l]      = 32'(held_q) == Slots;
    assign pops[l]      = claims != '0;
    assign after_pop    = held_q - HeldW'(pops[l]);
    assign held_d       = after_pop + HeldW'(comes[l] && !full[l]);
    assign early[l]     = credit[NumLanes + l] && (owed == 0 || owed + Extra <= 32'(held_d));
    assign lost[l]      = HasCredits && 32'(spent_now) > 32'(held_q);
    assign front_routes[l*NumLanes +: NumLanes] = entries_q[FlitW + 2 +: NumLanes];

    for (genvar i = 0; i < Slots; i++) begin : g_slot
      assign there[l*Slots + i]   = 32'(held_q) > i;
      assign is_head[l*Slots + i] = entries_q[i*EntryW + FlitW + 1];
      assign is_tail[l*Slots + i] = entries_q[i*EntryW + FlitW];
      assign slot[(l*Slots + i)*FlitW +: FlitW] = entries_q[i*EntryW +: FlitW];
      assign entries_d[i*EntryW +: EntryW] =
          (comes[l] && 32'(after_pop) == i) ? enters
          : (pops[l] && i + 1 < Slots)      ? entries_q[((i + 1) % Slots)*EntryW +: EntryW]
                                            : entries_q[i*EntryW +: EntryW];
    end
    wire [Slots-1:0] tails = is_tail[l*Slots +: Slots];
    wire [Slots-1:0] first_tail = tails & (~tails + 1'b1);
    assign of_first[l*Slots +: Slots] = first_tail | (first_tail - 1'b1);
    assign no_tail[l] = (there[l*Slots +: Slots] & is_tail[l*Slots +: Slots]) == '0;

    for (genvar o = 0; o < NumPorts; o++) begin : g_claim
      assign claims[o] = claim[o*NumLanes + l];
    end
    always_comb begin : goes_to
      to = '0;
      for (int o = NumPorts - 1; o >= 0; o--) if (claims[o]) to = LaneW'(o * NumVcs) + LaneW'(out_vc_i[o*VcW +: VcW]);
    end

    // A head that has the data of one that is in the switch, or that comes by a lower port.
    logic same_inside;
    logic [NumLanes-1:0] same_now;
    wire [FlitW-1:0] new_flit = in_flit_i[P*FlitW +: FlitW];
    always_comb begin : looks_alike
      same_inside = 1'b0;
      for (int s = 0; s < AllSlots; s++)
        if (there[s] && is_head[s] && ((slot[s*FlitW +: FlitW] ^ new_flit) & HeadSame) == '0) same_inside = 1'b1;
    end
    for (genvar q = 0; q < NumLanes; q++) begin : g_now
      if (q < l) begin : g_lower
        assign same_now[q] = comes[q] && come_head[q] && ((come_flit[q*FlitW +: FlitW] ^ new_flit) & HeadSame) == '0;
      end else begin : g_not
        assign same_now[q] = 1'b0;
      end
    end
    assign alike[l] = (same_inside || same_now != '0) && comes[l] && come_head[l];

    always_ff @(posedge clk_i) begin : regs
      entries_q <= entries_d;
      held_q    <= held_d;
      if (pops[l]) begin
        bound_q[l] <= !is_tail[l*Slots];
        if (is_head[l*Slots]) bound_to_q[l*LaneW +: LaneW] <= to;
      end
      if (rst_i) {held_q, bound_q[l]} <= '0;
    end
  end

  // --- the flits that leave ---

  for (genvar o = 0; o < NumPorts; o++) begin : g_out
    localparam int MarkedW = FlitW + 2;
    wire [FlitW-1:0]     x = out_flit_i[o*FlitW +: FlitW];
    wire                 h = out_head_i[o];
    wire                 t = out_tail_i[o];
    wire [LaneW-1:0]     m = LaneW'(o * NumVcs) + LaneW'(out_vc_i[o*VcW +: VcW]);
    wire                 enters = 1'(open[NumLanes-1:0] >> m);            // a worm enters lane m of the link
    logic [AllSlots-1:0] equal, marked;             // slots with the data of the flit; besides, with its marks
    logic [NumLanes-1:0] new_equal, new_marked;     // the same of flits that come in this cycle
    logic [NumLanes-1:0] left_equal, left_marked;   // of flits that left last by an output lane and whose worms go on
    logic [NumLanes-1:0] front_equal, front_marked, front_head, front_tail, may, mine;
    logic [NumLanes-1:0] next, next_new, allowed, front, pick;
    logic [AllSlots-1:0] deep, deep_split;
    logic [NumLanes-1:0] here, left_here;           // one-hot: output lane m
    logic [NumLanes-1:0] ended;                     // output lanes by which a lower port sends a tail
    logic                again, again_tail;         // a lower port sends the same flit
    logic [NumLanes*MarkedW-1:0] left_q;
    logic                leaves, made_up, wrong_marks, wrong_early, wrong_order, wrong_split, wrong_route, wrong_shared, wrong_full;

    for (genvar s = 0; s < AllSlots; s++) begin : g_slot
      wire [FlitW-1:0] unlike = slot[s*FlitW +: FlitW] ^ x;
      assign equal[s]  = there[s] && (unlike & (is_head[s] ? HeadSame : Same)) == '0;
      assign marked[s] = equal[s] && h == is_head[s] && t == is_tail[s];
      assign deep[s]   = s % Slots != 0 && equal[s];
      assign deep_split[s] = of_first[s] && bound_q[s/Slots] && !mine[s/Slots];
    end
    for (genvar l = 0; l < NumLanes; l++) begin : g_lane
      wire [FlitW-1:0]   unlike = come_flit[l*FlitW +: FlitW] ^ x;
      wire [MarkedW-1:0] left   = left_q[l*MarkedW +: MarkedW];
      assign new_equal[l]    = comes[l] && (unlike & (come_head[l] ? HeadSame : Same)) == '0;
      assign new_marked[l]   = new_equal[l] && h == come_head[l] && t == come_tail[l];
      assign left_equal[l]   = open[l] && ((left[FlitW-1:0] ^ x) & (left[FlitW+1] ? HeadSame : Same)) == '0;
      assign left_marked[l]  = left_equal[l] && {h, t} == left[FlitW +: 2];
      assign front_equal[l]  = equal[l*Slots];
      assign front_marked[l] = marked[l*Slots];
      assign front_head[l]   = is_head[l*Slots];
      assign front_tail[l]   = is_tail[l*Slots];
      assign may[l]          = 1'(front_routes[l*NumLanes +: NumLanes] >> m);
      assign mine[l]         = enters && bound_q[l] && bound_to_q[l*LaneW +: LaneW] == m;
      assign here[l]         = 32'(m) == l;
      assign ended[l]        = l / NumVcs < o && passes[l] && out_tail_i[l/NumVcs];

      always_ff @(posedge clk_i) begin : regs
        if (passes[l])
          left_q[l*MarkedW +: MarkedW] <= {out_head_i[l/NumVcs], out_tail_i[l/NumVcs], out_flit_i[(l/NumVcs)*FlitW +: FlitW]};
      end
    end

    assign leaves    = crosses[o];
    assign next      = mine & front_equal;
    assign next_new  = mine & empty & new_equal;
    assign allowed   = front_equal & front_head & may;
    assign front     = (allowed != '0) ? allowed : front_equal;
    assign pick      = (next != '0) ? next : front & (~front + 1'b1);
    assign left_here = left_equal & here;
    assign wrong_full = HasCredits && Depth == 1 && leaves && (sent_q[NumLanes-1:0] & here) != '0;
    assign claim[o*NumLanes +: NumLanes] = (crosses[o] && next_new == '0) ? pick : '0;

    logic [NumPorts-1:0] by_lower;
    for (genvar q = 0; q < NumPorts; q++) begin : g_lower
      if (q < o) begin : g_port
        assign by_lower[q] = (claim[q*NumLanes +: NumLanes] & pick) != '0;
      end else begin : g_not
        assign by_lower[q] = 1'b0;
      end
    end
    assign again      = by_lower != '0;
    assign again_tail = again && (pick & front_tail) != '0;

    // Which flit it is: the next one of the worm that enters the lane; the front of an input lane; another one of that
    // worm; any other that is in the switch; or none.
    always_comb begin : which
      {made_up, wrong_shared, wrong_route, wrong_split, wrong_order, wrong_early, wrong_marks} = '0;
      if (leaves) begin
        if (next != '0) begin
          wrong_marks  = (next & front_marked) == '0;
        end else if (next_new != '0) begin
          wrong_marks  = (next_new & new_marked) == '0;
          wrong_early  = 1'b1;
        end else if (front_equal != '0) begin
          wrong_marks  = (pick & front_marked) == '0;
          wrong_order  = again && again_tail;
          wrong_split  = again || (pick & front_head) == '0;
          wrong_route  = (pick & may) == '0;
          wrong_shared = enters;
        end else if (deep != '0 || new_equal != '0 || left_equal != '0) begin
          wrong_marks  = (deep & marked) == '0 && (new_equal & new_marked) == '0 && (left_equal & left_marked) == '0;
          wrong_early  = deep == '0 && left_equal == '0 && (new_equal & come_head) != '0;
          wrong_split  = left_here == '0 && ((deep & deep_split) != '0 || (left_equal & ~here & ~ended) != '0
                                              || (new_equal & ~come_head & no_tail & bound_q & ~mine) != '0);
          wrong_order  = !wrong_split;
        end else begin
          made_up = 1'b1;
        end
      end
    end
    assign event_now[ThisFlit + o] = made_up;
    assign event_now[ThisWorm + o*OfFlit +: OfFlit] =
        {wrong_full, wrong_shared, wrong_route, wrong_split, wrong_order, wrong_early, wrong_marks};
  end

  for (genvar p = 0; p < NumPorts; p++) begin : g_arrives
    localparam int L = NumPorts + p;
    localparam int R = L * anl_checker_pkg::LinkRules;
    assign event_now[ThisStray + p] = crosses[L] && !head[L] && (passes[L*NumVcs +: NumVcs] & open[L*NumVcs +: NumVcs]) == '0;
    assign event_now[ThisFlit + L] = alike[p*NumVcs +: NumVcs] != '0;
    assign event_now[ThisWorm + L*OfFlit +: OfFlit] =
        {(comes[p*NumVcs +: NumVcs] & full[p*NumVcs +: NumVcs]) != '0, of_link[R + anl_checker_pkg::LaneShared], 4'b0000,
         of_link[R + anl_checker_pkg::BadMarks]};
    assign event_now[ThisBack + 2*L + 1] = early[p*NumVcs +: NumVcs] != '0;
  end

  for (genvar l = 0; l < Links; l++) begin : g_events
    localparam int R = l * anl_checker_pkg::LinkRules;
    assign event_now[ThisLane + l] = of_link[R + anl_checker_pkg::BadLink];
    assign event_now[ThisWire + l]           = of_link[R + anl_checker_pkg::NoCredit];
    assign event_now[ThisWire + Links + l]   = of_link[R + anl_checker_pkg::SentAtStop];
    assign event_now[ThisWire + 2*Links + l] = of_link[R + anl_checker_pkg::Withdrawn];
    assign event_now[ThisWire + 3*Links + l] = of_link[R + anl_checker_pkg::Changed];
    assign event_now[ThisBack + 2*l]         = of_link[R + anl_checker_pkg::BadPulse];
    if (l < NumPorts) begin : g_out
      // A flit is in the lane for a cycle at least, so its credit cannot come with it.
      logic [NumVcs-1:0] none;
      for (genvar v = 0; v < NumVcs; v++) begin : g_lane
        assign none[v] = credit[l*NumVcs + v] && spent[(l*NumVcs + v)*CntW +: CntW] == '0;
      end
      assign event_now[ThisBack + 2*l + 1] = none != '0;
    end
  end

  // --- at rest and stalled ---

  localparam int QuietW = $clog2(((Patience > Rest) ? Patience : Rest) + 2);
  logic [QuietW-1:0] quiet_q, still_q;             // cycles without a flit; without a flit or a credit
  logic              moved_back;

  assign moves  = crosses != '0;
  assign holds = empty != '1;
  assign moved_back = HasCredits && credit[NumLanes +: NumLanes] != '0;
  assign event_now[AtRest]     = (at_rest_i || (Rest != 0 && 32'(still_q) >= Rest && !moves)) && lost != '0 && !moved_back;
  assign event_now[AtRest + 1] = Patience != 0 && holds && !moves && 32'(quiet_q) + 1 >= Patience;

  always_ff @(posedge clk_i) begin : times
    quiet_q <= (rst_i || moves) ? '0 : (&quiet_q) ? quiet_q : quiet_q + 1'b1;
    still_q <= (rst_i || moves || moved_back) ? '0 : (&still_q) ? still_q : still_q + 1'b1;
    over_q  <= !rst_i && (over_q || seen != '0);
  end

  // --- the first one ---

  for (genvar e = 0; e < Events; e++) begin : g_event
    localparam int Rule = rule_of(e);
    localparam int Link = link_of(e);
    assign wanted[e] = Rules[Rule];
    if (e >= ThisWorm && e < ThisWire && Rule == anl_checker_pkg::Overflow && Link >= NumPorts) begin : g_overflow
      // The sender's, if it had no credit or was stopped.
      assign of_switch[e] = !event_now[ThisWire + Link] && !event_now[ThisWire + Links + Link];
    end else begin : g_side
      assign of_switch[e] = is_of_switch(e);
    end
  end
  assign seen   = (rst_i || over_q) ? '0 : event_now & wanted;
  assign first  = seen & (~seen + 1'b1);
  assign over_o = over_q;

  logic [NumRules-1:0] by_user;                    // whatever else is broken
  always_comb begin : sides
    {switch_broken_o, user_broken_o, by_user} = '0;
    for (int e = 0; e < Events; e++) begin
      if (first[e] && of_switch[e])  switch_broken_o[rule_of(e)] = 1'b1;
      if (first[e] && !of_switch[e]) user_broken_o[rule_of(e)] = 1'b1;
      if (event_now[e] && !is_of_switch(e)) by_user[rule_of(e)] = 1'b1;
    end
  end

`ifdef FORMAL
  for (genvar r = 0; r < NumRules; r++) begin : g_rule
    if (Assert[r]) begin : g_assert
      always_comb assert (!switch_broken_o[r]);
    end
    if (Assume[r]) begin : g_assume
      always_comb assume (rst_i || !by_user[r]);
    end
  end
`elsif SYNTHESIS
`else
  // Worms of a lane are numbered from 0 on.
  if (Say != 0) begin : g_say
    logic [31:0] cycle_q;
    logic [Links*NumVcs*32-1:0] worms_q;
    int          number, place, lane, worm;

    always_comb begin : about
      number = 0;
      for (int e = Events - 1; e >= 0; e--) if (first[e]) number = e;
      place = link_of(number);
      lane  = 0;
      for (int l = 0; l < Links; l++) if (l == place) lane = 32'(vc[l*VcW +: VcW]);
      if (number >= ThisBack) begin
        lane = 0;
        for (int n = Links*NumVcs - 1; n >= 0; n--)
          if (n / NumVcs == place && credit[n]) lane = n % NumVcs;
      end
      if (number == AtRest)
        for (int n = NumLanes - 1; n >= 0; n--) if (lost[n]) begin
          place = NumPorts + n / NumVcs;
          lane  = n % NumVcs;
        end
      worm = 0;
      for (int n = 0; n < Links*NumVcs; n++)
        if (n == place*NumVcs + lane)
          worm = 32'(worms_q[n*32 +: 32]) - ((passes[n] && head[n/NumVcs] || worms_q[n*32 +: 32] == '0) ? 0 : 1);
    end

    always @(posedge clk_i) begin : say
      if (rst_i) begin
        {cycle_q, worms_q} <= '0;
      end else begin
        cycle_q <= cycle_q + 1'b1;
        for (int n = 0; n < Links*NumVcs; n++)
          if (passes[n] && head[n/NumVcs]) worms_q[n*32 +: 32] <= worms_q[n*32 +: 32] + 1'b1;
        if (first != '0) begin
          $write("anl_switch_checker: ");
          case (rule_of(number))
            anl_checker_pkg::NoCredit:
              $write("no_credit in cycle %0d: a flit is sent to a lane for which its sender has no credit", cycle_q);
            anl_checker_pkg::EarlyCredit:
              $write("early_credit in cycle %0d: a credit comes back before its flit has left, or twice", cycle_q);
            anl_checker_pkg::SentAtStop:
              $write("sent_at_stop in cycle %0d: the lane was stopped in the cycle before", cycle_q);
            anl_checker_pkg::Withdrawn:
              $write("withdrawn in cycle %0d: a flit was offered and not taken, and is offered no more", cycle_q);
            anl_checker_pkg::Changed:
              $write("changed in cycle %0d: another flit is offered than the one that has not crossed", cycle_q);
            anl_checker_pkg::LaneShared:
              $write("lane_shared in cycle %0d: two worms interleave in one lane", cycle_q);
            anl_checker_pkg::BadMarks:
              $write("bad_marks in cycle %0d: a head or tail mark is where none should be, or is missing", cycle_q);
            anl_checker_pkg::LostCredit:
              $write("lost_credit in cycle %0d: a credit of a flit that has left its lane does not come back", cycle_q);
            anl_checker_pkg::MadeUpFlit:
              $write("made_up_flit in cycle %0d: no flit in the switch has these data", cycle_q);
            anl_checker_pkg::TwoAlike:
              $write("two_alike in cycle %0d: a head has the data of another one that is in the switch", cycle_q);
            anl_checker_pkg::TooEarly:
              $write("too_early in cycle %0d: a flit leaves a lane in the cycle in which it entered it", cycle_q);
            anl_checker_pkg::OutOfOrder:
              $write("out_of_order in cycle %0d: a flit of a worm is lost, repeated, made up or reordered", cycle_q);
            anl_checker_pkg::SplitWorm:
              $write("split_worm in cycle %0d: flits of one worm leave by different ports or lanes", cycle_q);
            anl_checker_pkg::IllegalRoute:
              $write("illegal_route in cycle %0d: a head goes where the routing does not lead it", cycle_q);
            anl_checker_pkg::Overflow:
              $write("overflow in cycle %0d: a lane holds more flits than it has slots", cycle_q);
            anl_checker_pkg::Stalled:
              $write("stalled in cycle %0d: flits are inside, and none has moved for %0d cycles", cycle_q, Patience);
            default:
              $write("bad_link in cycle %0d: there is no such lane", cycle_q);
          endcase
          if (number == AtRest + 1) $display(" (%m)");
          else if (place < NumPorts) $display("; output port %0d, lane %0d, worm %0d (%m)", place, lane, worm);
          else $display("; input port %0d, lane %0d, worm %0d (%m)", place - NumPorts, lane, worm);
          if (Say > 1) $error("a rule of the switch is broken");
        end
      end
    end
  end
`endif

endmodule
