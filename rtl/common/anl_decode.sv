// SPDX-License-Identifier: Apache-2.0
//
// Decoder from a number to one-hot: bit index_i of onehot_o is 1 and the others are 0; all bits are
// 0 if index_i >= Size.
//
// Timing: onehot_o is combinational; the module has no state.

module anl_decode #(
  parameter  int Size = 4,
  localparam int IdxW = anl_pkg::index_width(Size)
) (
  input  logic [IdxW-1:0] index_i,
  output logic [Size-1:0] onehot_o
);

  always_comb begin : decode
    for (int i = 0; i < Size; i++) onehot_o[i] = (index_i == IdxW'(i));
  end

endmodule
