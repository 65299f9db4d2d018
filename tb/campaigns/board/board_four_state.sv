// SPDX-License-Identifier: Apache-2.0
//
// A board in four states, from power-up. After reset no LED and no bit on the UART may be unknown.
// The program prints what the UART sends. Only Icarus reads this file; board.svh has the
// parameters, none for a netlist.

`include "board.svh"

module board_four_state;

  logic clk = 1'b0, rst = 1'b1;
  logic running, pass, fail, beat, uart;
  int   errors = 0, lines = 0, cycle = 0, verdict = 0;

  anl_board `BOARD_PARAMETERS u_board (
    .clk_i(clk), .rst_i(rst), .upset_i(1'b0),
    .running_o(running), .pass_o(pass), .fail_o(fail), .beat_o(beat), .uart_o(uart)
  );

  always #1 clk = !clk;

  always @(posedge clk) if (!rst) begin : known
    cycle <= cycle + 1;
    if (verdict == 0 && !running) verdict <= cycle;
    if ((^{running, pass, fail, beat, uart}) === 1'bx && errors < 10) begin
      $display("UNKNOWN in cycle %0d: running %b pass %b fail %b beat %b uart %b",
               cycle, running, pass, fail, beat, uart);
      errors = errors + 1;
    end
  end

  // Receives a byte: it waits until the middle of the start bit, and then samples bit by bit.
  task hear(output logic [7:0] code);
    @(negedge uart);
    repeat (`BOARD_BIT_CYCLES / 2) @(posedge clk);
    for (int i = 0; i < 8; i++) begin
      repeat (`BOARD_BIT_CYCLES) @(posedge clk);
      code[i] = uart;
    end
    repeat (`BOARD_BIT_CYCLES) @(posedge clk);
    if (uart !== 1'b1) errors = errors + 1;
  endtask

  initial begin : listen
    logic [7:0] code;
    repeat (8) @(posedge clk);
    rst <= 1'b0;
    while (lines < 2) begin
      hear(code);
      if (code == 8'h0a) lines = lines + 1;
      if (code != 8'h0d) $write("%c", code);
    end
    $display("verdict %0d pass %b fail %b errors %0d", verdict, pass, fail, errors);
    $finish;
  end

  initial begin : give_up
    #(2 * `BOARD_MOST_CYCLES);
    $display("SILENT after %0d cycles, running %b, errors %0d", cycle, running, errors);
    $finish;
  end

endmodule
