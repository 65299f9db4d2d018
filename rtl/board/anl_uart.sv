// SPDX-License-Identifier: Apache-2.0
//
// UART transmitter: eight bits, no parity, one stop bit, lowest bit first.
//
// A byte is taken in a cycle in which valid_i and ready_o are 1; ready_o is 1 again after the stop
// bit, and 0 in reset.
// Timing: the outputs are functions of registers, ready_o of rst_i as well. A bit takes BitCycles cycles.
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

  // Bit 0 is on the line, and the bits above it follow. The highest 1 is the stop bit, which stays
  // on the line; zeros follow it.
  logic [10:0]     bits_q;
  logic [CntW-1:0] cycle_q;                      // cycle of the bit on the line
  logic            bit_ends;

  assign bit_ends = cycle_q == CntW'(BitCycles - 1);
  assign ready_o  = bits_q[10:1] == '0 && !rst_i;
  assign uart_o   = bits_q[0];

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) begin
      bits_q  <= 11'd1;
      cycle_q <= '0;
    end else if (ready_o) begin
      if (valid_i) bits_q <= {2'b11, byte_i, 1'b0};
    end else begin
      cycle_q <= bit_ends ? '0 : cycle_q + 1'b1;
      if (bit_ends) bits_q <= bits_q >> 1;
    end
  end

  `ANL_ASSERT(RestsHigh, !ready_o || uart_o)

endmodule
