// SPDX-License-Identifier: Apache-2.0
//
// anl_counter: the count is what came minus what went, as long as the user never asks for more than
// Max or less than 0.

`include "prove.svh"

module prove_counter #(
  parameter  int Max  = 4,
  parameter  int Full = 0,                 // 1: the count starts at Max; 0: at 0
  localparam int CntW = $clog2(Max + 1)
) (
  input logic clk_i,
  input logic up_i,
  input logic down_i
);

  `PROVE_RESET

  localparam int Init = (Full != 0) ? Max : 0;

  logic [CntW-1:0] count, there_q;
  logic [Max-1:0]  least, more;

  anl_counter #(.Max(Max), .Init(Init)) u_dut (
    .clk_i, .rst_i, .up_i, .down_i, .count_o(count), .least_o(least)
  );

  always_ff @(posedge clk_i) begin : model
    there_q <= rst_i ? CntW'(Init) : there_q + CntW'(up_i) - CntW'(down_i);
  end

  `GIVEN(NoOverflow,  !up_i || down_i || 32'(there_q) != Max)
  `GIVEN(NoUnderflow, !down_i || up_i || there_q != '0)

  for (genvar i = 0; i < Max; i++) begin : g_more
    assign more[i] = 32'(there_q) > i;
  end

  `PROVE(LeastSaysTheSame, least == more)
  `PROVE(CountsWhatCameLessWhatWent, count == there_q)

  `COVER(UpAndDownAtMax, up_i && down_i && 32'(count) == Max)
  `COVER(UpAndDownAtNone, up_i && down_i && count == '0)
  `COVER(FromOneEndToTheOther, 32'(count) == (Full != 0 ? 0 : Max))

endmodule
