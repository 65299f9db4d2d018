// SPDX-License-Identifier: Apache-2.0
//
// An output port: rules 4 and 6 of docs/switch.md. It grants one of the offers made to it (output
// arbitration), sends that flit, and keeps the credits and owners of the lanes at the end of its
// link.
//
// Timing: grant_o and the link follow the offers; the state of the lanes is in registers, so a
// credit or a tail of cycle t counts in t + 1. If CreditBypass is 1 a credit counts in t as well:
// has_credit_o, all_credits_o and usable_o then follow chained_i. If Stages is 2 the link follows a
// cycle later: the grant is registered, and flit_i has the offers of the cycle before.

// The choice of an output lane is not read if there is only one.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_output #(
  parameter  int NumPorts     = 5,
  parameter  int NumVcs       = 4,
  parameter  int Depth        = 4,
  parameter  int FlitW        = 32,
  parameter  int Arbiter      = anl_pkg::RoundRobin,
  parameter  int CreditBypass = 0,                    // 1: the link is chained
  parameter  int Turns        = (1 << NumPorts) - 1,  // bit p: port p has a turn to this port
  parameter  int Stages       = 1,                    // 1 or 2
  localparam int IndexW       = anl_pkg::index_width(anl_pkg::members(Turns, NumPorts)),
  localparam int PortW        = anl_pkg::index_width(NumPorts),
  localparam int VcW          = anl_pkg::index_width(NumVcs),
  localparam int CntW         = $clog2(Depth + 1),
  localparam int RankW        = anl_head_pkg::RankW
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  input  logic [7:0]                    random_i,

  // Offers of the input ports; entry p has meaning only if bit p of request_i is 1.
  input  logic [NumPorts-1:0]           request_i,
  input  logic [NumPorts*NumVcs-1:0]    take_i,   // output lane, one-hot; not read if NumVcs is 1
  input  logic [NumPorts*VcW-1:0]       lane_i,   // input lane of the offered flit
  input  logic [NumPorts*RankW-1:0]     rank_i,
  input  logic [NumPorts*2-1:0]         ends_i,   // {head, tail} of the offered flit
  input  logic [NumPorts*(FlitW+2)-1:0] flit_i,   // the offered flit; two stages: that of the cycle before
  output logic [NumPorts-1:0]           grant_o,  // one-hot or 0

  // The link that begins here (docs/link.md).
  output logic                          valid_o,
  output logic [VcW-1:0]                vc_o,
  output logic [FlitW+1:0]              flit_o,
  input  logic [NumVcs-1:0]             credit_i,
  input  logic [NumVcs-1:0]             chained_i,  // the same as credit_i; read if CreditBypass is 1

  // State of the lanes at the other end of the link (output VC state).
  output logic [NumVcs-1:0]             has_credit_o,
  output logic [NumVcs-1:0]             all_credits_o,
  output logic [NumVcs*CntW-1:0]        usable_o,   // credits that count in this cycle
  output logic [NumVcs*CntW-1:0]        credits_o,  // credits at the start of the cycle
  output logic [NumVcs-1:0]             owned_o,
  output logic [NumVcs*PortW-1:0]       owner_port_o,
  output logic [NumVcs*VcW-1:0]         owner_vc_o,
  output logic [PortW-1:0]              out_ptr_o
);

  logic [IndexW-1:0] winner;      // index of the winner among the members of Turns
  logic [IndexW-1:0] winner_out;  // the same of the flit that crosses the link
  logic              sends;       // a flit is granted
  logic              head, tail;
  logic [VcW-1:0]    vc;
  logic [NumVcs-1:0] take;        // lane to which a flit is sent, one-hot; 0 if none is
  logic [VcW-1:0]    lane;        // input lane of the flit that is sent

  anl_arbiter #(.Size(NumPorts), .Arbiter(Arbiter), .Members(Turns)) u_grant (
    .clk_i, .rst_i, .req_i(request_i), .rank_i, .random_i,
    .gnt_o(grant_o), .index_o(winner), .taken_i(sends), .ptr_o(out_ptr_o)
  );
  assign sends = request_i != '0;

  // Rule 6: the crossbar.
  anl_select #(.Size(NumPorts), .Width(FlitW + 2), .Members(Turns)) u_flit (
    .index_i(winner_out), .data_i(flit_i), .data_o(flit_o)
  );
  if (NumVcs == 1) begin : g_one_lane
    assign take = sends;
  end else begin : g_lanes
    anl_mux #(.Size(NumPorts), .Width(NumVcs)) u_take (
      .sel_i(grant_o), .data_i(take_i), .data_o(take)
    );
  end
  anl_mux #(.Size(NumPorts), .Width(VcW)) u_lane (
    .sel_i(grant_o), .data_i(lane_i), .data_o(lane)
  );
  anl_encode #(.Size(NumVcs)) u_vc (.onehot_i(take), .index_o(vc));

  if (Stages == 1) begin : g_one_stage
    assign winner_out   = winner;
    assign valid_o      = sends;
    assign vc_o         = vc;
    assign {head, tail} = flit_o[FlitW+1:FlitW];
  end else begin : g_two_stages
    logic              valid_q;
    logic [IndexW-1:0] winner_q;
    logic [VcW-1:0]    vc_q;

    always_ff @(posedge clk_i) begin : regs
      valid_q  <= rst_i ? 1'b0 : sends;
      winner_q <= winner;
      vc_q     <= vc;
    end
    assign winner_out = winner_q;
    assign valid_o    = valid_q;
    assign vc_o       = vc_q;
    anl_mux #(.Size(NumPorts), .Width(2)) u_ends (
      .sel_i(grant_o), .data_i(ends_i), .data_o({head, tail})
    );
  end

  logic [NumVcs-1:0] has_credit, all_credits;

  anl_credits #(.NumVcs(NumVcs), .Depth(Depth)) u_credits (
    .clk_i, .rst_i, .credit_i, .spend_i(take),
    .count_o(credits_o), .has_credit_o(has_credit), .all_credits_o(all_credits)
  );

  if (CreditBypass != 0) begin : g_chained
    anl_credit_bypass #(.NumVcs(NumVcs), .Depth(Depth)) u_chained (
      .count_i(credits_o), .has_credit_i(has_credit), .all_credits_i(all_credits), .credit_i(chained_i),
      .count_o(usable_o), .has_credit_o, .all_credits_o
    );
  end else begin : g_registered
    assign usable_o     = credits_o;
    assign has_credit_o = has_credit;
    assign all_credits_o       = all_credits;
  end

  anl_owners #(.NumPorts(NumPorts), .NumVcs(NumVcs)) u_owners (
    .clk_i, .rst_i, .move_i(take), .head_i(head), .tail_i(tail),
    .from_i(grant_o), .vc_i(lane),
    .owned_o, .port_o(owner_port_o), .vc_o(owner_vc_o)
  );

  `ANL_ASSERT(AssumeOfferIsATurn, (request_i & NumPorts'(~Turns)) == '0)
  `ANL_ASSERT(SendsWithCreditOnly, (take & ~has_credit_o) == '0)
  `ANL_ASSERT(AssumeChainedIsCredit, CreditBypass == 0 || chained_i == credit_i)
  `ANL_ASSERT(SendsToOneLane, sends == (take != '0) && (take & (take - 1'b1)) == '0)

endmodule
