// SPDX-License-Identifier: Apache-2.0
//
// Clock of a supernode: in which stage, cycle and step of a round it is (papers/roberts_symvonis/supernodes.md, "The
// clock").
//
// A round begins in the cycle behind one in which begin_i is 1, which must be the last one of the
// round before or later. Even supernodes are a step ahead.
// Timing: all outputs are functions of registers.

`include "anl_assert.svh"

module anl_snakes_clock #(
  parameter  int CountW   = 8,           // bits of the number of supersteps of a round
  localparam int SlotW    = anl_layout_pkg::SlotW,
  localparam int NumTimes = anl_snakes_pkg::NumTimes
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  logic                even_i,          // constant

  input  logic                begin_i,
  input  logic [CountW-1:0]   supersteps_i,    // of the round that begins, at least 1

  output logic                busy_o,          // a round goes on
  output logic                last_o,          // this is its last step
  output logic [NumTimes-1:0] time_o,          // anl_snakes_pkg
  output logic [SlotW-1:0]    slot_o           // that is passing
);

  localparam int K      = anl_layout_pkg::K;
  localparam int M      = anl_layout_pkg::M;
  localparam int S      = anl_layout_pkg::S;
  localparam int Period = anl_layout_pkg::Period;
  localparam int First  = Period + 2 * S;                  // slot 0 first meets a processor
  localparam int Leave  = anl_layout_pkg::Train + 3;       // heads leave the entries
  localparam int Ends   = 4 * anl_layout_pkg::Half - 2;       // the last step of odd ones in stage Consume
  localparam int StepW  = $clog2(((First > Ends) ? First : Ends) + 2);
  localparam int PhaseW = $clog2(K);

  typedef enum logic [1:0] {Idle, Create, Superstep, Consume} stage_t;

  logic [1:0]        stage_d, stage_q;     // stage_t
  logic [1:0]        cycle_d, cycle_q;     // of a superstep: review, balance, extraction, queueing
  logic [StepW-1:0]  step_d, step_q;       // time, steps of the cycle (a + 1), steps of the consumption
  logic [PhaseW-1:0] phase_d, phase_q;     // a modulo K
  logic [SlotW-1:0]  slot_d, slot_q;       // a / K; -1 in the first step
  logic [CountW-1:0] left_d, left_q;       // supersteps, this one among them
  logic              newborn_d, newborn_q; // the first review

  logic ends_create, ends_cycle, ends_supersteps;
  assign ends_create     = stage_q == Create && 32'(step_q) == First - 2;
  assign ends_cycle      = stage_q == Superstep && 32'(step_q) == Period - 1;
  assign ends_supersteps = stage_q == Superstep && cycle_q == 2'd3 && left_q == CountW'(1) &&
                           32'(step_q) == Period - M + 1;
  assign busy_o          = stage_q != Idle;
  assign last_o          = stage_q == Consume && 32'(step_q) == Ends + 32'(even_i);

  always_comb begin : advance
    stage_d   = stage_q;
    cycle_d   = cycle_q;
    step_d    = step_q + 1'b1;
    phase_d   = (32'(phase_q) == K - 1) ? '0 : phase_q + 1'b1;
    slot_d    = (32'(phase_q) == K - 1 && slot_q != SlotW'(anl_layout_pkg::Slots)) ? slot_q + 1'b1 : slot_q;
    left_d    = left_q;
    newborn_d = newborn_q;
    if (ends_create || ends_cycle) begin
      stage_d = Superstep;
      step_d  = '0;
      phase_d = PhaseW'(K - 1);
      slot_d  = '1;
    end
    if (ends_create) cycle_d = 2'd0;
    if (ends_cycle) begin
      cycle_d   = cycle_q + 1'b1;
      newborn_d = 1'b0;
      if (cycle_q == 2'd3) left_d = left_q - 1'b1;
    end
    if (ends_supersteps) begin
      stage_d = Consume;
      step_d  = '0;
    end
    if (last_o) stage_d = Idle;
    if (begin_i) begin
      stage_d   = Create;
      step_d    = StepW'(1) + StepW'(even_i);
      left_d    = supersteps_i;
      newborn_d = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) stage_q <= Idle;
    else       stage_q <= stage_d;
    cycle_q   <= cycle_d;
    step_q    <= step_d;
    phase_q   <= phase_d;
    slot_q    <= slot_d;
    left_q    <= left_d;
    newborn_q <= newborn_d;
  end

  // What the clock says. a is step_q - 1.
  logic active, slots, extract;
  assign active  = stage_q == Superstep;
  assign slots   = active && 32'(slot_q) < anl_layout_pkg::Slots;   // one of them is passing
  assign extract = active && cycle_q == 2'd2;
  assign slot_o  = slot_q;

  always_comb begin : say
    time_o                           = '0;
    time_o[anl_snakes_pkg::Birth]    = stage_q == Create || (active && newborn_q && 32'(step_q) < 2);
    time_o[anl_snakes_pkg::Consume]  = stage_q == Consume;
    time_o[anl_snakes_pkg::Review]   = active && cycle_q == 2'd0;
    time_o[anl_snakes_pkg::Balance]  = active && cycle_q == 2'd1;
    time_o[anl_snakes_pkg::Extract]  = extract;
    time_o[anl_snakes_pkg::Queue]    = active && cycle_q == 2'd3;
    time_o[anl_snakes_pkg::Before]   = active && 32'(phase_q) == K - 1 &&
                                       (slot_q == '1 || 32'(slot_q) < anl_layout_pkg::Slots - 1);
    time_o[anl_snakes_pkg::AtFirst]  = slots && phase_q == PhaseW'(0);
    time_o[anl_snakes_pkg::AtCentre] = slots && phase_q == PhaseW'(1);
    time_o[anl_snakes_pkg::AtSecond] = slots && phase_q == PhaseW'(2);
    time_o[anl_snakes_pkg::AtLeave]  = extract && 32'(step_q) == Leave + 1;
    time_o[anl_snakes_pkg::AtPass]   = extract && 32'(step_q) == Leave + 2;
    time_o[anl_snakes_pkg::AtOut]    = extract && 32'(step_q) == Leave + M;
    time_o[anl_snakes_pkg::AtWait]   = extract && 32'(step_q) == Leave + S && !even_i;
    time_o[anl_snakes_pkg::AtBack]   = extract && 32'(step_q) == Leave + S + 1 && !even_i;
    time_o[anl_snakes_pkg::TurnOut]  = extract && 32'(step_q) == Leave + S + 2 && even_i;
    time_o[anl_snakes_pkg::TurnBack] = extract && 32'(step_q) == Leave + S + 2 && !even_i;
  end

  `ANL_ASSERT(AssumeRoundsDoNotOverlap, !begin_i || !busy_o || last_o)
  `ANL_ASSERT(AssumeRoundsHaveSupersteps, !begin_i || supersteps_i != '0)

endmodule
