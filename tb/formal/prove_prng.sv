// SPDX-License-Identifier: Apache-2.0
//
// anl_prng: the state steps by the rule of docs/random.md from any state, bit by bit, and is never
// 0 if the seed is not 0.

`include "prove.svh"

module prove_prng (
  input logic        clk_i,
  input logic [31:0] seed_i,
  input logic        step_i
);

  `PROVE_RESET

  logic [31:0] random, before_q, first, second, third;
  logic        fresh_q, stepped_q;

  anl_prng u_dut (.clk_i, .rst_i, .seed_i, .step_i, .random_o(random));

  always_ff @(posedge clk_i) begin : last_cycle
    before_q  <= rst_i ? seed_i : random;
    fresh_q   <= rst_i;
    stepped_q <= step_i;
  end

  // Bit i of a shifted word is another bit of the word or 0, so each step is a comparison of two
  // bits.
  for (genvar i = 0; i < 32; i++) begin : g_bit
    if (i < 13) assign first[i] = before_q[i];
    else        assign first[i] = before_q[i] != before_q[i-13];
    if (i >= 15) assign second[i] = first[i];
    else         assign second[i] = first[i] != first[i+17];
    if (i < 5) assign third[i] = second[i];
    else       assign third[i] = second[i] != second[i-5];
  end

  always_comb begin : seed_is_not_zero
    if (rst_i) assume (seed_i != '0);
  end

  `PROVE(StartsWithTheSeed, !fresh_q || random == before_q)
  `PROVE(StepsByTheRule, fresh_q || !stepped_q || random == third)
  `PROVE(KeepsItsValue, fresh_q || stepped_q || random == before_q)

  `COVER(StepsAndKeeps, stepped_q && !step_i && !fresh_q && random != before_q)

endmodule
