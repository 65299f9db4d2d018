// SPDX-License-Identifier: Apache-2.0
//
// Terminal: injection and ejection at one port of a switch (docs/switch.md, "Terminals").
//
// Injection: the worms of the source follow one another. Each head takes a lane that admits it, and
// the flits behind it follow on the same lane. Ejection: of the NumVcs ejection lanes, the
// lowest-numbered one that holds a flit is shown to the sink until the sink takes that flit. If Whole is
// 1, a lane is shown until the sink has taken the tail of its worm (anl_axis_packets).
// With several classes of messages the source and the sink are vectors with one entry for each class,
// and the rules above hold in each class with its lanes alone. Of the sources that could send a flit,
// the scan over classes chooses one; src_ready_o then depends on src_valid_i.
// In reset no flit is taken, sent or shown: src_ready_o, inj_valid_o and snk_valid_o are 0.
// Timing: inj_* and src_ready_o are functions of registers and of src_* in the same cycle; snk_*
// are functions of registers; ej_credit_o follows snk_ready_i. A credit counts in the next cycle.
// If CreditBypass is 1 the injection link is chained: a credit counts in the same cycle, and inj_* and
// src_ready_o follow inj_credit_i as well. If Wide is 1, this is a terminal of
// one of their lines (docs/switch.md, "Wide links"): then this holds for flits that are not heads.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY
// Some state is read only by the probes (docs/switch.md, "State that is compared").
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_terminal #(
  parameter  int NumVcs    = 4,                     // lanes of a link, 1 .. 8
  parameter  int Depth     = 4,                     // flits of a lane, 1 .. 64
  parameter  int FlitW     = 32,                    // data bits of a flit (docs/link.md)
  parameter  int DstW      = 4,                     // bits of a destination's label
  parameter  int FlowControl = anl_pkg::Wormhole,   // credits that a head needs (anl_pkg)
  parameter  int LengthInHead = 0,                  // 1: heads say their length under wormhole, too
  parameter  int CreditBypass = 0,                  // 1: the injection link is chained
  parameter  int Wide      = 0,                     // 1: this is a terminal of one line of a wide link
  parameter  int Classes   = 1,                     // of messages
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,  // of the classes (anl_pkg)
  parameter  int Whole     = 0,                     // 1: the sink of a class gets whole worms, one after the other
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LinkW     = FlitW + 2,
  localparam int ClassVcs  = NumVcs / Classes,      // lanes of each class
  localparam int ClassVcW  = anl_pkg::index_width(ClassVcs)
) (
  input  logic                        clk_i,
  input  logic                        rst_i,

  // The source gives whole worms, heads first. A flit is taken in a cycle in which valid and ready
  // are 1; until then it must not change. Unless FlowControl is Wormhole and LengthInHead is 0, a head
  // says how many flits its worm has; under cut_through and store_and_forward these are 1 .. Depth.
  // Under store_and_forward the source must have the whole worm before it shows the head.
  input  logic [Classes-1:0]          src_valid_i,
  input  logic [Classes*LinkW-1:0]    src_flit_i,
  input  logic [NumVcs-1:0]           src_vcs_i,   // lanes that heads may take, some of each class
  output logic [Classes-1:0]          src_ready_o,

  // Injection link (docs/link.md).
  output logic                        inj_valid_o,
  output logic [VcW-1:0]              inj_vc_o,
  output logic [LinkW-1:0]            inj_flit_o,
  input  logic [NumVcs-1:0]           inj_credit_i,

  // Ejection link (docs/link.md).
  input  logic                        ej_valid_i,
  input  logic [VcW-1:0]              ej_vc_i,
  input  logic [LinkW-1:0]            ej_flit_i,
  output logic [NumVcs-1:0]           ej_credit_o,

  // Sink: a flit of lane snk_vc_o, counted from 0 within the class, leaves in a cycle in which valid
  // and ready are 1. Worms of different lanes interleave unless Whole is 1.
  output logic [Classes-1:0]          snk_valid_o,
  output logic [Classes*LinkW-1:0]    snk_flit_o,
  output logic [Classes*ClassVcW-1:0] snk_vc_o,
  input  logic [Classes-1:0]          snk_ready_i
);

  localparam int LowW    = 1;   // only the marks of the ejection lanes need be visible
  localparam bit HasLength = FlowControl != anl_pkg::Wormhole || LengthInHead != 0;
  localparam int LengthW = anl_head_pkg::LengthW;
  localparam int ClassW  = anl_pkg::index_width(Classes);

  // State that the lock-step compares, under the names of docs/switch.md.
  logic [NumVcs*CntW-1:0] count;        // flits of the ejection lanes
  logic [NumVcs*CntW-1:0] credit;       // credits of the injection lanes
  logic [NumVcs-1:0]      bound;        // lane of the worm being injected, one-hot or 0 in a class
  logic [ClassW-1:0]      favoured;     // class; 0 with one class
  logic [anl_pkg::WeightW-1:0] quota;   // 0 with one class

  // Injection.
  // has_credit_q and all_credits_q are as at the start of the cycle; the other two and usable are
  // as the decisions of this cycle see them.
  logic [NumVcs-1:0]           has_credit, all_credits, has_credit_q, all_credits_q;
  logic [NumVcs*CntW-1:0]      usable;
  logic [NumVcs-1:0]           can, take, bound_d, bound_q;
  logic [NumVcs-1:0]           spend;             // lane to which a flit is sent, one-hot or 0
  logic [Classes-1:0]          able, chosen;      // has a lane for its flit; by the scan over classes

  for (genvar c = 0; c < Classes; c++) begin : g_source
    localparam int First = c * ClassVcs;          // the first lane of the class
    logic               valid, head, tail;
    logic [LengthW-1:0] length;

    assign valid = src_valid_i[c];
    assign head  = src_flit_i[c*LinkW + FlitW + 1];
    assign tail  = src_flit_i[c*LinkW + FlitW];
    if (!HasLength) begin : g_no_length
      assign length = '0;
    end else begin : g_length
      assign length = src_flit_i[c*LinkW + DstW +: LengthW];
    end

    anl_admit #(.NumVcs(ClassVcs), .Depth(Depth), .FlowControl(FlowControl)) u_admit (
      .head_i(head), .length_i(length), .set_i(src_vcs_i[First +: ClassVcs]),
      .bound_vc_i(bound_q[First +: ClassVcs]), .free_i({ClassVcs{1'b1}}),
      .has_credit_i(has_credit[First +: ClassVcs]),
      .credits_i(usable[First*CntW +: ClassVcs*CntW]), .can_o(can[First +: ClassVcs])
    );
    anl_vc_select #(.NumVcs(ClassVcs)) u_vc_select (
      .can_i(can[First +: ClassVcs]), .all_credits_i(all_credits[First +: ClassVcs]),
      .lane_o(take[First +: ClassVcs])
    );
    assign able[c]                  = can[First +: ClassVcs] != '0;
    assign spend[First +: ClassVcs] = take[First +: ClassVcs] & {ClassVcs{valid && chosen[c]}};

    // Icarus does not take a constant part of a vector in always_comb.
    assign bound_d[First +: ClassVcs] = !(valid && src_ready_o[c]) ? bound_q[First +: ClassVcs]
                                        : tail ? '0 : take[First +: ClassVcs];

    `ANL_ASSERT(BoundIsOneHotOrZero, (bound_q[First +: ClassVcs] & (bound_q[First +: ClassVcs] - 1'b1)) == '0)
    `ANL_ASSERT(AssumeHeadSaysLength, !HasLength || !valid || bound_q[First +: ClassVcs] != '0 || length != '0)
    `ANL_ASSERT(AssumeWormFitsALane, FlowControl == anl_pkg::Wormhole || !valid || bound_q[First +: ClassVcs] != '0
                                     || 32'(length) <= Depth)
    `ANL_ASSERT(AssumeHeadHasALane, !valid || bound_q[First +: ClassVcs] != '0 || src_vcs_i[First +: ClassVcs] != '0)
    `ANL_ASSERT(AssumeHeadIffUnbound, !valid || head == (bound_q[First +: ClassVcs] == '0))
  end

  if (Classes > 1) begin : g_classes
    anl_class_scan #(.Classes(Classes), .Weights(Weights)) u_classes (
      .clk_i, .rst_i, .req_i(src_valid_i & able), .gnt_o(chosen), .moved_i(inj_valid_o),
      .favoured_o(favoured), .quota_o(quota)
    );
    anl_mux #(.Size(Classes), .Width(LinkW)) u_flit (
      .sel_i(chosen), .data_i(src_flit_i), .data_o(inj_flit_o)
    );
    assign src_ready_o = rst_i ? '0 : chosen;
    anl_encode #(.Size(NumVcs)) u_inj_vc (.onehot_i(spend), .index_o(inj_vc_o));
  end else begin : g_one_class
    assign chosen      = 1'b1;
    assign favoured    = '0;
    assign quota       = '0;
    assign inj_flit_o  = src_flit_i;
    assign src_ready_o = rst_i ? '0 : able;
    anl_encode #(.Size(NumVcs)) u_inj_vc (.onehot_i(take), .index_o(inj_vc_o));
  end

  anl_credits #(.NumVcs(NumVcs), .Depth(Depth)) u_credits (
    .clk_i, .rst_i, .credit_i(inj_credit_i), .spend_i(spend),
    .count_o(credit), .has_credit_o(has_credit_q), .all_credits_o(all_credits_q)
  );

  if (CreditBypass != 0) begin : g_chained
    logic [NumVcs-1:0] credit_now;
    if (Wide != 0) begin : g_wide
      assign credit_now = src_flit_i[FlitW+1] ? '0 : inj_credit_i;
      `ANL_ASSERT(HeadsUseNoCreditOfTheCycle, !inj_valid_o || !inj_flit_o[FlitW+1] || (spend & ~has_credit_q) == '0)
    end else begin : g_shared
      assign credit_now = inj_credit_i;
    end
    anl_credit_bypass #(.NumVcs(NumVcs), .Depth(Depth)) u_chained (
      .count_i(credit), .has_credit_i(has_credit_q), .all_credits_i(all_credits_q), .credit_i(credit_now),
      .count_o(usable), .has_credit_o(has_credit), .all_credits_o(all_credits)
    );
  end else begin : g_registered
    assign usable     = credit;
    assign has_credit = has_credit_q;
    assign all_credits       = all_credits_q;
  end

  assign inj_valid_o = (src_valid_i & src_ready_o) != '0;
  assign bound       = bound_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) bound_q <= '0;
    else       bound_q <= bound_d;
  end

  // Ejection.
  logic [NumVcs-1:0] shown_d, shown_q, arrives;

  anl_decode #(.Size(NumVcs)) u_arrives (.index_i(ej_vc_i), .onehot_o(arrives));

  for (genvar c = 0; c < Classes; c++) begin : g_sink
    localparam int First = c * ClassVcs;
    logic [ClassVcs*(LowW+2)-1:0] front;
    logic [ClassVcs-1:0]          held, shows, sel;
    // Lane that stays shown to a sink that was not ready; 0: the lowest lane that holds a flit.
    logic [ClassVcs-1:0]          shown;
    logic                         valid;
    logic [ClassVcW-1:0]          vc;

    if (Classes == 1) begin : g_all
      assign valid = ej_valid_i;
      assign vc    = ej_vc_i;
    end else begin : g_some
      assign valid = ej_valid_i && arrives[First +: ClassVcs] != '0;
      anl_encode #(.Size(ClassVcs)) u_vc (.onehot_i(arrives[First +: ClassVcs]), .index_o(vc));
    end

    anl_lanes #(.NumVcs(ClassVcs), .Depth(Depth), .FlitW(FlitW), .LowW(LowW)) u_lanes (
      .clk_i, .rst_i, .valid_i(valid), .vc_i(vc), .flit_i(ej_flit_i),
      .credit_o(ej_credit_o[First +: ClassVcs]), .here_i({LowW{1'b0}}), .front_o(front),
      .differs_o(), .held_o(held), .count_o(count[First*CntW +: ClassVcs*CntW]),
      .sel_i(sel), .pop_i(snk_ready_i[c]), .flit_o(snk_flit_o[c*LinkW +: LinkW])
    );
    if (Whole != 0 && ClassVcs > 1) begin : g_whole
      logic any;
      anl_axis_packets #(.NumVcs(ClassVcs)) u_packets (
        .clk_i, .rst_i, .held_i(held), .last_i(snk_flit_o[c*LinkW + FlitW]), .ready_i(snk_ready_i[c]),
        .valid_o(any), .gnt_o(sel), .index_o(snk_vc_o[c*ClassVcW +: ClassVcW])
      );
      assign {shown, shows}             = '0;
      assign snk_valid_o[c]             = any && !rst_i;
      assign shown_d[First +: ClassVcs] = '0;
    end else begin : g_flits
      anl_arb_cyclic #(.Size(ClassVcs)) u_lowest (
        .req_i(shows), .from_i({ClassVcs{1'b1}}), .gnt_o(sel),
        .index_o(snk_vc_o[c*ClassVcW +: ClassVcW])
      );
      assign shown                      = shown_q[First +: ClassVcs];
      assign shows                      = (shown != '0) ? shown : held;
      assign snk_valid_o[c]             = held != '0 && !rst_i;
      assign shown_d[First +: ClassVcs] = snk_ready_i[c] ? '0 : sel & ClassVcs'(~1);  // no lane precedes lane 0
    end
  end

  always_ff @(posedge clk_i) begin : ejection_regs
    if (rst_i) shown_q <= '0;
    else       shown_q <= shown_d;
  end

  `ANL_ASSERT(AssumeClassesShareTheLanes, Classes * ClassVcs == NumVcs)

endmodule
