// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_encode (input logic clk_i, input logic rst_i);

  localparam int SizeOf [7] = '{1, 2, 3, 4, 5, 8, 21};
  // Behind these, every number of ports (docs/switch.md).
  localparam int Listed = 7;

  for (genvar g = 0; g < Listed + 32; g++) if (`SWEPT(g - Listed, 32, 4)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Size = (g < Listed) ? SizeOf[g % Listed] : S + 1;
    localparam int IdxW = anl_pkg::index_width(Size);
    logic [Size-1:0] onehot;
    logic [IdxW-1:0] index;

    `BENCH("anl_encode", g, {Size})
    assign {onehot} = in;
    assign out = {index};

    anl_encode #(.Size(Size)) u_dut (.onehot_i(onehot), .index_o(index));
  end

endmodule
