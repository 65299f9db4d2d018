// SPDX-License-Identifier: Apache-2.0
//
// A 2 x 2 mesh without buffers in a simulator with four states (Icarus), from power-up and with a
// reset of one cycle in the middle of traffic. (The lock-step in Verilator starts from random bits
// and cannot see an X.)
//
// In each round every node sends a worm of 3 flits to the opposite corner, all at once: no two of
// them share a link. The first rounds are cut off by a reset, each a cycle later than the one
// before; the last one ends. In no cycle may a register or a consumed flit have an unknown bit,
// no fault line may rise, and in the last round all flits must arrive. The test prints PASS or FAIL.

module four_state;
  localparam int K = 2, FlitW = 8, StepW = 5, Length = 3, Rounds = 9;
  localparam int S = K * K, P = anl_bufferless_pkg::NumPorts, T = anl_bufferless_pkg::Terminal;
  localparam int LinkW = FlitW + 2;
  localparam int Flits = S * Length;  // of the last round

  `include "four_state_rounds.svh"

  logic [StepW-1:0]   step;
  logic [S-1:0]       start_ready, src_ready, ej_valid, fault, done;
  logic [S*LinkW-1:0] src_flit, ej_flit;
  logic [S*T-1:0]     valid;
  logic [S*P*P-1:0]   latch;

  anl_bufferless_mesh #(.K(K), .FlitW(FlitW), .StepW(StepW)) dut (
    .clk_i(clk), .rst_i(rst), .run_i(1'b1), .step_o(step),
    .start_valid_i(~done), .start_i({S{StepW'(2)}}), .start_ready_o(start_ready),
    .src_valid_i({S{1'b1}}), .src_flit_i(src_flit), .src_ready_o(src_ready),
    .ej_valid_o(ej_valid), .ej_flit_o(ej_flit), .fault_o(fault)
  );

  for (genvar s = 0; s < S; s++) begin : g_node
    logic [1:0] index;
    wire        head = index == 0;
    // The label of the opposite corner is that of the node with all bits inverted.
    assign src_flit[s*LinkW +: LinkW] = {head, index == Length - 1, 6'(s * 8 + 32'(index)), head ? ~2'(s) : 2'(s)};
    assign latch[s*P*P +: P*P]        = dut.g_switch[s].u_switch.u_core.latch;
    for (genvar p = 0; p < T; p++) begin : g_port
      assign valid[s*T + p] = dut.g_switch[s].u_switch.u_core.g_input[p].valid;
    end

    // One start, then one worm.
    always @(posedge clk) begin : source
      if (rst) {done[s], index} <= '0;
      else begin
        if (start_ready[s]) done[s] <= 1'b1;
        if (src_ready[s])   index   <= index + 1'b1;
      end
    end

    always @(negedge clk) begin : sink
      if (!rst && round > 0 && ej_valid[s]) begin
        arrived = arrived + 1;
        if (^ej_flit[s*LinkW +: LinkW] === 1'bx) unknown = unknown + 1;
      end
    end
  end

  always @(negedge clk) begin : registers
    if (!rst && round > 0) begin
      if (^{step, start_ready, src_ready, ej_valid, fault, valid, latch} === 1'bx) unknown = unknown + 1;
      if (fault !== '0) wrong = wrong + 1;
    end
  end

  // Round r is cut off after r + 3 cycles, the last one goes on for 20.
  function automatic int cycles_of(input int r);
    cycles_of = r < Rounds ? r + 3 : 20;
  endfunction

endmodule
