// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_decode (input logic clk_i, input logic rst_i);

  localparam int SizeOf [7] = '{1, 2, 3, 4, 5, 8, 21};

  for (genvar g = 0; g < 7; g++) begin : g_corner
    localparam int Size = SizeOf[g];
    localparam int IdxW = anl_pkg::index_width(Size);
    logic [IdxW-1:0] index;
    logic [Size-1:0] onehot;

    `BENCH("anl_decode", g, {Size})
    assign {index} = in;
    assign out = {onehot};

    anl_decode #(.Size(Size)) u_dut (.index_i(index), .onehot_o(onehot));
  end

endmodule
