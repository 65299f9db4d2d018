// SPDX-License-Identifier: Apache-2.0
//
// Width registers, filled from one pin, for the inputs of the module that is measured. Each is
// read.

module serial_in #(
  parameter int Width = 8
) (
  input  logic             clk_i,
  input  logic             serial_i,
  output logic [Width-1:0] data_o
);

  logic [Width-1:0] chain_d;

  assign chain_d = (data_o << 1) | Width'(serial_i);

  always_ff @(posedge clk_i) begin : regs
    data_o <= chain_d;
  end

endmodule
