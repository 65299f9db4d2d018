// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_chained (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [5] = '{1, 2, 3, 4, 8};
  localparam int DepthOf [5] = '{2, 1, 3, 64, 4};
  // Behind these, every depth of a lane (docs/switch.md), with each number of lanes.
  localparam int Listed = 5;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 8)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1 + S / 8;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int CntW = $clog2(Depth + 1);
    logic [NumVcs-1:0] credit, has_credit, all_credits, has_credit_in, all_credits_in;
    logic [NumVcs*CntW-1:0] count, count_in;

    `BENCH("anl_chained", g, {Depth, NumVcs})
    assign {credit, all_credits_in, has_credit_in, count_in} = in;
    assign out = {all_credits, has_credit, count};

    anl_chained #(.NumVcs(NumVcs), .Depth(Depth)) u_dut (
      .count_i(count_in), .has_credit_i(has_credit_in), .all_credits_i(all_credits_in), .credit_i(credit),
      .count_o(count), .has_credit_o(has_credit), .all_credits_o(all_credits)
    );
  end

endmodule
