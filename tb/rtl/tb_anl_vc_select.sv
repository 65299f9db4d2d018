// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_vc_select (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [8] = '{1, 2, 3, 4, 5, 6, 7, 8};

  for (genvar g = 0; g < 8; g++) begin : g_corner
    localparam int NumVcs = NumVcsOf[g];
    logic [NumVcs-1:0] can, all_credits, lane;

    `BENCH("anl_vc_select", g, {NumVcs})
    assign {all_credits, can} = in;
    assign out = {lane};

    anl_vc_select #(.NumVcs(NumVcs)) u_dut (.can_i(can), .all_credits_i(all_credits), .lane_o(lane));
  end

endmodule
