// SPDX-License-Identifier: Apache-2.0
//
// Choosing cell of a supernode: the cell of a command processor (papers/roberts_symvonis/supernodes.md, "Choosing
// cells").
//
// Heads of trains go straight on or, in the extraction, where the command says. Worms of neighbours
// turn into a buffer; those of buffers leave for a neighbour or join a train.
// Timing: combinational.

// A processor reads a few of the clock's events.
// verilator lint_off UNUSEDSIGNAL

module anl_choose_processor #(
  parameter  int Outer    = anl_bufferless_pkg::North,   // the port away from the centre
  localparam int P        = anl_bufferless_pkg::NumPorts,
  localparam int NumTimes = anl_snakes_pkg::NumTimes
) (
  input  logic [NumTimes-1:0] time_i,
  input  logic                west_i,     // the command: the head of the train leaves for this entry
  input  logic                east_i,

  output logic [P-1:0]        chosen_o,   // input ports
  output logic [P*P-1:0]      choice_o    // a way for each, one-hot or 0
);

  localparam int E     = anl_bufferless_pkg::East;
  localparam int W     = anl_bufferless_pkg::West;
  localparam int Inner = anl_snakes_pkg::opposite(Outer);
  localparam int Right = anl_snakes_pkg::right_of(Inner);

  logic         active;            // a superstep
  logic         turns, waits, first, turns_back, second;
  logic [P-1:0] beside;            // the way of a worm that comes from an entry
  logic [P-1:0] command;           // into an entry, or none

  assign active     = time_i[anl_snakes_pkg::Queue:anl_snakes_pkg::Review] != '0;
  assign turns      = time_i[anl_snakes_pkg::TurnOut];
  assign waits      = time_i[anl_snakes_pkg::AtWait];
  assign first      = time_i[anl_snakes_pkg::AtFirst];
  assign turns_back = time_i[anl_snakes_pkg::TurnBack];
  assign second     = time_i[anl_snakes_pkg::AtSecond];
  assign beside     = time_i[anl_snakes_pkg::AtPass] ? P'(1 << Outer) : P'(1 << Inner);
  assign command    = west_i ? P'(1 << W) : east_i ? P'(1 << E) : '0;

  always_comb begin : choose
    chosen_o             = '0;
    choice_o             = '0;
    chosen_o[E]          = active;
    chosen_o[W]          = active;
    chosen_o[Outer]      = active;
    chosen_o[Inner]      = active;
    choice_o[E*P +: P]   = beside;
    choice_o[W*P +: P]   = beside;

    if (turns)       choice_o[Outer*P +: P] = P'(1 << Right);
    else if (waits)  choice_o[Outer*P +: P] = P'(1 << Inner);
    else if (first)  choice_o[Outer*P +: P] = (command != '0) ? command : P'(1 << Inner);

    if (turns_back)  choice_o[Inner*P +: P] = P'(1 << Right);
    else if (second) choice_o[Inner*P +: P] = (command != '0) ? command : P'(1 << Outer);
  end

endmodule
