// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_packet_count (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [5] = '{1, 2, 3, 4, 8};
  localparam int DepthOf [5] = '{2, 1, 3, 64, 4};
  // Behind these, every depth of a lane (docs/switch.md), with each number of lanes.
  localparam int Listed = 5;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 8)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1 + S / 8;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    logic [NumVcs-1:0] enter, leave, whole;

    `BENCH("anl_packet_count", g, {Depth, NumVcs})
    assign {leave, enter} = in;
    assign out = {whole};

    anl_packet_count #(.NumVcs(NumVcs), .Depth(Depth)) u_dut (
      .clk_i, .rst_i, .enter_i(enter), .leave_i(leave), .whole_o(whole)
    );
  end

endmodule
