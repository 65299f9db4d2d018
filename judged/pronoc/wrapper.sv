// SPDX-License-Identifier: Apache-2.0
//
// router_top of ProNoC as a switch of a mesh. The routers compute routes one switch ahead: a head brings the port by
// which it leaves. On the injection link nobody has computed it yet, so this wrapper does so for the terminal with
// ProNoC's own conventional_routing, as its packet_injector does.
// Lanes are one-hot in a flit. A router wants the addresses of its neighbours, and the credits that they give at reset.
module anl_judged_router
  import pronoc_pkg::*;
#(
  parameter int K = 4,
  parameter int NumPorts = 5,
  parameter int NumVcs = 2,
  parameter int FlitW = 34,
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
  smartflit_chanel_t chan_in [NumPorts-1:0];
  smartflit_chanel_t chan_out [NumPorts-1:0];
  router_event_t events [NumPorts-1:0];
  logic [RAw-1:0] here;
  logic [NXw-1:0] x;
  logic [NYw-1:0] y;
  logic [DSTPw-1:0] first;

  assign x = NXw'(here_i % K);
  assign y = NYw'(here_i / K);
  assign here = {y, x};

  conventional_routing #(
    .NOC_ID(0), .TOPOLOGY(TOPOLOGY), .ROUTE_NAME(ROUTE_NAME), .ROUTE_TYPE(ROUTE_TYPE), .T1(T1), .T2(T2), .T3(T3),
    .RAw(RAw), .EAw(EAw), .DSTPw(DSTPw), .LOCATED_IN_NI(1)
  ) u_first (
    .reset(rst_i), .clk(clk_i), .current_r_addr(here), .src_e_addr(here),
    .dest_e_addr(in_flit_i[4*FlitW + E_DST_LSB +: EAw]), .destport(first)
  );

  // Ours are +x, -x, +y, -y, terminal. Their y grows to the south.
  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    localparam int Own = p == 0 ? EAST : p == 1 ? WEST : p == 2 ? SOUTH : p == 3 ? NORTH : LOCAL;
    logic [FlitW-1:0] flit;
    always_comb begin : channel
      flit = in_flit_i[p*FlitW +: FlitW];
      if (p == 4 && flit[FlitW-1]) flit[DST_P_LSB +: DSTPw] = first;
      chan_in[Own] = '0;
      chan_in[Own].flit_chanel.flit_wr = in_valid_i[p];
      chan_in[Own].flit_chanel.credit = out_back_i[p*BackW +: BackW];
      chan_in[Own].flit_chanel.flit.hdr_flag = flit[FlitW-1];
      chan_in[Own].flit_chanel.flit.tail_flag = flit[FlitW-2];
      chan_in[Own].flit_chanel.flit.vc = V'(1) << in_vc_i[p*VcW +: VcW];
      chan_in[Own].flit_chanel.flit.payload = flit[FlitW-3:0];
      chan_in[Own].ctrl_chanel.endp_port = p == 4;
      chan_in[Own].ctrl_chanel.neighbors_r_addr = p == 0 ? {y, NXw'(x + 1)} : p == 1 ? {y, NXw'(x - 1)} :
                                                  p == 2 ? {NYw'(y + 1), x} : p == 3 ? {NYw'(y - 1), x} : '0;
      for (int v = 0; v < V; v++) chan_in[Own].ctrl_chanel.credit_init_val[v] = CRDTw'(B);
    end
    assign in_back_o[p*BackW +: BackW] = chan_out[Own].flit_chanel.credit;
    assign out_valid_o[p] = chan_out[Own].flit_chanel.flit_wr;
    assign out_vc_o[p*VcW +: VcW] = VcW'($clog2(chan_out[Own].flit_chanel.flit.vc));
    assign out_flit_o[p*FlitW +: FlitW] = {chan_out[Own].flit_chanel.flit.hdr_flag,
                                           chan_out[Own].flit_chanel.flit.tail_flag,
                                           chan_out[Own].flit_chanel.flit.payload};
  end

  router_top #(.NOC_ID(0), .P(NumPorts)) u_router (
    .current_r_id(here_i), .current_r_addr(here), .chan_in, .chan_out, .router_event(events), .clk(clk_i), .reset(rst_i)
  );
endmodule
