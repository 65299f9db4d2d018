// SPDX-License-Identifier: Apache-2.0
// A switch of a mesh around ReCONNECT's router. The destination goes beside the flit, and leaves the router with the
// destination of the head in every flit; so it is taken from the lowest bits of the data, and is ignored behind the
// router. Bit 32 is our mark of heads: the router itself has a mark of tails only. The table of the router, which it
// would read from a file, is written in reset.
module anl_judged_router #(
  parameter int K = 4,
  parameter int NumPorts = 5,
  parameter int NumVcs = 1,
  parameter int FlitW = 34,
  parameter int BackW = 1,
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
  localparam int DestW = 8;

  logic [FlitW-2:0] data_in [NumPorts], data_out [NumPorts];
  logic [DestW-1:0] dest_in [NumPorts], dest_out [NumPorts];
  logic tail_in [NumPorts], tail_out [NumPorts], send_in [NumPorts], send_out [NumPorts];
  logic credit_in [NumPorts], credit_out [NumPorts];
  bit no_turns [NumPorts][NumPorts];
  int x, y;

  assign x = here_i % K;
  assign y = here_i / K;

  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    assign {tail_in[p], data_in[p]} = in_flit_i[p*FlitW +: FlitW];
    assign dest_in[p] = in_flit_i[p*FlitW +: DestW];
    assign send_in[p] = in_valid_i[p];
    assign in_back_o[p] = credit_out[p];
    assign out_flit_o[p*FlitW +: FlitW] = {tail_out[p], data_out[p]};
    assign out_valid_o[p] = send_out[p];
    assign credit_in[p] = out_back_i[p];
    for (genvar q = 0; q < NumPorts; q++) begin : g_turn
      assign no_turns[p][q] = 1'b0;
    end
  end
  assign out_vc_o = '0;

  for (genvar d = 0; d < K * K; d++) begin : g_route
    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        u_router.route_table[d] <= d % K > x ? 3'd0 : d % K < x ? 3'd1 : d / K > y ? 3'd2 : d / K < y ? 3'd3 : 3'd4;
      end
    end
  end

  router #(
    .NOC_NUM_ENDPOINTS(K * K), .ROUTING_TABLE_HEX("/dev/null"), .NUM_INPUTS(NumPorts), .NUM_OUTPUTS(NumPorts),
    .DEST_WIDTH(DestW), .FLIT_WIDTH(FlitW - 1), .FLIT_BUFFER_DEPTH(4), .PIPELINE_ROUTE_COMPUTE(1'b1),
    .PIPELINE_ARBITER(1'b1), .PIPELINE_OUTPUT(1'b0)
  ) u_router (
    .clk(clk_i), .rst_n(!rst_i),
    .data_in, .dest_in, .is_tail_in(tail_in), .send_in, .credit_out,
    .data_out, .dest_out, .is_tail_out(tail_out), .send_out, .credit_in,
    .DISABLE_TURNS(no_turns)
  );
endmodule
