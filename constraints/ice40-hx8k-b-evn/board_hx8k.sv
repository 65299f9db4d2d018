// SPDX-License-Identifier: Apache-2.0
//
// anl_board on Lattice's iCE40-HX8K breakout board: 12 MHz, by the PLL 42 MHz (docs/fpga.md).

`include "board_parameters.svh"

module board_hx8k (
  input  logic       clk_i,        // 12 MHz
  input  logic       upset_ni,     // pulled up; to ground: the signature turns wrong
  output logic [7:0] led_o,        // pass, fail, running, beat
  output logic       uart_o
);

  localparam int Hz   = 42_000_000;
  localparam int Baud = 115_200;

  logic clk, locked, rst;
  logic running, pass, fail, beat;

  // 12 MHz * (55 + 1) / 2**4
  SB_PLL40_CORE #(
    .FEEDBACK_PATH("SIMPLE"), .DIVR(4'd0), .DIVF(7'd55), .DIVQ(3'd4), .FILTER_RANGE(3'd1)
  ) u_pll (
    .REFERENCECLK(clk_i), .PLLOUTGLOBAL(clk), .LOCK(locked), .RESETB(1'b1), .BYPASS(1'b0)
  );

  board_reset u_reset (.clk_i(clk), .ready_i(locked), .rst_o(rst));

  logic upset;
  assign upset = !upset_ni;

  anl_board #(`BOARD_PARAMETERS, .BitCycles((Hz + Baud / 2) / Baud), .LineCycles(Hz)) u_board (
    .clk_i(clk), .rst_i(rst), .upset_i(upset),
    .running_o(running), .pass_o(pass), .fail_o(fail), .beat_o(beat), .uart_o
  );

  assign led_o = {4'd0, beat, running, fail, pass};

endmodule
