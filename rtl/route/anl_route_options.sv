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

  // Entries are padded to a power of two, so that synthesis needs no product to find one.
  localparam int Stride = 1 << $clog2(NumLanes);

  logic [T*Stride-1:0] padded;

  for (genvar t = 0; t < T; t++) begin : g_entry
    assign padded[t*Stride +: Stride] = Stride'(table_i[t*NumLanes +: NumLanes]);
  end
  assign options_o = padded[32'(dst_i)*Stride +: NumLanes];

endmodule
