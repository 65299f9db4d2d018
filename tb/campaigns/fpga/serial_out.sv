// SPDX-License-Identifier: Apache-2.0
//
// Width registers for the outputs of the module that is measured, and a shift register behind them
// that carries their bits to one pin. So no output is optimized away, and each one ends at a
// register.

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
