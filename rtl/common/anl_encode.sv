// SPDX-License-Identifier: Apache-2.0
//
// Number of the one bit of onehot_i that is 1; 0 if there is none.
//
// Timing: combinational, no state.

module anl_encode #(
  parameter  int Size = 4,
  localparam int IdxW = anl_pkg::index_width(Size)
) (
  input  logic [Size-1:0] onehot_i,
  output logic [IdxW-1:0] index_o
);

  // The output is written once: steps on the way would be events that keep Icarus busy for ever.
  logic [IdxW-1:0] index;

  always_comb begin : encode
    index = '0;
    for (int i = 0; i < Size; i++) index = index | (IdxW'(i) & {IdxW{onehot_i[i]}});
    index_o = index;
  end

endmodule
