// SPDX-License-Identifier: Apache-2.0
//
// router_ravenoc of RaveNoC as a switch of a mesh: x first, NumVcs lanes of which lane 0 comes first.
// Its links are ready/valid with one ready for the lane that is offered, and its head is {type, x, y, flits behind the
// head, data}. Our two marks take the place of the type: a head with no flit behind it is a tail, too.
// The macros N_VIRT_CHN, NOC_CFG_SZ_ROWS, NOC_CFG_SZ_COLS and FLIT_DATA_WIDTH must say NumVcs, 4, 4 and FlitW - 2; the
// mesh has then at most 4 x 4 switches.
module anl_judged_router
  import ravenoc_pkg::*;
#(
  parameter int Here = 0,
  parameter int K = 4,
  parameter int NumPorts = 5,
  parameter int NumVcs = 1,
  parameter int FlitW = 34,
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
  // The mark of a head is the upper one, that of a tail the lower one; no type says both.
  function automatic logic [1:0] type_of(logic [1:0] marks);
    return marks[1] ? HEAD_FLIT : marks[0] ? TAIL_FLIT : BODY_FLIT;
  endfunction

  function automatic logic [1:0] marks_of(s_flit_head_data_t flit);
    return {flit.type_f == HEAD_FLIT, flit.type_f == TAIL_FLIT || (flit.type_f == HEAD_FLIT && flit.pkt_size == 0)};
  endfunction

  s_flit_req_t [NumPorts-1:0] in_request;
  s_flit_req_t [NumPorts-1:0] out_request;
  logic [NumPorts-1:0] in_ready;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign in_request[p].fdata = {type_of(in_flit_i[(p+1)*FlitW - 1 -: 2]), in_flit_i[p*FlitW +: FlitW - 2]};
    assign in_request[p].vc_id = in_vc_i[p*VcW +: VcW];
    assign in_request[p].valid = in_valid_i[p];
    assign in_back_o[p] = in_ready[p];
    assign out_flit_o[p*FlitW +: FlitW] = {marks_of(out_request[p].fdata), out_request[p].fdata[FlitW-3:0]};
    assign out_vc_o[p*VcW +: VcW] = out_request[p].vc_id;
    assign out_valid_o[p] = out_request[p].valid;
  end

  // Ours are +x, -x, +y, -y, terminal. Their x is a row, so +x is south, and +y is east.
  router_if south_send ();
  router_if south_recv ();
  router_if north_send ();
  router_if north_recv ();
  router_if east_send ();
  router_if east_recv ();
  router_if west_send ();
  router_if west_recv ();
  router_if local_send ();
  router_if local_recv ();

  assign south_recv.req = in_request[0];
  assign north_recv.req = in_request[1];
  assign east_recv.req = in_request[2];
  assign west_recv.req = in_request[3];
  assign local_recv.req = in_request[4];
  assign in_ready =
      {local_recv.resp.ready, west_recv.resp.ready, east_recv.resp.ready, north_recv.resp.ready, south_recv.resp.ready};

  assign out_request = {local_send.req, west_send.req, east_send.req, north_send.req, south_send.req};
  assign south_send.resp = out_back_i[0];
  assign north_send.resp = out_back_i[1];
  assign east_send.resp = out_back_i[2];
  assign west_send.resp = out_back_i[3];
  assign local_send.resp = out_back_i[4];

  router_ravenoc #(
    .ROUTER_X_ID(XWidth'(Here % K)),
    .ROUTER_Y_ID(YWidth'(Here / K))
  ) u_router (
    .clk(clk_i),
    .arst(rst_i),
    .full_wr_fifo_o(),
    .*
  );
endmodule
