// SPDX-License-Identifier: Apache-2.0
//
// Route by a table with several options: the entry of the destination is the set of lanes that a
// head may ask for (docs/networks.md, "Routing tables").
//
// Entry t of the table is that of terminal t; its bit o*NumVcs + w is lane w of output port o. The
// table must be constant; synthesis then makes logic of it. dst_i is below T.
// Timing: the output is combinational; the module has no state.

module anl_route_options #(
  parameter  int T        = 16,                          // terminals
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 4,
  localparam int DstW     = anl_pkg::index_width(T),
  localparam int NumLanes = NumPorts * NumVcs
) (
  input  logic [T*NumLanes-1:0] table_i,
  input  logic [DstW-1:0]       dst_i,
  output logic [NumLanes-1:0]   options_o
);

  assign options_o = table_i[32'(dst_i)*NumLanes +: NumLanes];

endmodule
