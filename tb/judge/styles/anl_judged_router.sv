// SPDX-License-Identifier: Apache-2.0
//
// Our switch of a cube with adapters at each of its ports, so that all links of the network are of one
// style (docs/link.md, "Links of other styles"). `make judge-styles` lets the watch judge it. The
// parameters are those of anl_cube_switch, but for FlitW, which counts all wires of a flit.

module anl_judged_router #(
  parameter  int Style = anl_checker_pkg::Credit,  // of all links (anl_checker_pkg)
  parameter  int K = 3,
  parameter  int N = 2,
  parameter  int NumPorts = 5,
  parameter  int Topology = anl_cube_pkg::Mesh,
  parameter  int Routing = anl_pkg::DimensionOrder,
  parameter  int Select = anl_pkg::MostCredits,
  parameter  int Atomic = 0,
  parameter  int NumVcs = 2,
  parameter  int Depth = 4,     // of the lanes of the switch, and of those of adapters
  parameter  int FlitW = 34,    // {head, tail, data}
  parameter  int BackW = 1,
  parameter  int Arbiter = anl_pkg::RoundRobin,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int LengthInHead = 0,
  parameter  int Stages = 1,
  parameter  int Classes = 1,
  parameter  logic [anl_pkg::WeightsW-1:0] Weights = '0,
  localparam int VcW = anl_pkg::index_width(NumVcs)
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [31:0]               here_i,
  input  logic [NumPorts-1:0]       in_valid_i,
  input  logic [NumPorts*VcW-1:0]   in_vc_i,
  input  logic [NumPorts*FlitW-1:0] in_flit_i,
  output logic [NumPorts*BackW-1:0] in_back_o,
  output logic [NumPorts-1:0]       out_valid_o,
  output logic [NumPorts*VcW-1:0]   out_vc_o,
  output logic [NumPorts*FlitW-1:0] out_flit_o,
  input  logic [NumPorts*BackW-1:0] out_back_i
);
  localparam int CoordW = anl_cube_pkg::label_width(K, N) / N;

  logic [N*CoordW-1:0] label;
  logic [NumPorts-1:0] in_valid, out_valid;
  logic [NumPorts*VcW-1:0] in_vc, out_vc;
  logic [NumPorts*FlitW-1:0] in_flit, out_flit;
  logic [NumPorts*NumVcs-1:0] in_credit, out_credit;

  for (genvar d = 0; d < N; d++) begin : g_label
    assign label[d*CoordW +: CoordW] = CoordW'(here_i / 32'(K**d) % 32'(K));
  end

  anl_cube_switch #(
    .K(K), .N(N), .Topology(Topology), .Routing(Routing), .Select(Select), .Atomic(Atomic), .NumVcs(NumVcs), .Depth(Depth),
    .FlitW(FlitW - 2), .Arbiter(Arbiter), .FlowControl(FlowControl), .LengthInHead(LengthInHead), .Stages(Stages),
    .Classes(Classes), .Weights(Weights)
  ) u_switch (
    .clk_i, .rst_i, .seed_i(here_i + 32'd1), .here_i(label),
    .valid_i(in_valid), .vc_i(in_vc), .flit_i(in_flit), .credit_o(in_credit),
    .valid_o(out_valid), .vc_o(out_vc), .flit_o(out_flit), .credit_i(out_credit)
  );

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    anl_port_adapters #(.Style(Style), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW - 2)) u_adapters (
      .clk_i, .rst_i,
      .foreign_valid_i(in_valid_i[p]), .foreign_vc_i(in_vc_i[p*VcW +: VcW]), .foreign_flit_i(in_flit_i[p*FlitW +: FlitW]),
      .foreign_back_o(in_back_o[p*BackW +: BackW]),
      .valid_o(in_valid[p]), .vc_o(in_vc[p*VcW +: VcW]), .flit_o(in_flit[p*FlitW +: FlitW]),
      .credit_i(in_credit[p*NumVcs +: NumVcs]),
      .valid_i(out_valid[p]), .vc_i(out_vc[p*VcW +: VcW]), .flit_i(out_flit[p*FlitW +: FlitW]),
      .credit_o(out_credit[p*NumVcs +: NumVcs]),
      .foreign_valid_o(out_valid_o[p]), .foreign_vc_o(out_vc_o[p*VcW +: VcW]), .foreign_flit_o(out_flit_o[p*FlitW +: FlitW]),
      .foreign_back_i(out_back_i[p*BackW +: BackW])
    );
  end
endmodule
