// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_class_scan (input logic clk_i, input logic rst_i);

  // Weights that are left out (0 stands for 1), large ones, each number of classes, and weights beside powers of two; then
  // all weights of 1 to 4 of two classes, and of 1 to 3 of three, one corner each.
  localparam int Listed = 10;
  localparam int Two = 16;
  localparam int Three = 27;
  localparam logic [63:0] WeightsOf [Listed] =
    '{64'd0, 64'hFF01, 64'h0080_01FF, 64'h0301_0504_0207_0601, 64'h00FF_0000_0000_0000, 64'h0102_0304_05,
      64'h0708_090F_1011_1F20, 64'h213F_4041_7F80_81FF, 64'h0A0B_1E21, 64'h0C01_0D02_0E03};
  localparam int ClassesOf [10] = '{3, 2, 3, 8, 7, 5, 8, 8, 4, 6};

  function automatic logic [63:0] weights_of(input int g);
    if (g < Listed) weights_of = WeightsOf[g];
    else if (g < Listed + Two) weights_of = 64'(1 + (g - Listed) % 4) | 64'(1 + (g - Listed) / 4) << 8;
    else
      weights_of = 64'(1 + (g - Listed - Two) % 3) | 64'(1 + (g - Listed - Two) / 3 % 3) << 8
                   | 64'(1 + (g - Listed - Two) / 9) << 16;
  endfunction

  for (genvar g = 0; g < Listed + Two + Three; g++) begin : g_corner
    localparam int Classes = (g < Listed) ? ClassesOf[g % Listed] : (g < Listed + Two) ? 2 : 3;
    localparam logic [63:0] Weights = weights_of(g);
    logic [Classes-1:0] req, gnt;
    logic moved;
    logic [anl_pkg::index_width(Classes)-1:0] favoured;
    logic [anl_pkg::WeightW-1:0] quota;

    `BENCH("anl_class_scan", g, {Weights[63:32], Weights[31:0], Classes})
    // Something moves only if a class was chosen.
    assign {moved, req} = in;
    assign out = {quota, favoured, gnt};

    anl_class_scan #(.Classes(Classes), .Weights(Weights)) u_dut (
      .clk_i, .rst_i, .req_i(req), .gnt_o(gnt), .moved_i(moved), .favoured_o(favoured), .quota_o(quota)
    );
  end

endmodule
