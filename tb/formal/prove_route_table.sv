// SPDX-License-Identifier: Apache-2.0
//
// anl_route_table: for every table and every terminal, port and lanes are those of its entry.

`include "prove.svh"

module prove_route_table #(
  parameter  int T        = 5,
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 2,
  localparam int DstW     = anl_pkg::index_width(T)
) (
  input logic            clk_i,
  input logic [T*16-1:0] table_i,
  input logic [DstW-1:0] dst_i
);

  `PROVE_RESET

  logic [NumPorts-1:0] port;
  logic [NumVcs-1:0]   vcs;

  anl_route_table #(.T(T), .NumPorts(NumPorts), .NumVcs(NumVcs)) u_dut (
    .table_i, .dst_i, .port_o(port), .vcs_o(vcs)
  );

  `GIVEN(TerminalExists, 32'(dst_i) < T)

  // An entry is {lanes, port}, in 8 bits each.
  for (genvar t = 0; t < T; t++) begin : g_entry
    wire [7:0] lanes = table_i[16*t + 8 +: 8];
    wire [7:0] named = table_i[16*t +: 8];
    wire       asked = 32'(dst_i) == t;

    `GIVEN(PortExists, named < NumPorts)
    `PROVE(LanesOfTheEntry, !asked || vcs == lanes[NumVcs-1:0])
    `PROVE(PortOfTheEntry, !asked || port == NumPorts'(1) << named)
  end

  `PROVE(NamesOnePort, $onehot(port))
  `COVER(LastPortOfTheLastEntry, 32'(dst_i) == T - 1 && port[NumPorts-1] && vcs == '1)

endmodule
