// SPDX-License-Identifier: Apache-2.0
//
// A butterfly with 8 inputs that discards, in a simulator with four states (Icarus), from power-up and
// with a reset of one cycle in the middle of traffic. (The lock-step in Verilator starts from random
// bits and cannot see an X.)
//
// In each round every column sends a worm of 3 flits to the column with all bits inverted, all at
// once: no two of them share a link. The first rounds are cut off by a reset, each a cycle later than
// the one before; the last one ends. There are three levels, so that a flit that stands in a link
// register in the cycle of a reset could go on to another one. In no cycle may a register of the
// lanes, or a flit that an output takes, have an unknown bit; no worm may be discarded, and in the
// last round all flits must arrive. The test prints PASS or FAIL.

module four_state;
  parameter Multiplexed = 0;
  localparam int Levels = 3, NumVcs = 2, FlitW = 8, StepW = 5, Length = 3;
  localparam int Columns = 1 << Levels, Wires = Multiplexed != 0 ? 1 : NumVcs, E = Columns * 2 * Wires;
  localparam int LinkW = FlitW + 2, Cycles = Multiplexed != 0 ? NumVcs : 1, Rounds = 9 * Cycles;
  localparam int Nodes = Levels * Columns;
  localparam int Flits = Columns * Length;  // of the last round

  `include "four_state_rounds.svh"

  logic [StepW-1:0]          step;
  logic [0:0]                lane;
  logic [Columns-1:0]        start_ready, src_ready, late, done;
  logic [Columns*LinkW-1:0]  src_flit;
  logic [E-1:0]              ej_valid;
  logic [E*LinkW-1:0]        ej_flit;
  logic [Nodes-1:0]          discard;
  logic [Nodes*2*NumVcs-1:0] busy, valid;

  anl_discard_butterfly #(
    .Levels(Levels), .Passes(1), .NumVcs(NumVcs), .Injections(1), .FlitW(FlitW), .StepW(StepW),
    .Multiplexed(Multiplexed)
  ) dut (
    .clk_i(clk), .rst_i(rst), .run_i(1'b1), .step_o(step), .lane_o(lane),
    .start_valid_i(~done), .start_i({Columns{StepW'(2)}}), .start_ready_o(start_ready),
    .src_valid_i({Columns{1'b1}}), .src_flit_i(src_flit), .src_ready_o(src_ready), .late_o(late),
    .ej_valid_o(ej_valid), .ej_flit_o(ej_flit), .discard_o(discard)
  );

  for (genvar w = 0; w < Columns; w++) begin : g_column
    logic [1:0] index;
    wire        head = index == 0;
    // The destination is in bits 1 to 3 of a head.
    assign src_flit[w*LinkW +: LinkW] = {head, index == Length - 1, 4'(w * 4 + 32'(index)),
                                         head ? ~Levels'(w) : Levels'(w), 1'b0};

    // One start, then one worm.
    always @(posedge clk) begin : source
      if (rst) {done[w], index} <= '0;
      else begin
        if (start_ready[w]) done[w] <= 1'b1;
        if (src_ready[w])   index   <= index + 1'b1;
      end
    end
  end

  for (genvar i = 0; i < Levels; i++) begin : g_level
    for (genvar w = 0; w < Columns; w++) begin : g_node
      localparam int At = (i * Columns + w) * 2 * NumVcs;
      if (Multiplexed != 0) begin : g_multiplexed
        assign busy[At +: 2*NumVcs]  = dut.g_level[i].g_node[w].g_multiplexed.u_switch.u_lanes.busy;
        assign valid[At +: 2*NumVcs] = dut.g_level[i].g_node[w].g_multiplexed.u_switch.u_lanes.valid_i;
      end else begin : g_wide
        assign busy[At +: 2*NumVcs]  = dut.g_level[i].g_node[w].g_wide.u_switch.u_lanes.busy;
        assign valid[At +: 2*NumVcs] = dut.g_level[i].g_node[w].g_wide.u_switch.u_lanes.valid_i;
      end
    end
  end

  always @(negedge clk) begin : registers
    if (!rst && round > 0) begin
      if (^{step, lane, start_ready, src_ready, late, ej_valid, discard, busy, valid} === 1'bx) unknown = unknown + 1;
      if (discard !== '0 || late !== '0) wrong = wrong + 1;
      for (int e = 0; e < E; e++)
        if (ej_valid[e]) begin
          arrived = arrived + 1;
          if (^ej_flit[e*LinkW +: LinkW] === 1'bx) unknown = unknown + 1;
        end
    end
  end

  // Round r is cut off after r + 3 cycles, the last one goes on for 20 steps.
  function automatic int cycles_of(input int r);
    cycles_of = r < Rounds ? r + 3 : 20 * Cycles;
  endfunction

endmodule
