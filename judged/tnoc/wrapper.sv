// SPDX-License-Identifier: Apache-2.0
//
// tnoc_router of tnoc as a switch of a mesh of at most 4 x 4 switches: x first, one lane.
// Its links are ready/valid, and a flit is {data, tail, head, kind of flit}. The second wire back of a lane, vc_ready,
// tells senders of several lanes which of them to choose; with one lane nothing reads it.
module anl_judged_router
  import tnoc_pkg::*;
#(
  parameter int Here = 0,
  parameter int K = 4,
  parameter int NumPorts = 5,
  parameter int NumVcs = 1,
  parameter int FlitW = 41,
  parameter int BackW = 1,
  localparam int VcW = (NumVcs > 1) ? $clog2(NumVcs) : 1
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
  // Flits have 41 wires with these widths: 38 for a payload and its response, two marks, and the kind of flit.
  localparam tnoc_packet_config Config = '{
    size_x: 4,
    size_y: 4,
    virtual_channels: 1,
    tags: 256,
    address_width: 64,
    data_width: 32,
    max_data_width: 32,
    max_byte_length: 4096
  };

  tnoc_types #(Config) types ();

  // Ours are +x, -x, +y, -y, terminal, and so are theirs.
  tnoc_flit_if #(Config, 1, TNOC_INTERNAL_PORT) in_xp (types);
  tnoc_flit_if #(Config, 1, TNOC_INTERNAL_PORT) in_xm (types);
  tnoc_flit_if #(Config, 1, TNOC_INTERNAL_PORT) in_yp (types);
  tnoc_flit_if #(Config, 1, TNOC_INTERNAL_PORT) in_ym (types);
  tnoc_flit_if #(Config, 1, TNOC_LOCAL_PORT) in_local (types);
  tnoc_flit_if #(Config, 1, TNOC_INTERNAL_PORT) out_xp (types);
  tnoc_flit_if #(Config, 1, TNOC_INTERNAL_PORT) out_xm (types);
  tnoc_flit_if #(Config, 1, TNOC_INTERNAL_PORT) out_yp (types);
  tnoc_flit_if #(Config, 1, TNOC_INTERNAL_PORT) out_ym (types);
  tnoc_flit_if #(Config, 1, TNOC_LOCAL_PORT) out_local (types);

  assign in_xp.valid = in_valid_i[0];
  assign in_xm.valid = in_valid_i[1];
  assign in_yp.valid = in_valid_i[2];
  assign in_ym.valid = in_valid_i[3];
  assign in_local.valid = in_valid_i[4];

  assign in_xp.flit = in_flit_i[0*FlitW +: FlitW];
  assign in_xm.flit = in_flit_i[1*FlitW +: FlitW];
  assign in_yp.flit = in_flit_i[2*FlitW +: FlitW];
  assign in_ym.flit = in_flit_i[3*FlitW +: FlitW];
  assign in_local.flit = in_flit_i[4*FlitW +: FlitW];

  assign in_back_o = {in_local.ready, in_ym.ready, in_yp.ready, in_xm.ready, in_xp.ready};

  assign out_valid_o = {out_local.valid, out_ym.valid, out_yp.valid, out_xm.valid, out_xp.valid};
  assign out_flit_o = {out_local.flit, out_ym.flit, out_yp.flit, out_xm.flit, out_xp.flit};
  assign out_vc_o = '0;

  assign {out_local.ready, out_ym.ready, out_yp.ready, out_xm.ready, out_xp.ready} = out_back_i;
  assign {out_local.vc_ready, out_ym.vc_ready, out_yp.vc_ready, out_xm.vc_ready, out_xp.vc_ready} = out_back_i;

  tnoc_router #(
    .PACKET_CONFIG(Config),
    .FIFO_DEPTH(4),
    .ERROR_CHECK(0)
  ) u_router (
    .types(types),
    .i_clk(clk_i),
    .i_rst_n(!rst_i),
    .i_id_x(2'(Here % K)),
    .i_id_y(2'(Here / K)),
    .receiver_if_xp(in_xp),
    .sender_if_xp(out_xp),
    .receiver_if_xm(in_xm),
    .sender_if_xm(out_xm),
    .receiver_if_yp(in_yp),
    .sender_if_yp(out_yp),
    .receiver_if_ym(in_ym),
    .sender_if_ym(out_ym),
    .receiver_if_local(in_local),
    .sender_if_local(out_local)
  );

  logic unused;
  assign unused = &{1'b0, in_vc_i};
endmodule
