// SPDX-License-Identifier: Apache-2.0
//
// anl_diagonals at any place, whatever the commands and the flits are: in each step a flit stands,
// goes or leaves as the tables of papers/bock/diagonals.md say, the flits behind a head go its way, and what
// is lost raises the fault line, which nothing else raises. The register and the link of the
// properties are any two.

`include "prove.svh"

module prove_diagonals #(
  parameter  int N      = 4,
  parameter  int C      = 2,
  parameter  int FlitW  = 4,
  parameter  int Slot   = 0,
  parameter  int Bottom = 0,
  localparam int W      = anl_pkg::index_width(N),
  localparam int L      = anl_diagonals_pkg::NumLinks,
  localparam int CmdW   = anl_diagonals_pkg::CommandW,
  localparam int LinkW  = FlitW + 2,
  localparam int LinkI  = 2
) (
  input logic               clk_i,
  input logic [CmdW-1:0]    command_i,
  input logic [2*W-1:0]     here_i,         // the place: sampled in reset
  input logic [2:0]         place_i,        // turn node, top row, room for a worm: sampled in reset
  input logic [L-1:0]       valid_i,
  input logic [L*LinkW-1:0] flit_i,
  input logic               inj_valid_i,
  input logic [LinkW-1:0]   inj_flit_i,
  input logic               late_i,
  input logic               ahead_x_i,
  input logic               ahead_y_i,
  input logic [LinkI-1:0]   in_i,           // sampled in reset
  input logic [LinkI-1:0]   out_i           // sampled in reset
);

  `PROVE_RESET

  // Where a flit goes: to a link, out of the network, or it has no way.
  localparam int XPlus  = anl_diagonals_pkg::XPlus;
  localparam int XMinus = anl_diagonals_pkg::XMinus;
  localparam int YPlus  = anl_diagonals_pkg::YPlus;
  localparam int YMinus = anl_diagonals_pkg::YMinus;
  localparam int Leaves = anl_diagonals_pkg::Exit;
  localparam int None   = 7;

  logic [2*W-1:0]   here_q;
  logic             turn_q, top_q, fits_q;
  logic [LinkI-1:0] in_q, out_q;
  always_ff @(posedge clk_i) begin : constants
    if (rst_i) begin
      {turn_q, top_q, fits_q} <= place_i;
      {here_q, in_q, out_q}   <= {here_i, in_i, out_i};
    end
  end

  wire [31:0] column = 32'(here_q[W-1:0]);
  wire [31:0] row    = 32'(here_q[2*W-1:W]);
  wire [31:0] first  = column - column % C;
  wire [31:0] step   = 32'(command_i);
  `GIVEN(PlaceExists, column < N && row < N)
  `GIVEN(CommandExists, step <= anl_diagonals_pkg::Deliver)

  logic               stands_x, stands_y, failed, fault;
  logic [L-1:0]       valid, exit_valid;
  logic [L*LinkW-1:0] out, exits;

  anl_diagonals #(.N(N), .C(C), .FlitW(FlitW), .Slot(Slot), .Bottom(Bottom)) u_dut (
    .clk_i, .rst_i, .command_i,
    .here_i(here_q), .first_i(first[W-1:0]), .turn_i(turn_q), .top_i(top_q), .fits_i(fits_q),
    .valid_i, .flit_i, .inj_valid_i, .inj_flit_i, .late_i,
    .stands_x_o(stands_x), .stands_y_o(stands_y), .ahead_x_i, .ahead_y_i,
    .valid_o(valid), .flit_o(out), .exit_valid_o(exit_valid), .exit_flit_o(exits),
    .failed_o(failed), .fault_o(fault)
  );

  // --- the rules ---

  wire ends    = step == anl_diagonals_pkg::DistributeEnd;
  wire deals   = step == anl_diagonals_pkg::Distribute || ends;
  wire back    = step == anl_diagonals_pkg::Back || step == anl_diagonals_pkg::SeekBack;
  wire forth   = step == anl_diagonals_pkg::Forth || step == anl_diagonals_pkg::SeekForth;
  wire climbs  = step == anl_diagonals_pkg::TurnInBlock || step == anl_diagonals_pkg::TurnAnywhere
                 || step == anl_diagonals_pkg::Straighten;
  wire seeks   = step == anl_diagonals_pkg::Seek;
  wire settles = seeks || step == anl_diagonals_pkg::SeekBack || step == anl_diagonals_pkg::SeekForth
                 || step == anl_diagonals_pkg::SeekWait;
  wire leaves  = step == anl_diagonals_pkg::Deliver;

  logic [L-1:0]   here, stands, head, tail;   // what is in the registers
  logic [L*LinkW-1:0] came;
  logic [L*3-1:0] rule, goes;                 // where a head goes; where the flit goes
  logic [L-1:0]   moves, linked, gone;        // it does not stand; it goes by a link; it leaves the network
  logic [L-1:0]   wants;                      // it goes by the link of the properties
  logic [L-1:0]   wrong, gap;                 // it has no way, or another flit comes to where it stands; its worm has a gap
  logic           used_q;                     // a worm of this batch has taken the turn node

  // Column and row of the destination of a head.
  wire [31:0] to_column = 32'(came[XPlus*LinkW +: W]);
  wire [31:0] to_row    = 32'(came[YMinus*LinkW + W +: W]);
  wire        open      = !top_q || (fits_q && !ahead_y_i);
  wire        head_up   = here[YPlus] && head[YPlus];
  wire        takes     = deals && turn_q && !used_q;
  wire        turns     = !head_up && (step == anl_diagonals_pkg::TurnAnywhere
                          || (step == anl_diagonals_pkg::TurnInBlock && to_column / C == column / C));
  wire        finds     = seeks && to_column == column && open && !head_up;

  always_comb begin : rules
    logic [2:0] x_plus, x_minus, y_plus, y_minus;
    if (turns)                         x_plus = 3'(YPlus);
    else if (finds)                    x_plus = top_q ? 3'(YMinus) : 3'(YPlus);
    else if (back)                     x_plus = 3'(XMinus);
    else if (leaves)                   x_plus = 3'(Leaves);
    else                               x_plus = 3'(XPlus);
    if (takes || forth)                x_minus = 3'(XPlus);
    else if (ends)                     x_minus = 3'(Leaves);
    else if (deals || back)            x_minus = 3'(XMinus);
    else                               x_minus = 3'(None);
    if (climbs || (settles && !top_q)) y_plus = 3'(YPlus);
    else if (settles)                  y_plus = open ? 3'(YMinus) : 3'(Leaves);
    else if (back && !settles)         y_plus = 3'(XMinus);
    else                               y_plus = 3'(None);
    if (settles)                       y_minus = 3'(YMinus);
    else if (leaves)                   y_minus = (to_row == row) ? 3'(Leaves) : 3'(YMinus);
    else                               y_minus = 3'(None);
    rule = {y_minus, y_plus, x_minus, x_plus};
  end

  // A slot and a bottom hold what is there; elsewhere a flit stands with the one ahead of it.
  assign stands = {here[YMinus] && settles && (Bottom != 0 || ahead_y_i), 2'b00,
                   here[XPlus] && (step == anl_diagonals_pkg::SeekWait
                                   || (deals && (Slot != 0 || (!head[XPlus] && ahead_x_i))))};

  for (genvar p = 0; p < L; p++) begin : g_input
    logic             here_q, inside_q;   // a flit is here; a worm is on its way through here
    logic [LinkW-1:0] came_q;
    logic [2:0]       follow_q;
    wire  [2:0]       way = goes[p*3 +: 3];

    assign here[p]                = here_q;
    assign came[p*LinkW +: LinkW] = came_q;
    assign {head[p], tail[p]}     = came_q[FlitW +: 2];
    assign goes[p*3 +: 3]         = head[p] ? rule[p*3 +: 3] : inside_q ? follow_q : 3'(None);
    assign moves[p]               = here_q && !stands[p];
    assign wants[p]               = moves[p] && way == 3'(out_q);
    assign linked[p]              = moves[p] && 32'(way) < L;
    assign gone[p]                = moves[p] && way == 3'(Leaves);
    assign wrong[p]               = moves[p] ? way == 3'(None) : here_q && valid_i[p];
    assign gap[p]                 = inside_q && (!here_q || head[p]);

    always_ff @(posedge clk_i) begin : model
      if (!stands[p]) begin
        {here_q, came_q} <= {valid_i[p], flit_i[p*LinkW +: LinkW]};
        {inside_q, follow_q} <= {here_q && !tail[p] && way != 3'(None), way};
      end
      if (rst_i) {here_q, inside_q} <= '0;
    end
  end

  always_ff @(posedge clk_i) begin : turn_node
    if (takes && here[XMinus] && head[XMinus]) used_q <= 1'b1;
    if (leaves || rst_i) used_q <= 1'b0;
  end

  // --- what is wrong ---

  // The terminal sends by -x.
  logic [L*L-1:0] meets;   // of any two registers
  for (genvar p = 0; p < L; p++) begin : g_pair
    for (genvar o = 0; o < L; o++) begin : g_other
      assign meets[p*L + o] = linked[p] && goes[p*3 +: 3] == goes[o*3 +: 3] && (p < o) && linked[o];
    end
  end
  logic [L-1:0] barred;    // the terminal sends by the link of the flit
  for (genvar p = 0; p < L; p++) begin : g_barred
    assign barred[p] = inj_valid_i && linked[p] && 32'(goes[p*3 +: 3]) == XMinus;
  end

  wire  lost = wrong != '0 || meets != '0 || barred != '0;
  logic fault_q;
  always_ff @(posedge clk_i) begin : faults
    fault_q <= !rst_i && (fault_q || late_i || lost || gap != '0);
  end

  wire             injects = inj_valid_i && 32'(out_q) == XMinus;
  wire [LinkW-1:0] sent    = LinkW'(out >> (out_q * LinkW));
  wire [LinkW-1:0] left    = LinkW'(exits >> (in_q * LinkW));
  wire [LinkW-1:0] mine    = LinkW'(came >> (in_q * LinkW));

  `PROVE(StandsInARow, stands_x == stands[XPlus])
  `PROVE(StandsInAReservoir, stands_y == stands[YMinus])
  `PROVE(SendsIfAFlitWants, valid[out_q] == (wants != '0 || injects))
  `PROVE(SendsTheFlitThatWants, lost || !wants[in_q] || sent == mine)
  `PROVE(SendsWhatTheTerminalGives, lost || !injects || sent == inj_flit_i)
  `PROVE(LeavesByItsExit, exit_valid == gone)
  `PROVE(LeavesAsItStood, !exit_valid[in_q] || left == mine)
  `PROVE(FailedIfNotDelivered, failed == (gone[XPlus] || gone[XMinus] || gone[YPlus]))
  `PROVE(NothingIsLostInSilence,
         lost || $countones(valid) + $countones(exit_valid) + 32'(stands_x) + 32'(stands_y)
                 == $countones(here) + 32'(inj_valid_i))
  `PROVE(FaultIffSomethingWasWrong, fault == fault_q)

  // What the tables are made for: two heads of one diagonal both go on.
  wire [L-1:0] heads = here & head;
  wire         alone = heads == L'((1 << XPlus) | (1 << YPlus)) && here == heads && !inj_valid_i;
  `PROVE(HeadsOfADiagonalPart, back || !alone || wrong != '0
                               || $countones(valid) + $countones(exit_valid) + 32'(stands_x) == 2)

  `COVER(AllRegistersHoldBodies, (here & ~head) == '1 && moves == '1)
  `COVER(TwoHeadsWantAColumn, climbs && heads[XPlus] && heads[YPlus] && to_column / C == column / C)
  `COVER(TakesTheTurnNode, takes && heads[XMinus] && !fault)
  `COVER(FindsItsColumn, finds && heads[XPlus] && top_q && !fault)
  `COVER(ReservoirIsFull, gone[YPlus] && heads[YPlus] && !fault)
  `COVER(LeavesFromEveryRegister, exit_valid == '1)
  `COVER(WormStands, stands[XPlus] && (Slot != 0 || !head[XPlus]) && deals && !fault)
  `COVER(QueueStands, stands[YMinus] && !head[YMinus] && !fault)
  `COVER(CollisionFirst, meets != '0 && !fault)
  `COVER(LateStartAlone, late_i && !lost && gap == '0 && !fault)

endmodule
