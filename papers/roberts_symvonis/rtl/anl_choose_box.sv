// SPDX-License-Identifier: Apache-2.0
//
// Choosing cell of a supernode: while worms are consumed, those whose destination is in a rectangle
// of cells turn (papers/roberts_symvonis/supernodes.md, "Choosing cells").
// Timing: combinational.

// Only one of the clock's events counts here.
// verilator lint_off UNUSEDSIGNAL
// A corner of the rectangle may be in row or column 0.
// verilator lint_off UNSIGNED

module anl_choose_box #(
  parameter  int Ports    = 15,                         // bit p: for worms that come by port p
  parameter  int Way      = anl_bufferless_pkg::East,   // the output port
  parameter  int DstW     = 10,                         // bits of a label
  parameter  int LinkW    = 34,
  localparam int P        = anl_bufferless_pkg::NumPorts,
  localparam int CoordW   = DstW / 2,
  localparam int NumTimes = anl_snakes_pkg::NumTimes
) (
  input  logic [NumTimes-1:0] time_i,
  input  logic [P*LinkW-1:0]  front_i,    // the flits at the input ports
  input  logic [DstW-1:0]     from_i,     // labels of the corners of the rectangle; constant
  input  logic [DstW-1:0]     to_i,

  output logic [P-1:0]        chosen_o,   // input ports
  output logic [P*P-1:0]      choice_o    // a way for each, one-hot
);

  logic [CoordW-1:0] top, left, bottom, right;

  assign {top, left}     = from_i;
  assign {bottom, right} = to_i;

  for (genvar p = 0; p < P; p++) begin : g_port
    logic [CoordW-1:0] row, column;
    assign {row, column} = front_i[p*LinkW +: DstW];
    assign chosen_o[p] = time_i[anl_snakes_pkg::Consume] && ((Ports >> p) & 1) != 0 &&
                         row >= top && row <= bottom && column >= left && column <= right;
    assign choice_o[p*P +: P] = P'(1 << Way);
  end

endmodule
