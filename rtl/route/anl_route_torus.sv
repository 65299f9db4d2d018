// SPDX-License-Identifier: Apache-2.0
//
// Route in a torus: dimension order, the shorter way round, dateline classes of lanes
// (docs/networks.md).
//
// Ports: 2d towards x_d + 1, 2d + 1 towards x_d - 1, 2N the terminal's. A worm that goes exactly
// half way round goes "+" from even coordinates. Dateline = 0 gives all lanes (and can deadlock).
// Timing: combinational, no state.

module anl_route_torus #(
  parameter  int K        = 4,
  parameter  int N        = 2,
  parameter  int NumVcs   = 4,              // with Dateline at least 2
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

  // Of dimension d: to be corrected; and none below is; goes "-"; the wrap link lies ahead.
  logic [N-1:0] differs, first, minus, wraps;

  for (genvar d = 0; d < N; d++) begin : g_dimension
    localparam logic [N-1:0] Lower = N'((1 << d) - 1);
    logic [CoordW-1:0] here, dst;
    logic [WayW-1:0]   forward;             // links on the way "+"
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
