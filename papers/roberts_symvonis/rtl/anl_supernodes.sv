// SPDX-License-Identifier: Apache-2.0
//
// N x N supernodes (papers/roberts_symvonis/supernodes.md), the links between their lanes, a source at each cell, and
// the counter of steps.
//
// Cell c of supernode i is in row (i / N) * Side + c / Side of all cells and in column (i % N) * Side
// + c % Side; what belongs to it is at index i * Cells + c.
// Timing: ej_* are functions of registers. src_ready_o and start_ready_o follow src_valid_i.

// At the edge the lanes of a supernode have no links.
// verilator lint_off UNUSEDSIGNAL

module anl_supernodes #(
  parameter  int N      = 2,           // supernodes of a row
  parameter  int FlitW  = 32,          // data bits of a flit (docs/link.md)
  parameter  int NameW  = 8,           // bits of a name, above the label in a head
  parameter  int CountW = 8,           // bits of the number of supersteps
  parameter  int StepW  = 16,          // bits of a step; starts are below 2**StepW - 1
  localparam int Nodes  = N * N * anl_layout_pkg::Cells,
  localparam int LinkW  = FlitW + 2
) (
  input  logic                   clk_i,
  input  logic                   rst_i,

  input  logic                   run_i,           // the step counts
  output logic [StepW-1:0]       step_o,

  // A round begins in the step behind a cycle in which valid and ready are 1; none in reset.
  input  logic                   round_valid_i,
  input  logic [CountW-1:0]      round_supersteps_i,   // at least 1
  output logic                   round_ready_o,

  // Starts and worms of each source (anl_replay).
  input  logic [Nodes-1:0]       start_valid_i,
  input  logic [Nodes*StepW-1:0] start_i,
  output logic [Nodes-1:0]       start_ready_o,
  input  logic [Nodes-1:0]       src_valid_i,
  input  logic [Nodes*LinkW-1:0] src_flit_i,
  output logic [Nodes-1:0]       src_ready_o,

  // What each terminal consumes in this cycle.
  output logic [Nodes-1:0]       ej_valid_o,
  output logic [Nodes*LinkW-1:0] ej_flit_o,

  output logic [Nodes-1:0]       fault_o,              // of each cell, until reset
  output logic [N*N-1:0]         overflow_o            // of each supernode, until reset
);

  localparam int T      = anl_bufferless_pkg::Terminal;
  localparam int Cells  = anl_layout_pkg::Cells;
  localparam int PlaceW = anl_pkg::index_width(N);

  logic [N*N-1:0] busy, last;
  logic           begins;

  anl_steps #(.StepW(StepW)) u_steps (.clk_i, .rst_i, .run_i, .step_o);

  assign round_ready_o = !rst_i && (!busy[0] || last[0]);
  assign begins        = round_valid_i && round_ready_o;

  for (genvar i = 0; i < N * N; i++) begin : g_supernode
    localparam int Links = anl_bufferless_pkg::links(N, i);
    localparam int Row   = i / N;
    localparam int Col   = i % N;

    logic [T-1:0]           in_valid, out_valid;
    logic [T*LinkW-1:0]     in_flit, out_flit;
    logic [Cells-1:0]       inj_valid, late;
    logic [Cells*LinkW-1:0] inj_flit;

    anl_supernode #(.N(N), .FlitW(FlitW), .NameW(NameW), .CountW(CountW)) u_supernode (
      .clk_i, .rst_i, .here_i({Row[PlaceW-1:0], Col[PlaceW-1:0]}),
      .begin_i(begins), .supersteps_i(round_supersteps_i), .busy_o(busy[i]), .last_o(last[i]),
      .links_i(Links[T-1:0]), .valid_i(in_valid), .flit_i(in_flit), .valid_o(out_valid),
      .flit_o(out_flit), .inj_valid_i(inj_valid), .inj_flit_i(inj_flit), .late_i(late),
      .ej_valid_o(ej_valid_o[i*Cells +: Cells]),
      .ej_flit_o(ej_flit_o[i*Cells*LinkW +: Cells*LinkW]),
      .fault_o(fault_o[i*Cells +: Cells]), .overflow_o(overflow_o[i])
    );

    for (genvar c = 0; c < Cells; c++) begin : g_source
      localparam int At = i * Cells + c;
      anl_replay #(.FlitW(FlitW), .StepW(StepW)) u_source (
        .clk_i, .rst_i, .step_i(step_o),
        .start_valid_i(start_valid_i[At]), .start_i(start_i[At*StepW +: StepW]),
        .start_ready_o(start_ready_o[At]),
        .src_valid_i(src_valid_i[At]), .src_flit_i(src_flit_i[At*LinkW +: LinkW]),
        .src_ready_o(src_ready_o[At]),
        .inj_valid_o(inj_valid[c]), .inj_flit_o(inj_flit[c*LinkW +: LinkW]), .late_o(late[c])
      );
    end

    for (genvar p = 0; p < T; p++) begin : g_port
      localparam int Far  = (p % 2 == 0) ? p + 1 : p - 1;
      localparam int Away = (p < anl_bufferless_pkg::South) ? 1 : N;
      localparam int From = (p % 2 == 0) ? i + Away : i - Away;

      if ((Links >> p) % 2 != 0) begin : g_link
        assign in_valid[p]               = g_supernode[From].out_valid[Far];
        assign in_flit[p*LinkW +: LinkW] = g_supernode[From].out_flit[Far*LinkW +: LinkW];
      end else begin : g_edge
        assign in_valid[p]               = 1'b0;
        assign in_flit[p*LinkW +: LinkW] = '0;
      end
    end
  end

endmodule
