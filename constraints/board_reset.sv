// SPDX-License-Identifier: Apache-2.0
//
// Reset of a board: from power-up, while ready_i is 0 (a clock that is not yet stable), and for 15
// cycles after. Relies on registers that are 0 when a part has been configured.
// Timing: rst_o is a register; ready_i may change at any time.

module board_reset (
  input  logic clk_i,
  input  logic ready_i,
  output logic rst_o
);

  logic [1:0] ready_q = '0;
  logic [3:0] cnt_q   = '0;
  logic       rst_q   = 1'b1;

  assign rst_o = rst_q;

  always_ff @(posedge clk_i) begin : regs
    ready_q <= {ready_q[0], ready_i};
    rst_q   <= cnt_q != '1;
    if (!ready_q[1])      cnt_q <= '0;
    else if (cnt_q != '1) cnt_q <= cnt_q + 1'b1;
  end

endmodule
