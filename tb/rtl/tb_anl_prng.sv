// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_prng (input logic clk_i, input logic rst_i);

  localparam int InstanceOf [2] = '{0, 1};

  for (genvar g = 0; g < 2; g++) begin : g_corner
    localparam int Instance = InstanceOf[g];
    logic [31:0] seed, random;
    logic step;

    `BENCH("anl_prng", g, {Instance})
    assign {step, seed} = in;
    assign out = {random};

    // While another bench of the room runs, the inputs are 0; a generator must not get 0 as its
    // seed.
    anl_prng u_dut (
      .clk_i, .rst_i, .seed_i(seed == 0 ? 32'd1 : seed), .step_i(step), .random_o(random)
    );
  end

endmodule
