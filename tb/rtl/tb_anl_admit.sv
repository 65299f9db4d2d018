// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_admit (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [7] = '{1, 2, 3, 4, 8, 3, 4};
  localparam int DepthOf [7] = '{1, 2, 3, 16, 64, 64, 4};
  localparam int AdmissionOf [7] = '{0, 1, 2, 0, 1, 0, 2};
  // Behind these, every depth of a lane (docs/switch.md), with each number of lanes.
  localparam int Listed = 7;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 8)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1 + S / 8;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int Admission = (g < Listed) ? AdmissionOf[g % Listed] : S % 3;
    localparam int CntW = $clog2(Depth + 1);
    logic head;
    logic [6:0] length;
    logic [NumVcs-1:0] set, bound_vc, free, has_credit, can;
    logic [NumVcs*CntW-1:0] credits;

    `BENCH("anl_admit", g, {Admission, Depth, NumVcs})
    assign {credits, has_credit, free, bound_vc, set, length, head} = in;
    assign out = {can};

    anl_admit #(.NumVcs(NumVcs), .Depth(Depth), .Admission(Admission)) u_dut (
      .head_i(head), .length_i(length), .set_i(set), .bound_vc_i(bound_vc), .free_i(free),
      .has_credit_i(has_credit), .credits_i(credits), .can_o(can)
    );
  end

endmodule
