// SPDX-License-Identifier: Apache-2.0
//
// An output port whose link is wide (docs/switch.md, "Wide links"): it gives lanes to heads, sends
// one flit on each lane, and keeps the credits and owners of the lanes at the end of its link.
//
// Timing: take_o and out_ptr_o do not depend on flits that are not heads, nor on credits of the same
// cycle. The link follows grants and go_i. A credit or a tail of cycle t counts in t + 1; if
// CreditBypass is 1, a credit counts in t for flits that are not heads: usable_o then follows credit_i.

// Chained links make chains of gates, which end where no route goes on. Verilator sees whole vectors.
// verilator lint_off UNOPTFLAT

`include "anl_assert.svh"

module anl_wide_output #(
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 4,
  parameter  int Depth    = 4,
  parameter  int FlitW    = 32,
  parameter  int Arbiter  = anl_pkg::RoundRobin,
  parameter  int CreditBypass = 0,
  localparam int Size     = NumPorts * NumVcs,           // input lanes of the switch
  localparam int LinkW    = FlitW + 2,
  localparam int IdxW     = anl_pkg::index_width(Size),
  localparam int PortW    = anl_pkg::index_width(NumPorts),
  localparam int VcW      = anl_pkg::index_width(NumVcs),
  localparam int CntW     = $clog2(Depth + 1),
  localparam int RankW    = anl_head_pkg::RankW
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [7:0]             random_i,

  // The front flits of all input lanes. Bit c of ask_i: a head asks for a lane of this port, and bit
  // w*Size + c of can_i says that it can take lane w. Bit c of go_i: a flit of another kind goes on by
  // this port, and bit w*Size + c of bound_i says that its lane is w.
  input  logic [Size-1:0]        ask_i,
  input  logic [NumVcs*Size-1:0] can_i,
  input  logic [Size*RankW-1:0]  rank_i,
  input  logic [Size-1:0]        go_i,
  input  logic [NumVcs*Size-1:0] bound_i,
  input  logic [Size*LinkW-1:0]  flit_i,
  output logic [NumVcs*Size-1:0] take_o,      // w*Size + c: head c takes lane w

  // The link that begins here (docs/link.md).
  output logic [NumVcs-1:0]      valid_o,
  output logic [NumVcs*LinkW-1:0] flit_o,
  input  logic [NumVcs-1:0]      credit_i,

  // State of the lanes at the other end of the link (output VC state).
  output logic [NumVcs-1:0]      has_credit_o,
  output logic [NumVcs-1:0]      usable_o,    // a flit that is not a head could be sent
  output logic [NumVcs*CntW-1:0] credits_o,
  output logic [NumVcs-1:0]      owned_o,
  output logic [NumVcs*PortW-1:0] owner_port_o,
  output logic [NumVcs*VcW-1:0]  owner_vc_o,
  output logic [IdxW-1:0]        out_ptr_o
);

  logic [NumVcs-1:0] all_credits;

  anl_wide_grant #(.NumPorts(NumPorts), .NumVcs(NumVcs), .Arbiter(Arbiter)) u_grant (
    .clk_i, .rst_i, .random_i, .ask_i, .can_i, .rank_i, .all_credits_i(all_credits),
    .take_o, .out_ptr_o
  );

  anl_credits #(.NumVcs(NumVcs), .Depth(Depth)) u_credits (
    .clk_i, .rst_i, .credit_i, .spend_i(valid_o),
    .count_o(credits_o), .has_credit_o, .all_credits_o(all_credits)
  );

  for (genvar w = 0; w < NumVcs; w++) begin : g_lane
    logic [Size-1:0]     from;         // input lane of the flit that is sent, one-hot or 0
    logic [NumPorts-1:0] port;
    logic [NumVcs-1:0]   lane;
    logic [VcW-1:0]      vc;

    assign from = take_o[w*Size +: Size] | (go_i & bound_i[w*Size +: Size]);
    for (genvar p = 0; p < NumPorts; p++) begin : g_port
      assign port[p] = from[p*NumVcs +: NumVcs] != '0;
    end
    assign valid_o[w] = from != '0;
    anl_mux #(.Size(Size), .Width(LinkW)) u_flit (
      .sel_i(from), .data_i(flit_i), .data_o(flit_o[w*LinkW +: LinkW])
    );

    if (CreditBypass != 0) begin : g_chained
      assign usable_o[w] = has_credit_o[w] || credit_i[w];
    end else begin : g_registered
      assign usable_o[w] = has_credit_o[w];
    end

    anl_mux #(.Size(NumPorts), .Width(NumVcs)) u_number (
      .sel_i(port), .data_i(from), .data_o(lane)
    );
    anl_encode #(.Size(NumVcs)) u_vc (.onehot_i(lane), .index_o(vc));
    anl_owners #(.NumPorts(NumPorts), .NumVcs(1), .InVcs(NumVcs)) u_owners (
      .clk_i, .rst_i, .move_i(valid_o[w]), .head_i(flit_o[w*LinkW + FlitW + 1]),
      .tail_i(flit_o[w*LinkW + FlitW]), .from_i(port), .vc_i(vc), .owned_o(owned_o[w]),
      .port_o(owner_port_o[w*PortW +: PortW]), .vc_o(owner_vc_o[w*VcW +: VcW])
    );

    `ANL_ASSERT(LaneCarriesOneFlit, (from & (from - 1'b1)) == '0)
    `ANL_ASSERT(SendsWithCreditOnly, !valid_o[w] || usable_o[w])
    `ANL_ASSERT(HeadsUseNoCreditOfTheCycle, !valid_o[w] || !flit_o[w*LinkW + FlitW + 1] || has_credit_o[w])
  end

endmodule
