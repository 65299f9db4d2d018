// SPDX-License-Identifier: Apache-2.0
//
// Command processor of a supernode (papers/roberts_symvonis/supernodes.md, "Command processors"): notes the heads that
// pass, and with them runs the packet algorithm; lets the trains exchange slots until each has two
// gaps; gives these gaps to the buffers beside it; says which heads leave their trains.
//
// What it says is about the heads that stand in its cell, or in the centre, in the same cycle.
// Timing: exchange_o, west_o and east_o are functions of registers, time_i and slot_i; the others are
// registers.

// A processor reads a few of the clock's events and, of a head, its label and its name.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_command #(
  parameter  int N        = 2,       // supernodes of a row
  parameter  int NameW    = 8,       // bits of a name
  parameter  int Top      = 1,       // 1: at the top, where the right train comes first
  parameter  int LinkW    = 34,
  localparam int P        = anl_bufferless_pkg::NumPorts,
  localparam int T        = anl_bufferless_pkg::Terminal,
  localparam int Slots    = anl_layout_pkg::Slots,
  localparam int SlotW    = anl_layout_pkg::SlotW,
  localparam int NumTimes = anl_snakes_pkg::NumTimes,
  localparam int PlaceW   = anl_pkg::index_width(N),
  localparam int DstW     = anl_cube_pkg::label_width(N * anl_layout_pkg::Side, 2)
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  logic [2*PlaceW-1:0] here_i,      // this supernode: row, column; constant
  input  logic [NumTimes-1:0] time_i,
  input  logic [SlotW-1:0]    slot_i,

  // The heads in the cell of the processor.
  input  logic [P-1:0]        head_i,
  input  logic [P*LinkW-1:0]  front_i,

  output logic                exchange_o,  // the trains exchange this slot
  output logic                west_o,      // the head leaves its train for the entry at the west
  output logic                east_o,
  output logic [2*SlotW-1:0]  gap_o,       // of the buffers at the west and at the east, which is higher
  output logic                overflow_o   // there were too few gaps, until reset
);

  // Trains: 0 is the left one. The worms that leave here go by these ports.
  localparam bit Early = Top == 1;                 // the train that comes first
  localparam int West  = Early ? anl_bufferless_pkg::West : anl_bufferless_pkg::South;
  localparam int East  = Early ? anl_bufferless_pkg::North : anl_bufferless_pkg::East;

  logic first, centre, second, review, balance, extract, begins;
  assign first   = time_i[anl_snakes_pkg::AtFirst];
  assign centre  = time_i[anl_snakes_pkg::AtCentre];
  assign second  = time_i[anl_snakes_pkg::AtSecond];
  assign review  = time_i[anl_snakes_pkg::Review];
  assign balance = time_i[anl_snakes_pkg::Balance];
  assign extract = time_i[anl_snakes_pkg::Extract];
  assign begins  = time_i[anl_snakes_pkg::Before] && slot_i == '1;   // before slot 0

  // The head that passes: its label and name are the OR of those of all ports, since it is alone.
  logic [DstW+NameW-1:0] fields;
  logic [T-1:0]          port;
  logic [PlaceW:0]       distance;
  always_comb begin : mux
    fields = '0;
    for (int p = 0; p < P; p++)
      fields = fields | (front_i[p*LinkW +: DstW+NameW] & {DstW+NameW{head_i[p]}});
  end
  anl_greedy #(.N(N)) u_greedy (
    .here_i, .dst_i(fields[DstW-1:0]), .port_o(port), .distance_o(distance)
  );

  logic [NameW-1:0] name;
  assign name = fields[DstW +: NameW];

  logic train, here;    // the train that passes here; there is a head
  assign train = first ? Early : !Early;
  assign here  = head_i != '0;

  // Registers: occupied slots, bit of slot j of the left train at j, of the right one at Slots + j;
  // the best worm of each direction; gaps.
  logic [2*Slots-1:0]      occupied_d, occupied_q, leaves, gaps;
  logic [T-1:0]            valid_d, valid_q, train_d, train_q, passes;
  logic [T*SlotW-1:0]      slot_d, slot_q;
  logic [T*(PlaceW+1)-1:0] distance_d, distance_q;
  logic [T*NameW-1:0]      name_d, name_q;
  logic [1:0]              found_d, found_q;
  logic [2*SlotW-1:0]      gap_d, gap_q;
  logic                    overflow_d, overflow_q;

  assign gap_o      = gap_q;
  assign overflow_o = overflow_q;

  // --- gaps and exchanges ---

  always_comb begin : leaving
    leaves = '0;
    for (int o = 0; o < T; o++)
      for (int j = 0; j < Slots; j++) begin
        if (valid_q[o] && slot_q[o*SlotW +: SlotW] == SlotW'(j)) begin
          leaves[j]         = leaves[j] || !train_q[o];
          leaves[Slots + j] = leaves[Slots + j] || train_q[o];
        end
      end
  end
  assign gaps = ~occupied_q | leaves;

  logic [Slots-1:0] now;           // the slot of the clock
  logic             few_left, few_right, gap_left, gap_right;
  always_comb begin : decode
    for (int j = 0; j < Slots; j++) now[j] = slot_i == SlotW'(j);
  end
  assign few_left   = (gaps[0 +: Slots] & (gaps[0 +: Slots] - 1'b1)) == '0;
  assign few_right  = (gaps[Slots +: Slots] & (gaps[Slots +: Slots] - 1'b1)) == '0;
  assign gap_left   = (gaps[0 +: Slots] & now) != '0;
  assign gap_right  = (gaps[Slots +: Slots] & now) != '0;
  assign exchange_o = balance && centre &&
                      ((few_left && !gap_left && gap_right) || (few_right && !gap_right && gap_left));

  // --- which heads leave ---

  always_comb begin : match
    for (int o = 0; o < T; o++)
      passes[o] = valid_q[o] && slot_q[o*SlotW +: SlotW] == slot_i;
  end
  assign west_o = extract && (first || second) && passes[West] && train_q[West] == train;
  assign east_o = extract && (first || second) && passes[East] && train_q[East] == train;

  // --- next state ---

  always_comb begin : occupy
    occupied_d = occupied_q;
    for (int j = 0; j < Slots; j++) begin
      if (review && now[j] && (first || second)) begin
        if (train) occupied_d[Slots + j] = here;
        else       occupied_d[j]         = here;
      end
      if (exchange_o && now[j]) begin
        occupied_d[j]         = occupied_q[Slots + j];
        occupied_d[Slots + j] = occupied_q[j];
      end
    end
  end

  always_comb begin : best
    valid_d    = valid_q;
    train_d    = train_q;
    slot_d     = slot_q;
    distance_d = distance_q;
    name_d     = name_q;
    for (int o = 0; o < T; o++) begin
      if (review && begins) valid_d[o] = 1'b0;
      if (review && (first || second) && here && port[o] &&
          (!valid_q[o] || distance > distance_q[o*(PlaceW+1) +: PlaceW+1] ||
           (distance == distance_q[o*(PlaceW+1) +: PlaceW+1] &&
            name < name_q[o*NameW +: NameW]))) begin
        valid_d[o]                            = 1'b1;
        train_d[o]                            = train;
        slot_d[o*SlotW +: SlotW]              = slot_i;
        distance_d[o*(PlaceW+1) +: PlaceW+1]  = distance;
        name_d[o*NameW +: NameW]              = name;
      end
      if (exchange_o && passes[o]) train_d[o] = !train_q[o];
    end
  end

  always_comb begin : assign_gaps
    found_d = found_q;
    gap_d   = gap_q;
    if (review && begins) found_d = 2'd0;
    if (balance && second && (Early ? gap_right : gap_left) && found_q < 2'd2) begin
      found_d = found_q + 1'b1;
      if (found_q == 2'd0) gap_d[0 +: SlotW]     = slot_i;
      else                 gap_d[SlotW +: SlotW] = slot_i;
    end
  end

  assign overflow_d = overflow_q || (extract && begins && found_q < 2'd2);

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) overflow_q <= 1'b0;
    else       overflow_q <= overflow_d;
    occupied_q <= occupied_d;
    valid_q    <= valid_d;
    found_q    <= found_d;
    train_q    <= train_d;
    slot_q     <= slot_d;
    distance_q <= distance_d;
    name_q     <= name_d;
    gap_q      <= gap_d;
  end

  `ANL_ASSERT(AssumeOneHeadAtATime, !review || !(first || second) || (head_i & (head_i - 1'b1)) == '0)

endmodule
