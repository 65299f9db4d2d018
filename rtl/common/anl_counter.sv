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
  logic            up, down, ones, zeros;   // of the bits below the one looked at: all are 1, are 0

  assign up   = up_i && !down_i;
  assign down = down_i && !up_i;

  // On the way up a bit changes if all below it are 1, on the way down if they are 0: for the few
  // bits there are this is smaller and faster than adders.
  always_comb begin : next_count
    ones  = 1'b1;
    zeros = 1'b1;
    for (int i = 0; i < CntW; i++) begin
      count_d[i] = count_q[i] ^ (ones && up) ^ (zeros && down);
      ones       = ones && count_q[i];
      zeros      = zeros && !count_q[i];
    end
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
