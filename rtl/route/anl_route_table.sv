// SPDX-License-Identifier: Apache-2.0
//
// Route by a table: the entry of the destination names the output port and the set of lanes
// (docs/networks.md, "Routing tables").
//
// Entry t of the table is that of terminal t. It has EntryW bits: the number of the port in the
// lower half, the set of lanes in the upper half (anl_pkg). The table must be constant; synthesis
// then makes logic of it that has no more bits than the routes need. dst_i is below T.
// Timing: the outputs are combinational; the module has no state.

// Narrow links and few ports leave bits of a table's entries unread.
// verilator lint_off UNUSEDSIGNAL

module anl_route_table #(
  parameter  int T        = 16,                          // terminals
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 4,
  localparam int DstW     = anl_pkg::index_width(T),
  localparam int EntryW   = anl_pkg::EntryW
) (
  input  logic [T*EntryW-1:0] table_i,
  input  logic [DstW-1:0]     dst_i,
  output logic [NumPorts-1:0] port_o,                    // one-hot
  output logic [NumVcs-1:0]   vcs_o
);

  localparam int PortW  = anl_pkg::index_width(NumPorts);
  localparam int IndexW = anl_pkg::index_width(T*EntryW);

  logic [EntryW-1:0] entry;

  assign entry = table_i[IndexW'(dst_i)*IndexW'(EntryW) +: EntryW];
  assign vcs_o = entry[anl_pkg::EntryVcsLsb +: NumVcs];

  anl_decode #(.Size(NumPorts)) u_port (.index_i(entry[PortW-1:0]), .onehot_o(port_o));

endmodule
