// SPDX-License-Identifier: Apache-2.0
//
// What the input lanes of a port remember of the worm that is passing through: the output lane it
// is bound to and, for the policies oldest and farthest, its stamp or distance.
//
// A head that moves and is not also a tail binds, a tail that moves unbinds (docs/switch.md,
// rule 6). Between them the worm's other flits leave everything as it is.
// Timing: all outputs are registers; a move of t shows in t + 1. Only bound_o has a reset.

`include "anl_assert.svh"

module anl_binding #(
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 4,
  parameter  int Scan     = anl_pkg::Rotating,
  localparam int StampW   = anl_pkg::StampW,
  localparam int PortW    = anl_pkg::index_width(NumPorts),
  localparam int VcW      = anl_pkg::index_width(NumVcs)
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  // The flit that moves: from which lane (one-hot or 0), and where to.
  input  logic [NumVcs-1:0]        move_i,
  input  logic                     head_i,
  input  logic                     tail_i,
  input  logic [PortW-1:0]         port_i,
  input  logic [VcW-1:0]           vc_i,
  input  logic [StampW-1:0]        stamp_i,

  output logic [NumVcs-1:0]        bound_o,
  output logic [NumVcs*PortW-1:0]  port_o,   // meaningful where bound_o is 1
  output logic [NumVcs*VcW-1:0]    vc_o,     // the same
  output logic [NumVcs*StampW-1:0] stamp_o   // the same; 0 unless the policy compares it
);

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic             bind_lane, bound_d, bound_q;
    logic [PortW-1:0] port_q;

    assign bind_lane = move_i[v] && head_i;
    assign bound_d   = move_i[v] ? !tail_i : bound_q;

    always_ff @(posedge clk_i) begin : regs
      if (rst_i) bound_q <= 1'b0;
      else       bound_q <= bound_d;
      if (bind_lane) port_q <= port_i;
    end

    assign bound_o[v]               = bound_q;
    assign port_o[v*PortW +: PortW] = port_q;

    if (NumVcs > 1) begin : g_vc        // of one lane there is no number to keep
      logic [VcW-1:0] vc_q;
      always_ff @(posedge clk_i) begin : regs
        if (bind_lane) vc_q <= vc_i;
      end
      assign vc_o[v*VcW +: VcW] = vc_q;
    end else begin : g_only_vc
      assign vc_o[v*VcW +: VcW] = '0;
    end

    if (anl_pkg::stamped(Scan) != 0) begin : g_stamp
      logic [StampW-1:0] stamp_q;
      always_ff @(posedge clk_i) begin : regs
        if (bind_lane) stamp_q <= stamp_i;
      end
      assign stamp_o[v*StampW +: StampW] = stamp_q;
    end else begin : g_no_stamp
      assign stamp_o[v*StampW +: StampW] = '0;
    end

    `ANL_ASSERT(AssumeHeadIffUnbound, !move_i[v] || head_i == !bound_q)
  end

endmodule
