// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_lane_memory (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [5] = '{1, 2, 3, 4, 8};
  localparam int DepthOf [5] = '{2, 1, 3, 16, 4};
  localparam int WidthOf [5] = '{8, 1, 24, 64, 33};
  // Behind these, every depth of a lane (docs/switch.md), with each number of lanes.
  localparam int Listed = 5;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 8)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1 + S / 8;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int Width = (g < Listed) ? WidthOf[g % Listed] : 2;
    localparam int PtrW = anl_pkg::index_width(Depth);
    logic write;
    logic [NumVcs-1:0] write_lane, read_lane;
    logic [NumVcs*PtrW-1:0] wr_ptr, rd_ptr;
    logic [Width-1:0] data, read;

    `BENCH("anl_lane_memory", g, {Width, Depth, NumVcs})
    assign {rd_ptr, read_lane, data, wr_ptr, write_lane, write} = in;
    assign out = {read};

    anl_lane_memory #(.NumVcs(NumVcs), .Depth(Depth), .Width(Width)) u_dut (
      .clk_i, .write_i(write), .write_lane_i(write_lane), .wr_ptr_i(wr_ptr), .data_i(data),
      .read_lane_i(read_lane), .rd_ptr_i(rd_ptr), .data_o(read)
    );
  end

endmodule
