// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_encode (input logic clk_i, input logic rst_i);

  localparam int SizeOf [7] = '{1, 2, 3, 4, 5, 8, 21};

  for (genvar g = 0; g < 7; g++) begin : g_corner
    localparam int Size = SizeOf[g];
    localparam int IdxW = anl_pkg::index_width(Size);
    logic [Size-1:0] onehot;
    logic [IdxW-1:0] index;

    `BENCH("anl_encode", g, {Size})
    assign {onehot} = in;
    assign out = {index};

    anl_encode #(.Size(Size)) u_dut (.onehot_i(onehot), .index_o(index));
  end

endmodule
