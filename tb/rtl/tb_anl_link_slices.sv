// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_link_slices (input logic clk_i, input logic rst_i);

  localparam int CyclesOf [6] = '{1, 2, 3, 5, 16, 4};
  localparam int NumVcsOf [6] = '{2, 1, 4, 3, 8, 2};
  localparam int FlitWOf [6] = '{8, 1, 20, 64, 5, 8};
  localparam int LinesOf [6] = '{1, 1, 4, 1, 8, 1};
  // Behind these, every number of cycles of a link (docs/link.md), with each number of lanes.
  localparam int Listed = 6;

  for (genvar g = 0; g < Listed + 16; g++) if (`SWEPT(g - Listed, 16, 2)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Cycles = (g < Listed) ? CyclesOf[g % Listed] : S + 1;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1 + S / 2;
    localparam int FlitW = (g < Listed) ? FlitWOf[g % Listed] : 2;
    localparam int Lines = (g < Listed) ? LinesOf[g % Listed] : 1;
    localparam int VcW = anl_pkg::index_width(NumVcs);
    localparam int LinkW = FlitW + 2;
    logic [Lines-1:0] valid, valid_o;
    logic [Lines*VcW-1:0] vc, vc_o;
    logic [Lines*LinkW-1:0] flit, flit_o;
    logic [NumVcs-1:0] credit, credit_o;

    `BENCH("anl_link_slices", g, {Lines, FlitW, NumVcs, Cycles})
    assign {credit, flit, vc, valid} = in;
    assign out = {credit_o, flit_o, vc_o, valid_o};

    anl_link_slices #(.Cycles(Cycles), .NumVcs(NumVcs), .FlitW(FlitW), .Lines(Lines)) u_dut (
      .clk_i, .rst_i,
      .valid_i(valid), .vc_i(vc), .flit_i(flit), .credit_o,
      .valid_o, .vc_o, .flit_o, .credit_i(credit)
    );
  end

endmodule
