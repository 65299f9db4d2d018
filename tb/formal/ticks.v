// SPDX-License-Identifier: Apache-2.0
//
// Registers of several clocks for a solver (techmap of Yosys): a clock is a bit that is 1 in the steps in which it ticks,
// and in the other steps a register keeps its value. Registers of $global_clock are $ff and stay as they are.

module \$dff (CLK, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  input CLK;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  \$ff #(.WIDTH(WIDTH)) _TECHMAP_REPLACE_ (.D(CLK == CLK_POLARITY ? D : Q), .Q(Q));
endmodule
