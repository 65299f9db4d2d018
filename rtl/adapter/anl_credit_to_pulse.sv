// SPDX-License-Identifier: Apache-2.0
//
// From our link (docs/link.md) to a link of style credit_pulse_shared, on which one credit a cycle comes back, with the
// number of its lane.
//
// Flits and credits pass in the same cycle; a pulse for a lane becomes the credit of this lane.
// Timing: all outputs are combinational; the module has no state. valid_o, vc_o and flit_o are valid_i, vc_i and
// flit_i; credit_o follows pulse_i and lane_i. So each is a function of registers if what it follows is.
//
//  cycle    0    1    2    3    4      Depth = 2; A on lane 0, B on lane 1
//  valid    A    B    .    .    .
//  pulse_i  0    0    1    1    0
//  lane_i   .    .    1    0    .
//  credit_o 0    0    2    1    0      bit v: lane v

`include "anl_assert.svh"

// The clock is there for assertions.
// verilator lint_off UNUSEDSIGNAL

module anl_credit_to_pulse #(
  parameter  int NumVcs = 4,                   // lanes of a link, 1 .. 8
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

  // The link of style credit_pulse_shared.
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic              pulse_i,           // a credit comes back
  input  logic [VcW-1:0]    lane_i             // for this lane
);

  logic [NumVcs-1:0] lane;

  anl_decode #(.Size(NumVcs)) u_lane (.index_i(lane_i), .onehot_o(lane));

  assign valid_o  = valid_i;
  assign vc_o     = vc_i;
  assign flit_o   = flit_i;
  assign credit_o = lane & {NumVcs{pulse_i}};

  `ANL_ASSERT(AssumeLaneExists, !pulse_i || 32'(lane_i) < NumVcs)

endmodule
