// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_front_fifo (input logic clk_i, input logic rst_i);

  localparam int DepthOf [6] = '{1, 2, 3, 4, 16, 64};
  localparam int WidthOf [6] = '{8, 3, 1, 40, 33, 8};
  // Behind these, every depth of a lane (docs/switch.md).
  localparam int Listed = 6;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 8)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int Width = (g < Listed) ? WidthOf[g % Listed] : 2;
    localparam int CntW = $clog2(Depth + 1);
    localparam int PtrW = anl_pkg::index_width(Depth);
    logic push, pop, held, load;
    logic [Width-1:0] data, front, next;
    logic [CntW-1:0] count;
    logic [PtrW-1:0] wr_ptr, rd_ptr;

    `BENCH("anl_front_fifo", g, {Width, Depth})
    assign {pop, data, push} = in;
    assign out = {next, load, rd_ptr, wr_ptr, front, held, count};

    anl_front_fifo #(.Depth(Depth), .Width(Width)) u_dut (
      .clk_i, .rst_i, .push_i(push), .data_i(data), .pop_i(pop), .front_o(front),
      .held_o(held), .count_o(count), .wr_ptr_o(wr_ptr), .rd_ptr_o(rd_ptr), .load_o(load), .next_o(next)
    );
  end

endmodule
