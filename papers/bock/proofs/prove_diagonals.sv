// SPDX-License-Identifier: Apache-2.0
//
// anl_diagonals at any place, whatever the commands and the flits are: in each step a flit stands,
// goes or leaves as the tables of papers/bock/diagonals.md say, the flits behind a head go its way, and what
// is lost raises the fault line, which nothing else raises. The register and the link of the
// properties are any two, and so are the flits ahead of those that may stand.

`include "prove.svh"

module prove_diagonals #(
  parameter  int N      = 4,
  parameter  int D      = 2,
  parameter  int C      = 2,
  parameter  int FlitW  = 4,
  localparam int W      = anl_pkg::index_width(N),
  localparam int T      = D - 1,
  localparam int L      = 2 * D,
  localparam int CmdW   = anl_diagonals_pkg::CommandW,
  localparam int LinkW  = FlitW + 2,
  localparam int LinkI  = 3
) (
  input logic               clk_i,
  input logic [CmdW-1:0]    command_i,
  input logic               odd_i,
  input logic [D*W-1:0]     here_i,         // the place: sampled in reset
  input logic [5*T-1:0]     place_i,        // slot, turn node, top row, room for a worm, bottom: sampled in reset
  input logic [L-1:0]       valid_i,
  input logic [L*LinkW-1:0] flit_i,
  input logic               inj_valid_i,
  input logic [LinkW-1:0]   inj_flit_i,
  input logic               late_i,
  input logic [T-1:0]       ahead_x_i,
  input logic [T-1:0]       ahead_y_i,
  input logic [LinkI-1:0]   in_i,           // sampled in reset
  input logic [LinkI-1:0]   out_i           // sampled in reset
);

  `PROVE_RESET

  // Where a flit goes: to a link, out of the network, or it has no way.
  localparam int Leaves = L;
  localparam int None   = 15;

  logic [D*W-1:0]   here_q;
  logic [T-1:0]     slot_q, turn_q, top_q, fits_q, bottom_q;
  logic [LinkI-1:0] in_q, out_q;
  always_ff @(posedge clk_i) begin : constants
    if (rst_i) begin
      {slot_q, turn_q, top_q, fits_q, bottom_q} <= place_i;
      {here_q, in_q, out_q}                     <= {here_i, in_i, out_i};
    end
  end

  wire [31:0] step = 32'(command_i);
  wire [D*W-1:0] place = here_q;
  `GIVEN(RegistersExist, 32'(in_q) < L && 32'(out_q) < L)
  `GIVEN(CommandExists, step <= anl_diagonals_pkg::SeekWait)

  logic               failed, fault;
  logic [T*W-1:0]     first;
  logic [T-1:0]       stops_x, waits_x, stops_y, waits_y, stand_x, stand_y;
  logic [L-1:0]       valid, exit_valid;
  logic [L*LinkW-1:0] out, exits;

  anl_diagonals #(.N(N), .D(D), .C(C), .FlitW(FlitW)) u_dut (
    .clk_i, .rst_i, .command_i, .odd_i, .here_i(here_q), .first_i(first),
    .slot_i(slot_q), .turn_i(turn_q), .top_i(top_q), .fits_i(fits_q), .bottom_i(bottom_q),
    .valid_i, .flit_i, .inj_valid_i, .inj_flit_i, .late_i,
    .stops_x_o(stops_x), .waits_x_o(waits_x), .stops_y_o(stops_y), .waits_y_o(waits_y),
    .stands_x_i(stand_x), .stands_y_i(stand_y), .ahead_y_i,
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

  logic [L-1:0]   here, stands, head, tail;   // what is in the registers
  logic [L*LinkW-1:0] came;
  logic [T*16-1:0] side;                      // where heads of a stage on +x, -x, +y, -y go
  logic [L*4-1:0] goes;                       // where the flit goes
  logic [L-1:0]   moves, linked, gone;        // it does not stand; it goes by a link; it leaves the network
  logic [L-1:0]   wants;                      // it goes by the link of the properties
  logic [L-1:0]   wrong, gap;                 // it has no way, or another flit comes to where it stands; its worm has a gap
  logic [T-1:0]   takes, turns, finds, stray;

  for (genvar s = 0; s < T; s++) begin : g_stage
    localparam int XPlus = 2 * s, XMinus = 2 * s + 1, YPlus = 2 * s + 2, YMinus = 2 * s + 3;
    wire [31:0] column    = 32'(here_q[s*W +: W]);
    wire [31:0] begins    = column - column % C;
    wire [31:0] to_column = 32'(came[XPlus*LinkW + s*W +: W]);
    wire        works     = odd_i == (s % 2 == 1);
    wire        open      = !top_q[s] || (fits_q[s] && !ahead_y_i[s]);
    wire        head_up   = here[YPlus] && head[YPlus];
    logic       used_q;                       // a worm of this batch has taken the turn node
    logic [3:0] x_plus, x_minus, y_plus, y_minus;

    `GIVEN(PlaceExists, column < N)
    assign first[s*W +: W] = begins[W-1:0];
    assign takes[s] = works && deals && turn_q[s] && !used_q;
    assign turns[s] = works && !head_up && (step == anl_diagonals_pkg::TurnAnywhere
                      || (step == anl_diagonals_pkg::TurnInBlock && to_column / C == column / C));
    assign finds[s] = works && seeks && to_column == column && open && !head_up;
    assign stray[s] = works && climbs && here[XPlus] && head[XPlus] && head_up && to_column / C == column / C;

    always_comb begin : rules
      if (turns[s])                         x_plus = 4'(YPlus);
      else if (finds[s])                    x_plus = top_q[s] ? 4'(YMinus) : 4'(YPlus);
      else if (back)                        x_plus = 4'(XMinus);
      else                                  x_plus = 4'(XPlus);
      if (takes[s] || forth)                x_minus = 4'(XPlus);
      else if (ends)                        x_minus = 4'(Leaves);
      else if (deals || back)               x_minus = 4'(XMinus);
      else                                  x_minus = 4'(None);
      if (climbs || (settles && !top_q[s])) y_plus = 4'(YPlus);
      else if (settles)                     y_plus = open ? 4'(YMinus) : 4'(Leaves);
      else if (back && !settles)            y_plus = 4'(XMinus);
      else                                  y_plus = 4'(None);
      y_minus = settles ? 4'(YMinus) : 4'(None);
      side[s*16 +: 16] = works ? {y_minus, y_plus, x_minus, x_plus} : '1;
    end

    // A slot and a bottom hold what is there; elsewhere a flit stands with the one ahead of it.
    assign stand_x[s] = works && here[XPlus] && (step == anl_diagonals_pkg::SeekWait
                        || (deals && (slot_q[s] || (!head[XPlus] && ahead_x_i[s]))));
    assign stand_y[s] = works && here[YMinus] && settles && (bottom_q[s] || ahead_y_i[s]);

    always_ff @(posedge clk_i) begin : turn_node
      if (takes[s] && here[XMinus] && head[XMinus]) used_q <= 1'b1;
      if (!(works && deals) || rst_i) used_q <= 1'b0;
    end
  end

  for (genvar p = 0; p < L; p++) begin : g_input
    localparam int Dim  = p / 2;
    localparam int X    = (Dim < T) ? Dim : T - 1;   // stages in which it is x and y
    localparam int Y    = (Dim > 0) ? Dim - 1 : 0;
    logic             here_q, inside_q;   // a flit is here; a worm is on its way through here
    logic [LinkW-1:0] came_q;
    logic [3:0]       follow_q, rule;
    wire  [3:0]       way  = goes[p*4 +: 4];
    wire  [3:0]       as_x = (Dim < T) ? side[X*16 + p%2*4 +: 4] : 4'(None);
    wire  [3:0]       as_y = (Dim > 0) ? side[Y*16 + 8 + p%2*4 +: 4] : 4'(None);
    wire  [31:0]      to   = 32'(came_q[Dim*W +: W]);
    wire              home = to == 32'(place[Dim*W +: W]);

    // In the half behind its stage a worm leaves a row, and in the last column all are delivered.
    always_comb begin : head_goes
      rule = as_x & as_y;                 // one of them is None, all ones
      if (rule == 4'(None) && deals) begin
        if (p == L - 1 && odd_i != (T % 2 == 0)) rule = home ? 4'(Leaves) : 4'(p);
        if (p % 2 == 0 && Dim < T && odd_i != (Dim % 2 == 1)) rule = 4'(Leaves);
      end
    end

    if (p % 2 == 0) begin : g_row
      assign stands[p] = (Dim < T) && stand_x[X];
    end else begin : g_queue
      assign stands[p] = (Dim > 0) && stand_y[Y];
    end

    assign here[p]                = here_q;
    assign came[p*LinkW +: LinkW] = came_q;
    assign {head[p], tail[p]}     = came_q[FlitW +: 2];
    assign goes[p*4 +: 4]         = head[p] ? rule : inside_q ? follow_q : 4'(None);
    assign moves[p]               = here_q && !stands[p];
    assign wants[p]               = moves[p] && way == 4'(out_q);
    assign linked[p]              = moves[p] && 32'(way) < L;
    assign gone[p]                = moves[p] && way == 4'(Leaves);
    assign wrong[p]               = moves[p] ? way == 4'(None) : here_q && valid_i[p];
    assign gap[p]                 = inside_q && (!here_q || head[p]);

    always_ff @(posedge clk_i) begin : model
      if (!stands[p]) begin
        {here_q, came_q} <= {valid_i[p], flit_i[p*LinkW +: LinkW]};
        {inside_q, follow_q} <= {here_q && !tail[p] && way != 4'(None), way};
      end
      if (rst_i) {here_q, inside_q} <= '0;
    end
  end

  // --- what is wrong ---

  // The terminal sends by -x.
  logic [L*L-1:0] meets;   // of any two registers
  for (genvar p = 0; p < L; p++) begin : g_pair
    for (genvar o = 0; o < L; o++) begin : g_other
      assign meets[p*L + o] = linked[p] && goes[p*4 +: 4] == goes[o*4 +: 4] && (p < o) && linked[o];
    end
  end
  logic [L-1:0] barred;    // the terminal sends by the link of the flit
  for (genvar p = 0; p < L; p++) begin : g_barred
    assign barred[p] = inj_valid_i && linked[p] && 32'(goes[p*4 +: 4]) == 1;
  end

  wire  lost = wrong != '0 || meets != '0 || barred != '0;
  logic fault_q;
  always_ff @(posedge clk_i) begin : faults
    fault_q <= !rst_i && (fault_q || late_i || lost || gap != '0);
  end

  wire             injects = inj_valid_i && 32'(out_q) == 1;
  wire [LinkW-1:0] sent    = LinkW'(out >> (out_q * LinkW));
  wire [LinkW-1:0] left    = LinkW'(exits >> (in_q * LinkW));
  wire [LinkW-1:0] mine    = LinkW'(came >> (in_q * LinkW));

  `PROVE(StandsInARow, (stops_x | (waits_x & ahead_x_i)) == stand_x)
  `PROVE(StandsInAReservoir, (stops_y | (waits_y & ahead_y_i)) == stand_y)
  `PROVE(SendsIfAFlitWants, valid[out_q] == (wants != '0 || injects))
  `PROVE(SendsTheFlitThatWants, lost || !wants[in_q] || sent == mine)
  `PROVE(SendsWhatTheTerminalGives, lost || !injects || sent == inj_flit_i)
  `PROVE(LeavesByItsExit, exit_valid == gone)
  `PROVE(LeavesAsItStood, !exit_valid[in_q] || left == mine)
  `PROVE(FailedIfNotDelivered, failed == (gone[L-2:0] != '0))
  `PROVE(NothingIsLostInSilence,
         lost || $countones(valid) + $countones(exit_valid) + $countones(stands)
                 == $countones(here) + 32'(inj_valid_i))
  `PROVE(FaultIffSomethingWasWrong, fault == fault_q)

  // What the tables are made for: two heads of one diagonal both go on. They are those of the first stage.
  wire [L-1:0] heads = here & head;
  wire         alone = heads == L'(5) && here == heads && !inj_valid_i;
  `PROVE(HeadsOfADiagonalPart, back || odd_i || !alone || wrong != '0
                               || $countones(valid) + $countones(exit_valid) + $countones(stands) == 2)

  `COVER(AllRegistersHoldBodies, (here & ~head) == '1 && moves == '1)
  `COVER(TwoHeadsWantAColumn, stray != '0)
  `COVER(TakesTheTurnNode, (takes & {T{heads[1]}}) != '0 && !fault)
  `COVER(FindsItsColumn, finds[0] && heads[0] && top_q[0] && !fault)
  `COVER(ReservoirIsFull, gone[2] && heads[2] && !odd_i && !deals && !fault)
  `COVER(LeavesFromEveryRegister, exit_valid == '1)
  `COVER(IsLeftInARow, gone[0] && heads[0] && !fault)
  `COVER(IsDelivered, gone[L-1] && heads[L-1] && !fault)
  `COVER(WormStands, stands[0] && !head[0] && deals && !fault)
  `COVER(QueueStands, stands[3] && !head[3] && !fault)
  `COVER(CollisionFirst, meets != '0 && !fault)
  `COVER(LateStartAlone, late_i && !lost && gap == '0 && !fault)

endmodule
