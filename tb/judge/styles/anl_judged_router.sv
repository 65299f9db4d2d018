// SPDX-License-Identifier: Apache-2.0
//
// Our switch of a mesh with an adapter at each end of each of its links, so that all links of the
// network are of the style that the macro ANL_STYLE numbers, as in cmodel/include/annelid/links.h
// (docs/link.md, "Links of other styles"). `make judge-styles` lets the watch judge it.

module anl_judged_router #(
  parameter  int K = 3,         // switches in a row of the mesh
  parameter  int NumPorts = 5,
  parameter  int NumVcs = 2,
  parameter  int FlitW = 34,    // wires of a flit: {head, tail, data}
  parameter  int BackW = 1,
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
  localparam int Style = `ANL_STYLE;
  localparam int Depth = 4;            // of the lanes of the switch, and of those of adapters
  localparam int DataW = FlitW - 2;
  localparam int CoordW = anl_cube_pkg::label_width(K, 2) / 2;

  logic [NumPorts-1:0] in_valid, out_valid;
  logic [NumPorts*VcW-1:0] in_vc, out_vc;
  logic [NumPorts*FlitW-1:0] in_flit, out_flit;
  logic [NumPorts*NumVcs-1:0] in_credit, out_credit;

  anl_cube_switch #(
    .K(K), .N(2), .NumVcs(NumVcs), .Depth(Depth), .FlitW(DataW)
  ) u_switch (
    .clk_i, .rst_i, .seed_i(32'd1),
    .here_i({CoordW'(here_i / 32'(K)), CoordW'(here_i % 32'(K))}),
    .valid_i(in_valid), .vc_i(in_vc), .flit_i(in_flit), .credit_o(in_credit),
    .valid_o(out_valid), .vc_o(out_vc), .flit_o(out_flit), .credit_i(out_credit)
  );

  // What an adapter of port p is connected to. A style has its own name for what comes back.
  `define ANL_COMMON_IN(p) .clk_i, .rst_i, .valid_i(in_valid_i[p]), .vc_i(in_vc_i[p*VcW +: VcW]), \
      .flit_i(in_flit_i[p*FlitW +: FlitW]), .valid_o(in_valid[p]), .vc_o(in_vc[p*VcW +: VcW]), \
      .flit_o(in_flit[p*FlitW +: FlitW]), .credit_i(in_credit[p*NumVcs +: NumVcs])
  `define ANL_COMMON_OUT(p) .clk_i, .rst_i, .valid_i(out_valid[p]), .vc_i(out_vc[p*VcW +: VcW]), \
      .flit_i(out_flit[p*FlitW +: FlitW]), .valid_o(out_valid_o[p]), .vc_o(out_vc_o[p*VcW +: VcW]), \
      .flit_o(out_flit_o[p*FlitW +: FlitW]), .credit_o(out_credit[p*NumVcs +: NumVcs])

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    if (Style == 0) begin : g_credit
      assign in_valid[p] = in_valid_i[p];
      assign in_vc[p*VcW +: VcW] = in_vc_i[p*VcW +: VcW];
      assign in_flit[p*FlitW +: FlitW] = in_flit_i[p*FlitW +: FlitW];
      assign in_back_o[p*BackW +: BackW] = in_credit[p*NumVcs +: NumVcs];
      assign out_valid_o[p] = out_valid[p];
      assign out_vc_o[p*VcW +: VcW] = out_vc[p*VcW +: VcW];
      assign out_flit_o[p*FlitW +: FlitW] = out_flit[p*FlitW +: FlitW];
      assign out_credit[p*NumVcs +: NumVcs] = out_back_i[p*BackW +: BackW];
    end else if (Style == 1) begin : g_pulse
      anl_pulse_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(DataW)) u_in (
        `ANL_COMMON_IN(p), .pulse_o(in_back_o[p*BackW + VcW]), .lane_o(in_back_o[p*BackW +: VcW]));
      anl_credit_to_pulse #(.NumVcs(NumVcs), .FlitW(DataW)) u_out (
        `ANL_COMMON_OUT(p), .pulse_i(out_back_i[p*BackW + VcW]), .lane_i(out_back_i[p*BackW +: VcW]));
    end else if (Style == 2) begin : g_ready
      anl_ready_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(DataW)) u_in (
        `ANL_COMMON_IN(p), .ready_o(in_back_o[p*BackW]));
      anl_credit_to_ready #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(DataW)) u_out (
        `ANL_COMMON_OUT(p), .ready_i(out_back_i[p*BackW]));
    end else if (Style == 3) begin : g_lane_ready
      anl_lane_ready_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(DataW)) u_in (
        `ANL_COMMON_IN(p), .ready_o(in_back_o[p*BackW +: BackW]));
      anl_credit_to_lane_ready #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(DataW)) u_out (
        `ANL_COMMON_OUT(p), .ready_i(out_back_i[p*BackW +: BackW]));
    end else begin : g_stop
      anl_stop_to_credit #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(DataW)) u_in (
        `ANL_COMMON_IN(p), .stop_o(in_back_o[p*BackW +: BackW]));
      anl_credit_to_stop #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(DataW)) u_out (
        `ANL_COMMON_OUT(p), .stop_i(out_back_i[p*BackW +: BackW]));
    end
  end
  `undef ANL_COMMON_IN
  `undef ANL_COMMON_OUT
endmodule
