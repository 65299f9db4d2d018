// SPDX-License-Identifier: Apache-2.0
//
// Counts things of which at most one comes and one goes in a cycle: the flits of a lane, the tails
// in a lane, or credits.
//
// The module guarantees 0 <= count_o <= Max as long as its user keeps the two assumptions at the
// end of the file. Those assertions report a user who breaks them; the unary count itself only
// saturates. A count of up to UnaryMax is kept in unary: "at least one" and "all" are registers
// then, and the next value of each bit depends only on its two neighbours. A larger count is kept
// in binary.
// Timing: both outputs are functions of registers; up_i and down_i of cycle t change them in t + 1.

`include "anl_assert.svh"

module anl_counter #(
  parameter  int Max  = 4,
  parameter  int Init = 0,                // value after reset, 0 .. Max
  localparam int CntW = $clog2(Max + 1)
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            up_i,
  input  logic            down_i,
  output logic [CntW-1:0] count_o,
  output logic [Max-1:0]  least_o         // bit i: the count is greater than i
);

  localparam int UnaryMax = 4;

  logic up, down;

  assign up   = up_i && !down_i;
  assign down = down_i && !up_i;

  if (Max <= UnaryMax) begin : g_unary
    logic [Max-1:0]  least_d, least_q;
    logic [Max+1:0]  bounded;             // least_q with a constant 1 below and 0 above
    logic [CntW-1:0] count;

    // A bit becomes 1 if the bit above it is 1, if it is 1 itself and the count does not go down,
    // or if the bit below it is 1 and the count goes up. There is no enable: up and down arrive
    // late.
    assign bounded = {1'b0, least_q, 1'b1};
    for (genvar i = 0; i < Max; i++) begin : g_bit
      assign least_d[i] = bounded[i+2] || (bounded[i+1] && !down) || (bounded[i] && up);
    end

    always_comb begin : to_binary
      count = '0;
      for (int i = 0; i < Max; i++) count = count + CntW'(least_q[i]);
      count_o = count;
    end
    assign least_o = least_q;

    always_ff @(posedge clk_i) begin : regs
      if (rst_i) least_q <= Max'((1 << Init) - 1);
      else       least_q <= least_d;
    end
  end else begin : g_binary
    logic [CntW-1:0] count_d, count_q;
    logic            ones, zeros;         // all bits below bit i are 1; all are 0

    // A bit toggles on the way up if all bits below it are 1, and on the way down if they are all
    // 0. For so few bits this is smaller and faster than two adders.
    always_comb begin : next_count
      ones  = 1'b1;
      zeros = 1'b1;
      for (int i = 0; i < CntW; i++) begin
        count_d[i] = count_q[i] ^ (ones && up) ^ (zeros && down);
        ones       = ones && count_q[i];
        zeros      = zeros && !count_q[i];
      end
    end

    for (genvar i = 0; i < Max; i++) begin : g_least
      assign least_o[i] = 32'(count_q) > i;
    end
    assign count_o = count_q;

    always_ff @(posedge clk_i) begin : regs
      if (rst_i) count_q <= CntW'(Init);
      else       count_q <= count_d;
    end
  end

  `ANL_ASSERT(InRange, 32'(count_o) <= Max)
  `ANL_ASSERT(AssumeNoOverflow,  !(up_i && !down_i) || 32'(count_o) != Max)
  `ANL_ASSERT(AssumeNoUnderflow, !(down_i && !up_i) || count_o != '0)

endmodule
