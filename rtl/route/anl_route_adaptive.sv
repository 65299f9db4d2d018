// SPDX-License-Identifier: Apache-2.0
//
// Minimal fully adaptive route with escape lanes in a mesh or torus (docs/networks.md, "Adaptive
// routing"): adaptive lanes of every port that leads nearer to the destination, and escape lanes of
// the port that dimension order takes.
//
// The last lane of each link is the escape lane; in a torus the last two are, one for each class of
// the dateline rule. At the destination's switch the terminal's port has all lanes.
// Timing: the output is combinational; the module has no state.

// Rings are routed by coordinates, lines by the bits that differ.
// verilator lint_off UNUSEDSIGNAL

module anl_route_adaptive #(
  parameter  int K        = 4,
  parameter  int N        = 2,
  parameter  int Topology = anl_cube_pkg::Mesh,   // no hypercube
  parameter  int NumVcs   = 4,                      // more than escape lanes
  localparam int DstW     = anl_cube_pkg::label_width(K, N),
  localparam int NumPorts = anl_cube_pkg::num_ports(Topology, N)
) (
  input  logic [DstW-1:0]            here_i,
  // Bits in which the label of the destination differs from the label of this switch.
  input  logic [DstW-1:0]            differs_i,
  input  logic [DstW-1:0]            dst_i,
  output logic [NumPorts*NumVcs-1:0] options_o      // bit o*NumVcs + w: lane w of port o
);

  localparam int Escape   = anl_cube_pkg::escape_vcs(Topology, anl_pkg::Adaptive);
  localparam int NumAdaptive = NumVcs - Escape;
  localparam int CoordW   = DstW / N;
  localparam int Each     = (NumPorts - 1) / N;     // ports of a dimension

  logic [N-1:0] differs;                            // bit d: dimension d differs

  for (genvar d = 0; d < N; d++) begin : g_dimension
    localparam logic [N-1:0] Lower = N'((1 << d) - 1);
    logic [CoordW-1:0] here, wrong, dst;
    logic [Each-1:0]   order, productive;           // ports: by dimension order; leading nearer
    logic [Escape-1:0] class_vcs, vcs;              // escape lanes here; of the port of dimension order
    logic              there, halfway;              // no way to go; exactly half way round a ring

    assign here  = here_i[d*CoordW +: CoordW];
    assign wrong = differs_i[d*CoordW +: CoordW];
    assign dst   = dst_i[d*CoordW +: CoordW];

    if (Topology == anl_cube_pkg::Mesh) begin : g_line
      anl_route_mesh #(.K(K), .N(1), .NumVcs(Escape)) u_route (
        .differs_i(wrong), .dst_i(dst), .port_o({there, order}), .vcs_o(class_vcs)
      );
      assign halfway = 1'b0;
    end else if (Topology == anl_cube_pkg::Torus) begin : g_ring
      localparam int Half = (K % 2 == 0) ? K / 2 : 0;
      logic [CoordW:0] opposite, back;              // the coordinate half way round, and one round
      anl_route_torus #(.K(K), .N(1), .NumVcs(Escape), .Dateline(1)) u_route (
        .here_i(here), .dst_i(dst), .port_o({there, order}), .vcs_o(class_vcs)
      );
      assign opposite = (CoordW+1)'(here) + (CoordW+1)'(Half);
      assign back     = opposite - (CoordW+1)'(K);
      assign halfway  = Half != 0 && ({1'b0, dst} == opposite || {1'b0, dst} == back);
    end else begin : g_one_way_ring
      anl_route_ring #(.K(K), .N(1), .NumVcs(Escape), .Dateline(1)) u_route (
        .here_i(here), .dst_i(dst), .port_o({there, order}), .vcs_o(class_vcs)
      );
      assign halfway = 1'b0;
    end

    assign differs[d] = !there;
    assign productive = order | {Each{halfway}};
    assign vcs        = class_vcs & {Escape{(differs & Lower) == '0}};
    for (genvar e = 0; e < Each; e++) begin : g_port
      assign options_o[(d*Each + e)*NumVcs +: NumVcs] =
        {vcs & {Escape{order[e]}}, {NumAdaptive{productive[e]}}};
    end
  end

  assign options_o[(NumPorts-1)*NumVcs +: NumVcs] = {NumVcs{differs == '0}};

endmodule
