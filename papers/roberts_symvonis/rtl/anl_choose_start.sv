// SPDX-License-Identifier: Apache-2.0
//
// Choosing cell of a supernode: where a trail enters the vertical lane and the other one leaves it
// (papers/roberts_symvonis/supernodes.md, "Choosing cells").
//
// In supersteps worms of neighbours go along the lane. While worms are consumed, the trains go
// straight on by the joined cycle, and worms for this half of the lane turn into it.
// Timing: combinational.

// Of the clock's events, and of what is ahead, this cell reads a part.
// verilator lint_off UNUSEDSIGNAL

module anl_choose_start #(
  parameter  int Outer    = anl_bufferless_pkg::South,   // the port to the end of the lane
  parameter  int DstW     = 10,                          // bits of a label
  localparam int P        = anl_bufferless_pkg::NumPorts,
  localparam int CoordW   = DstW / 2,
  localparam int NumTimes = anl_snakes_pkg::NumTimes
) (
  input  logic [NumTimes-1:0] time_i,
  input  logic [DstW-1:0]     dst_i,      // of the head at the port by which the trail comes
  input  logic [CoordW-1:0]   column_i,   // of the lane; constant
  input  logic [CoordW-1:0]   middle_i,   // row of the centre; constant
  input  logic [CoordW-1:0]   end_i,      // row of the end of the lane; constant

  output logic [P-1:0]        chosen_o,   // input ports
  output logic [P*P-1:0]      choice_o    // a way for each, one-hot
);

  localparam bit Below = Outer == anl_bufferless_pkg::South;
  localparam int Inner = anl_snakes_pkg::opposite(Outer);
  // The trail comes by one side and goes on by the other.
  localparam int Comes = Below ? anl_bufferless_pkg::West : anl_bufferless_pkg::East;
  localparam int Goes  = anl_snakes_pkg::opposite(Comes);

  logic              active, leaves, consumes, own, last;
  logic [CoordW-1:0] row, column;

  assign active        = time_i[anl_snakes_pkg::Queue:anl_snakes_pkg::Review] != '0;
  assign leaves        = time_i[anl_snakes_pkg::AtOut];
  assign consumes      = time_i[anl_snakes_pkg::Consume];
  assign {row, column} = dst_i;
  assign own           = column == column_i &&
                         (Below ? row > middle_i && row <= end_i : row <= middle_i && row >= end_i);
  assign last          = row == end_i;

  always_comb begin : choose
    chosen_o               = '0;
    choice_o               = '0;
    chosen_o[Outer]        = active;
    choice_o[Outer*P +: P] = P'(1 << Inner);
    chosen_o[Inner]        = leaves;
    choice_o[Inner*P +: P] = P'(1 << Outer);
    chosen_o[Comes]        = consumes;
    choice_o[Comes*P +: P] = !own ? P'(1 << Goes) : last ? P'(1 << Outer) : P'(1 << Inner);
  end

endmodule
