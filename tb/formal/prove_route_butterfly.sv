// SPDX-License-Identifier: Apache-2.0
//
// anl_route_butterfly: the port has the number of one digit of the destination or of the intermediate
// column, in all lanes, and a digit that is no port is no route.
//
// The digits are counted here by division: a label is a number of the base 2**DigitW.

`include "prove.svh"

module prove_route_butterfly #(
  parameter  int K      = 2,
  parameter  int N      = 3,
  parameter  int Tag    = 0,
  parameter  int NumVcs = 2,
  localparam int DigitW = (K > 2) ? $clog2(K) : 1,
  localparam int DstW   = N * DigitW,
  localparam int PathW  = (Tag < N) ? 1 : (Tag - N + 1) * DigitW
) (
  input logic             clk_i,
  input logic [DstW-1:0]  dst_i,
  input logic [PathW-1:0] path_i
);

  `PROVE_RESET

  logic [K-1:0]      port;
  logic [NumVcs-1:0] vcs;

  anl_route_butterfly #(.K(K), .N(N), .Tag(Tag), .NumVcs(NumVcs)) u_dut (
    .dst_i, .path_i, .port_o(port), .vcs_o(vcs)
  );

  wire [31:0] digit = (Tag < N) ? 32'(dst_i) / (2 ** DigitW) ** Tag % 2 ** DigitW
                                : 32'(path_i) / (2 ** DigitW) ** (Tag - N) % 2 ** DigitW;

  `PROVE(AllLanes, vcs == {NumVcs{1'b1}})
  `PROVE(OnePort, (digit < K) ? $onehot(port) : port == {K{1'b0}})
  for (genvar p = 0; p < K; p++) begin : g_port
    `PROVE(PortIsTheDigit, port[p] == (digit == p))
  end
  `COVER(LastPort, port[K-1])
  if (K != 2 ** DigitW) begin : g_no_port
    `COVER(NoPort, digit >= K)
  end

endmodule
