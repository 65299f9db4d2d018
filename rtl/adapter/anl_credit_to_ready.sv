// SPDX-License-Identifier: Apache-2.0
//
// From our link (docs/link.md) to a link of style ready_valid, whose lanes share one ready.
//
// The flits lie in lanes of Depth flits. One of them is offered, and the choice among lanes is held until the flit is
// taken: valid_o, vc_o and flit_o do not change before. The lanes take turns (anl_lanes_in_turn), so each gets its
// share. A lane whose flit is not taken holds up the others, for that is the rule of this style.
// Timing: all outputs are functions of registers, so no path leads through. ready_i may depend on valid_o and vc_o. A
// flit that comes in cycle t is offered in t + 1; when it is taken in u, its credit comes in u + 1 and is spent in
// u + 2. One lane therefore needs Depth 3 for a flit a cycle.
//
//  cycle    0    1    2    3    4    5      Depth = 2, one lane
//  valid_i  A    B    .    .    C    .
//  valid_o  .    A    A    B    .    C      A waits for ready_i
//  ready_i  1    0    1    1    1    1
//  credit_o .    .    .    A    B    .      that of A is spent in 4 at the earliest

`include "anl_assert.svh"

module anl_credit_to_ready #(
  parameter  int NumVcs = 4,                   // lanes of a link, 1 .. 8
  parameter  int Depth  = 4,                   // flits of a lane, 1 .. 64
  parameter  int FlitW  = 32,                  // data bits of a flit
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int LinkW  = FlitW + 2
) (
  input  logic              clk_i,
  input  logic              rst_i,

  // Our link.
  input  logic              valid_i,
  input  logic [VcW-1:0]    vc_i,
  input  logic [LinkW-1:0]  flit_i,
  output logic [NumVcs-1:0] credit_o,

  // The link of style ready_valid.
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic              ready_i
);

  logic [NumVcs-1:0] held, may, sel, credit;
  // Lane of a flit that was offered and not taken; 0: any lane may be offered.
  logic [NumVcs-1:0] waits_q, waits_d, credit_q;

  assign may      = (waits_q != '0) ? waits_q : held;
  assign waits_d  = ready_i ? '0 : sel;
  assign credit_o = credit_q;

  anl_lanes_in_turn #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_lanes (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o(credit),
    .held_o(held), .may_i(may), .sel_o(sel), .valid_o, .vc_o, .flit_o, .taken_i(ready_i)
  );

  always_ff @(posedge clk_i) begin : regs
    waits_q  <= rst_i ? '0 : waits_d;
    credit_q <= rst_i ? '0 : credit;
  end

  `ANL_ASSERT(WhatWaitsIsHeld, (waits_q & ~held) == '0)

endmodule
