// SPDX-License-Identifier: Apache-2.0
//
// Yosys' generic look-up table. The model that comes with Yosys (simlib.v) is a tree of nested
// multiplexer modules, on which Verilator spends minutes.

module \$lut #(
  parameter WIDTH = 1,
  parameter [2**WIDTH-1:0] LUT = 0
) (
  input  [WIDTH-1:0] A,
  output             Y
);

  assign Y = LUT[A];

endmodule
