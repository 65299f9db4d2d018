// SPDX-License-Identifier: Apache-2.0
//
// Terminal: injection and ejection at one port of a switch (docs/switch.md, "Terminals").
//
// Injection: the worms of the source follow one another. Each head takes a lane that admits it, and
// the flits behind it follow on the same lane. Ejection: of the NumVcs ejection lanes, the
// lowest-numbered one that holds a flit is shown to the sink until the sink takes that flit.
// Timing: inj_* and src_ready_o are functions of registers and of src_* in the same cycle; snk_*
// are functions of registers; ej_credit_o follows snk_ready_i. A credit counts in the next cycle.
// If Chained is 1 the injection link is chained: a credit counts in the same cycle, and inj_* and
// src_ready_o follow inj_credit_i as well.

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
  parameter  int Admission = anl_pkg::Wormhole,     // credits that a head needs (anl_pkg)
  parameter  int Chained   = 0,                     // 1: the injection link is chained
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LinkW     = FlitW + 2
) (
  input  logic              clk_i,
  input  logic              rst_i,

  // The source gives whole worms, heads first. A flit is taken in a cycle in which valid and ready
  // are 1; until then it must not change. Unless Admission is Wormhole, a head says how many flits
  // its worm has; under cut_through and store_and_forward these are 1 .. Depth. Under
  // store_and_forward the source must have the whole worm before it shows the head.
  input  logic              src_valid_i,
  input  logic [LinkW-1:0]  src_flit_i,
  input  logic [NumVcs-1:0] src_vcs_i,     // lanes that the head may take, not 0; read with a head
  output logic              src_ready_o,

  // Injection link (docs/link.md).
  output logic              inj_valid_o,
  output logic [VcW-1:0]    inj_vc_o,
  output logic [LinkW-1:0]  inj_flit_o,
  input  logic [NumVcs-1:0] inj_credit_i,

  // Ejection link (docs/link.md).
  input  logic              ej_valid_i,
  input  logic [VcW-1:0]    ej_vc_i,
  input  logic [LinkW-1:0]  ej_flit_i,
  output logic [NumVcs-1:0] ej_credit_o,

  // Sink: a flit of lane snk_vc_o leaves in a cycle in which valid and ready are 1. Worms of
  // different lanes interleave.
  output logic              snk_valid_o,
  output logic [LinkW-1:0]  snk_flit_o,
  output logic [VcW-1:0]    snk_vc_o,
  input  logic              snk_ready_i
);

  localparam int LowW = 1;   // only the marks of the ejection lanes need be visible
  localparam int Rule = anl_pkg::rule_of(Admission);

  // State that the lock-step compares, under the names of docs/switch.md.
  logic [NumVcs*CntW-1:0] count;        // flits of the ejection lanes
  logic [NumVcs*CntW-1:0] credit;       // credits of the injection lanes
  logic [NumVcs-1:0]      bound;        // lane of the worm being injected, one-hot or 0

  // Injection.
  // has_credit_q and all_credits_q are as at the start of the cycle; the other two and usable are
  // as the decisions of this cycle see them.
  logic [NumVcs-1:0]           has_credit, all_credits, has_credit_q, all_credits_q;
  logic [NumVcs*CntW-1:0]      usable;
  logic [NumVcs-1:0]           can, take, bound_d, bound_q;
  logic [anl_head_pkg::LengthW-1:0] length;

  if (Admission == anl_pkg::Wormhole) begin : g_no_length
    assign length = '0;
  end else begin : g_length
    assign length = src_flit_i[DstW +: anl_head_pkg::LengthW];
  end

  anl_admit #(.NumVcs(NumVcs), .Depth(Depth), .Admission(Rule)) u_admit (
    .head_i(src_flit_i[FlitW+1]), .length_i(length), .set_i(src_vcs_i), .bound_vc_i(bound_q),
    .free_i({NumVcs{1'b1}}), .has_credit_i(has_credit), .credits_i(usable), .can_o(can)
  );
  anl_vc_select #(.NumVcs(NumVcs)) u_vc_select (.can_i(can), .all_credits_i(all_credits), .lane_o(take));
  anl_encode #(.Size(NumVcs)) u_inj_vc (.onehot_i(take), .index_o(inj_vc_o));
  anl_credits #(.NumVcs(NumVcs), .Depth(Depth)) u_credits (
    .clk_i, .rst_i, .credit_i(inj_credit_i), .spend_i(take & {NumVcs{src_valid_i}}),
    .count_o(credit), .has_credit_o(has_credit_q), .all_credits_o(all_credits_q)
  );

  if (Chained != 0) begin : g_chained
    anl_chained #(.NumVcs(NumVcs), .Depth(Depth)) u_chained (
      .count_i(credit), .has_credit_i(has_credit_q), .all_credits_i(all_credits_q), .credit_i(inj_credit_i),
      .count_o(usable), .has_credit_o(has_credit), .all_credits_o(all_credits)
    );
  end else begin : g_registered
    assign usable     = credit;
    assign has_credit = has_credit_q;
    assign all_credits       = all_credits_q;
  end

  assign src_ready_o = can != '0;
  assign inj_valid_o = src_valid_i && src_ready_o;
  assign inj_flit_o  = src_flit_i;
  assign bound       = bound_q;

  // Icarus does not take a constant part of a vector in always_comb.
  assign bound_d = !inj_valid_o ? bound_q : src_flit_i[FlitW] ? '0 : take;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) bound_q <= '0;
    else       bound_q <= bound_d;
  end

  // Ejection.
  logic [NumVcs*(LowW+2)-1:0] front;
  logic [NumVcs-1:0]          held, shows, sel;
  // Lane that stays shown to a sink that was not ready; 0: the lowest lane that holds a flit.
  logic [NumVcs-1:0]          shown_d, shown_q;

  anl_lanes #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .LowW(LowW)) u_lanes (
    .clk_i, .rst_i, .valid_i(ej_valid_i), .vc_i(ej_vc_i), .flit_i(ej_flit_i),
    .credit_o(ej_credit_o), .here_i({LowW{1'b0}}), .front_o(front), .differs_o(), .held_o(held),
    .count_o(count),
    .sel_i(sel), .pop_i(snk_ready_i), .flit_o(snk_flit_o)
  );
  anl_arb_cyclic #(.Size(NumVcs)) u_lowest (
    .req_i(shows), .from_i({NumVcs{1'b1}}), .gnt_o(sel), .index_o(snk_vc_o)
  );
  assign shows       = (shown_q != '0) ? shown_q : held;
  assign snk_valid_o = held != '0;
  assign shown_d     = snk_ready_i ? '0 : sel & NumVcs'(~1);    // no lane precedes lane 0

  always_ff @(posedge clk_i) begin : ejection_regs
    if (rst_i) shown_q <= '0;
    else       shown_q <= shown_d;
  end

  `ANL_ASSERT(BoundIsOneHotOrZero, (bound_q & (bound_q - 1'b1)) == '0)
  `ANL_ASSERT(AssumeHeadSaysLength, Admission == anl_pkg::Wormhole || !src_valid_i || bound_q != '0 || length != '0)
  `ANL_ASSERT(AssumeWormFitsALane, Rule == anl_pkg::Wormhole || !src_valid_i || bound_q != '0 || 32'(length) <= Depth)
  `ANL_ASSERT(AssumeHeadHasALane, !src_valid_i || bound_q != '0 || src_vcs_i != '0)
  `ANL_ASSERT(AssumeHeadIffUnbound, !src_valid_i || src_flit_i[FlitW+1] == (bound_q == '0))

endmodule
