// SPDX-License-Identifier: Apache-2.0
//
// One supernode in a simulator with four states (Icarus), from power-up and with resets in the middle
// of traffic. (The lock-step in Verilator starts from random bits and cannot see an X.)
//
// In each round the cell below the centre sends a worm to cell 1, with one superstep. The first rounds
// are cut off by a reset: while the worm is being born, in each cycle of the superstep, and while it
// is consumed; the last one ends. In no cycle may a register that is compared or a consumed flit have
// an unknown bit, no fault line may rise, and in the last round all flits must arrive. The test prints
// PASS or FAIL.

module four_state;
  localparam int NameW = 1, CountW = 1, StepW = 10, FlitW = 10, Rounds = 7;
  localparam int Cells = anl_layout_pkg::Cells, Length = anl_layout_pkg::K, From = 49, To = 1;
  localparam int P = anl_bufferless_pkg::NumPorts, T = anl_bufferless_pkg::Terminal;
  localparam int LinkW = FlitW + 2, Start = anl_layout_pkg::Period + 2 * anl_layout_pkg::S - 1;
  localparam int Flits = Length;  // of the last round

  `include "four_state_rounds.svh"

  logic [StepW-1:0]       step;
  logic                   round_ready, overflow, started;
  logic [Cells-1:0]       start_ready, src_ready, ej_valid, fault;
  logic [Cells*LinkW-1:0] src_flit, ej_flit;
  logic [Cells*T-1:0]     valid;
  logic [Cells*P*P-1:0]   latch;
  logic [1:0]             index;
  logic                   done;

  anl_supernodes #(.N(1), .FlitW(FlitW), .NameW(NameW), .CountW(CountW), .StepW(StepW)) dut (
    .clk_i(clk), .rst_i(rst), .run_i(1'b1), .step_o(step),
    .round_valid_i(!started), .round_supersteps_i(1'b1), .round_ready_o(round_ready),
    .start_valid_i(Cells'(!done) << From), .start_i({Cells{StepW'(Start)}}), .start_ready_o(start_ready),
    .src_valid_i({Cells{1'b1}}), .src_flit_i(src_flit), .src_ready_o(src_ready),
    .ej_valid_o(ej_valid), .ej_flit_o(ej_flit), .fault_o(fault), .overflow_o(overflow)
  );

  wire head = index == 0;
  // The label of cell 1: row 0, column 1.
  assign src_flit = {Cells{head, index == Length - 1, head ? FlitW'(1) : FlitW'(index) << 4}};

  always @(posedge clk) begin : source
    if (rst) {started, done, index} <= '0;
    else begin
      started <= 1'b1;
      if (start_ready[From]) done <= 1'b1;
      if (src_ready[From])   index <= index + 1'b1;
    end
  end

  for (genvar c = 0; c < Cells; c++) begin : g_cell
    assign latch[c*P*P +: P*P] = dut.g_supernode[0].u_supernode.g_cell[c].u_switch.u_core.latch;
    for (genvar p = 0; p < T; p++) begin : g_port
      assign valid[c*T + p] = dut.g_supernode[0].u_supernode.g_cell[c].u_switch.u_core.g_input[p].valid;
    end
  end

  always @(negedge clk) begin : registers
    if (rst && |{round_ready, start_ready, src_ready} !== 1'b0) wrong = wrong + 1;   // nothing is taken in reset
    if (!rst && round > 0) begin
      if (^{step, round_ready, overflow, start_ready, src_ready, ej_valid, fault, valid, latch} === 1'bx)
        unknown = unknown + 1;
      if (fault !== '0 || overflow !== 1'b0) wrong = wrong + 1;
      if (ej_valid[To]) begin
        arrived = arrived + 1;
        if (^ej_flit[To*LinkW +: LinkW] === 1'bx) unknown = unknown + 1;
      end
    end
  end

  // Round r is cut off after about r periods, the last one goes on to its end.
  function automatic int cycles_of(input int r);
    cycles_of = r < Rounds ? Start + 3 + (r - 1) * anl_layout_pkg::Period : 400;
  endfunction

endmodule
