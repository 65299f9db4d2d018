// SPDX-License-Identifier: Apache-2.0
//
// From our link (docs/link.md) to a link of style ready_valid_per_lane, which has a ready for each lane.
//
// The flits lie in lanes of Depth flits. In each cycle one of them is offered: of a lane that is ready if any such
// lane holds a flit, else of any lane. The lanes take turns (anl_lanes_in_turn). So a lane that is not ready holds up
// no other one, and a flit crosses in each cycle in which one can.
// Timing: valid_o and credit_o are functions of registers; vc_o and flit_o follow ready_i, which this style allows.
// ready_i must not depend on them. A flit that comes in cycle t is offered in t + 1; when it crosses in u, its credit
// comes in u + 1 and is spent in u + 2. One lane therefore needs Depth 3 for a flit a cycle.
//
//  cycle    0    1    2    3    4    5      Depth = 2; A and B on lane 0, C on lane 1
//  valid_i  A    B    C    .    .    .
//  valid_o  .    A    A    C    A    B      a flit that is not taken is offered again later
//  ready_i  3    2    2    2    1    1      bit v: lane v
//  credit_o .    .    .    .    C    A

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

`include "anl_assert.svh"

module anl_credit_to_lane_ready #(
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

  // The link of style ready_valid_per_lane.
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic [NumVcs-1:0] ready_i            // bit v: a flit of lane v would be taken
);

  logic [NumVcs-1:0] held, may, sel, credit, credit_q;
  logic              any, taken;               // a lane that is ready holds a flit; the offered flit crosses

  assign any      = (held & ready_i) != '0;
  assign may      = any ? ready_i : held;
  assign taken    = (sel & ready_i) != '0;
  assign valid_o  = held != '0;
  assign credit_o = credit_q;

  // The valid_o of this part has the same value, but a path from ready_i.
  anl_lanes_in_turn #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW)) u_lanes (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o(credit),
    .held_o(held), .may_i(may), .sel_o(sel), .valid_o(), .vc_o, .flit_o, .taken_i(taken)
  );

  always_ff @(posedge clk_i) begin : regs
    credit_q <= rst_i ? '0 : credit;
  end

  `ANL_ASSERT(FlitCrossesIfOneCan, taken == any)

endmodule
