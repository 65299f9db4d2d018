// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_pick_oldest (input logic clk_i, input logic rst_i);

  localparam int SizeOf [7] = '{1, 2, 3, 4, 5, 8, 21};

  for (genvar g = 0; g < 7; g++) begin : g_corner
    localparam int Size = SizeOf[g];
    logic [Size-1:0] req, gnt;
    logic [Size*16-1:0] stamp;

    `BENCH("anl_pick_oldest", g, {Size})
    assign {stamp, req} = in;
    assign out = {gnt};

    anl_pick_oldest #(.Size(Size)) u_dut (.req_i(req), .stamp_i(stamp), .gnt_o(gnt));
  end

endmodule
