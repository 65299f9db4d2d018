// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_route_source (input logic clk_i, input logic rst_i);

  localparam int NumPortsOf [9] = '{1, 2, 5, 7, 32, 17, 3, 4, 6};
  localparam int NumVcsOf [9] = '{1, 8, 2, 3, 4, 1, 5, 6, 7};

  for (genvar g = 0; g < 9; g++) begin : g_corner
    localparam int NumPorts = NumPortsOf[g];
    localparam int NumVcs = NumVcsOf[g];
    logic [anl_pkg::index_width(NumPorts)-1:0] next;
    logic [NumPorts-1:0] port;
    logic [NumVcs-1:0] vcs;

    `BENCH("anl_route_source", g, {NumVcs, NumPorts})
    assign next = in;
    assign out = {vcs, port};

    anl_route_source #(.NumPorts(NumPorts), .NumVcs(NumVcs)) u_dut (
      .next_i(next), .port_o(port), .vcs_o(vcs)
    );
  end

endmodule
