// SPDX-License-Identifier: Apache-2.0
//
// From a link of style credit_pulse_shared, on which one credit a cycle comes back with the number of its lane, to our
// link (docs/link.md).
//
// Flits pass in the same cycle. Credits of our link wait, counted for each lane, and leave one a cycle. The lanes take
// turns: a lane whose credit waits is passed less than NumVcs times.
// Timing: pulse_o and lane_o are functions of registers; a credit that comes in t leaves in t + 1 at the earliest.
// valid_o, vc_o and flit_o are valid_i, vc_i and flit_i. One lane needs Depth 3 for a flit a cycle.
//
//  cycle    0    1    2    3    4    5      Depth = 2; A on lane 0, B on lane 1
//  valid    A    B    .    .    .    .
//  credit_i 0    0    3    0    0    0      bit v: lane v
//  pulse_o  0    0    0    1    1    0
//  lane_o   .    .    .    0    1    .

// Outputs of parts that are not needed here are left open, and counts are read for "at least one" alone.
// verilator lint_off PINCONNECTEMPTY
// verilator lint_off UNUSEDSIGNAL

module anl_pulse_to_credit #(
  parameter  int NumVcs = 4,                   // lanes of a link, 1 .. 8
  parameter  int Depth  = 4,                   // flits of a lane at the end of our link, 1 .. 64
  parameter  int FlitW  = 32,                  // data bits of a flit
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int LinkW  = FlitW + 2
) (
  input  logic              clk_i,
  input  logic              rst_i,

  // The link of style credit_pulse_shared.
  input  logic              valid_i,
  input  logic [VcW-1:0]    vc_i,
  input  logic [LinkW-1:0]  flit_i,
  output logic              pulse_o,           // a credit comes back
  output logic [VcW-1:0]    lane_o,            // for this lane

  // Our link.
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic [NumVcs-1:0] credit_i
);

  logic [NumVcs-1:0] waits, leaves;            // bit v: a credit of lane v waits, leaves

  assign valid_o = valid_i;
  assign vc_o    = vc_i;
  assign flit_o  = flit_i;
  assign pulse_o = waits != '0;

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [Depth-1:0] least;
    anl_counter #(.Max(Depth), .Init(0)) u_waiting (
      .clk_i, .rst_i, .up_i(credit_i[v]), .down_i(leaves[v]), .count_o(), .least_o(least)
    );
    assign waits[v] = least[0];
  end

  anl_arbiter #(.Size(NumVcs), .Arbiter(anl_pkg::RoundRobin)) u_turn (
    .clk_i, .rst_i, .req_i(waits), .rank_i({NumVcs*anl_head_pkg::RankW{1'b0}}), .random_i(8'b0),
    .gnt_o(leaves), .index_o(lane_o), .taken_i(pulse_o), .ptr_o()
  );

endmodule
