// SPDX-License-Identifier: Apache-2.0
//
// Choosing cell of a supernode: an arm, the cell of the horizontal lane beside the centre
// (papers/roberts_symvonis/supernodes.md, "Choosing cells").
//
// Worms from entries leave for a neighbour or go back, two steps later; worms of a neighbour turn into
// a buffer, in odd supernodes behind two steps to the centre and back.
// Timing: combinational.

// An arm reads a few of the clock's events.
// verilator lint_off UNUSEDSIGNAL

module anl_choose_arm #(
  parameter  int Outer    = anl_bufferless_pkg::West,   // the port away from the centre
  localparam int P        = anl_bufferless_pkg::NumPorts,
  localparam int NumTimes = anl_snakes_pkg::NumTimes
) (
  input  logic [NumTimes-1:0] time_i,

  output logic [P-1:0]        chosen_o,   // input ports
  output logic [P*P-1:0]      choice_o    // a way for each, one-hot or 0
);

  localparam int N     = anl_bufferless_pkg::North;
  localparam int S     = anl_bufferless_pkg::South;
  localparam int Inner = anl_snakes_pkg::opposite(Outer);
  localparam int Right = anl_snakes_pkg::right_of(Inner);

  logic active;   // a superstep
  logic passes, turns, waits, turns_back;

  assign active     = time_i[anl_snakes_pkg::Queue:anl_snakes_pkg::Review] != '0;
  assign passes     = time_i[anl_snakes_pkg::AtPass];
  assign turns      = time_i[anl_snakes_pkg::TurnOut];
  assign waits      = time_i[anl_snakes_pkg::AtWait];
  assign turns_back = time_i[anl_snakes_pkg::TurnBack];

  always_comb begin : choose
    chosen_o           = '0;
    choice_o           = '0;
    chosen_o[N]        = active;
    chosen_o[S]        = active;
    chosen_o[Outer]    = active;
    chosen_o[Inner]    = active;
    choice_o[N*P +: P] = passes ? P'(1 << Outer) : P'(1 << N);
    choice_o[S*P +: P] = passes ? P'(1 << Outer) : P'(1 << S);

    if (turns)      choice_o[Outer*P +: P] = P'(1 << Right);
    else if (waits) choice_o[Outer*P +: P] = P'(1 << Inner);
    if (turns_back) choice_o[Inner*P +: P] = P'(1 << Right);
  end

endmodule
