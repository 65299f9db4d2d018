// SPDX-License-Identifier: Apache-2.0
//
// Route in a mesh by a turn model: the output ports by which a head may go, each with all lanes
// (docs/networks.md, "Adaptive routing").
//
// Port 2d leads to the higher and port 2d + 1 to the lower coordinate of dimension d; port 2N leads
// to the terminal. In two dimensions ports 0 .. 3 are east, west, north and south.
// Timing: the output is combinational; the module has no state.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY
// Each turn model reads some of the inputs.
// verilator lint_off UNUSEDSIGNAL

module anl_route_turn_model #(
  parameter  int K        = 4,
  parameter  int N        = 2,                      // 2, but for NegativeFirst
  parameter  int NumVcs   = 4,
  parameter  int Rule     = anl_pkg::WestFirst,     // WestFirst, NorthLast, NegativeFirst, OddEven
  localparam int DstW     = anl_cube_pkg::label_width(K, N),
  localparam int NumPorts = 2 * N + 1
) (
  input  logic [DstW-1:0]            here_i,
  // Bits in which the label of the destination differs from the label of this switch.
  input  logic [DstW-1:0]            differs_i,
  input  logic [DstW-1:0]            dst_i,
  input  logic                       from_west_i,   // the head came in by port 1; constant
  output logic [NumPorts*NumVcs-1:0] options_o      // bit o*NumVcs + w: lane w of port o
);

  localparam int CoordW = DstW / N;

  logic [2*N-1:0] productive, way;
  logic [N-1:0]   same;

  for (genvar d = 0; d < N; d++) begin : g_dimension
    logic [2:0] port;
    anl_route_mesh #(.K(K), .N(1), .NumVcs(1)) u_route (
      .differs_i(differs_i[d*CoordW +: CoordW]), .dst_i(dst_i[d*CoordW +: CoordW]),
      .port_o(port), .vcs_o()
    );
    assign {same[d], productive[2*d +: 2]} = port;
  end

  if (Rule == anl_pkg::NegativeFirst) begin : g_negative_first
    localparam logic [2*N-1:0] Down = {N{2'b10}};
    assign way = ((productive & Down) != '0) ? productive & Down : productive;
  end else begin : g_plane
    logic east, west, north, south;
    assign {south, north, west, east} = productive[3:0];

    if (Rule == anl_pkg::WestFirst) begin : g_west_first
      assign way = {south && !west, north && !west, west, east};
    end else if (Rule == anl_pkg::NorthLast) begin : g_north_last
      assign way = {south, north && !west && !east, west, east};
    end else begin : g_odd_even
      // The last column before the destination's; whether a head may go north or south here.
      logic next, may_turn, odd;

      assign odd      = here_i[0];
      assign next     = (CoordW+1)'(dst_i[CoordW-1:0]) == (CoordW+1)'(here_i[CoordW-1:0]) + 1'b1;
      assign may_turn = same[0] || (east ? odd || !from_west_i : !odd);
      assign way      = {south && may_turn, north && may_turn, west,
                         east && (same[1] || !next || dst_i[0])};
    end
  end

  for (genvar o = 0; o < 2 * N; o++) begin : g_port
    assign options_o[o*NumVcs +: NumVcs] = {NumVcs{way[o]}};
  end
  assign options_o[2*N*NumVcs +: NumVcs] = {NumVcs{&same}};

endmodule
