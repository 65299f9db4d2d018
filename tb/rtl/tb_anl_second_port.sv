// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_second_port (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [5] = '{1, 2, 3, 4, 8};
  localparam int DepthOf [5] = '{2, 1, 3, 8, 4};
  localparam int AdmissionOf [5] = '{0, 0, 1, 2, 0};
  // Behind these, every depth of a lane (docs/switch.md), with each number of lanes.
  localparam int Listed = 5;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 8)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1 + S / 8;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int Admission = (g < Listed) ? AdmissionOf[g % Listed] : S % 3;
    localparam int CntW = $clog2(Depth + 1);
    logic [NumVcs-1:0] held, head, whole, either, free, has_credit, all_credits, sel, eligible, take;
    logic [NumVcs*7-1:0] length;
    logic [NumVcs*NumVcs-1:0] set;
    logic [NumVcs*CntW-1:0] credits;

    `BENCH("anl_second_port", g, {Admission, Depth, NumVcs})
    assign {sel, credits, all_credits, has_credit, free, set, length, either, whole, head, held} = in;
    assign out = {take, eligible};

    anl_second_port #(.NumVcs(NumVcs), .Depth(Depth), .Admission(Admission)) u_dut (
      .held_i(held), .head_i(head), .whole_i(whole), .either_i(either), .length_i(length),
      .set_i(set), .free_i(free), .has_credit_i(has_credit), .all_credits_i(all_credits), .credits_i(credits),
      .eligible_o(eligible), .sel_i(sel), .take_o(take)
    );
  end

endmodule
