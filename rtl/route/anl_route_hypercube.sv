// SPDX-License-Identifier: Apache-2.0
//
// Route in a hypercube: e-cube, the lowest bit that differs is corrected next, all lanes
// (docs/networks.md).
//
// Ports: d flips bit d, N is the terminal's. Timing: combinational, no state.

module anl_route_hypercube #(
  parameter  int N        = 3,
  parameter  int NumVcs   = 4,
  localparam int NumPorts = N + 1
) (
  input  logic [N-1:0]        differs_i,  // dimensions in which the destination is elsewhere
  output logic [NumPorts-1:0] port_o,   // one-hot
  output logic [NumVcs-1:0]   vcs_o
);

  logic [N-1:0] first;            // of dimension d: to be corrected, and none below is

  for (genvar d = 0; d < N; d++) begin : g_dimension
    localparam logic [N-1:0] Lower = N'((1 << d) - 1);
    assign first[d] = differs_i[d] && (differs_i & Lower) == '0;
  end
  assign port_o = {differs_i == '0, first};

  assign vcs_o = '1;

endmodule
