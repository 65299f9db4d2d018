// SPDX-License-Identifier: Apache-2.0
//
// Source of a terminal without buffers: sends each worm in the cycle of its start and in those that
// follow (papers/roberts_symvonis/bufferless.md, "Replay").
//
// One start is held. The worm begins in the cycle in which step_i is that start and the source has
// a flit; then its flits are sent, one a cycle, up to the tail.
// In reset nothing is taken: src_ready_o and start_ready_o are 0.
// Timing: inj_*, src_ready_o and start_ready_o are functions of registers, step_i and src_* in the
// same cycle; late_o of registers and step_i.

`include "anl_assert.svh"

module anl_replay #(
  parameter  int FlitW = 32,          // data bits of a flit (docs/link.md)
  parameter  int StepW = 12,          // bits of a step
  localparam int LinkW = FlitW + 2
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [StepW-1:0] step_i,

  // The table of starts, ascending: one is taken in a cycle in which valid and ready are 1.
  input  logic             start_valid_i,
  input  logic [StepW-1:0] start_i,
  output logic             start_ready_o,

  // The source gives whole worms, heads first. A flit is taken in a cycle in which valid and ready
  // are 1. Once a worm has begun, src_valid_i must be 1 up to its tail.
  input  logic             src_valid_i,
  input  logic [LinkW-1:0] src_flit_i,
  output logic             src_ready_o,

  // To port T of the switch, which forwards the flit in the same cycle.
  output logic             inj_valid_o,
  output logic [LinkW-1:0] inj_flit_o,
  output logic             late_o      // the start that is held has passed
);

  logic             held_d, held_q, sending_d, sending_q, begins;
  logic [StepW-1:0] start_q;

  assign begins        = held_q && !sending_q && step_i == start_q && src_valid_i;
  assign src_ready_o   = !rst_i && (begins || sending_q);
  assign start_ready_o = !rst_i && (!held_q || begins);
  assign inj_valid_o   = src_ready_o && src_valid_i;
  assign inj_flit_o    = src_flit_i;
  assign late_o        = held_q && !sending_q && step_i > start_q;

  assign held_d    = start_ready_o ? start_valid_i : held_q;
  assign sending_d = src_ready_o && !(src_valid_i && src_flit_i[FlitW]);

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) begin
      held_q    <= 1'b0;
      sending_q <= 1'b0;
    end else begin
      held_q    <= held_d;
      sending_q <= sending_d;
    end
    if (start_ready_o) start_q <= start_i;
  end

  `ANL_ASSERT(BeginsInTheStepOfItsStart, sending_q || !inj_valid_o || (held_q && step_i == start_q))

endmodule
