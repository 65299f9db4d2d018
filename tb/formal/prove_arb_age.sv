// SPDX-License-Identifier: Apache-2.0
//
// anl_arb_age: the scan of docs/switch.md decides for all stamps, and if all stamps lie in one
// half of the circle of 2^16, the request granted is truly the oldest, and the lowest of several
// that are equally old. The requests a_i and b_i are any two, and base_i is any stamp.

`include "prove.svh"

module prove_arb_age #(
  parameter  int Size   = 4,
  localparam int IdxW   = anl_pkg::index_width(Size),
  localparam int RankW = anl_head_pkg::RankW
) (
  input logic                   clk_i,
  input logic [Size-1:0]        req_i,
  input logic [Size*RankW-1:0] rank_i,
  input logic [RankW-1:0]      base_i,
  input logic [IdxW-1:0]        a_i,
  input logic [IdxW-1:0]        b_i
);

  `PROVE_RESET

  logic [Size-1:0] gnt;

  anl_arb_age #(.Size(Size)) u_dut (.req_i, .rank_i, .gnt_o(gnt));

  logic [RankW-1:0] best_rank, age;
  logic [Size-1:0]   best;

  always_comb begin : scan
    best       = '0;
    best_rank = '0;
    for (int i = 0; i < Size; i++) begin
      age = rank_i[i*RankW +: RankW] - best_rank;
      if (req_i[i] && (best == '0 || age[RankW-1])) begin
        best       = Size'(1) << i;
        best_rank = rank_i[i*RankW +: RankW];
      end
    end
  end

  // Cycles from base_i to the stamp, modulo 2^16.
  wire [RankW-1:0] since_a = rank_i[a_i*RankW +: RankW] - base_i;
  wire [RankW-1:0] since_b = rank_i[b_i*RankW +: RankW] - base_i;
  // The stamp is before base_i, or more than half the circle after it.
  logic [Size-1:0]  early;
  for (genvar i = 0; i < Size; i++) begin : g_early
    wire [RankW-1:0] since = rank_i[i*RankW +: RankW] - base_i;
    assign early[i] = req_i[i] && since[RankW-1];
  end

  `GIVEN(IndicesInRange, 32'(a_i) < Size && 32'(b_i) < Size)

  `PROVE(GrantImpliesRequest, !gnt[a_i] || req_i[a_i])
  `PROVE(OneGrant, !gnt[a_i] || !gnt[b_i] || a_i == b_i)
  `PROVE(GrantIfAnyRequest, !req_i[a_i] || gnt != '0)
  `PROVE(AsScanned, gnt == best)
  `PROVE(TrulyOldest, early != '0 || !gnt[a_i] || !req_i[b_i] || since_a < since_b
                      || (since_a == since_b && a_i <= b_i))

  `COVER(OldestHasTheLargestNumber, early == '0 && gnt[a_i] && req_i[b_i]
                                    && rank_i[a_i*RankW +: RankW] > rank_i[b_i*RankW +: RankW])
  `COVER(LowestOfTheSame, early == '0 && gnt[a_i] && req_i[b_i] && since_a == since_b && a_i < b_i)
  `COVER(AllAsk, req_i == '1 && gnt[Size-1])

endmodule
