// SPDX-License-Identifier: Apache-2.0
//
// A board, or its netlist, whose outputs C reads in every cycle and whose upset input C drives
// (main.c). Only Verilator reads this file; board.svh has the parameters, none for a netlist.

`include "board.svh"

module board (input logic clk_i, input logic rst_i);

  import "DPI-C" function void board_drive(output bit upset);
  import "DPI-C" function void board_see(input bit running, input bit pass, input bit fail,
    input bit beat, input bit uart);

  bit   upset;
  logic running, pass, fail, beat, uart;

  anl_board `BOARD_PARAMETERS u_board (
    .clk_i, .rst_i, .upset_i(upset),
    .running_o(running), .pass_o(pass), .fail_o(fail), .beat_o(beat), .uart_o(uart)
  );

  always @(negedge clk_i) board_drive(upset);
  always @(posedge clk_i) if (!rst_i) board_see(running, pass, fail, beat, uart);

endmodule
