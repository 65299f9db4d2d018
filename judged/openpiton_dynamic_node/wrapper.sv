// SPDX-License-Identifier: Apache-2.0
// A switch of a mesh around OpenPiton's dynamic_node_top_wrap. Its y grows to the south, so our +y is its S.
module anl_judged_router #(
  parameter int K = 4,
  parameter int NumPorts = 5,
  parameter int NumVcs = 1,
  parameter int FlitW = 64,
  parameter int BackW = 1,
  localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  logic clk_i,
  input  logic rst_i,
  input  logic [31:0] here_i,   // number of the switch, constant
  input  logic [NumPorts-1:0] in_valid_i,
  input  logic [NumPorts*VcW-1:0] in_vc_i,
  input  logic [NumPorts*FlitW-1:0] in_flit_i,
  output logic [NumPorts*BackW-1:0] in_back_o,
  output logic [NumPorts-1:0] out_valid_o,
  output logic [NumPorts*VcW-1:0] out_vc_o,
  output logic [NumPorts*FlitW-1:0] out_flit_o,
  input  logic [NumPorts*BackW-1:0] out_back_i
);
  assign out_vc_o = '0;

  dynamic_node_top_wrap u_router (
    .clk(clk_i), .reset_in(rst_i),
    .myLocX(8'(here_i % 32'(K))), .myLocY(8'(here_i / 32'(K))), .myChipID('0),
    .dataIn_E(in_flit_i[0*FlitW +: FlitW]), .dataOut_E(out_flit_o[0*FlitW +: FlitW]),
    .dataIn_W(in_flit_i[1*FlitW +: FlitW]), .dataOut_W(out_flit_o[1*FlitW +: FlitW]),
    .dataIn_S(in_flit_i[2*FlitW +: FlitW]), .dataOut_S(out_flit_o[2*FlitW +: FlitW]),
    .dataIn_N(in_flit_i[3*FlitW +: FlitW]), .dataOut_N(out_flit_o[3*FlitW +: FlitW]),
    .dataIn_P(in_flit_i[4*FlitW +: FlitW]), .dataOut_P(out_flit_o[4*FlitW +: FlitW]),
    .validIn_E(in_valid_i[0]), .validOut_E(out_valid_o[0]), .yummyIn_E(out_back_i[0]), .yummyOut_E(in_back_o[0]),
    .validIn_W(in_valid_i[1]), .validOut_W(out_valid_o[1]), .yummyIn_W(out_back_i[1]), .yummyOut_W(in_back_o[1]),
    .validIn_S(in_valid_i[2]), .validOut_S(out_valid_o[2]), .yummyIn_S(out_back_i[2]), .yummyOut_S(in_back_o[2]),
    .validIn_N(in_valid_i[3]), .validOut_N(out_valid_o[3]), .yummyIn_N(out_back_i[3]), .yummyOut_N(in_back_o[3]),
    .validIn_P(in_valid_i[4]), .validOut_P(out_valid_o[4]), .yummyIn_P(out_back_i[4]), .yummyOut_P(in_back_o[4]),
    .thanksIn_P()
  );
endmodule
