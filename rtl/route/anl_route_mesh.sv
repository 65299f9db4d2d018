// SPDX-License-Identifier: Apache-2.0
//
// Route in a mesh by dimension order; all lanes are allowed (docs/networks.md).
//
// Port 2d leads to the higher and port 2d + 1 to the lower coordinate of dimension d; port 2N leads
// to the terminal.
// Timing: the outputs are combinational; the module has no state.

module anl_route_mesh #(
  parameter  int K        = 4,
  parameter  int N        = 2,
  parameter  int NumVcs   = 4,
  localparam int DstW     = anl_cube_pkg::label_width(K, N),
  localparam int NumPorts = 2 * N + 1
) (
  // Bits in which the label of the destination differs from the label of this switch.
  input  logic [DstW-1:0]     differs_i,
  input  logic [DstW-1:0]     dst_i,
  output logic [NumPorts-1:0] port_o,   // one-hot
  output logic [NumVcs-1:0]   vcs_o
);

  localparam int CoordW = DstW / N;

  // Bit d: dimension d differs; the destination's coordinate is above, is below the one here.
  logic [N-1:0] differs, above, below;

  // A port depends only on the direction of its own dimension and on whether a lower one differs.
  for (genvar d = 0; d < N; d++) begin : g_dimension
    localparam logic [N-1:0] Lower = N'((1 << d) - 1);
    logic [CoordW-1:0] to, wrong;

    assign to         = dst_i[d*CoordW +: CoordW];
    assign wrong      = differs_i[d*CoordW +: CoordW];
    assign differs[d] = wrong != '0;

    // The highest bit that differs decides. A comparison would become a carry chain, which is
    // slower.
    for (genvar b = 0; b < CoordW; b++) begin : g_bit
      logic more, less;
      if (b == 0) begin : g_lowest
        assign more = wrong[b] && to[b];
        assign less = wrong[b] && !to[b];
      end else begin : g_higher
        assign more = wrong[b] ? to[b]  : g_bit[b-1].more;
        assign less = wrong[b] ? !to[b] : g_bit[b-1].less;
      end
    end
    assign above[d] = g_bit[CoordW-1].more;
    assign below[d] = g_bit[CoordW-1].less;

    assign port_o[2*d +: 2] = {below[d], above[d]} & {2{(differs & Lower) == '0}};
  end
  assign port_o[2*N] = differs == '0;

  assign vcs_o = '1;

endmodule
