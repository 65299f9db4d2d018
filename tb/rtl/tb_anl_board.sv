// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_board #(
  parameter int Index,
  parameter int WormsPerTerminal,
  parameter int Length,
  parameter int Cycles,
  parameter logic [31:0] Expected
) (
  input logic clk_i,
  input logic rst_i
);

  // One terminal and its switch, with seed 7.
  logic upset, running, pass, fail, beat, uart;

  `BENCH("anl_board", Index, {Expected, Cycles, Length, WormsPerTerminal})
  assign {upset} = in;
  assign out = {uart, beat, fail, pass, running};

  anl_board #(
    .K(1), .N(1), .Topology(anl_cube_pkg::Mesh), .Routing(anl_pkg::DimensionOrder),
    .NumVcs(1), .Depth(2), .FlitW(32), .WormsPerTerminal(WormsPerTerminal), .Length(Length), .Cycles(Cycles),
    .Seed(64'd7), .Expected(Expected), .BitCycles(2), .LineCycles(900)
  ) u_dut (
    .clk_i, .rst_i, .upset_i(upset),
    .running_o(running), .pass_o(pass), .fail_o(fail), .beat_o(beat), .uart_o(uart)
  );

endmodule
