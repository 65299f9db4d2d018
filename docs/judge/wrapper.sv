// SPDX-License-Identifier: Apache-2.0
//
// my_router as a switch of a mesh, for `make judge` (docs/judge.md). Our ports are +x, -x, +y, -y and
// the terminal, which are its own in this order.

module anl_judged_router #(
  parameter int K = 3,          // switches in a row
  parameter int NumPorts = 5,
  parameter int NumVcs = 1,
  parameter int FlitW = 32,     // wires of a flit
  parameter int BackW = 1       // wires that a receiver drives: ready
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [31:0]               here_i,  // number of the switch
  input  logic [NumPorts-1:0]       in_valid_i,
  input  logic [NumPorts-1:0]       in_vc_i,
  input  logic [NumPorts*FlitW-1:0] in_flit_i,
  output logic [NumPorts*BackW-1:0] in_back_o,
  output logic [NumPorts-1:0]       out_valid_o,
  output logic [NumPorts-1:0]       out_vc_o,
  output logic [NumPorts*FlitW-1:0] out_flit_o,
  input  logic [NumPorts*BackW-1:0] out_back_i
);
  logic [FlitW-1:0] in_data [5], out_data [5];
  logic in_valid [5], in_ready [5], out_valid [5], out_ready [5];

  for (genvar p = 0; p < 5; p++) begin : g_port
    assign in_data[p] = in_flit_i[p*FlitW+:FlitW];
    assign in_valid[p] = in_valid_i[p];
    assign in_back_o[p] = in_ready[p];
    assign out_flit_o[p*FlitW+:FlitW] = out_data[p];
    assign out_valid_o[p] = out_valid[p];
    assign out_ready[p] = out_back_i[p];
  end

  assign out_vc_o = '0;

  my_router #(
    .Width(FlitW)
  ) u_router (
    .clk(clk_i),
    .reset(rst_i),
    .my_x(4'(here_i % 32'(K))),
    .my_y(4'(here_i / 32'(K))),
    .in_data,
    .in_valid,
    .in_ready,
    .out_data,
    .out_valid,
    .out_ready
  );
endmodule
