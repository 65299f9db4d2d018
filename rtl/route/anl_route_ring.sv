// SPDX-License-Identifier: Apache-2.0
//
// Route in a unidirectional torus by dimension order, with dateline lanes (docs/networks.md).
//
// Port d leads to coordinate x_d + 1 modulo K, port N to the terminal. If Dateline is 0 all lanes
// are allowed, and the network can deadlock.
// Timing: the outputs are combinational; the module has no state.

module anl_route_ring #(
  parameter  int K        = 4,
  parameter  int N        = 2,
  parameter  int NumVcs   = 4,              // at least 2 if Dateline is 1
  parameter  int Dateline = 1,
  localparam int DstW     = anl_cube_pkg::label_width(K, N),
  localparam int NumPorts = N + 1
) (
  input  logic [DstW-1:0]     here_i,
  input  logic [DstW-1:0]     dst_i,
  output logic [NumPorts-1:0] port_o,   // one-hot
  output logic [NumVcs-1:0]   vcs_o
);

  localparam int CoordW = DstW / N;

  // Bit d: dimension d differs; it is the lowest that differs; its wrap link lies ahead.
  logic [N-1:0] differs, first, wraps;

  for (genvar d = 0; d < N; d++) begin : g_dimension
    localparam logic [N-1:0] Lower = N'((1 << d) - 1);

    assign differs[d] = dst_i[d*CoordW +: CoordW] != here_i[d*CoordW +: CoordW];
    assign first[d]   = differs[d] && (differs & Lower) == '0;
    assign wraps[d]   = dst_i[d*CoordW +: CoordW] < here_i[d*CoordW +: CoordW];
  end
  assign port_o = {differs == '0, first};

  anl_dateline #(.NumVcs(NumVcs), .Dateline(Dateline)) u_dateline (
    .wrap_ahead_i((first & wraps) != '0), .to_terminal_i(differs == '0), .vcs_o
  );

endmodule
