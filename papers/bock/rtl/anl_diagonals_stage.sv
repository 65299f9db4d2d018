// SPDX-License-Identifier: Apache-2.0
//
// One stage in a node of sliding diagonals (papers/bock/diagonals.md, "A stage"): where heads go that stand
// on +x, -x, +y and -y of it, and which flits stand. In the half in which the stage does not work no head
// has a way by it, and nothing stands.
//
// Timing: outputs are functions of a register and of inputs; those that say what stands do not depend on
// ahead_y_i.

`include "anl_assert.svh"

module anl_diagonals_stage #(
  parameter  int W      = 3,                           // bits of a coordinate
  parameter  int C      = 2,                           // columns of a column block
  localparam int CmdW   = anl_diagonals_pkg::CommandW,
  localparam int S      = anl_diagonals_pkg::NumSides,
  localparam int P      = anl_diagonals_pkg::NumWays
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic [CmdW-1:0] command_i,
  input  logic            works_i,    // the stage works in this step

  // The place of the node; constant.
  input  logic [W-1:0]    column_i,
  input  logic [W-1:0]    first_i,    // first column of its column block
  input  logic            slot_i,     // it is a slot
  input  logic            turn_i,     // it is a turn node
  input  logic            top_i,      // it is in the top row of its row block,
  input  logic            fits_i,     // whose reservoir has room for a worm
  input  logic            bottom_i,   // its register of -y is the bottom of a reservoir

  // The registers: +x, -x, +y, -y.
  input  logic [S-1:0]    valid_i,
  input  logic [S-1:0]    head_i,
  input  logic [W-1:0]    to_i,       // column to which the head on +x goes

  input  logic            ahead_y_i,  // the flit ahead of -y stands

  // The flit on +x stands; it stands if the one ahead stands; the same for -y.
  output logic            stops_x_o,
  output logic            waits_x_o,
  output logic            stops_y_o,
  output logic            waits_y_o,

  output logic [S*P-1:0]  way_o,      // of a head on each: one bit at most, to +x, -x, +y, -y or out
  output logic            taken_o     // its turn node is taken
);

  localparam int XPlus  = anl_diagonals_pkg::XPlus;
  localparam int XMinus = anl_diagonals_pkg::XMinus;
  localparam int YPlus  = anl_diagonals_pkg::YPlus;
  localparam int YMinus = anl_diagonals_pkg::YMinus;

  localparam logic [P-1:0] ToXPlus = P'(1 << XPlus), ToXMinus = P'(1 << XMinus), ToYPlus = P'(1 << YPlus),
                           ToYMinus = P'(1 << YMinus), ToExit = P'(1 << anl_diagonals_pkg::Exit);

  int           command;
  logic         settling, distributing, open, climbs, turns, finds;
  logic [W-1:0] in_block;             // column of the head on +x, from the first one of the block on
  logic         taken_d, taken_q, takes_slot;
  logic [P-1:0] x_plus, x_minus, y_plus, y_minus;

  assign command      = 32'(command_i);
  assign distributing = works_i && (command == anl_diagonals_pkg::Distribute
                                    || command == anl_diagonals_pkg::DistributeEnd);
  assign settling     = works_i && (command == anl_diagonals_pkg::Seek || command == anl_diagonals_pkg::SeekBack
                                    || command == anl_diagonals_pkg::SeekForth
                                    || command == anl_diagonals_pkg::SeekWait);

  assign in_block = to_i - first_i;
  assign open     = !top_i || (fits_i && !ahead_y_i);
  assign climbs   = valid_i[YPlus] && head_i[YPlus];   // this head goes first

  assign turns = !climbs
                 && ((command == anl_diagonals_pkg::TurnInBlock && to_i >= first_i && 32'(in_block) < C)
                     || command == anl_diagonals_pkg::TurnAnywhere);
  assign finds = !climbs && command == anl_diagonals_pkg::Seek && to_i == column_i && open;

  assign takes_slot = valid_i[XMinus] && head_i[XMinus] && distributing && turn_i && !taken_q;
  assign taken_d    = distributing && (taken_q || takes_slot);
  assign taken_o    = taken_q;

  always_comb begin : heads
    x_plus  = '0;
    x_minus = '0;
    y_plus  = '0;
    y_minus = '0;
    case (command)
      anl_diagonals_pkg::Distribute, anl_diagonals_pkg::DistributeEnd: begin
        x_plus  = ToXPlus;
        x_minus = takes_slot                             ? ToXPlus
                : command == anl_diagonals_pkg::Distribute ? ToXMinus : ToExit;
      end
      anl_diagonals_pkg::TurnInBlock, anl_diagonals_pkg::TurnAnywhere, anl_diagonals_pkg::Straighten: begin
        x_plus = turns ? ToYPlus : ToXPlus;
        y_plus = ToYPlus;
      end
      anl_diagonals_pkg::Back: begin
        x_plus  = ToXMinus;
        x_minus = ToXMinus;
        y_plus  = ToXMinus;
      end
      anl_diagonals_pkg::Seek:
        x_plus = !finds ? ToXPlus : top_i ? ToYMinus : ToYPlus;
      anl_diagonals_pkg::SeekBack: begin
        x_plus  = ToXMinus;
        x_minus = ToXMinus;
      end
      anl_diagonals_pkg::Forth, anl_diagonals_pkg::SeekForth: begin
        x_plus  = ToXPlus;
        x_minus = ToXPlus;
      end
      default: ;
    endcase
    if (settling) begin
      y_plus  = !top_i ? ToYPlus : open ? ToYMinus : ToExit;
      y_minus = ToYMinus;
    end
  end

  assign way_o = works_i ? {y_minus, y_plus, x_minus, x_plus} : '0;

  // Whole worms stand: in front of a slot, in a row while a round ends, and in a reservoir.
  assign stops_x_o = valid_i[XPlus] && ((works_i && command == anl_diagonals_pkg::SeekWait)
                                        || (distributing && slot_i));
  assign waits_x_o = valid_i[XPlus] && distributing && !head_i[XPlus];
  assign stops_y_o = valid_i[YMinus] && settling && bottom_i;
  assign waits_y_o = valid_i[YMinus] && settling;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) taken_q <= 1'b0;
    else       taken_q <= taken_d;
  end

  `ANL_ASSERT(AssumeBlockBegins, 32'(first_i) % C == 0)

endmodule
