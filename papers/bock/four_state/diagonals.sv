// SPDX-License-Identifier: Apache-2.0
//
// A torus of 4 x 4 nodes (or 4 x 4 x 4) with sliding diagonals, in a simulator with four states (Icarus), from power-up
// and with a reset of one cycle in the middle of traffic. (The lock-step in Verilator starts from random
// bits and cannot see an X.)
//
// In each round the nodes of columns 0 and 2 send a worm of 2 flits in one batch. The first rounds are
// cut off by a reset, each some cycles later than the one before; the last one ends. In no cycle may a
// latch, a valid bit, or a flit that leaves, have an unknown bit, or a fault line be 1; in the last round
// all flits must leave. The test prints PASS or FAIL.

module four_state #(
  parameter int D = 2   // dimensions
);
  localparam int N = 4, Length = 2, FlitW = 6, StepW = 9, S = N ** D, LinkW = FlitW + 2, Rounds = 20;
  localparam int L = 2 * D, P = L + 1;
  localparam int Flits = S;  // of the last round

  `include "four_state_rounds.svh"

  logic                 failed, odd;
  logic [StepW-1:0]     step;
  logic [3:0]           command;
  logic [S-1:0]         start_ready, src_ready, fault, taken, sends, done;
  logic [S*LinkW-1:0]   src_flit;
  logic [S*L-1:0]       exit_valid, valid;
  logic [S*L*LinkW-1:0] exit_flit;
  logic [S*L*P-1:0]     latch;

  anl_diagonals_torus #(
    .N(N), .D(D), .Length(Length), .A(1), .B(1), .C(2), .Brief(1), .FlitW(FlitW), .StepW(StepW)
  ) dut (
    .clk_i(clk), .rst_i(rst), .run_i(1'b1), .step_o(step), .command_o(command), .odd_o(odd),
    .start_valid_i(sends & ~done), .start_i({S{StepW'(1)}}), .start_ready_o(start_ready),
    .src_valid_i(sends), .src_flit_i(src_flit), .src_ready_o(src_ready),
    .exit_valid_o(exit_valid), .exit_flit_o(exit_flit), .failed_o(failed), .fault_o(fault)
  );

  for (genvar s = 0; s < S; s++) begin : g_node
    logic index;
    assign sends[s] = s % 2 == 0;
    assign src_flit[s*LinkW +: LinkW] = {!index, index, ~FlitW'(s)};
    assign valid[s*L +: L]     = dut.g_node[s].u_node.valid;
    assign latch[s*L*P +: L*P] = dut.g_node[s].u_node.latch;
    assign taken[s]            = dut.g_node[s].u_node.taken;

    // One start, then one worm.
    always @(posedge clk) begin : source
      if (rst) {done[s], index} <= '0;
      else begin
        if (start_ready[s]) done[s] <= 1'b1;
        if (src_ready[s])   index   <= !index;
      end
    end
  end

  always @(negedge clk) begin : registers
    if (!rst && round > 0) begin
      if (^{step, command, odd, start_ready, src_ready, exit_valid, failed, fault, valid, latch, taken} === 1'bx)
        unknown = unknown + 1;
      if (fault !== '0) wrong = wrong + 1;
      for (int e = 0; e < S * L; e++)
        if (exit_valid[e]) begin
          arrived = arrived + 1;
          if (^exit_flit[e*LinkW +: LinkW] === 1'bx) unknown = unknown + 1;
        end
    end
  end

  function automatic int cycles_of(input int r);
    cycles_of = r < Rounds ? 7 * r : 136 * (D - 1) + 9;
  endfunction

endmodule
