// SPDX-License-Identifier: Apache-2.0
//
// Choosing cell of a supernode: the entry of a buffer (papers/roberts_symvonis/supernodes.md, "Choosing cells").
//
// Worms that come from outside go around in the buffer; one that left its train at the first processor
// goes to the arm and back before. A worm of the buffer leaves it for a neighbour, or for its train.
// Timing: combinational.

// An entry reads a few of the clock's events.
// verilator lint_off UNUSEDSIGNAL

module anl_choose_entry #(
  parameter  int Corner   = 0,   // 0: top left, 1: top right, 2: bottom left, 3: bottom right
  localparam int P        = anl_bufferless_pkg::NumPorts,
  localparam int SlotW    = anl_layout_pkg::SlotW,
  localparam int NumTimes = anl_snakes_pkg::NumTimes
) (
  input  logic [NumTimes-1:0] time_i,
  input  logic [SlotW-1:0]    slot_i,    // of the clock: the one before the next
  input  logic [SlotW-1:0]    gap_i,     // of this buffer

  output logic [P-1:0]        chosen_o,  // input ports
  output logic [P*P-1:0]      choice_o   // a way for each, one-hot
);

  localparam int Processor = (Corner % 2 == 0) ? anl_bufferless_pkg::East : anl_bufferless_pkg::West;
  localparam int Arm       = (Corner < 2) ? anl_bufferless_pkg::South : anl_bufferless_pkg::North;
  localparam int Last      = anl_snakes_pkg::opposite(Arm);   // the last link of the buffer's cycle
  localparam int Around    = anl_snakes_pkg::opposite(Processor);
  localparam int Away      = (Corner == 0 || Corner == 3) ? Arm : Processor;

  logic active;   // a superstep
  logic leaves, joins, waits;

  assign active = time_i[anl_snakes_pkg::Queue:anl_snakes_pkg::Review] != '0;
  assign leaves = time_i[anl_snakes_pkg::AtLeave];
  assign joins  = time_i[anl_snakes_pkg::Queue] && time_i[anl_snakes_pkg::Before] &&
                  slot_i + 1'b1 == gap_i;
  assign waits  = time_i[anl_snakes_pkg::Extract] && time_i[anl_snakes_pkg::AtCentre];

  always_comb begin : choose
    chosen_o                   = '0;
    choice_o                   = '0;
    chosen_o[Last]             = leaves || joins;
    choice_o[Last*P +: P]      = leaves ? P'(1 << Away) : P'(1 << Processor);
    chosen_o[Processor]        = active;
    choice_o[Processor*P +: P] = waits ? P'(1 << Arm) : P'(1 << Around);
    chosen_o[Arm]              = active;
    choice_o[Arm*P +: P]       = P'(1 << Around);
  end

endmodule
