// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_prng #(
  parameter int Index,
  parameter int Instance
) (
  input logic clk_i,
  input logic rst_i
);

  logic [31:0] seed, random;
  logic step;

  `BENCH("anl_prng", Index, {Instance})
  assign {step, seed} = in;
  assign out = {random};

  // While another bench of the room runs, the inputs are 0; a generator must not get 0 as its
  // seed.
  anl_prng u_dut (
    .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed), .step_i(step), .random_o(random)
  );

endmodule
