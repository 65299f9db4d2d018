// SPDX-License-Identifier: Apache-2.0
//
// anl_route_source: the port is the one that is named, and the set has all lanes.

`include "prove.svh"

module prove_route_source #(
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 2,
  localparam int PortW    = anl_pkg::index_width(NumPorts)
) (
  input logic             clk_i,
  input logic [PortW-1:0] next_i
);

  `PROVE_RESET

  logic [NumPorts-1:0] port;
  logic [NumVcs-1:0]   vcs;

  anl_route_source #(.NumPorts(NumPorts), .NumVcs(NumVcs)) u_dut (
    .next_i, .port_o(port), .vcs_o(vcs)
  );

  `GIVEN(PortExists, 32'(next_i) < NumPorts)

  for (genvar o = 0; o < NumPorts; o++) begin : g_port
    `PROVE(PortIsTheNamedOne, port[o] == (32'(next_i) == o))
  end

  `PROVE(AllLanes, vcs == '1)
  `COVER(LastPort, port[NumPorts-1])

endmodule
