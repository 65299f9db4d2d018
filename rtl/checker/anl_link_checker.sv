// SPDX-License-Identifier: Apache-2.0
//
// Checks one link of any style by the rules of docs/link.md, "Links of other styles". Bit r of
// broken_o is 1 in the cycle in which rule r is broken; bits of other styles are 0.
//
// In a simulation the first broken rule is named once. For a prover, which defines FORMAL, rules of
// Assert are asserted and those of Assume are assumed (docs/checker.md says which side a rule
// belongs to).
// Timing: broken_o and crosses_o are functions of all inputs; open_o and spent_o are registers.

// A style does not read all inputs, and a simulation not the masks of a prover.
// verilator lint_off UNUSEDPARAM
// verilator lint_off UNUSEDSIGNAL

module anl_link_checker #(
  parameter  int Style   = anl_checker_pkg::Credit,
  parameter  int NumVcs  = 1,
  parameter  int Depth   = 4,                      // credits of a lane
  parameter  int FlitW   = 32,                     // wires of a flit
  parameter  int LengthW = 16,
  parameter  int Rules   = -1,                     // bit r: rule r is looked for
  parameter  int Assert  = -1,                     // of these, what a prover asserts
  parameter  int Assume  = 0,                      // and what it assumes
  parameter  int Say     = 1,                      // 0: silent, 1: $display, 2: $error
  localparam int VcW     = anl_pkg::index_width(NumVcs),
  localparam int BackW   = anl_checker_pkg::back_width(Style, NumVcs),
  localparam int CntW    = $clog2(Depth + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_i,

  // The link; head_i and tail_i are the marks of flit_i, which may have them or not.
  input  logic                   valid_i,
  input  logic [VcW-1:0]         vc_i,
  input  logic                   head_i,
  input  logic                   tail_i,
  input  logic [FlitW-1:0]       flit_i,
  input  logic [BackW-1:0]       back_i,

  input  logic [LengthW-1:0]     length_i,         // with a head: flits of the worm; 0: not told
  input  logic                   at_rest_i,        // nothing moves, and all credits had their time

  output logic [anl_checker_pkg::LinkRules-1:0] broken_o,
  output logic                   crosses_o,        // a flit crosses in this cycle, by a lane that exists
  output logic [NumVcs-1:0]      open_o,           // bit v: a worm has begun on lane v and not ended
  output logic [NumVcs*CntW-1:0] spent_o           // credits that the sender of a lane has not
);

  localparam bit HasCredits = Style == anl_checker_pkg::Credit || Style == anl_checker_pkg::CreditPulseShared;
  localparam bit HasReady   = Style == anl_checker_pkg::ReadyValid || Style == anl_checker_pkg::ReadyValidPerLane;
  localparam bit OneOffer   = Style == anl_checker_pkg::ReadyValid;
  localparam int OfferW     = VcW + 2 + FlitW;

  logic              lane_exists, pulse_exists, takes;
  logic [NumVcs-1:0] lane, credit, ready, stop;    // lane: bit v is 1 if valid_i is for lane v
  logic [NumVcs-1:0] no_credit, early, stopped, changed, shared, marks, lost;
  logic [OfferW-1:0] offer;
  logic              withdrawn;
  logic [anl_checker_pkg::LinkRules-1:0] broken;

  // What the wires back mean, lane by lane.
  if (Style == anl_checker_pkg::CreditPulseShared) begin : g_pulse
    assign pulse_exists = 32'(back_i[VcW-1:0]) < NumVcs;
    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      assign credit[v] = back_i[VcW] && 32'(back_i[VcW-1:0]) == v;
    end
    assign {ready, stop} = '0;
  end else begin : g_bits
    assign pulse_exists = 1'b1;
    assign credit = (Style == anl_checker_pkg::Credit) ? NumVcs'(back_i) : '0;
    assign stop   = (Style == anl_checker_pkg::StopGo) ? NumVcs'(back_i) : '0;
    assign ready  = OneOffer ? {NumVcs{back_i[0]}} : NumVcs'(back_i);
  end

  assign lane_exists = 32'(vc_i) < NumVcs;
  assign takes       = !HasReady || (lane & ready) != '0;
  assign crosses_o   = valid_i && lane_exists && takes;
  assign offer       = {OneOffer ? vc_i : {VcW{1'b0}}, head_i, tail_i, flit_i};

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [CntW-1:0]    spent_q;
    logic               open_q, stop_q;
    logic [LengthW-1:0] left_q;                    // flits still to come; 0: not known
    wire                sent    = lane[v];
    wire                crosses = lane[v] && crosses_o;
    // With more than Depth credits the sender would have spent less than none.
    wire [CntW-1:0]     more = (sent && 32'(spent_q) != Depth) ? spent_q + 1'b1 : spent_q;

    assign lane[v]      = valid_i && 32'(vc_i) == v;
    assign no_credit[v] = HasCredits && sent && 32'(spent_q) == Depth;
    assign early[v]     = HasCredits && credit[v] && spent_q == '0 && !sent;
    assign stopped[v]   = sent && stop_q;
    assign shared[v]    = crosses && head_i && open_q;
    assign marks[v]     = crosses && (head_i ? length_i != '0 && tail_i != (length_i == 1)
                                             : !open_q || (left_q != '0 && tail_i != (left_q == 1)));
    assign lost[v]      = HasCredits && at_rest_i && spent_q != '0;
    assign open_o[v]    = open_q;
    assign spent_o[v*CntW +: CntW] = spent_q;

    always_ff @(posedge clk_i) begin : regs
      spent_q <= (HasCredits && credit[v] && more != '0) ? more - 1'b1 : more;
      stop_q  <= stop[v];
      if (crosses) begin
        open_q <= !tail_i;
        left_q <= head_i ? (length_i == '0) ? '0 : length_i - 1'b1 : (left_q == '0) ? '0 : left_q - 1'b1;
      end
      if (rst_i) {spent_q, open_q, stop_q, left_q} <= '0;
      if (!HasCredits) spent_q <= '0;
    end
  end

  // What was offered and has not crossed.
  if (HasReady) begin : g_offers
    localparam int Offers = OneOffer ? 1 : NumVcs;
    logic waits_q;                                 // an offer was refused in the cycle before
    logic [Offers-1:0] other;
    for (genvar n = 0; n < Offers; n++) begin : g_offer
      logic              offered_q;
      logic [OfferW-1:0] offer_q;
      wire               now = OneOffer ? valid_i : lane[n];
      assign other[n] = now && offered_q && offer != offer_q;
      always_ff @(posedge clk_i) begin : regs
        if (now) begin
          offered_q <= !crosses_o;
          offer_q   <= offer;
        end
        if (rst_i) offered_q <= 1'b0;
      end
    end
    always_ff @(posedge clk_i) begin : refused
      waits_q <= !rst_i && valid_i && !crosses_o;
    end
    assign changed   = NumVcs'(other);
    assign withdrawn = OneOffer && waits_q && !valid_i;
  end else begin : g_no_offers
    assign changed   = '0;
    assign withdrawn = 1'b0;
  end

  assign broken = {HasCredits && !pulse_exists && back_i[BackW-1], lost != '0, marks != '0, shared != '0,
                   changed != '0, withdrawn, stopped != '0, early != '0, no_credit != '0, valid_i && !lane_exists};
  assign broken_o = rst_i ? '0 : broken & anl_checker_pkg::LinkRules'(Rules);

`ifdef FORMAL
  for (genvar r = 0; r < anl_checker_pkg::LinkRules; r++) begin : g_rule
    if (Assert[r]) begin : g_assert
      always_comb assert (!broken_o[r]);
    end else if (Assume[r]) begin : g_assume
      always_comb assume (!broken_o[r]);
    end
  end
`elsif SYNTHESIS
`else
  // Worms of a lane are numbered from 0 on. A credit is of the lane of its wire.
  if (Say != 0) begin : g_say
    logic                 said_q;
    logic [31:0]          cycle_q;
    logic [NumVcs*32-1:0] worms_q;                 // heads that have crossed
    logic [NumVcs-1:0]    of_back;
    int                   rule, about;
    int                   worm;

    assign of_back = broken_o[anl_checker_pkg::EarlyCredit] ? early : lost;

    always_comb begin : first
      rule = 0;
      for (int r = anl_checker_pkg::LinkRules - 1; r >= 0; r--) if (broken_o[r]) rule = r;
      about = 32'(vc_i);
      if (rule == anl_checker_pkg::BadPulse) about = 32'(back_i);
      if (rule == anl_checker_pkg::EarlyCredit || rule == anl_checker_pkg::LostCredit)
        for (int v = NumVcs - 1; v >= 0; v--) if (of_back[v]) about = v;
      worm = 0;
      for (int v = 0; v < NumVcs; v++)
        if (v == about) worm = 32'(worms_q[v*32 +: 32]) - ((head_i && valid_i && lane[v] || worms_q[v*32 +: 32] == '0) ? 0 : 1);
    end

    always @(posedge clk_i) begin : say
      if (rst_i) begin
        {said_q, cycle_q, worms_q} <= '0;
      end else begin
        cycle_q <= cycle_q + 1'b1;
        for (int v = 0; v < NumVcs; v++)
          if (crosses_o && lane[v] && head_i) worms_q[v*32 +: 32] <= worms_q[v*32 +: 32] + 1'b1;
        if (broken_o != '0 && !said_q) begin
          said_q <= 1'b1;
          $write("anl_link_checker: cycle %0d, lane %0d, worm %0d: ", cycle_q, about, worm);
          case (rule)
            anl_checker_pkg::BadLink:
              $write("bad_link: there is no such lane");
            anl_checker_pkg::NoCredit:
              $write("no_credit: its sender has no credit for the lane");
            anl_checker_pkg::EarlyCredit:
              $write("early_credit: the sender would have more credits than the lane has slots");
            anl_checker_pkg::SentAtStop:
              $write("sent_at_stop: the lane was stopped in the cycle before");
            anl_checker_pkg::Withdrawn:
              $write("withdrawn: a flit was offered and not taken, and is offered no more");
            anl_checker_pkg::Changed:
              $write("changed: another flit is offered than the one that has not crossed");
            anl_checker_pkg::LaneShared:
              $write("lane_shared: a head crosses while another worm still enters the lane");
            anl_checker_pkg::BadMarks:
              $write("bad_marks: a head or tail mark is where none should be, or is missing");
            anl_checker_pkg::LostCredit:
              $write("lost_credit: at rest a credit of the lane is missing");
            default:
              $write("bad_link: a credit comes for a lane that there is not");
          endcase
          $display(" (%m)");
          if (Say > 1) $error("a rule of the link is broken");
        end
      end
    end
  end
`endif

endmodule
