// SPDX-License-Identifier: Apache-2.0
//
// The number of the step, as the phases of two stages, again and again: says what all nodes do in this
// step (papers/bock/diagonals.md, "RTL"). In its even half the stages 0, 2 ... work, in its odd half the
// stages 1, 3 .... With two dimensions the odd half has no stage, and is as long as the delivery.
//
// Timing: command_o and odd_o are functions of registers. A step ends in each cycle in which run_i is 1.

// A command has fewer bits than the number that says it.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_diagonals_clock #(
  parameter int N      = 8,   // side of the torus
  parameter int D      = 2,   // dimensions
  parameter int Length = 1,   // flits of a worm
  parameter int C      = 2,   // columns of a column block
  parameter int Brief  = 1    // 1: the rounds are the short ones
) (
  input  logic                                   clk_i,
  input  logic                                   rst_i,
  input  logic                                   run_i,
  output logic [anl_diagonals_pkg::CommandW-1:0] command_o,
  output logic                                   odd_o
);

  localparam int Rounds  = anl_diagonals_pkg::rounds(C, Brief);
  localparam int F       = anl_diagonals_pkg::forward(Length, C, Brief);
  localparam int Z       = anl_diagonals_pkg::round_steps(Length, C, Brief);
  localparam int Around  = N + Length;
  localparam int Reorder = C + 2 * Length;
  localparam int StepW   = $clog2(Around + Reorder + Z);
  localparam int RoundW  = $clog2(Rounds + 1);
  localparam int PhaseW  = 3;

  // The phases in their order.
  localparam int Distribution = 0;
  localparam int InBlock      = 1;
  localparam int Anywhere     = 2;
  localparam int Reordering   = 3;
  localparam int Seeking      = 4;

  logic [PhaseW-1:0] phase_d, phase_q;
  logic              odd_d, odd_q;
  logic [StepW-1:0]  u_d, u_q;          // number of the step in its phase or round
  logic [RoundW-1:0] round_d, round_q;
  int                u, command;
  int                steps;             // of this phase or round
  logic              last;              // this is its last one

  assign u       = 32'(u_q);
  assign last    = u == steps - 1;
  assign u_d     = last ? '0 : u_q + 1'b1;
  assign round_d = (32'(phase_q) == Seeking) ? round_q + RoundW'(last) : '0;

  always_comb begin : phases
    steps   = Around;
    command = '0;
    case (32'(phase_q))
      Distribution: command = (u < N) ? anl_diagonals_pkg::Distribute : anl_diagonals_pkg::DistributeEnd;
      InBlock:      command = (u < N) ? anl_diagonals_pkg::TurnInBlock : anl_diagonals_pkg::Straighten;
      Anywhere:     command = (u < N) ? anl_diagonals_pkg::TurnAnywhere : anl_diagonals_pkg::Straighten;
      Reordering: begin
        steps   = Reorder;
        command = (u < C + Length) ? anl_diagonals_pkg::Back : anl_diagonals_pkg::Forth;
      end
      Seeking: begin
        steps   = Z;
        command = (u < F)                  ? anl_diagonals_pkg::Seek
                : (u < 2 * F + Length)     ? anl_diagonals_pkg::SeekBack
                : (u < 2 * F + 2 * Length) ? anl_diagonals_pkg::SeekForth
                :                            anl_diagonals_pkg::SeekWait;
      end
      default: ;
    endcase
  end

  always_comb begin : next_phase
    phase_d = phase_q;
    odd_d   = odd_q;
    if (last && ((D == 2 && odd_q) || (32'(phase_q) == Seeking && 32'(round_q) == Rounds - 1))) begin
      phase_d = '0;
      odd_d   = !odd_q;
    end else if (last && 32'(phase_q) != Seeking) begin
      phase_d = phase_q + 1'b1;
    end
  end

  assign command_o = command[anl_diagonals_pkg::CommandW-1:0];
  assign odd_o     = odd_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) begin
      phase_q <= '0;
      odd_q   <= 1'b0;
      u_q     <= '0;
    end else if (run_i) begin
      phase_q <= phase_d;
      odd_q   <= odd_d;
      u_q     <= u_d;
    end
    if (run_i) round_q <= round_d;   // 0 in all phases but that of the rounds
  end

  `ANL_ASSERT(PhaseExists, 32'(phase_q) <= Seeking)
  `ANL_ASSERT(StepIsOfThePhase, u < steps)
  `ANL_ASSERT(RoundExists, 32'(phase_q) != Seeking || 32'(round_q) < Rounds)

endmodule
