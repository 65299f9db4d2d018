// SPDX-License-Identifier: Apache-2.0
//
// A supernode: a square of cells without buffers that stores worms on two closed trails and does what
// one node of a packet algorithm does (papers/roberts_symvonis/supernodes.md).
//
// Cell y * Side + x is in row y and column x; what belongs to it is at index c. By the links of its
// two lanes the supernode is joined to its neighbours.
// Timing: link_* are registers of the cells at the ends of lanes, behind the crossbar; ej_* are
// functions of registers.

// Of the links at the edge only those of the lanes lead anywhere. Cells that do not choose show
// their heads to nobody.
// verilator lint_off UNUSEDSIGNAL

module anl_supernode #(
  parameter  int N        = 2,       // supernodes of a row
  parameter  int FlitW    = 32,      // data bits of a flit (docs/link.md)
  parameter  int NameW    = 8,       // bits of a name, above the label in a head
  parameter  int CountW   = 8,       // bits of the number of supersteps
  localparam int P        = anl_bufferless_pkg::NumPorts,
  localparam int T        = anl_bufferless_pkg::Terminal,
  localparam int Cells    = anl_layout_pkg::Cells,
  localparam int PlaceW   = anl_pkg::index_width(N),
  localparam int LinkW    = FlitW + 2
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [2*PlaceW-1:0]    here_i,        // this supernode: row, column; constant

  // Rounds (anl_snakes_clock).
  input  logic                   begin_i,
  input  logic [CountW-1:0]      supersteps_i,
  output logic                   busy_o,
  output logic                   last_o,

  // Links of the lanes, by port; those that lead to no supernode bring nothing.
  input  logic [T-1:0]           links_i,       // there is a supernode behind this port; constant
  input  logic [T-1:0]           valid_i,
  input  logic [T*LinkW-1:0]     flit_i,
  output logic [T-1:0]           valid_o,
  output logic [T*LinkW-1:0]     flit_o,

  // What the sources of the cells send, and what their terminals consume.
  input  logic [Cells-1:0]       inj_valid_i,
  input  logic [Cells*LinkW-1:0] inj_flit_i,
  input  logic [Cells-1:0]       late_i,
  output logic [Cells-1:0]       ej_valid_o,
  output logic [Cells*LinkW-1:0] ej_flit_o,

  output logic [Cells-1:0]       fault_o,       // of each cell, until reset
  output logic                   overflow_o     // there were too few gaps, until reset
);

  localparam int Side     = anl_layout_pkg::Side;
  localparam int S        = anl_layout_pkg::S;
  localparam int M        = anl_layout_pkg::M;
  localparam int W        = anl_layout_pkg::W;
  localparam int DstW     = anl_cube_pkg::label_width(N * Side, 2);
  localparam int CoordW   = DstW / 2;
  localparam int MapW     = anl_snakes_pkg::MapW;
  localparam int BirthW   = anl_snakes_pkg::BirthW;
  localparam int SlotW    = anl_layout_pkg::SlotW;
  localparam int NumTimes = anl_snakes_pkg::NumTimes;
  localparam int East     = anl_bufferless_pkg::East;
  localparam int West     = anl_bufferless_pkg::West;
  localparam int South    = anl_bufferless_pkg::South;
  localparam int North    = anl_bufferless_pkg::North;
  localparam int Top      = (M - 1) * Side + M;      // the command processors
  localparam int Bottom   = (M + 1) * Side + M;

  // The label of the cell in row 0 and column 0.
  logic [CoordW-1:0] row, column;
  assign row    = CoordW'(here_i[PlaceW +: PlaceW]) * CoordW'(Side);
  assign column = CoordW'(here_i[0 +: PlaceW]) * CoordW'(Side);

  logic [NumTimes-1:0] times;
  logic [SlotW-1:0]    slot;
  anl_snakes_clock #(.CountW(CountW)) u_clock (
    .clk_i, .rst_i, .even_i(here_i[PlaceW] == here_i[0]), .begin_i, .supersteps_i,
    .busy_o, .last_o, .time_o(times), .slot_o(slot)
  );

  // 0: the command processor at the bottom, 1: at the top.
  logic [1:0]         exchange, west, east, overflow;
  logic [4*SlotW-1:0] gap;
  for (genvar i = 0; i < 2; i++) begin : g_command
    localparam int Cell = (i == 1) ? Top : Bottom;
    anl_command #(.N(N), .NameW(NameW), .Top(i), .LinkW(LinkW)) u_command (
      .clk_i, .rst_i, .here_i, .time_i(times), .slot_i(slot),
      .head_i(g_cell[Cell].head), .front_i(g_cell[Cell].front),
      .exchange_o(exchange[i]), .west_o(west[i]), .east_o(east[i]),
      .gap_o(gap[i*2*SlotW +: 2*SlotW]), .overflow_o(overflow[i])
    );
  end
  assign overflow_o = overflow != '0;

  for (genvar c = 0; c < Cells; c++) begin : g_cell
    localparam int X = c % Side;
    localparam int Y = c / Side;
    localparam int Dx = (X < M) ? M - X : X - M;    // from the centre
    localparam int Dy = (Y < M) ? M - Y : Y - M;
    // The ports towards the centre, and away from it.
    localparam int InX  = (X < M) ? East : West;
    localparam int OutX = (X < M) ? West : East;
    localparam int OutY = (Y < M) ? North : South;
    localparam int Corner = ((Y < M) ? 0 : 2) + ((X < M) ? 0 : 1);
    // The ports behind which there is a neighbour in this supernode, and those of lanes.
    localparam int Inside = anl_bufferless_pkg::links(Side, c);
    localparam int Lanes  = ((c == M * Side + S) ? 1 << East : 0) | ((c == M * Side) ? 1 << West : 0) |
                            ((c == S * Side + M) ? 1 << South : 0) | ((c == M) ? 1 << North : 0);

    logic [DstW-1:0]    here;
    logic [P-1:0]       links, head, chosen, out_valid;
    logic [P*P-1:0]     choice;
    logic [P*LinkW-1:0] front, out_flit;
    logic [T-1:0]       in_valid;
    logic [T*LinkW-1:0] in_flit;

    assign here  = {CoordW'(row + CoordW'(Y)), CoordW'(column + CoordW'(X))};
    assign links = Inside[P-1:0] | (Lanes[P-1:0] & {1'b0, links_i});

    anl_port_map_switch #(.FlitW(FlitW), .DstW(DstW)) u_switch (
      .clk_i, .rst_i, .here_i(here), .links_i(links),
      .map_i(anl_layout_pkg::Map[c*MapW +: MapW]),
      .births_i(anl_layout_pkg::Births[c*BirthW +: BirthW]),
      .birth_i(times[anl_snakes_pkg::Birth]), .consume_i(times[anl_snakes_pkg::Consume]),
      .chosen_i(chosen), .choice_i(choice),
      .valid_i(in_valid), .flit_i(in_flit), .inj_valid_i(inj_valid_i[c]),
      .inj_flit_i(inj_flit_i[c*LinkW +: LinkW]), .late_i(late_i[c]),
      .head_o(head), .front_o(front), .valid_o(out_valid), .flit_o(out_flit), .fault_o(fault_o[c])
    );

    assign ej_valid_o[c]               = out_valid[T];
    assign ej_flit_o[c*LinkW +: LinkW] = out_flit[T*LinkW +: LinkW];

    // Choices.
    if (Dx == 1 && Dy == 1) begin : g_entry
      anl_choose_entry #(.Corner(Corner)) u_choose (
        .time_i(times), .slot_i(slot),
        .gap_i(gap[(((Y < M) ? 2 : 0) + ((X < M) ? 0 : 1))*SlotW +: SlotW]),
        .chosen_o(chosen), .choice_o(choice)
      );
    end else if (Dx == 0 && Dy == 1) begin : g_processor
      localparam int I = (Y < M) ? 1 : 0;
      anl_choose_processor #(.Outer(OutY)) u_choose (
        .time_i(times), .west_i(west[I]), .east_i(east[I]), .chosen_o(chosen), .choice_o(choice)
      );
    end else if (Dx == 0 && Dy == 0) begin : g_centre
      anl_choose_centre u_choose (
        .time_i(times), .exchange_i(exchange[1]), .chosen_o(chosen), .choice_o(choice)
      );
    end else if (Dx == 1 && Dy == 0) begin : g_arm
      anl_choose_arm #(.Outer(OutX)) u_choose (
        .time_i(times), .chosen_o(chosen), .choice_o(choice)
      );
    end else if (Dx == 0 && Dy == M - 1) begin : g_start
      localparam int Comes = (Y < M) ? East : West;
      anl_choose_start #(.Outer(OutY), .DstW(DstW)) u_choose (
        .time_i(times), .dst_i(front[Comes*LinkW +: DstW]), .column_i(CoordW'(column + CoordW'(M))),
        .middle_i(CoordW'(row + CoordW'(M))), .end_i(CoordW'(row + CoordW'((Y < M) ? 0 : S))),
        .chosen_o(chosen), .choice_o(choice)
      );
    end else if (Dx == M && Dy == 0) begin : g_crossing
      anl_choose_box #(.Way(InX), .DstW(DstW), .LinkW(LinkW)) u_choose (
        .time_i(times), .front_i(front),
        .from_i({CoordW'(row + CoordW'(M)), CoordW'(column + CoordW'((X < M) ? 1 : M + 1))}),
        .to_i({CoordW'(row + CoordW'(M)), CoordW'(column + CoordW'((X < M) ? M - 1 : S - 1))}),
        .chosen_o(chosen), .choice_o(choice)
      );
    end else if (Dy == 1 && (Dx == W || Dx == W + 1)) begin : g_branch
      // The buffer of this quadrant.
      localparam int Left  = (X < M) ? M - W : M + 1;
      localparam int Upper = (Y < M) ? M - W : M + 1;
      anl_choose_box #(
        .Ports((Dx == W) ? 1 << OutX : (1 << T) - 1), .Way((Dx == W) ? OutY : InX), .DstW(DstW),
        .LinkW(LinkW)
      ) u_choose (
        .time_i(times), .front_i(front),
        .from_i({CoordW'(row + CoordW'(Upper)), CoordW'(column + CoordW'(Left))}),
        .to_i({CoordW'(row + CoordW'(Upper + W - 1)), CoordW'(column + CoordW'(Left + W - 1))}),
        .chosen_o(chosen), .choice_o(choice)
      );
    end else begin : g_static
      assign chosen = '0;
      assign choice = '0;
    end

    // Input port p is on the side of output port p; there the neighbour sends by the port of the
    // other side.
    for (genvar p = 0; p < T; p++) begin : g_port
      localparam int Far  = (p % 2 == 0) ? p + 1 : p - 1;
      localparam int Away = (p < South) ? 1 : Side;
      localparam int From = (p % 2 == 0) ? c + Away : c - Away;

      if ((Inside >> p) % 2 != 0) begin : g_link
        assign in_valid[p]               = g_cell[From].out_valid[Far];
        assign in_flit[p*LinkW +: LinkW] = g_cell[From].out_flit[Far*LinkW +: LinkW];
      end else if ((Lanes >> p) % 2 != 0) begin : g_lane
        assign in_valid[p]               = valid_i[p];
        assign in_flit[p*LinkW +: LinkW] = flit_i[p*LinkW +: LinkW];
        assign valid_o[p]                = out_valid[p];
        assign flit_o[p*LinkW +: LinkW]  = out_flit[p*LinkW +: LinkW];
      end else begin : g_edge
        assign in_valid[p]               = 1'b0;
        assign in_flit[p*LinkW +: LinkW] = '0;
      end
    end
  end

endmodule
