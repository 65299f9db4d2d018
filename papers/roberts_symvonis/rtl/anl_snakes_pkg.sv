// SPDX-License-Identifier: Apache-2.0
//
// Supernodes of cells without buffers (papers/roberts_symvonis/supernodes.md): what a clock says, and the tables of a
// cell. The numbers of the layout are in anl_layout_pkg.

// A package names all events, also those that no code reads.
// verilator lint_off UNUSEDPARAM

package anl_snakes_pkg;

  // What a clock says: an index of time_i.
  localparam int Birth    = 0;   // worms are being born
  localparam int Consume  = 1;
  localparam int Review   = 2;   // the cycles of a superstep
  localparam int Balance  = 3;
  localparam int Extract  = 4;
  localparam int Queue    = 5;
  localparam int Before   = 6;   // the next step is AtFirst
  localparam int AtFirst  = 7;   // where the heads of a slot are
  localparam int AtCentre = 8;
  localparam int AtSecond = 9;
  localparam int AtLeave  = 10;  // where worms are that go to a neighbour
  localparam int AtPass   = 11;
  localparam int AtOut    = 12;
  localparam int AtWait   = 13;
  localparam int AtBack   = 14;
  localparam int TurnOut  = 15;  // a worm that comes in by the outer port turns
  localparam int TurnBack = 16;  // a worm that comes back from the centre turns
  localparam int NumTimes = 17;

  // A way in a table: an output port, or 7: none. A map has one for each link, the births
  // one for each port, and that of port 0 is lowest.
  localparam int WayW   = 3;
  localparam int MapW   = WayW * 4;
  localparam int BirthW = WayW * 5;

  // To the right of a worm that goes out by a port.
  function automatic int right_of(input int port);
    case (port)
      anl_bufferless_pkg::East:  right_of = anl_bufferless_pkg::South;
      anl_bufferless_pkg::West:  right_of = anl_bufferless_pkg::North;
      anl_bufferless_pkg::South: right_of = anl_bufferless_pkg::West;
      default:                   right_of = anl_bufferless_pkg::East;
    endcase
  endfunction

  // The port of the other side.
  function automatic int opposite(input int port);
    opposite = (port % 2 == 0) ? port + 1 : port - 1;
  endfunction

endpackage
