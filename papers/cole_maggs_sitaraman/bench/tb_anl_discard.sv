// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_discard #(
  parameter int Index,
  parameter int NumVcs,
  parameter int Inputs
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int Outputs = 2 * NumVcs;
  localparam int InW = anl_pkg::index_width(Inputs);
  logic step;
  logic [Inputs-1:0] valid, head, tail, link, discard;
  logic [Outputs-1:0] sends;
  logic [Outputs*InW-1:0] index;

  `BENCH("anl_discard", Index, {Inputs, NumVcs})
  assign {link, tail, head, valid, step} = in;
  assign out = {u_dut.owner, u_dut.busy, discard, index, sends};

  anl_discard #(.NumVcs(NumVcs), .Inputs(Inputs)) u_dut (
    .clk_i, .rst_i, .step_i(step), .valid_i(valid), .head_i(head), .tail_i(tail), .link_i(link),
    .discard_o(discard), .valid_o(sends), .input_o(index)
  );

endmodule
