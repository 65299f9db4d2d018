// SPDX-License-Identifier: Apache-2.0
//
// Counter of things that come and go one a cycle: flits of a lane, tails of a lane, credits.
//
// Guarantees 0 <= count_o <= Max if its user keeps the two assumptions at the end. (One that does
// not is told by them: in unary a count stays at its end.)
// A few things are counted in unary: whether there is one, or all, is a register then, and a bit
// asks its neighbours alone. More than UnaryMax are counted in binary.
// Timing: both outputs are functions of registers; up_i and down_i of cycle t show in t + 1.

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
  output logic [CntW-1:0] count_o,
  output logic [Max-1:0]  least_o         // bit i: there are more than i
);

  localparam int UnaryMax = 4;

  logic up, down;

  assign up   = up_i && !down_i;
  assign down = down_i && !up_i;

  if (Max <= UnaryMax) begin : g_unary
    logic [Max-1:0]  least_d, least_q;
    logic [Max+1:0]  bounded;             // with what is always true below, and never above
    logic [CntW-1:0] count;

    // A bit stays while the one above it is 1, or nothing goes. No enable: up and down come late.
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
    logic            ones, zeros;         // of the bits below the one looked at: all are 1, are 0

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
