// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_take (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [6] = '{1, 2, 3, 4, 5, 8};

  for (genvar g = 0; g < 6; g++) begin : g_corner
    localparam int NumVcs = NumVcsOf[g];
    logic [NumVcs-1:0] can, home, lane;

    `BENCH("anl_take", g, {NumVcs})
    assign {home, can} = in;
    assign out = {lane};

    anl_take #(.NumVcs(NumVcs)) u_dut (.can_i(can), .home_i(home), .lane_o(lane));
  end

endmodule
