// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_switch_checker #(
  parameter int Index,
  parameter int Style,
  parameter int NumPorts,
  parameter int NumVcs,
  parameter int Depth,
  parameter int Patience = 40
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int FlitW = 32;
  localparam int LengthW = 8;
  localparam int VcW = anl_pkg::index_width(NumVcs);
  localparam int BackW = anl_checker_pkg::back_width(Style, NumVcs);
  localparam int DstW = anl_pkg::index_width(NumPorts);
  localparam int NumLanes = NumPorts * NumVcs;
  logic restart, at_rest, over;
  logic [2*NumPorts-1:0] valid, head, tail;              // output links first
  logic [2*NumPorts*VcW-1:0] vc;
  logic [2*NumPorts*FlitW-1:0] flit;
  logic [2*NumPorts*BackW-1:0] back;
  logic [2*NumPorts*LengthW-1:0] length;
  logic [NumPorts*NumLanes-1:0] routes;
  logic [17:0] switch_broken, user_broken;

  `BENCH("anl_switch_checker", Index, {Patience, Depth, NumVcs, NumPorts, Style})
  assign {length, back, flit, tail, head, vc, valid, at_rest, restart} = in;
  assign out = {over, user_broken, switch_broken};

  for (genvar p = 0; p < NumPorts; p++) begin : g_routes
    for (genvar o = 0; o < NumPorts; o++) begin : g_port
      assign routes[p*NumLanes + o*NumVcs +: NumVcs] = {NumVcs{32'(flit[(NumPorts+p)*FlitW +: DstW]) == o}};
    end
  end

  anl_switch_checker #(
    .Style(Style), .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .LengthW(LengthW),
    .Patience(Patience), .Say(0)
  ) u_dut (
    .clk_i, .rst_i(rst_i || restart),
    .in_valid_i(valid[NumPorts +: NumPorts]), .in_vc_i(vc[NumPorts*VcW +: NumPorts*VcW]),
    .in_head_i(head[NumPorts +: NumPorts]), .in_tail_i(tail[NumPorts +: NumPorts]),
    .in_flit_i(flit[NumPorts*FlitW +: NumPorts*FlitW]), .in_back_i(back[NumPorts*BackW +: NumPorts*BackW]),
    .in_length_i(length[NumPorts*LengthW +: NumPorts*LengthW]), .routes_i(routes),
    .out_valid_i(valid[NumPorts-1:0]), .out_vc_i(vc[NumPorts*VcW-1:0]),
    .out_head_i(head[NumPorts-1:0]), .out_tail_i(tail[NumPorts-1:0]),
    .out_flit_i(flit[NumPorts*FlitW-1:0]), .out_back_i(back[NumPorts*BackW-1:0]),
    .at_rest_i(at_rest), .switch_broken_o(switch_broken), .user_broken_o(user_broken), .over_o(over)
  );

endmodule
