// SPDX-License-Identifier: Apache-2.0
//
// anl_diagonals_clock: the command of each step is the one of papers/bock/diagonals.md, batch behind batch.
// The harness keeps the half, the phase, the step in it and the round, as the tables count them; the
// lengths of the rounds are written here once more.

`include "prove.svh"

module prove_diagonals_clock #(
  parameter  int N      = 4,
  parameter  int D      = 2,
  parameter  int Length = 1,
  parameter  int C      = 2,
  parameter  int Brief  = 1,
  localparam int CmdW   = anl_diagonals_pkg::CommandW
) (
  input logic clk_i,
  input logic run_i
);

  `PROVE_RESET

  // Rounds: R of them, F steps forward, Z in all.
  localparam int R     = (Brief != 0) ? 8 : C;
  localparam int F     = (Brief != 0) ? 2 * C : 2 * C * Length;
  localparam int Turns = 2 * F + 2 * Length;
  localparam int Falls = F + 2 * C * Length + Length;
  localparam int Z     = (Brief == 0) ? 4 * C * Length + 2 * Length : (Turns > Falls) ? Turns : Falls;

  // The phases, and how many steps they or their rounds have.
  localparam int Deal = 0, InBlock = 1, Anywhere = 2, Reorder = 3, Round = 4;
  localparam int Back  = C + Length;
  localparam int StepW = $clog2(N + Length + Back + Z);

  logic [CmdW-1:0] command;
  logic            odd;
  anl_diagonals_clock #(.N(N), .D(D), .Length(Length), .C(C), .Brief(Brief)) u_dut (
    .clk_i, .rst_i, .run_i, .command_o(command), .odd_o(odd)
  );

  logic             odd_q;
  logic [2:0]       phase_q;
  logic [3:0]       round_q;
  logic [StepW-1:0] u_q;
  wire  [31:0]      u     = 32'(u_q);
  wire  [31:0]      says  = 32'(command);
  wire  [31:0]      phase = 32'(phase_q);
  wire  [31:0]      steps = (phase == Round) ? Z : (phase == Reorder) ? Back + Length : N + Length;
  wire              ends  = run_i && u == steps - 1;
  wire              again = phase == Round && 32'(round_q) < R - 1;
  wire              done  = !again && (phase == Round || (D == 2 && odd_q));   // a stage, or the delivery of two dimensions

  always_ff @(posedge clk_i) begin : count
    if (run_i) u_q <= ends ? '0 : u_q + 1'b1;
    if (ends) begin
      if (!again) phase_q <= done ? '0 : phase_q + 1'b1;
      odd_q   <= odd_q != done;
      round_q <= again ? round_q + 1'b1 : '0;
    end
    if (rst_i) {odd_q, phase_q, round_q, u_q} <= '0;
  end

  `PROVE(Distributes, phase != Deal || says == (u < N ? anl_diagonals_pkg::Distribute : anl_diagonals_pkg::DistributeEnd))
  `PROVE(TurnsInBlock, phase != InBlock || says == (u < N ? anl_diagonals_pkg::TurnInBlock : anl_diagonals_pkg::Straighten))
  `PROVE(TurnsAnywhere, phase != Anywhere || says == (u < N ? anl_diagonals_pkg::TurnAnywhere : anl_diagonals_pkg::Straighten))
  `PROVE(Reorders, phase != Reorder || says == (u < Back ? anl_diagonals_pkg::Back : anl_diagonals_pkg::Forth))
  `PROVE(SeeksFirst, phase != Round || (says == anl_diagonals_pkg::Seek) == (u < F))
  `PROVE(SeeksBack, phase != Round || (says == anl_diagonals_pkg::SeekBack) == (u >= F && u < 2 * F + Length))
  `PROVE(SeeksForth, phase != Round || (says == anl_diagonals_pkg::SeekForth) == (u >= 2 * F + Length && u < Turns))
  `PROVE(ElseWaits, phase != Round || u < Turns || says == anl_diagonals_pkg::SeekWait)
  `PROVE(HalvesFollow, odd == odd_q)

  logic ended_q;   // a batch has ended
  always_ff @(posedge clk_i) begin : past
    if (ends && done && odd_q) ended_q <= 1'b1;
    if (rst_i) ended_q <= 1'b0;
  end

  `COVER(SecondBatchTurns, ended_q && says == anl_diagonals_pkg::TurnInBlock)
  `COVER(LastRoundEnds, phase == Round && ends && !again && says >= anl_diagonals_pkg::SeekForth)

endmodule
