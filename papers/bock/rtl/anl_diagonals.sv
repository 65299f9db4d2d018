// SPDX-License-Identifier: Apache-2.0
//
// Node of a torus on which worms ride diagonals (papers/bock/diagonals.md): a register at the end of each
// link to it, which holds a flit or nothing, and no other buffer.
//
// A head goes where the command of the step, its destination and the place of the node say. The flits
// behind it follow its latch, and stand if it stands. What cannot be right raises fault_o, which stays
// until reset: two flits for one register, a flit without a way, a worm without an end, or late_i.
// Timing: valid_o, flit_o, exit_* and failed_o are functions of registers, inputs and stands_*_i.
// stands_x_o does not depend on ahead_x_i at a slot, nor stands_y_o on ahead_y_i at a bottom, so
// there is no loop around the torus.

// Some state is read only by the probes (papers/bock/diagonals.md, "RTL").
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_diagonals #(
  parameter  int N      = 8,                                // side of the torus
  parameter  int C      = 2,                                // columns of a column block
  parameter  int FlitW  = 32,                               // data bits of a flit (docs/link.md)
  parameter  int Slot   = 0,                                // 1: the node is a slot
  parameter  int Bottom = 0,                                // 1: its register of -y is the bottom of a reservoir
  localparam int W      = anl_pkg::index_width(N),
  localparam int CmdW   = anl_diagonals_pkg::CommandW,
  localparam int L      = anl_diagonals_pkg::NumLinks,
  localparam int LinkW  = FlitW + 2
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [CmdW-1:0]    command_i,

  // The place of the node; constant.
  input  logic [2*W-1:0]     here_i,      // {row, column}
  input  logic [W-1:0]       first_i,     // first column of its column block
  input  logic               turn_i,      // it is a turn node
  input  logic               top_i,       // it is in the top row of its row block,
  input  logic               fits_i,      // whose reservoir has room for a worm

  // Links into the node, and what the source of its terminal sends.
  input  logic [L-1:0]       valid_i,
  input  logic [L*LinkW-1:0] flit_i,
  input  logic               inj_valid_i,
  input  logic [LinkW-1:0]   inj_flit_i,
  input  logic               late_i,      // it has missed a start

  // Whether the flits in the registers of +x and -y stand in this step, and those ahead of them.
  output logic               stands_x_o,
  output logic               stands_y_o,
  input  logic               ahead_x_i,
  input  logic               ahead_y_i,

  output logic [L-1:0]       valid_o,
  output logic [L*LinkW-1:0] flit_o,

  // What leaves the network from each register; a worm that leaves from another one than that of -y
  // has failed.
  output logic [L-1:0]       exit_valid_o,
  output logic [L*LinkW-1:0] exit_flit_o,
  output logic               failed_o,
  output logic               fault_o
);

  localparam int P      = anl_diagonals_pkg::NumWays;
  localparam int XPlus  = anl_diagonals_pkg::XPlus;
  localparam int XMinus = anl_diagonals_pkg::XMinus;
  localparam int YPlus  = anl_diagonals_pkg::YPlus;
  localparam int YMinus = anl_diagonals_pkg::YMinus;
  localparam int Exit   = anl_diagonals_pkg::Exit;

  // Turns: bit o of a port is 1 if a flit may go from it to o.
  localparam logic [P-1:0] ToXPlus = P'(1 << XPlus), ToXMinus = P'(1 << XMinus), ToYPlus = P'(1 << YPlus),
                           ToYMinus = P'(1 << YMinus), ToExit = P'(1 << Exit);
  localparam logic [L*P-1:0] Turns = {ToYMinus | ToExit,
                                      ToXMinus | ToYPlus | ToYMinus | ToExit,
                                      ToXPlus | ToXMinus | ToExit,
                                      ToXPlus | ToXMinus | ToYPlus | ToYMinus | ToExit};

  logic [L-1:0]       valid, head, tail, stands;
  logic [L*LinkW-1:0] flit;
  logic [L*P-1:0]     way_head, goes;   // bit p*P + o: the flit in register p goes to o
  logic [L*P-1:0]     latch;            // state that the lock-step compares: the way in each latch
  logic [L-1:0]       astray, broken, meets, collision;
  logic               taken_d, taken_q, takes_slot, fault_d, fault_q;

  // --- the rules ---

  int           command;
  logic [W-1:0] to_x, in_x, to_y;        // columns of the heads on +x, row of the head on -y
  logic         settling, distributing, open, turns, finds, home;

  assign command      = 32'(command_i);
  assign distributing = command == anl_diagonals_pkg::Distribute || command == anl_diagonals_pkg::DistributeEnd;
  assign settling     = command == anl_diagonals_pkg::Seek || command == anl_diagonals_pkg::SeekBack
                        || command == anl_diagonals_pkg::SeekForth || command == anl_diagonals_pkg::SeekWait;

  assign to_x = flit[XPlus*LinkW +: W];
  assign in_x = to_x - first_i;
  assign to_y = flit[YMinus*LinkW + W +: W];
  assign home = to_y == here_i[2*W-1:W];
  assign open = !top_i || (fits_i && !ahead_y_i);

  // A head on +y goes first.
  assign turns = !(valid[YPlus] && head[YPlus])
                 && ((command == anl_diagonals_pkg::TurnInBlock && to_x >= first_i && 32'(in_x) < C)
                     || command == anl_diagonals_pkg::TurnAnywhere);
  assign finds = !(valid[YPlus] && head[YPlus]) && command == anl_diagonals_pkg::Seek
                 && to_x == here_i[W-1:0] && open;

  assign takes_slot = valid[XMinus] && head[XMinus] && distributing && turn_i && !taken_q;
  assign taken_d    = command != anl_diagonals_pkg::Deliver && (taken_q || takes_slot);

  always_comb begin : heads
    logic [P-1:0] x_plus, x_minus, y_plus, y_minus;
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
      anl_diagonals_pkg::Deliver: begin
        x_plus  = ToExit;
        y_minus = home ? ToExit : ToYMinus;
      end
      default: ;
    endcase
    if (settling) begin
      y_plus  = !top_i ? ToYPlus : open ? ToYMinus : ToExit;
      y_minus = ToYMinus;
    end
    way_head = {y_minus, y_plus, x_minus, x_plus};
  end

  // Whole worms stand: in front of a slot, in a row while a round ends, and in a reservoir.
  assign stands_x_o = valid[XPlus] && (command == anl_diagonals_pkg::SeekWait
                      || (distributing && (Slot != 0 || (!head[XPlus] && ahead_x_i))));
  assign stands_y_o = valid[YMinus] && settling && (Bottom != 0 || ahead_y_i);

  assign stands = {stands_y_o, 1'b0, 1'b0, stands_x_o};

  // --- registers and latches ---

  for (genvar p = 0; p < L; p++) begin : g_input
    logic             valid_q;
    logic [LinkW-1:0] flit_q;
    logic [P-1:0]     way, latch_d, latch_q;

    assign valid[p]               = valid_q;
    assign flit[p*LinkW +: LinkW] = flit_q;
    assign head[p]                = flit_q[FlitW+1];
    assign tail[p]                = flit_q[FlitW];
    assign latch[p*P +: P]        = latch_q;

    assign way             = (head[p] ? way_head[p*P +: P] : latch_q) & Turns[p*P +: P];
    assign goes[p*P +: P]  = (valid_q && !stands[p]) ? way : '0;
    assign latch_d         = stands[p] ? latch_q : (valid_q && !tail[p]) ? way : '0;

    assign astray[p] = valid_q && !stands[p] && way == '0;
    assign broken[p] = latch_q != '0 && (!valid_q || head[p]);
    assign meets[p]  = stands[p] && valid_i[p];

    `ANL_ASSERT(LatchHasOneWayAtMost, (latch_q & (latch_q - 1'b1)) == '0)

    assign exit_valid_o[p]               = goes[p*P + Exit];
    assign exit_flit_o[p*LinkW +: LinkW] = flit_q;

    always_ff @(posedge clk_i) begin : regs
      if (rst_i) begin
        valid_q <= 1'b0;
        latch_q <= '0;
      end else begin
        valid_q <= stands[p] || valid_i[p];
        latch_q <= latch_d;
      end
      if (!stands[p]) flit_q <= flit_i[p*LinkW +: LinkW];
    end
  end

  // --- links; the terminal sends by -x ---

  for (genvar o = 0; o < L; o++) begin : g_output
    logic [L-1:0] wants;
    wire          injects = o == XMinus && inj_valid_i;

    for (genvar p = 0; p < L; p++) begin : g_want
      assign wants[p] = goes[p*P + o];
    end

    always_comb begin : crossbar
      logic             one, two;   // a flit wants this link; another one does, too
      logic [LinkW-1:0] sent;
      one  = injects;
      two  = 1'b0;
      sent = injects ? inj_flit_i : '0;
      for (int p = 0; p < L; p++) begin
        two  = two || (one && wants[p]);
        one  = one || wants[p];
        sent = sent | (wants[p] ? flit[p*LinkW +: LinkW] : '0);
      end
      valid_o[o]               = one;
      collision[o]             = two;
      flit_o[o*LinkW +: LinkW] = sent;
    end
  end

  assign failed_o = exit_valid_o[XPlus] || exit_valid_o[XMinus] || exit_valid_o[YPlus];
  assign fault_d  = fault_q || late_i || astray != '0 || broken != '0 || meets != '0 || collision != '0;
  assign fault_o  = fault_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) begin
      taken_q <= 1'b0;
      fault_q <= 1'b0;
    end else begin
      taken_q <= taken_d;
      fault_q <= fault_d;
    end
  end

  `ANL_ASSERT(AssumeCommandExists, command <= anl_diagonals_pkg::Deliver)
  `ANL_ASSERT(AssumeBlockBegins, 32'(first_i) % C == 0)
  `ANL_ASSERT(AssumeDestinationFitsFlit, FlitW >= 2 * W)

endmodule
