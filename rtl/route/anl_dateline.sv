// SPDX-License-Identifier: Apache-2.0
//
// Lanes that a worm may take in one dimension of a torus (docs/networks.md, "Dateline lanes"). They
// are class 0 (lanes 0 .. NumVcs/2 - 1) while the wrap link of the dimension lies ahead, and class
// 1 (the others) after it. On the ejection link, and if Dateline is 0, they are all lanes.
//
// Timing: vcs_o is combinational; the module has no state.

// A policy or field that is absent leaves some inputs unread. The ports stay, so that all instances
// look the same.
// verilator lint_off UNUSEDSIGNAL

module anl_dateline #(
  parameter int NumVcs   = 4,     // at least 2 if Dateline is 1
  parameter int Dateline = 1
) (
  input  logic              wrap_ahead_i,
  input  logic              to_terminal_i,
  output logic [NumVcs-1:0] vcs_o
);

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    if (Dateline == 0) begin : g_any
      assign vcs_o[v] = 1'b1;
    end else if (v < NumVcs / 2) begin : g_class_0
      assign vcs_o[v] = to_terminal_i || wrap_ahead_i;
    end else begin : g_class_1
      assign vcs_o[v] = to_terminal_i || !wrap_ahead_i;
    end
  end

endmodule
