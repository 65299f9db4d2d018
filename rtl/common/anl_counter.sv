// SPDX-License-Identifier: Apache-2.0
//
// Counter of things that come and go one a cycle: flits of a lane, tails of a lane, credits.
//
// Guarantees 0 <= count_o <= Max if its user keeps the two assumptions at the end.
// Timing: count_o is a register; up_i and down_i of cycle t show in t + 1.

`include "anl_assert.svh"

module anl_counter #(
  parameter  int Max  = 4,
  parameter  int Init = 0,                // value after reset
  localparam int CntW = $clog2(Max + 1)
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            up_i,
  input  logic            down_i,
  output logic [CntW-1:0] count_o
);

  logic [CntW-1:0] count_d, count_q;

  always_comb begin : next_count
    count_d = count_q;
    if (up_i && !down_i) count_d = count_q + 1'b1;
    if (!up_i && down_i) count_d = count_q - 1'b1;
  end

  assign count_o = count_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) count_q <= CntW'(Init);
    else       count_q <= count_d;
  end

  `ANL_ASSERT(InRange, 32'(count_q) <= Max)
  `ANL_ASSERT(AssumeNoOverflow,  !(up_i && !down_i) || 32'(count_q) != Max)
  `ANL_ASSERT(AssumeNoUnderflow, !(down_i && !up_i) || count_q != '0)

endmodule
