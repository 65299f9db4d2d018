// SPDX-License-Identifier: Apache-2.0
//
// Route in a torus by dimension order, the shorter way round, with dateline lanes
// (docs/networks.md).
//
// Port 2d leads to coordinate x_d + 1, port 2d + 1 to x_d - 1, modulo K, and port 2N to the
// terminal. A worm that has to go exactly half way round goes "+" from an even coordinate and "-"
// from an odd one. If Dateline is 0 all lanes are allowed, and the network can deadlock.
// Timing: the outputs are combinational; the module has no state.

module anl_route_torus #(
  parameter  int K        = 4,
  parameter  int N        = 2,
  parameter  int NumVcs   = 4,              // at least 2 if Dateline is 1
  parameter  int Dateline = 1,
  localparam int DstW     = anl_cube_pkg::label_width(K, N),
  localparam int NumPorts = 2 * N + 1
) (
  input  logic [DstW-1:0]     here_i,
  input  logic [DstW-1:0]     dst_i,
  output logic [NumPorts-1:0] port_o,   // one-hot
  output logic [NumVcs-1:0]   vcs_o
);

  localparam int CoordW = DstW / N;
  localparam int WayW   = CoordW + 2;       // holds 2K

  // Bit d: dimension d differs; it is the lowest that differs; the way is "-"; its wrap link lies
  // ahead.
  logic [N-1:0] differs, first, minus, wraps;

  for (genvar d = 0; d < N; d++) begin : g_dimension
    localparam logic [N-1:0] Lower = N'((1 << d) - 1);
    logic [CoordW-1:0] here, dst;
    logic [WayW-1:0]   forward;             // number of links on the way "+"
    logic              below;

    assign here       = here_i[d*CoordW +: CoordW];
    assign dst        = dst_i[d*CoordW +: CoordW];
    assign below      = dst < here;
    assign differs[d] = dst != here;
    assign first[d]   = differs[d] && (differs & Lower) == '0;
    assign forward    = WayW'(dst) - WayW'(here) + (below ? WayW'(K) : '0);
    assign minus[d]   = (forward << 1) > WayW'(K) || ((forward << 1) == WayW'(K) && here[0]);
    assign wraps[d]   = minus[d] ? !below : below;

    assign port_o[2*d +: 2] = {minus[d], !minus[d]} & {2{first[d]}};
  end
  assign port_o[2*N] = differs == '0;

  anl_dateline #(.NumVcs(NumVcs), .Dateline(Dateline)) u_dateline (
    .wrap_ahead_i((first & wraps) != '0), .to_terminal_i(differs == '0), .vcs_o
  );

endmodule
