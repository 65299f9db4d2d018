// SPDX-License-Identifier: Apache-2.0
//
// anl_board on the ULX3S: 25 MHz, by the PLL 40 MHz (docs/fpga.md).

`include "board_parameters.svh"

module board_ulx3s (
  input  logic       clk_i,         // 25 MHz
  input  logic       again_i,       // button F2: the run begins again
  input  logic       upset_i,       // button F1: the signature turns wrong
  output logic       wifi_gpio0_o,  // 1: the ESP32 keeps off
  output logic [7:0] led_o,         // pass, fail, running, beat
  output logic       uart_o
);

  localparam int Hz   = 40_000_000;
  localparam int Baud = 115_200;

  logic clk, locked, ready, rst;
  logic running, pass, fail, beat;

  // 25 MHz / 5 * 8; its oscillator at 40 MHz * 15
  (* FREQUENCY_PIN_CLKI="25", FREQUENCY_PIN_CLKOP="40" *)
  (* ICP_CURRENT="12", LPF_RESISTOR="8", MFG_ENABLE_FILTEROPAMP="1", MFG_GMCREF_SEL="2" *)
  EHXPLLL #(
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"),
    .CLKI_DIV(5), .CLKFB_DIV(8), .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(15), .CLKOP_CPHASE(7),
    .CLKOP_FPHASE(0), .FEEDBK_PATH("CLKOP")
  ) u_pll (
    .CLKI(clk_i), .CLKFB(clk), .CLKOP(clk), .LOCK(locked), .RST(1'b0), .STDBY(1'b0),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b0), .PHASESTEP(1'b0), .PHASELOADREG(1'b0),
    .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
  );

  assign ready = locked && !again_i;
  board_reset u_reset (.clk_i(clk), .ready_i(ready), .rst_o(rst));

  anl_board #(`BOARD_PARAMETERS, .BitCycles((Hz + Baud / 2) / Baud), .LineCycles(Hz)) u_board (
    .clk_i(clk), .rst_i(rst), .upset_i,
    .running_o(running), .pass_o(pass), .fail_o(fail), .beat_o(beat), .uart_o
  );

  assign led_o        = {4'd0, beat, running, fail, pass};
  assign wifi_gpio0_o = 1'b1;

endmodule
