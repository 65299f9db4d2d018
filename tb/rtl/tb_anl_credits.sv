// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_credits (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [5] = '{1, 2, 3, 4, 8};
  localparam int DepthOf [5] = '{2, 1, 3, 64, 4};

  for (genvar g = 0; g < 5; g++) begin : g_corner
    localparam int NumVcs = NumVcsOf[g];
    localparam int Depth = DepthOf[g];
    localparam int CntW = $clog2(Depth + 1);
    logic [NumVcs-1:0] credit, spend, has_credit, all_credits;
    logic [NumVcs*CntW-1:0] count;

    `BENCH("anl_credits", g, {Depth, NumVcs})
    assign {spend, credit} = in;
    assign out = {all_credits, has_credit, count};

    anl_credits #(.NumVcs(NumVcs), .Depth(Depth)) u_dut (
      .clk_i, .rst_i, .credit_i(credit), .spend_i(spend), .count_o(count),
      .has_credit_o(has_credit), .all_credits_o(all_credits)
    );
  end

endmodule
