// SPDX-License-Identifier: Apache-2.0
//
// UART transmitter: eight bits, no parity, one stop bit, lowest bit first.
//
// A byte is taken when valid and ready; ready again after the stop bit.
// Timing: outputs are functions of registers. A bit takes BitCycles cycles.
//
//   uart_o  ‾‾‾\___/ 0 X 1 X 2 X 3 X 4 X 5 X 6 X 7 /‾‾‾ stop

`include "anl_assert.svh"

module anl_uart #(
  parameter int BitCycles = 104                  // clock in Hz / baud; at least 1
) (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       valid_i,
  input  logic [7:0] byte_i,
  output logic       ready_o,
  output logic       uart_o
);

  localparam int CntW = anl_pkg::index_width(BitCycles);

  logic [9:0]      bits_q;                       // those to come, first the one on the line
  logic [3:0]      left_q;                       // how many they are
  logic [CntW-1:0] cycle_q;                      // of the bit
  logic            bit_ends;

  assign bit_ends = cycle_q == CntW'(BitCycles - 1);
  assign ready_o  = left_q == '0;
  assign uart_o   = bits_q[0];

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) begin
      bits_q  <= '1;
      left_q  <= '0;
      cycle_q <= '0;
    end else if (ready_o) begin
      if (valid_i) begin
        bits_q <= {1'b1, byte_i, 1'b0};
        left_q <= 4'd10;
      end
    end else begin
      cycle_q <= bit_ends ? '0 : cycle_q + 1'b1;
      if (bit_ends) begin
        bits_q <= {1'b1, bits_q[9:1]};
        left_q <= left_q - 1'b1;
      end
    end
  end

  `ANL_ASSERT(RestsHigh, !ready_o || uart_o)

endmodule
