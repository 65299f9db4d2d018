// SPDX-License-Identifier: Apache-2.0
//
// anl_wide_grant: the heads take lanes as docs/switch.md, "Wide links", says. Heads a_i and b_i and
// lanes w_i and x_i are any two. What is said of the order holds where start_i is the start of the
// scan. With the policy age the stamps are less than half of their range apart.
//
// The heads choose one after the other, each the lane that rule 5 prefers of those that are left. So
// what b has not got, though it prefers it, must have gone to a head that comes before b.

`include "prove.svh"

module prove_wide_grant #(
  parameter  int NumPorts = 2,
  parameter  int NumVcs   = 2,
  parameter  int Arbiter  = anl_pkg::RoundRobin,
  localparam int Size     = NumPorts * NumVcs,
  localparam int IdxW     = anl_pkg::index_width(Size),
  localparam int VcW      = anl_pkg::index_width(NumVcs),
  localparam int RankW    = anl_head_pkg::RankW
) (
  input logic                   clk_i,
  input logic [7:0]             random_i,
  input logic [Size-1:0]        ask_i,
  input logic [NumVcs*Size-1:0] can_i,
  input logic [Size*RankW-1:0]  rank_i,
  input logic [NumVcs-1:0]      all_credits_i,
  input logic [IdxW-1:0]        a_i,
  input logic [IdxW-1:0]        b_i,
  input logic [VcW-1:0]         w_i,
  input logic [VcW-1:0]         x_i,
  input logic [IdxW-1:0]        start_i
);

  `PROVE_RESET

  logic [NumVcs*Size-1:0] take;
  logic [IdxW-1:0]        ptr;

  anl_wide_grant #(.NumPorts(NumPorts), .NumVcs(NumVcs), .Arbiter(Arbiter)) u_dut (
    .clk_i, .rst_i, .random_i, .ask_i, .can_i, .rank_i, .all_credits_i, .take_o(take),
    .out_ptr_o(ptr)
  );

  // What the heads a and b take and can take: bit w is lane w.
  logic [NumVcs-1:0] take_a, take_b, can_b;
  for (genvar w = 0; w < NumVcs; w++) begin : g_lane
    assign take_a[w] = take[w*Size + 32'(a_i)];
    assign take_b[w] = take[w*Size + 32'(b_i)];
    assign can_b[w]  = can_i[w*Size + 32'(b_i)] && ask_i[b_i];
  end

  wire [15:0] scaled = random_i * 8'(Size);
  wire drawn = 32'(scaled) >= 256 * start_i && 32'(scaled) < 256 * start_i + 256;
  wire begins = (Arbiter == anl_pkg::RoundRobin) ? start_i == ptr
                : (anl_pkg::reads_random(Arbiter) != 0) ? drawn : start_i == '0;

  wire [IdxW:0] to_a = {1'b0, a_i} - {1'b0, start_i} + (a_i < start_i ? (IdxW+1)'(Size) : '0);
  wire [IdxW:0] to_b = {1'b0, b_i} - {1'b0, start_i} + (b_i < start_i ? (IdxW+1)'(Size) : '0);
  wire [RankW-1:0] rank_a = rank_i[a_i*RankW +: RankW];
  wire [RankW-1:0] rank_b = rank_i[b_i*RankW +: RankW];
  wire before = (Arbiter == anl_pkg::Age && rank_a != rank_b) ? rank_a < rank_b
                : (Arbiter == anl_pkg::Farthest && rank_a != rank_b) ? rank_a > rank_b : to_a < to_b;

  // Rule 5 prefers lane w to lane x.
  wire better = all_credits_i[w_i] != all_credits_i[x_i] ? all_credits_i[w_i] : w_i < x_i;
  wire misses = can_b[w_i] && (take_b == '0 || (take_b[x_i] && better));

  `GIVEN(NumbersExist, 32'(a_i) < Size && 32'(b_i) < Size && 32'(w_i) < NumVcs
                       && 32'(x_i) < NumVcs && 32'(start_i) < Size)
  if (Arbiter == anl_pkg::Age) begin : g_oldest
    for (genvar c = 0; c < Size; c++) begin : g_stamp
      `GIVEN(StampsAreNear, !rank_i[c*RankW + RankW - 1])
    end
  end

  `PROVE(TakesWhatItCan, (take_b & ~can_b) == '0)
  `PROVE(TakesOneLane, !take_b[w_i] || !take_b[x_i] || w_i == x_i)
  `PROVE(LaneHasOneHead, !take_a[w_i] || !take_b[w_i] || a_i == b_i)
  `PROVE(MissesOnlyWhatIsTaken, !misses || take[w_i*Size +: Size] != '0)
  `PROVE(MissesOnlyToOneBefore, !begins || !misses || !take_a[w_i] || before)

  `COVER(TwoHeadsInOneCycle, take_a[w_i] && take_b[x_i] && a_i != b_i)
  `COVER(AHeadIsLeftOut, misses && take_b == '0 && take_a[w_i])
  if (NumVcs > 1) begin : g_two
    `COVER(ItGetsTheSecondBest, misses && take_b[x_i] && take_a[w_i])
  end

  if (Arbiter == anl_pkg::RoundRobin) begin : g_rotating
    // The heads a and b of the cycle before, and whether they took a lane then.
    logic [IdxW-1:0] ptr_q, b_q;
    logic            valid_q, any_q, took_a_q, took_b_q, before_q;
    always_ff @(posedge clk_i) begin : past
      ptr_q    <= ptr;
      b_q      <= b_i;
      any_q    <= take != '0;
      took_a_q <= take_a != '0;
      took_b_q <= take_b != '0;
      before_q <= begins && before;
      valid_q  <= !rst_i;
    end
    wire behind = valid_q && any_q && ptr == ((32'(b_q) == Size - 1) ? '0 : b_q + 1'b1);
    `PROVE(PointerStaysIfNoneIsTaken, !valid_q || any_q || ptr == ptr_q)
    `PROVE(PointerIsBehindAHeadThatTook, !behind || took_b_q)
    `PROVE(NoneBeforeThatHeadTook, !behind || !took_a_q || !before_q)
    `COVER(PointerWraps, valid_q && any_q && ptr == '0 && ptr_q != '0)
  end else begin : g_stateless
    `PROVE(PointerStaysZero, ptr == '0)
  end

endmodule
