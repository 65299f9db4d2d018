// SPDX-License-Identifier: Apache-2.0
// A switch of a mesh around FlooNoC's floo_router, with XY routing and with loopback, since worms may go to their own
// source. The payload's uppermost bit is our mark of heads: the router itself has a mark of tails only.
`include "floo_noc/typedef.svh"

module anl_judged_router #(
  parameter int Here = 0,
  parameter int K = 4,
  parameter int NumPorts = 5,
  parameter int NumVcs = 1,
  parameter int FlitW = 64,
  parameter int BackW = 1,
  localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  logic clk_i,
  input  logic rst_i,
  input  logic [NumPorts-1:0] in_valid_i,
  input  logic [NumPorts*VcW-1:0] in_vc_i,
  input  logic [NumPorts*FlitW-1:0] in_flit_i,
  output logic [NumPorts*BackW-1:0] in_back_o,
  output logic [NumPorts-1:0] out_valid_o,
  output logic [NumPorts*VcW-1:0] out_vc_o,
  output logic [NumPorts*FlitW-1:0] out_flit_o,
  input  logic [NumPorts*BackW-1:0] out_back_i
);
  localparam int HeaderW = 27;
  typedef struct packed {
    logic [3:0] x;
    logic [3:0] y;
    logic port_id;
  } id_t;
  typedef logic [FlitW-HeaderW-1:0] payload_t;
  `FLOO_TYPEDEF_HDR_T(hdr_t, id_t, id_t, floo_pkg::axi_ch_e, logic)
  `FLOO_TYPEDEF_GENERIC_FLIT_T(judged, hdr_t, payload_t)

  id_t here;
  logic [NumPorts-1:0][NumVcs-1:0] in_valid, in_ready, out_valid, out_ready;
  floo_judged_generic_flit_t [NumPorts-1:0][0:0] in_flit, out_flit;

  assign here = '{x: 4'(Here % K), y: 4'(Here / K), port_id: 1'b0};

  // The ports of FlooNoC are 0: +y, 1: +x, 2: -y, 3: -x, 4: terminal.
  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    localparam int Own = p == 0 ? 1 : p == 1 ? 3 : p == 2 ? 0 : p == 3 ? 2 : p;
    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      assign in_valid[Own][v] = in_valid_i[p] && in_vc_i[p*VcW +: VcW] == VcW'(v);
      assign in_back_o[p*BackW + v] = in_ready[Own][v];
      assign out_ready[Own][v] = out_back_i[p*BackW + v];
    end
    assign in_flit[Own] = in_flit_i[p*FlitW +: FlitW];
    assign out_valid_o[p] = |out_valid[Own];
    if (NumVcs > 1) begin : g_lanes
      assign out_vc_o[p*VcW +: VcW] = VcW'(out_valid[Own][1]);
    end else begin : g_one_lane
      assign out_vc_o[p*VcW +: VcW] = '0;
    end
    assign out_flit_o[p*FlitW +: FlitW] = out_flit[Own];
  end

  floo_router #(
    .NumRoutes(NumPorts), .NumVirtChannels(NumVcs), .NumPhysChannels(1), .InFifoDepth(2), .OutFifoDepth(2),
    .RouteAlgo(floo_pkg::XYRouting), .XYRouteOpt(1'b1), .NoLoopback(1'b0),
    .id_t(id_t), .hdr_t(hdr_t), .flit_t(floo_judged_generic_flit_t)
  ) u_router (
    .clk_i, .rst_ni(!rst_i), .test_enable_i(1'b0), .xy_id_i(here), .id_route_map_i('0),
    .valid_i(in_valid), .ready_o(in_ready), .data_i(in_flit), .credit_o(),
    .valid_o(out_valid), .ready_i(out_ready), .data_o(out_flit), .credit_i('0),
    .offload_req_o(), .offload_rsp_i('0)
  );
endmodule
