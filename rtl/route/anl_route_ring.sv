// SPDX-License-Identifier: Apache-2.0
//
// Route in a unidirectional torus: dimension order, dateline classes of lanes (docs/networks.md).
//
// Ports: d towards x_d + 1, N the terminal's. Dateline = 0 gives all lanes (and can deadlock).
// Timing: combinational, no state.

module anl_route_ring #(
  parameter  int K        = 4,
  parameter  int N        = 2,
  parameter  int NumVcs   = 4,              // with Dateline at least 2
  parameter  int Dateline = 1,
  localparam int DstW     = anl_pkg::label_width(K, N),
  localparam int PortW    = anl_pkg::index_width(N + 1)
) (
  input  logic [DstW-1:0]   here_i,
  input  logic [DstW-1:0]   dst_i,
  output logic [PortW-1:0]  port_o,
  output logic [NumVcs-1:0] vcs_o
);

  localparam int CoordW = DstW / N;

  logic [N-1:0] differs, wraps;             // of dimension d; wraps: the wrap link lies ahead
  logic         wrap_ahead;

  for (genvar d = 0; d < N; d++) begin : g_dimension
    assign differs[d] = dst_i[d*CoordW +: CoordW] != here_i[d*CoordW +: CoordW];
    assign wraps[d]   = dst_i[d*CoordW +: CoordW] < here_i[d*CoordW +: CoordW];
  end

  // The lowest dimension that differs is written last.
  always_comb begin : choose_port
    port_o     = PortW'(N);
    wrap_ahead = 1'b0;
    for (int d = N - 1; d >= 0; d--) begin
      if (differs[d]) begin
        port_o     = PortW'(d);
        wrap_ahead = wraps[d];
      end
    end
  end

  anl_dateline #(.NumVcs(NumVcs), .Dateline(Dateline)) u_dateline (
    .wrap_ahead_i(wrap_ahead), .to_terminal_i(differs == '0), .vcs_o
  );

endmodule
