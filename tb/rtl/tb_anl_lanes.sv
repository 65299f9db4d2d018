// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_lanes (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [11] = '{1, 2, 3, 4, 8, 1, 1, 1, 1, 1, 1};
  localparam int DepthOf [11] = '{2, 1, 3, 64, 4, 1, 1, 2, 3, 4, 64};
  localparam int FlitWOf [11] = '{8, 16, 32, 62, 40, 12, 9, 33, 20, 10, 32};
  localparam int LowWOf [11] = '{8, 1, 9, 32, 5, 12, 3, 7, 1, 10, 8};
  // Behind these, every depth of a lane (docs/switch.md), with each number of lanes.
  localparam int Listed = 11;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 16)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1 + S / 8;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int FlitW = (g < Listed) ? FlitWOf[g % Listed] : 9;
    localparam int LowW = (g < Listed) ? LowWOf[g % Listed] : 3;
    localparam int VcW = anl_pkg::index_width(NumVcs);
    localparam int CntW = $clog2(Depth + 1);
    logic valid, pop;
    logic [LowW-1:0] here;
    logic [VcW-1:0] vc;
    logic [FlitW+1:0] flit, read;
    logic [NumVcs-1:0] sel, credit, held;
    logic [NumVcs*CntW-1:0] count;
    logic [NumVcs*(LowW+2)-1:0] front;
    logic [NumVcs*LowW-1:0] differs;

    `BENCH("anl_lanes", g, {LowW, FlitW, Depth, NumVcs})
    assign {here, pop, sel, flit, vc, valid} = in;
    assign out = {read, differs, front, count, held, credit};

    anl_lanes #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .LowW(LowW)) u_dut (
      .clk_i, .rst_i, .valid_i(valid), .vc_i(vc), .flit_i(flit), .credit_o(credit),
      .here_i(here), .front_o(front), .differs_o(differs), .held_o(held), .count_o(count),
      .sel_i(sel), .pop_i(pop), .flit_o(read)
    );
  end

endmodule
