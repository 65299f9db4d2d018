// SPDX-License-Identifier: Apache-2.0
//
// anl_board on Digilent's Arty A7-35T: 100 MHz, by the PLL 50 MHz (docs/fpga.md).

`include "board_parameters.svh"

module board_arty (
  input  logic       clk_i,       // 100 MHz
  input  logic       again_ni,    // button RESET: the run begins again
  input  logic       upset_i,     // button 0: the signature turns wrong
  output logic [3:0] led_o,       // pass, fail, running, beat
  output logic       uart_o
);

  localparam int Hz   = 50_000_000;
  localparam int Baud = 115_200;

  logic clk, clk_pll, feedback, locked, ready, rst;
  logic running, pass, fail, beat;

  // 100 MHz * 10 / 20
  PLLE2_BASE #(
    .CLKIN1_PERIOD(10.0), .DIVCLK_DIVIDE(1), .CLKFBOUT_MULT(10), .CLKOUT0_DIVIDE(20)
  ) u_pll (
    .CLKIN1(clk_i), .CLKFBIN(feedback), .CLKFBOUT(feedback), .CLKOUT0(clk_pll), .LOCKED(locked),
    .RST(1'b0), .PWRDWN(1'b0)
  );
  BUFG u_clk (.I(clk_pll), .O(clk));

  assign ready = locked && again_ni;
  board_reset u_reset (.clk_i(clk), .ready_i(ready), .rst_o(rst));

  anl_board #(`BOARD_PARAMETERS, .BitCycles((Hz + Baud / 2) / Baud), .LineCycles(Hz)) u_board (
    .clk_i(clk), .rst_i(rst), .upset_i,
    .running_o(running), .pass_o(pass), .fail_o(fail), .beat_o(beat), .uart_o
  );

  assign led_o = {beat, running, fail, pass};

endmodule
