// SPDX-License-Identifier: Apache-2.0
//
// anl_lanes: in every lane, flits leave whole and in the order in which they came.
//
// The proof follows a marked flit as in prove_fifo.sv. The mark is on any flit of any one lane, and
// the other lanes do whatever they are allowed to do.

`include "prove.svh"

module prove_lanes #(
  parameter  int NumVcs = 2,
  parameter  int Depth  = 2,
  parameter  int FlitW  = 2,
  parameter  int LowW   = 1,
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int CntW   = $clog2(Depth + 1),
  localparam int FrontW = LowW + 2,
  localparam int LinkW  = FlitW + 2
) (
  input logic             clk_i,
  input logic             valid_i,
  input logic [VcW-1:0]   vc_i,
  input logic [LinkW-1:0] flit_i,
  input logic             read_i,
  input logic [VcW-1:0]   read_vc_i,
  input logic             pop_i,
  input logic             mark_i,
  input logic [LowW-1:0]  here_i,         // constant, sampled in the reset cycle
  input logic [VcW-1:0]   lane_i           // lane of the mark, sampled in the reset cycle
);

  `PROVE_RESET

  logic [NumVcs-1:0]        credit, held;
  logic [NumVcs*FrontW-1:0] front;
  logic [NumVcs*CntW-1:0]   count;
  logic [FlitW+1:0]         flit;
  logic [NumVcs*LowW-1:0]   differs;
  logic [LowW-1:0]          here_q;
  wire  [NumVcs-1:0]        sel = read_i ? NumVcs'(1) << read_vc_i : '0;

  anl_lanes #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .LowW(LowW)) u_dut (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o(credit),
    .here_i(here_q), .front_o(front), .differs_o(differs), .held_o(held), .count_o(count),
    .sel_i(sel), .pop_i, .flit_o(flit)
  );

  always_ff @(posedge clk_i) begin : once
    if (rst_i) here_q <= here_i;
  end

  logic [NumVcs*CntW-1:0] held_q;          // number of flits in each lane

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    wire [CntW-1:0] here     = held_q[v*CntW +: CntW];
    wire            one_more = valid_i && 32'(vc_i) == v;
    wire            one_less = pop_i && read_i && 32'(read_vc_i) == v;

    always_ff @(posedge clk_i) begin : model
      held_q[v*CntW +: CntW] <= rst_i ? '0 : here + CntW'(one_more) - CntW'(one_less);
    end

    `GIVEN(PushHasRoom, !one_more || 32'(here) < Depth || one_less)
    `GIVEN(PopHasFlit, !one_less || here != '0)

    `COVER(PushAndPopWhenFull, one_more && one_less && 32'(here) == Depth)
    `PROVE(CountIsPushesLessPops, count[v*CntW +: CntW] == here)
    `PROVE(HeldIfAny, held[v] == (here != '0))
    `PROVE(CreditForWhatLeaves, credit[v] == one_less)
  end

  wire             pop       = pop_i && read_i && read_vc_i == lane_q;
  wire             push      = valid_i && vc_i == lane_q;
  wire [LinkW-1:0] push_flit = flit_i;

  `include "marked.svh"

  wire at_front = there_q && ahead_q == '0;

  `GIVEN(LanesExist, 32'(vc_i) < NumVcs && 32'(read_vc_i) < NumVcs && 32'(lane_q) < NumVcs)

  `PROVE(FrontInOrder, !at_front || front[lane_q*FrontW +: FrontW]
                                    == {flit_q[FlitW+1:FlitW], flit_q[LowW-1:0]})
  `PROVE(DiffersFromHere, !at_front || differs[lane_q*LowW +: LowW] == (flit_q[LowW-1:0] ^ here_q))
  `PROVE(LeavesInOrder, !at_front || !read_i || read_vc_i != lane_q || flit == flit_q)

  `COVER(AllLanesAreFull, held_q == {NumVcs{CntW'(Depth)}})
  `COVER(MarkedLeavesAFullLane, at_front && pop && held_q[lane_q*CntW +: CntW] == CntW'(Depth))
  `COVER(MarkedIsBehindAll, there_q && 32'(ahead_q) == Depth - 1)
  `COVER(PopOfNothing, pop_i && !read_i)

endmodule
