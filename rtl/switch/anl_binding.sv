// SPDX-License-Identifier: Apache-2.0
//
// Bindings (input VC state) of the lanes of an input port: the output lane to which the worm that
// is passing through is bound and, under the policies age and farthest, its stamp or distance.
//
// A head that moves and is not also a tail binds its lane, and a tail that moves unbinds it
// (docs/switch.md, rule 6). The flits between them change nothing.
//
// What a waiting head wants is stored in every cycle: its port, and while its lane is the one that is
// offered the output lane and the rank. The values stored in the cycle in which the head moves stay,
// so the registers need no grant. to_o and port_o have no
// meaning where bound_o is 0. port_o serves only the probes.
// Timing: all outputs are functions of registers; inputs of cycle t change them in t + 1. Only
// bound_o has a reset.

// A policy or field that is absent leaves some inputs unread. The ports stay, so that all instances
// look the same.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_binding #(
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 4,
  parameter  int OutVcs   = NumVcs,                // lanes of an output port
  parameter  int Arbiter  = anl_pkg::RoundRobin,
  localparam int RankW   = anl_head_pkg::RankW,
  localparam int PortW    = anl_pkg::index_width(NumPorts),
  localparam int VcW      = anl_pkg::index_width(OutVcs)
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  // The output port that the head at the front of each lane wants. It must be given at the latest
  // in the cycle in which the head moves.
  input  logic [NumVcs-1:0]          learn_i,
  input  logic [NumVcs*NumPorts-1:0] port_i,   // one-hot for each lane whose head moves

  // The lane that vc_i and rank_i belong to (one-hot, or 0); at the latest when its head moves.
  input  logic [NumVcs-1:0]          offer_i,

  // The flit that moves: its lane (one-hot, or 0 if none moves) and the output lane it goes to.
  input  logic [NumVcs-1:0]          move_i,
  input  logic                       head_i,
  input  logic                       tail_i,
  input  logic [VcW-1:0]             vc_i,
  input  logic [RankW-1:0]          rank_i,

  output logic [NumVcs-1:0]          bound_o,
  output logic [NumVcs*NumPorts-1:0] to_o,     // one-hot ports, meaningful where bound_o is 1
  output logic [NumVcs*PortW-1:0]    port_o,   // index of the port in to_o
  output logic [NumVcs*VcW-1:0]      vc_o,     // output lane; meaningful where bound_o is 1
  output logic [NumVcs*RankW-1:0]   rank_o   // stamp or distance; 0 if the arbiter has no ranks
);

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic                keep, bound_d, bound_q;
    logic [NumPorts-1:0] to_q;
    logic [VcW-1:0]      vc_q;

    assign keep    = learn_i[v] && offer_i[v];
    assign bound_d = move_i[v] ? !tail_i : bound_q;

    always_ff @(posedge clk_i) begin : regs
      if (rst_i) bound_q <= 1'b0;
      else       bound_q <= bound_d;
      if (learn_i[v]) to_q <= port_i[v*NumPorts +: NumPorts];
      if (keep) vc_q <= vc_i;
    end

    anl_encode #(.Size(NumPorts)) u_port (.onehot_i(to_q), .index_o(port_o[v*PortW +: PortW]));
    assign bound_o[v]                   = bound_q;
    assign to_o[v*NumPorts +: NumPorts] = to_q;
    assign vc_o[v*VcW +: VcW]           = (OutVcs > 1) ? vc_q : '0;   // a single lane has index 0

    if (anl_pkg::ranked(Arbiter) != 0) begin : g_rank
      logic [RankW-1:0] rank_q;
      always_ff @(posedge clk_i) begin : regs
        if (keep) rank_q <= rank_i;
      end
      assign rank_o[v*RankW +: RankW] = rank_q;
    end else begin : g_no_rank
      assign rank_o[v*RankW +: RankW] = '0;
    end

    `ANL_ASSERT(AssumeHeadIffUnbound, !move_i[v] || head_i == !bound_q)
    `ANL_ASSERT(AssumeLearnsIfUnbound, !learn_i[v] || !bound_q)
    `ANL_ASSERT(AssumeLearnedWhenItBinds, !(move_i[v] && head_i) || (learn_i[v] && offer_i[v]))
    `ANL_ASSERT(AssumeBindsToOnePort, !(move_i[v] && head_i) || $onehot(port_i[v*NumPorts +: NumPorts]))
  end

endmodule
