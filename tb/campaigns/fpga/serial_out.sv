// SPDX-License-Identifier: Apache-2.0
//
// Width registers that take every bit of what is under measurement, and a chain behind them that
// carries them to one pin: so no output is left out, and none has further to go than a register.

module serial_out #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             load_i,
  input  logic [Width-1:0] data_i,
  output logic             serial_o
);

  logic [Width-1:0] data_q, chain_q, chain_d;

  assign chain_d  = load_i ? data_q : chain_q << 1;
  assign serial_o = chain_q[Width-1];

  always_ff @(posedge clk_i) begin : regs
    data_q  <= data_i;
    chain_q <= chain_d;
  end

endmodule
