// SPDX-License-Identifier: Apache-2.0
//
// Route in a mesh: dimension order, all lanes (docs/networks.md).
//
// Ports: 2d towards higher, 2d + 1 towards lower coordinates of dimension d, 2N the terminal's.
// Timing: combinational, no state.

module anl_route_mesh #(
  parameter  int K      = 4,
  parameter  int N      = 2,
  parameter  int NumVcs = 4,
  localparam int DstW   = anl_pkg::label_width(K, N),
  localparam int PortW  = anl_pkg::index_width(2 * N + 1)
) (
  input  logic [DstW-1:0]   here_i,
  input  logic [DstW-1:0]   dst_i,
  output logic [PortW-1:0]  port_o,
  output logic [NumVcs-1:0] vcs_o
);

  localparam int CoordW = DstW / N;

  logic [N-1:0] differs, below;   // of dimension d: to be corrected; destination is below here

  for (genvar d = 0; d < N; d++) begin : g_dimension
    logic [CoordW-1:0] to, here;

    assign to         = dst_i[d*CoordW +: CoordW];
    assign here       = here_i[d*CoordW +: CoordW];
    assign differs[d] = to != here;

    // The highest bit that differs decides. (A comparison becomes a carry chain, which is slower.)
    for (genvar b = 0; b < CoordW; b++) begin : g_bit
      logic less;
      if (b == 0) begin : g_lowest
        assign less = here[b] && !to[b];
      end else begin : g_higher
        assign less = (to[b] != here[b]) ? here[b] : g_bit[b-1].less;
      end
    end
    assign below[d] = g_bit[CoordW-1].less;
  end

  // The lowest dimension that differs is written last.
  always_comb begin : choose_port
    port_o = PortW'(2 * N);
    for (int d = N - 1; d >= 0; d--) begin
      if (differs[d]) port_o = below[d] ? PortW'(2 * d + 1) : PortW'(2 * d);
    end
  end

  assign vcs_o = '1;

endmodule
