// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_board_checker #(
  parameter int Index,
  parameter int Terminals,
  parameter int Instance
) (
  input logic clk_i,
  input logic rst_i
);

  localparam logic [31:0] Expected = 32'h58b1cc5a;
  logic over, running, pass, fail;
  logic [Terminals*32-1:0] signatures;
  logic [31:0] arrived, signature;

  `BENCH("anl_board_checker", Index, {Instance, Terminals})
  assign {signatures, arrived, over} = in;
  assign out = {signature, fail, pass, running};

  anl_board_checker #(.Terminals(Terminals), .Expected(Expected)) u_dut (
    .clk_i, .rst_i, .over_i(over), .signatures_i(signatures), .arrived_i(arrived),
    .signature_o(signature), .running_o(running), .pass_o(pass), .fail_o(fail)
  );

endmodule
