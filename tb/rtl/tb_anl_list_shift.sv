// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_list_shift (input logic clk_i, input logic rst_i);

  localparam int FlitWOf [8] = '{3, 16, 21, 62, 60, 40, 62, 50};
  localparam int ListLsbOf [8] = '{1, 4, 1, 17, 13, 39, 5, 3};
  localparam int PortWOf [8] = '{1, 2, 5, 3, 1, 1, 4, 5};
  localparam int LongestOf [8] = '{1, 6, 4, 12, 47, 1, 8, 9};

  for (genvar g = 0; g < 8; g++) begin : g_corner
    localparam int FlitW = FlitWOf[g];
    localparam int ListLsb = ListLsbOf[g];
    localparam int PortW = PortWOf[g];
    localparam int Longest = LongestOf[g];
    logic [FlitW+1:0] flit, flit_out;

    `BENCH("anl_list_shift", g, {Longest, PortW, ListLsb, FlitW})
    assign flit = in;
    assign out = flit_out;

    anl_list_shift #(
      .FlitW(FlitW), .ListLsb(ListLsb), .PortW(PortW), .Longest(Longest)
    ) u_dut (.flit_i(flit), .flit_o(flit_out));
  end

endmodule
