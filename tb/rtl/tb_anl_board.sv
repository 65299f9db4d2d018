// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_board (input logic clk_i, input logic rst_i);

  // One terminal and its switch, with seed 7. The expected signature of the last one is wrong by a
  // bit.
  localparam int WormsOf [5] = '{1, 9, 40, 1000, 9};
  localparam int LengthOf [5] = '{1, 4, 8, 3, 4};
  localparam int CyclesOf [5] = '{8, 60, 100, 128, 60};
  localparam logic [31:0] ExpectedOf [5] = '{
    32'h85ec9a05, 32'h00135802, 32'h19511321, 32'h6365f94b, 32'h80135802
  };

  for (genvar g = 0; g < 5; g++) begin : g_corner
    localparam int Worms = WormsOf[g], Length = LengthOf[g], Cycles = CyclesOf[g];
    localparam logic [31:0] Expected = ExpectedOf[g];
    logic upset, running, pass, fail, beat, uart;

    `BENCH("anl_board", g, {Expected, Cycles, Length, Worms})
    assign {upset} = in;
    assign out = {uart, beat, fail, pass, running};

    anl_board #(
      .K(1), .N(1), .Topology(anl_cube_pkg::Mesh), .Routing(anl_pkg::DimensionOrder),
      .NumVcs(1), .Depth(2), .FlitW(32), .WormsPerTerminal(Worms), .Length(Length), .Cycles(Cycles),
      .Seed(64'd7), .Expected(Expected), .BitCycles(2), .LineCycles(900)
    ) u_dut (
      .clk_i, .rst_i, .upset_i(upset),
      .running_o(running), .pass_o(pass), .fail_o(fail), .beat_o(beat), .uart_o(uart)
    );
  end

endmodule
