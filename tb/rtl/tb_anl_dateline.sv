// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_dateline (input logic clk_i, input logic rst_i);

  localparam int NumVcsOf [9] = '{2, 3, 4, 5, 8, 1, 3, 6, 7};
  localparam int DatelineOf [9] = '{1, 1, 1, 1, 1, 0, 0, 1, 1};

  for (genvar g = 0; g < 9; g++) begin : g_corner
    localparam int NumVcs = NumVcsOf[g];
    localparam int Dateline = DatelineOf[g];
    logic wrap_ahead, to_terminal;
    logic [NumVcs-1:0] vcs;

    `BENCH("anl_dateline", g, {Dateline, NumVcs})
    assign {to_terminal, wrap_ahead} = in;
    assign out = {vcs};

    anl_dateline #(.NumVcs(NumVcs), .Dateline(Dateline)) u_dut (
      .wrap_ahead_i(wrap_ahead), .to_terminal_i(to_terminal), .vcs_o(vcs)
    );
  end

endmodule
