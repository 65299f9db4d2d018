// SPDX-License-Identifier: Apache-2.0
//
// The choosing cells of a supernode: the tables of papers/roberts_symvonis/supernodes.md, row by row, for any events of
// the clock, any commands, and any labels. Each kind of cell is there in all its positions.

`include "prove.svh"

module prove_choose #(
  localparam int P        = anl_bufferless_pkg::NumPorts,
  localparam int E        = anl_bufferless_pkg::East,
  localparam int W        = anl_bufferless_pkg::West,
  localparam int S        = anl_bufferless_pkg::South,
  localparam int N        = anl_bufferless_pkg::North,
  localparam int SlotW    = anl_layout_pkg::SlotW,
  localparam int NumTimes = anl_snakes_pkg::NumTimes,
  localparam int CoordW   = 5,
  localparam int DstW     = 2 * CoordW,
  localparam int LinkW    = DstW + 3
) (
  input logic                clk_i,
  input logic [NumTimes-1:0] time_i,
  input logic [SlotW-1:0]    slot_i,
  input logic [SlotW-1:0]    gap_i,
  input logic                west_i,
  input logic                east_i,
  input logic                exchange_i,
  input logic [DstW-1:0]     dst_i,
  input logic [DstW-1:0]     home_i,   // label of the centre
  input logic [DstW-1:0]     far_i     // the other corner of a rectangle
);

  `PROVE_RESET

  // --- what a clock says ---

  wire [3:0]  cycles = time_i[anl_snakes_pkg::Queue:anl_snakes_pkg::Review];
  wire [3:0]  places = time_i[anl_snakes_pkg::AtSecond:anl_snakes_pkg::Before];
  wire [6:0]  events = time_i[anl_snakes_pkg::TurnBack:anl_snakes_pkg::AtLeave];
  wire        step   = cycles != '0;
  wire        extract = time_i[anl_snakes_pkg::Extract];
  `GIVEN(OneStage, ({cycles, time_i[anl_snakes_pkg::Consume]} & ({cycles, time_i[anl_snakes_pkg::Consume]} - 1'b1)) == '0)
  `GIVEN(OneEvent, ({places, events} & ({places, events} - 1'b1)) == '0)
  `GIVEN(PlacesAreInSupersteps, places == '0 || step)
  `GIVEN(EventsAreInTheExtraction, events == '0 || extract)
  `GIVEN(OneCommand, !(west_i && east_i))

  wire leave  = time_i[anl_snakes_pkg::AtLeave];
  wire pass   = time_i[anl_snakes_pkg::AtPass];
  wire out    = time_i[anl_snakes_pkg::AtOut];
  wire waits  = time_i[anl_snakes_pkg::AtWait];
  wire back   = time_i[anl_snakes_pkg::AtBack];
  wire turn   = time_i[anl_snakes_pkg::TurnOut];
  wire turn_b = time_i[anl_snakes_pkg::TurnBack];
  wire joins  = time_i[anl_snakes_pkg::Queue] && time_i[anl_snakes_pkg::Before] && gap_i == SlotW'(slot_i + 1'b1);
  wire first  = time_i[anl_snakes_pkg::AtFirst];
  wire second = time_i[anl_snakes_pkg::AtSecond];
  wire consume = time_i[anl_snakes_pkg::Consume];

  // Whether input port p, and it alone of none or all, has this way: a port, or P for nothing.
  `define WAY(chosen, choice, p, way) \
    (chosen[p] && choice[(p)*P +: P] == ((way) < P ? P'(1) << (way) : P'(0)))

  // --- entries: processor, arm, last link of the cycle, way of worms that leave, by corner ---

  for (genvar c = 0; c < 4; c++) begin : g_entry
    localparam int Near = (c == 0 || c == 2) ? E : W;
    localparam int Around = (c == 0 || c == 2) ? W : E;
    localparam int Arm  = (c == 0 || c == 1) ? S : N;
    localparam int Last = (c == 0 || c == 1) ? N : S;
    localparam int Out  = (c == 0) ? S : (c == 1) ? W : (c == 2) ? E : N;
    logic [P-1:0]   chosen;
    logic [P*P-1:0] choice;
    anl_choose_entry #(.Corner(c)) u_dut (.time_i, .slot_i, .gap_i, .chosen_o(chosen), .choice_o(choice));
    wire delays = extract && time_i[anl_snakes_pkg::AtCentre];
    `PROVE(EntryDelays, !step || `WAY(chosen, choice, Near, delays ? Arm : Around))
    `PROVE(EntryLetsIn, !step || `WAY(chosen, choice, Arm, Around))
    `PROVE(EntrySends, !leave || `WAY(chosen, choice, Last, Out))
    `PROVE(EntryQueues, !joins || `WAY(chosen, choice, Last, Near))
    `PROVE(EntryKeeps, leave || joins || !chosen[Last])
    `PROVE(EntryLeavesTheRest, !chosen[Around] && !chosen[P-1] && (step || chosen == '0))
  end

  // --- processors and arms: outer and inner port, right of the way inwards ---

  for (genvar i = 0; i < 2; i++) begin : g_lane
    localparam int Outer  = (i == 0) ? N : S;
    localparam int Inner  = (i == 0) ? S : N;
    localparam int Right  = (i == 0) ? W : E;
    localparam int ArmOut = (i == 0) ? W : E;
    localparam int ArmIn  = (i == 0) ? E : W;
    localparam int ArmRight = (i == 0) ? S : N;
    logic [P-1:0]   chosen, arm_chosen;
    logic [P*P-1:0] choice, arm_choice;
    anl_choose_processor #(.Outer(Outer)) u_processor (
      .time_i, .west_i, .east_i, .chosen_o(chosen), .choice_o(choice)
    );
    anl_choose_arm #(.Outer(ArmOut)) u_arm (.time_i, .chosen_o(arm_chosen), .choice_o(arm_choice));

    wire [2:0] on_first  = west_i ? 3'(W) : east_i ? 3'(E) : 3'(Inner);
    wire [2:0] on_second = west_i ? 3'(W) : east_i ? 3'(E) : 3'(Outer);
    `PROVE(ProcessorFromEntries, !step || (`WAY(chosen, choice, E, pass ? Outer : Inner)
                                                   && `WAY(chosen, choice, W, pass ? Outer : Inner)))
    `PROVE(ProcessorFromOutside, !step || `WAY(chosen, choice, Outer, turn ? Right : waits ? Inner : first ? 32'(on_first) : P))
    `PROVE(ProcessorFromInside, !step || `WAY(chosen, choice, Inner, turn_b ? Right : second ? 32'(on_second) : P))
    `PROVE(ProcessorRests, step || chosen == '0)

    `PROVE(ArmFromEntries, !step || (`WAY(arm_chosen, arm_choice, N, pass ? ArmOut : N)
                                             && `WAY(arm_chosen, arm_choice, S, pass ? ArmOut : S)))
    `PROVE(ArmFromOutside, !step || `WAY(arm_chosen, arm_choice, ArmOut, turn ? ArmRight : waits ? ArmIn : P))
    `PROVE(ArmFromInside, !step || `WAY(arm_chosen, arm_choice, ArmIn, turn_b ? ArmRight : P))
    `PROVE(ArmRests, step || arm_chosen == '0)
  end

  // --- the centre ---

  logic [P-1:0]   centre_chosen;
  logic [P*P-1:0] centre_choice;
  wire returns = back || (time_i[anl_snakes_pkg::Balance] && time_i[anl_snakes_pkg::AtCentre] && exchange_i);
  anl_choose_centre u_centre (.time_i, .exchange_i, .chosen_o(centre_chosen), .choice_o(centre_choice));
  for (genvar p = 0; p < 4; p++) begin : g_centre
    `PROVE(CentreReturns, returns ? `WAY(centre_chosen, centre_choice, p, p) : !centre_chosen[p])
  end

  // --- where trails meet the vertical lane; Radius rows from the centre to the ends of the lane ---

  localparam int Radius = 4;
  logic [CoordW-1:0] row, column, middle, lane;
  assign {row, column}  = dst_i;
  assign {middle, lane} = home_i;
  `GIVEN(SupernodeIsInTheMesh, 32'(middle) >= Radius && 32'(middle) + Radius < (1 << CoordW))

  for (genvar i = 0; i < 2; i++) begin : g_start
    localparam int Outer = (i == 0) ? N : S;
    localparam int Inner = (i == 0) ? S : N;
    localparam int Comes = (i == 0) ? E : W;
    localparam int Goes  = (i == 0) ? W : E;
    logic [P-1:0]   chosen;
    logic [P*P-1:0] choice;
    // Rows from the centre, outwards.
    wire signed [CoordW+1:0] rows = (i == 0) ? $signed({2'b0, middle}) - $signed({2'b0, row})
                                             : $signed({2'b0, row}) - $signed({2'b0, middle});
    wire own = column == lane && rows <= Radius && ((i == 0) ? rows >= 0 : rows > 0);
    anl_choose_start #(.Outer(Outer), .DstW(DstW)) u_dut (
      .time_i, .dst_i, .column_i(lane), .middle_i(middle),
      .end_i((i == 0) ? middle - CoordW'(Radius) : middle + CoordW'(Radius)),
      .chosen_o(chosen), .choice_o(choice)
    );
    `PROVE(StartLetsIn, step ? `WAY(chosen, choice, Outer, Inner) : !chosen[Outer])
    `PROVE(StartLetsOut, out ? `WAY(chosen, choice, Inner, Outer) : !chosen[Inner])
    `PROVE(StartConsumes, consume ? `WAY(chosen, choice, Comes, !own ? Goes : rows == Radius ? Outer : Inner) : !chosen[Comes])
    `PROVE(StartLeavesTheRest, !chosen[Goes] && !chosen[P-1])
    `COVER(ToTheEndOfTheLane, consume && own && rows == Radius)
  end

  // --- rectangles ---

  logic [P-1:0]   box_chosen;
  logic [P*P-1:0] box_choice;
  logic [CoordW-1:0] bottom, right;
  assign {bottom, right} = far_i;
  wire inside = row >= middle && row <= bottom && column >= lane && column <= right;
  anl_choose_box #(.Ports(5), .Way(S), .DstW(DstW), .LinkW(LinkW)) u_box (
    .time_i, .front_i({P{3'd0, dst_i}}), .from_i(home_i), .to_i(far_i),
    .chosen_o(box_chosen), .choice_o(box_choice)
  );
  `PROVE(BoxTurns, (consume && inside)
                   ? `WAY(box_chosen, box_choice, 0, S) && `WAY(box_chosen, box_choice, 2, S) && box_chosen == 5'd5
                   : box_chosen == '0)

  `COVER(Exchange, returns && !back)
  `COVER(JoinsATrain, joins)
  `COVER(LeavesATrain, extract && first && west_i)
  `COVER(InTheBox, consume && inside)

endmodule
