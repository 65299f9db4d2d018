// SPDX-License-Identifier: Apache-2.0
//
// Prints the verdict of a board on a UART again and again, and toggles an LED (docs/board.md):
//
//   annelid pass 1a2b3c4d
//   annelid FAIL 1a2b3c4d wants 5e6f7a8b
//
// Timing: the outputs are functions of registers. Every LineCycles cycles beat_o toggles and, if
// there is a verdict, a line begins, unless the previous line is still being sent.

`include "anl_assert.svh"

module anl_board_reporter #(
  parameter logic [31:0] Expected   = 32'd0,
  parameter int          BitCycles  = 104,
  parameter int          LineCycles = 12000000
) (
  input  logic        clk_i,
  input  logic        rst_i,

  // Once one of them is 1 all three must not change.
  input  logic        pass_i,
  input  logic        fail_i,
  input  logic [31:0] signature_i,

  output logic        beat_o,
  output logic        uart_o
);

  localparam int TickW = anl_pkg::index_width(LineCycles);

  function automatic logic [7:0] letter(input logic [3:0] value);
    letter = (value < 4'd10) ? 8'h30 + 8'(value) : 8'h57 + 8'(value);
  endfunction

  // Text of the longer line; the other line ends behind the signature. Characters are numbered from
  // 0 at the right end.
  localparam int NumChars = 38;
  localparam int First    = 24, Last = 17;       // places of the signature's digits
  localparam int Word     = 26;                  // rightmost place of "pass" or "FAIL"
  localparam logic [NumChars*8-1:0] Line = {
    "annelid FAIL ........ wants ",
    letter(Expected[31:28]), letter(Expected[27:24]), letter(Expected[23:20]),
    letter(Expected[19:16]), letter(Expected[15:12]), letter(Expected[11:8]),
    letter(Expected[7:4]), letter(Expected[3:0]), 8'h0d, 8'h0a
  };
  localparam logic [31:0] Pass = "pass";

  logic [TickW-1:0] tick_q;
  logic             tick, beat_q;
  logic             busy_q, ready;
  logic [5:0]       char_q;
  logic [3:0]       digit;
  logic [7:0]       code;

  assign tick  = tick_q == TickW'(LineCycles - 1);
  assign digit = signature_i[(char_q - 6'(Last)) * 4 +: 4];

  always_comb begin : choose_code
    code = Line[char_q*8 +: 8];
    if (char_q <= 6'(First) && char_q >= 6'(Last)) code = letter(digit);
    if (pass_i && char_q >= 6'(Word) && char_q < 6'(Word + 4))
      code = Pass[(char_q - 6'(Word)) * 8 +: 8];
  end

  anl_uart #(.BitCycles(BitCycles)) u_uart (
    .clk_i, .rst_i, .valid_i(busy_q), .byte_i(code), .ready_o(ready), .uart_o
  );

  assign beat_o = beat_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) begin
      tick_q <= '0;
      beat_q <= 1'b0;
      busy_q <= 1'b0;
      char_q <= 6'(NumChars - 1);
    end else begin
      tick_q <= tick ? '0 : tick_q + 1'b1;
      beat_q <= beat_q ^ tick;
      if (!busy_q) begin
        char_q <= 6'(NumChars - 1);
        busy_q <= tick && (pass_i || fail_i);
      end else if (ready) begin
        char_q <= (pass_i && char_q == 6'(Last)) ? 6'd1 : char_q - 1'b1;
        busy_q <= char_q != '0;
      end
    end
  end

  `ANL_ASSERT(WithinTheLine, 32'(char_q) < NumChars || !busy_q)

endmodule
