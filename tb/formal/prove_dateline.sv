// SPDX-License-Identifier: Apache-2.0
//
// anl_dateline: a worm may take exactly the lanes of its class (docs/networks.md, "Dateline
// lanes"), and all lanes on the ejection link or without datelines. Lane v_i is any one.

`include "prove.svh"

module prove_dateline #(
  parameter  int NumVcs   = 4,
  parameter  int Dateline = 1,
  localparam int VcW      = anl_pkg::index_width(NumVcs)
) (
  input logic           clk_i,
  input logic           wrap_ahead_i,
  input logic           to_terminal_i,
  input logic [VcW-1:0] v_i
);

  `PROVE_RESET

  logic [NumVcs-1:0] vcs;

  anl_dateline #(.NumVcs(NumVcs), .Dateline(Dateline)) u_dut (
    .wrap_ahead_i, .to_terminal_i, .vcs_o(vcs)
  );

  wire class_0 = 2 * 32'(v_i) + 1 < NumVcs;   // v < floor(NumVcs / 2)
  wire any     = to_terminal_i || Dateline == 0;

  `GIVEN(LaneExists, 32'(v_i) < NumVcs)

  `PROVE(AllLanesOfTheClass, any || vcs[v_i] == (class_0 == wrap_ahead_i))
  `PROVE(AllLanesToTheTerminal, !any || vcs[v_i])
  `PROVE(NeverNone, vcs != '0)

  `COVER(ClassZero, !any && vcs[v_i] && wrap_ahead_i || Dateline == 0)
  `COVER(ClassOne, !any && vcs[v_i] && !wrap_ahead_i && 32'(v_i) == NumVcs - 1 || Dateline == 0)
  `COVER(ToTheTerminal, to_terminal_i && wrap_ahead_i)

endmodule
