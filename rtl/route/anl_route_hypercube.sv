// SPDX-License-Identifier: Apache-2.0
//
// Route in a hypercube by e-cube: the lowest bit of the label that differs is corrected next; all
// lanes are allowed (docs/networks.md).
//
// Port d leads to the neighbour with bit d flipped, port N to the terminal.
// Timing: the outputs are combinational; the module has no state.

module anl_route_hypercube #(
  parameter  int N        = 3,
  parameter  int NumVcs   = 4,
  localparam int NumPorts = N + 1
) (
  input  logic [N-1:0]        differs_i,  // bits in which destination and here differ
  output logic [NumPorts-1:0] port_o,   // one-hot
  output logic [NumVcs-1:0]   vcs_o
);

  // Bit d: dimension d is corrected next, because no lower one differs.
  logic [N-1:0] first;

  for (genvar d = 0; d < N; d++) begin : g_dimension
    localparam logic [N-1:0] Lower = N'((1 << d) - 1);
    assign first[d] = differs_i[d] && (differs_i & Lower) == '0;
  end
  assign port_o = {differs_i == '0, first};

  assign vcs_o = '1;

endmodule
