// SPDX-License-Identifier: Apache-2.0
//
// The lanes at the end of one of our links (docs/link.md), of which one flit is offered to a link of another style.
//
// may_i says whose front flits may be offered, and a scan in cyclic order chooses one of them. It starts behind the
// lane of the last flit that was taken. So a lane that may be offered all the time is passed less than NumVcs times.
// Timing: held_o is a function of registers. valid_o, vc_o, flit_o and sel_o follow may_i alone; credit_o follows
// taken_i, too. A flit that comes in cycle t can be offered in t + 1.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

`include "anl_assert.svh"

module anl_lanes_in_turn #(
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

  // The choice.
  output logic [NumVcs-1:0] held_o,            // bit v: lane v holds a flit
  input  logic [NumVcs-1:0] may_i,             // bit v: lane v may be offered if it holds a flit
  output logic [NumVcs-1:0] sel_o,             // the lane that is offered, one-hot or 0

  // What is offered, and whether it is taken.
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic              taken_i
);

  logic [NumVcs-1:0] may;
  logic              pop;

  assign may     = held_o & may_i;
  assign valid_o = may != '0;
  assign pop     = valid_o && taken_i;

  // The front of a lane is seen as a whole when it is offered; nobody looks at it before.
  anl_lanes #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .LowW(1)) u_lanes (
    .clk_i, .rst_i, .valid_i, .vc_i, .flit_i, .credit_o,
    .here_i(1'b0), .front_o(), .differs_o(), .held_o, .count_o(),
    .sel_i(sel_o), .pop_i(pop), .flit_o
  );

  anl_arbiter #(.Size(NumVcs), .Arbiter(anl_pkg::RoundRobin)) u_turn (
    .clk_i, .rst_i, .req_i(may), .rank_i({NumVcs*anl_head_pkg::RankW{1'b0}}), .random_i(8'b0),
    .gnt_o(sel_o), .index_o(vc_o), .taken_i(pop), .ptr_o()
  );

endmodule
