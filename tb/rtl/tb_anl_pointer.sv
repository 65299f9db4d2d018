// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_pointer (input logic clk_i, input logic rst_i);

  localparam int SizeOf [6] = '{1, 2, 3, 4, 16, 64};
  // Behind these, every depth of a lane (docs/switch.md).
  localparam int Listed = 6;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 8)) begin : g_corner
    localparam int S = g - Listed;
    localparam int Size = (g < Listed) ? SizeOf[g % Listed] : S + 1;
    localparam int PtrW = anl_pkg::index_width(Size);
    logic step;
    logic [PtrW-1:0] ptr;

    `BENCH("anl_pointer", g, {Size})
    assign {step} = in;
    assign out = {ptr};

    anl_pointer #(.Size(Size)) u_dut (.clk_i, .rst_i, .step_i(step), .ptr_o(ptr));
  end

endmodule
