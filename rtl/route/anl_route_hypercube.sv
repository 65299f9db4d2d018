// SPDX-License-Identifier: Apache-2.0
//
// Route in a hypercube: e-cube, the lowest bit that differs is corrected next, all lanes
// (docs/networks.md).
//
// Ports: d flips bit d, N is the terminal's. Timing: combinational, no state.

module anl_route_hypercube #(
  parameter  int N      = 3,
  parameter  int NumVcs = 4,
  localparam int PortW  = anl_pkg::index_width(N + 1)
) (
  input  logic [N-1:0]      here_i,
  input  logic [N-1:0]      dst_i,
  output logic [PortW-1:0]  port_o,
  output logic [NumVcs-1:0] vcs_o
);

  logic [N-1:0] differs;

  assign differs = here_i ^ dst_i;

  // The lowest bit that differs is written last.
  always_comb begin : choose_port
    port_o = PortW'(N);
    for (int d = N - 1; d >= 0; d--) if (differs[d]) port_o = PortW'(d);
  end

  assign vcs_o = '1;

endmodule
