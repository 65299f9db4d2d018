// SPDX-License-Identifier: Apache-2.0
// A switch of a mesh around Stanford's vcr_top, the router with virtual channels. The routers compute routes one
// switch ahead: a head brings the port by which it leaves. On the injection link nobody has computed it yet, so this
// wrapper does so for the terminal.
`include "c_constants.v"
`include "rtr_constants.v"
`include "vcr_constants.v"

module anl_judged_router #(
  parameter int K = 4,
  parameter int NumPorts = 5,
  parameter int NumVcs = 2,
  parameter int FlitW = 66,
  parameter int BackW = 2,
  localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  logic clk_i,
  input  logic rst_i,
  input  logic [31:0] here_i,
  input  logic [NumPorts-1:0] in_valid_i,
  input  logic [NumPorts*VcW-1:0] in_vc_i,
  input  logic [NumPorts*FlitW-1:0] in_flit_i,
  output logic [NumPorts*BackW-1:0] in_back_o,
  output logic [NumPorts-1:0] out_valid_o,
  output logic [NumPorts*VcW-1:0] out_vc_o,
  output logic [NumPorts*FlitW-1:0] out_flit_o,
  input  logic [NumPorts*BackW-1:0] out_back_i
);
  localparam int Depth = 4, Radix = 8, CoordW = 3;
  localparam int DataW = FlitW - 2, ChannelW = 1 + VcW + FlitW;

  logic [NumPorts*ChannelW-1:0] channel_in, channel_out;
  logic [NumPorts*BackW-1:0] back_in, back_out;
  logic [CoordW-1:0] here_x, here_y, x, y;
  logic [2:0] ahead;

  // The numbers of its ports are 0: -x, 1: +x, 2: -y, 3: +y, 4: terminal, and the port of number 0 is uppermost.
  assign here_x = CoordW'(here_i % K);
  assign here_y = CoordW'(here_i / K);
  assign x = in_flit_i[4*FlitW + DataW - 4 -: CoordW];
  assign y = in_flit_i[4*FlitW + DataW - 4 - CoordW -: CoordW];
  assign ahead = x < here_x ? 3'd0 : x > here_x ? 3'd1 : y < here_y ? 3'd2 : y > here_y ? 3'd3 : 3'd4;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    localparam int Own = p < 4 ? p ^ 1 : p, Slot = NumPorts - 1 - Own;
    logic [FlitW-1:0] flit;
    always_comb begin : look_ahead
      flit = in_flit_i[p*FlitW +: FlitW];
      if (p == 4 && flit[FlitW-1]) flit[DataW-1 -: 3] = ahead;
    end
    assign channel_in[Slot*ChannelW +: ChannelW] = {in_valid_i[p], in_vc_i[p*VcW +: VcW], flit};
    assign {out_valid_o[p], out_vc_o[p*VcW +: VcW], out_flit_o[p*FlitW +: FlitW]} = channel_out[Slot*ChannelW +: ChannelW];
    assign in_back_o[p*BackW +: BackW] = back_out[Slot*BackW +: BackW];
    assign back_in[Slot*BackW +: BackW] = out_back_i[p*BackW +: BackW];
  end

  vcr_top #(
    .buffer_size(Depth * NumVcs), .num_message_classes(1), .num_resource_classes(1), .num_vcs_per_class(NumVcs),
    .num_routers_per_dim(Radix), .num_dimensions(2), .num_nodes_per_router(1), .connectivity(`CONNECTIVITY_LINE),
    .packet_format(`PACKET_FORMAT_HEAD_TAIL), .flow_ctrl_type(`FLOW_CTRL_TYPE_CREDIT), .flow_ctrl_bypass(0),
    .max_payload_length(7), .min_payload_length(0), .enable_link_pm(0), .flit_data_width(DataW),
    .restrict_turns(0), .routing_type(`ROUTING_TYPE_PHASED_DOR), .dim_order(`DIM_ORDER_ASCENDING),
    .explicit_pipeline_register(1), .elig_mask(`ELIG_MASK_FULL), .sw_alloc_spec_type(`SW_ALLOC_SPEC_TYPE_PRIO)
  ) u_router (
    .clk(clk_i), .reset(rst_i), .router_address({here_x, here_y}),
    .channel_in_ip(channel_in), .flow_ctrl_out_ip(back_out), .channel_out_op(channel_out), .flow_ctrl_in_op(back_in),
    .error()
  );
endmodule
