// SPDX-License-Identifier: Apache-2.0
//
// Source route: the lowest bits of the list that a head carries are the number of the output port,
// and all lanes of that port are in the set (docs/networks.md, "Routing tables").
// Timing: the outputs are combinational; the module has no state.

module anl_route_source #(
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 4,
  localparam int PortW    = anl_pkg::index_width(NumPorts)
) (
  input  logic [PortW-1:0]    next_i,   // first port of the list, below NumPorts
  output logic [NumPorts-1:0] port_o,   // one-hot
  output logic [NumVcs-1:0]   vcs_o
);

  assign vcs_o = '1;

  anl_decode #(.Size(NumPorts)) u_port (.index_i(next_i), .onehot_o(port_o));

endmodule
