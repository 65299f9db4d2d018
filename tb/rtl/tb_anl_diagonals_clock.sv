// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_diagonals_clock (input logic clk_i, input logic rst_i);

  localparam int NOf [5] = '{4, 4, 6, 8, 16};
  localparam int LengthOf [5] = '{1, 2, 1, 2, 2};
  localparam int COf [5] = '{2, 2, 3, 4, 4};
  localparam int BriefOf [5] = '{1, 0, 0, 1, 1};

  for (genvar g = 0; g < 5; g++) begin : g_corner
    localparam int N = NOf[g];
    localparam int Length = LengthOf[g];
    localparam int C = COf[g];
    localparam int Brief = BriefOf[g];
    logic run;
    logic [anl_diagonals_pkg::CommandW-1:0] command;

    `BENCH("anl_diagonals_clock", g, {Brief, C, Length, N})
    assign run = in[0];
    assign out = {32'(u_dut.round_q), 32'(u_dut.u_q), u_dut.phase_q, command};

    anl_diagonals_clock #(.N(N), .Length(Length), .C(C), .Brief(Brief)) u_dut (
      .clk_i, .rst_i, .run_i(run), .command_o(command)
    );
  end

endmodule
