// SPDX-License-Identifier: Apache-2.0
//
// Encoder from one-hot to a number: index_o is the number of the bit of onehot_i that is 1, or 0 if
// no bit is 1. At most one bit may be 1.
//
// Timing: index_o is combinational; the module has no state.

module anl_encode #(
  parameter  int Size = 4,
  localparam int IdxW = anl_pkg::index_width(Size)
) (
  input  logic [Size-1:0] onehot_i,
  output logic [IdxW-1:0] index_o
);

  // The block writes the output once: Icarus would take each intermediate value of an output as a
  // new event, and never finish.
  logic [IdxW-1:0] index;

  always_comb begin : encode
    index = '0;
    for (int i = 0; i < Size; i++) index = index | (IdxW'(i) & {IdxW{onehot_i[i]}});
    index_o = index;
  end

endmodule
