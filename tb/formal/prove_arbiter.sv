// SPDX-License-Identifier: Apache-2.0
//
// anl_arbiter: the winner is the one that the table of arbitration policies in docs/switch.md gives.
// The requests a_i and b_i are any two, start_i is any start of a scan, and base_i any stamp. The
// waiter is any request, chosen in the reset cycle.

`include "prove.svh"

module prove_arbiter #(
  parameter  int Size    = 4,
  parameter  int Arbiter = anl_pkg::RoundRobin,
  parameter  int Members = (1 << Size) - 1,
  localparam int IdxW    = anl_pkg::index_width(Size),
  localparam int IndexW  = anl_pkg::index_width(anl_pkg::members(Members, Size)),
  localparam int RankW   = anl_head_pkg::RankW
) (
  input logic                  clk_i,
  input logic [Size-1:0]       req_i,
  input logic [Size*RankW-1:0] rank_i,
  input logic [7:0]            random_i,
  input logic                  taken_i,
  input logic [IdxW-1:0]       a_i,
  input logic [IdxW-1:0]       b_i,
  input logic [IdxW-1:0]       start_i,
  input logic [RankW-1:0]      base_i,
  input logic [IdxW-1:0]       waiter_i
);

  `PROVE_RESET

  logic [Size-1:0]   gnt;
  logic [IndexW-1:0] index;
  logic [IdxW-1:0]   ptr;

  anl_arbiter #(.Size(Size), .Arbiter(Arbiter), .Members(Members)) u_dut (
    .clk_i, .rst_i, .req_i, .rank_i, .random_i, .gnt_o(gnt), .index_o(index), .taken_i, .ptr_o(ptr)
  );

  localparam bit [Size-1:0] Member = Size'(Members);
  wire [Size-1:0] below_a = Member & ~({Size{1'b1}} << a_i);

  wire both = gnt[a_i] && req_i[b_i];      // a is granted, and b requests too
  wire [IdxW:0] to_a = {1'b0, a_i} - {1'b0, start_i} + (a_i < start_i ? (IdxW+1)'(Size) : '0);
  wire [IdxW:0] to_b = {1'b0, b_i} - {1'b0, start_i} + (b_i < start_i ? (IdxW+1)'(Size) : '0);
  wire [RankW-1:0] rank_a = rank_i[a_i*RankW +: RankW];
  wire [RankW-1:0] rank_b = rank_i[b_i*RankW +: RankW];
  wire [15:0] scaled = random_i * 8'(Size);
  // The random bits draw start_i as the start.
  wire drawn = 32'(scaled) >= 256 * start_i && 32'(scaled) < 256 * start_i + 256;

  `GIVEN(IndicesInRange, 32'(start_i) < Size && 32'(a_i) < Size && 32'(b_i) < Size)
  `GIVEN(OnlyMembersRequest, (req_i & ~Member) == '0)
  `GIVEN(TakenImpliesRequest, !taken_i || req_i != '0)

  `PROVE(IndexIsTheWinners, !gnt[a_i] || 32'(index) == $countones(below_a))

  localparam bit Behind = Arbiter == anl_pkg::RoundRobin || Arbiter == anl_pkg::Matrix || Arbiter == anl_pkg::RegisteredPriority;

  `COVER(AnotherLoses, both && a_i != b_i && taken_i)

  // What other modules with a state do has proofs of its own.
  if (Behind) begin : g_pointer
    logic [Size-1:0] behind_q;  // one-hot: the place behind the last winner
    logic [IdxW-1:0] waiter_q;
    logic [IdxW:0]   passed_q;  // grants to others while the waiter requests
    wire [2*Size-1:0] twice = {gnt, gnt};

    always_ff @(posedge clk_i) begin : model
      if (rst_i)        behind_q <= Size'(1);
      else if (taken_i) behind_q <= twice[2*Size-2 -: Size];
      if (rst_i)        waiter_q <= waiter_i;
      if (rst_i || !req_i[waiter_q] || (taken_i && gnt[waiter_q])) passed_q <= '0;
      else if (taken_i) passed_q <= passed_q + 1'b1;
    end

    `PROVE(PointerIsBehindTheWinner, behind_q == Size'(1) << ptr)
    `PROVE(FirstFromThePointer, Arbiter != anl_pkg::RoundRobin || !behind_q[start_i] || !both
                                || to_a <= to_b)
    `COVER(PassedByAllOthers, req_i[waiter_q] && 32'(passed_q) == Size - 1 && gnt[waiter_q])
    `COVER(NotTaken, gnt != '0 && !taken_i && behind_q != Size'(1))
    `PROVE(PassedLessThanSizeTimes, 32'(waiter_q) >= Size || 32'(passed_q) < Size)
  end else if (anl_pkg::has_state(Arbiter) == 0) begin : g_stateless
    `PROVE(PointerStaysZero, ptr == '0)
  end

  if (Arbiter == anl_pkg::Fixed) begin : g_fixed
    `PROVE(LowestIsFirst, !both || a_i <= b_i)
    `COVER(LowestOfAll, req_i == '1 && taken_i && gnt[0])
  end
  if (Arbiter == anl_pkg::Random) begin : g_random
    `PROVE(FirstFromTheDrawnStart, !drawn || !both || to_a <= to_b)
    `COVER(AnyStartIsDrawn, drawn && both && 32'(start_i) == Size - 1 && a_i < b_i && b_i < start_i)
  end
  if (Arbiter == anl_pkg::Farthest) begin : g_farthest
    `PROVE(TrulyFarthest, !both || rank_a >= rank_b)
    `COVER(FarthestIsNotFirst, drawn && both && to_a > to_b)
    `COVER(SameDistance, drawn && both && rank_a == rank_b && a_i > b_i)
    `PROVE(FirstOfTheFarthest, !drawn || !both || rank_a != rank_b || to_a <= to_b)
  end
  if (Arbiter == anl_pkg::Age) begin : g_oldest
    wire [RankW-1:0] since_a = rank_a - base_i;
    wire [RankW-1:0] since_b = rank_b - base_i;
    logic [Size-1:0] early;
    for (genvar i = 0; i < Size; i++) begin : g_early
      wire [RankW-1:0] since = rank_i[i*RankW +: RankW] - base_i;
      assign early[i] = req_i[i] && since[RankW-1];
    end
    `COVER(OldestIsNotLowest, early == '0 && both && a_i > b_i && rank_a > rank_b)
    `PROVE(TrulyOldest, early != '0 || !both || since_a < since_b
                        || (since_a == since_b && a_i <= b_i))
  end

endmodule
