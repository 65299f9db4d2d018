// SPDX-License-Identifier: Apache-2.0
//
// A torus of D dimensions on which worms ride diagonals, and which replays a table of starts
// (papers/bock/diagonals.md, "RTL"): S = N**D nodes, the links between them, a source at each terminal, and
// the number of the step for all of them.
//
// Node s has the coordinate s / N**d % N in dimension d; what belongs to it is at index s, what belongs to
// its register of port p at index s*2*D + p (anl_diagonals). The first batch begins in step 1.
// Timing: exit_*, command_o and odd_o are functions of registers. src_ready_o and start_ready_o follow
// src_valid_i.

// A slot and a bottom do not wait for what is ahead of them.
// verilator lint_off UNUSEDSIGNAL

module anl_diagonals_torus #(
  parameter  int N      = 8,      // side of the torus
  parameter  int D      = 2,      // dimensions
  parameter  int Length = 1,      // flits of a worm
  parameter  int A      = 2,      // rows between two worms of a diagonal; A*B*Length divides N
  parameter  int B      = 2,      // diagonals are B*Length columns apart
  parameter  int C      = 2,      // columns of a column block; divides N
  parameter  int Brief  = 1,      // 1: the rounds are the short ones, 0: those of the paper
  parameter  int FlitW  = 32,     // data bits of a flit (docs/link.md)
  parameter  int StepW  = 16,     // bits of a step; starts are below 2**StepW - 1
  localparam int S      = N ** D,
  localparam int L      = 2 * D,
  localparam int LinkW  = FlitW + 2
) (
  input  logic                                   clk_i,
  input  logic                                   rst_i,

  input  logic                                   run_i,         // the step counts
  output logic [StepW-1:0]                       step_o,
  output logic [anl_diagonals_pkg::CommandW-1:0] command_o,
  output logic                                   odd_o,

  // Starts and worms of each source (anl_replay).
  input  logic [S-1:0]                           start_valid_i,
  input  logic [S*StepW-1:0]                     start_i,
  output logic [S-1:0]                           start_ready_o,
  input  logic [S-1:0]                           src_valid_i,
  input  logic [S*LinkW-1:0]                     src_flit_i,
  output logic [S-1:0]                           src_ready_o,

  // What leaves the network in this step.
  output logic [S*L-1:0]                         exit_valid_o,
  output logic [S*L*LinkW-1:0]                   exit_flit_o,

  output logic                                   failed_o,      // some worm has failed since reset
  output logic [S-1:0]                           fault_o        // of each node, until reset
);

  localparam int W      = anl_pkg::index_width(N);
  localparam int T      = D - 1;  // stages

  logic [S-1:0] failed;
  logic         failed_d, failed_q;

  anl_steps #(.StepW(StepW)) u_steps (.clk_i, .rst_i, .run_i, .step_o);

  anl_diagonals_clock #(.N(N), .D(D), .Length(Length), .C(C), .Brief(Brief)) u_clock (
    .clk_i, .rst_i, .run_i(run_i && step_o != '0), .command_o, .odd_o
  );

  for (genvar s = 0; s < S; s++) begin : g_node
    localparam int Slot   = anl_diagonals_pkg::slots(N, D, Length, A, B, s, 0);
    localparam int Turn   = anl_diagonals_pkg::slots(N, D, Length, A, B, s, Length);
    localparam int Bottom = anl_diagonals_pkg::bottoms(N, D, Length, C, s);
    localparam int Top    = anl_diagonals_pkg::tops(N, D, Length, C, s);
    localparam int Fits   = anl_diagonals_pkg::fits(N, D, Length, C, s);

    logic [L-1:0]       in_valid, out_valid;
    logic [L*LinkW-1:0] in_flit, out_flit;
    logic [D*W-1:0]     here;
    logic [T*W-1:0]     first;
    logic [T-1:0]       stops_x, waits_x, stops_y, waits_y, stands_x, stands_y, ahead_y;
    logic               inj_valid, late;
    logic [LinkW-1:0]   inj_flit;

    for (genvar d = 0; d < D; d++) begin : g_dimension
      localparam int At    = anl_diagonals_pkg::at(N, s, d);
      localparam int Plus  = anl_diagonals_pkg::neighbour(N, s, d, 1);
      localparam int Minus = anl_diagonals_pkg::neighbour(N, s, d, N - 1);

      assign here[d*W +: W]                = At[W-1:0];
      assign in_valid[2*d +: 2]            = {g_node[Plus].out_valid[2*d+1], g_node[Minus].out_valid[2*d]};
      assign in_flit[2*d*LinkW +: 2*LinkW] = {g_node[Plus].out_flit[(2*d+1)*LinkW +: LinkW],
                                              g_node[Minus].out_flit[2*d*LinkW +: LinkW]};

      // Dimension d is x of stage d, and y of stage d - 1. A row of flits that stand begins at a slot, a
      // queue at a bottom; so there is no loop around the torus.
      if (d < T) begin : g_row
        localparam int First = At - At % C;
        logic          stands;
        if ((Slot >> d) % 2 != 0) begin : g_slot
          assign stands = stops_x[d];
        end else begin : g_body
          assign stands = stops_x[d] || (waits_x[d] && g_node[Plus].g_dimension[d].g_row.stands);
        end
        assign first[d*W +: W] = First[W-1:0];
        assign stands_x[d]     = stands;
      end
      if (d > 0) begin : g_column
        logic stands, ahead;
        assign ahead = g_node[Minus].g_dimension[d].g_column.stands;
        if ((Bottom >> (d - 1)) % 2 != 0) begin : g_bottom
          assign stands = stops_y[d-1];
        end else begin : g_queue
          assign stands = stops_y[d-1] || (waits_y[d-1] && ahead);
        end
        assign stands_y[d-1] = stands;
        assign ahead_y[d-1]  = ahead;
      end
    end

    anl_replay #(.FlitW(FlitW), .StepW(StepW)) u_source (
      .clk_i, .rst_i, .step_i(step_o),
      .start_valid_i(start_valid_i[s]), .start_i(start_i[s*StepW +: StepW]),
      .start_ready_o(start_ready_o[s]),
      .src_valid_i(src_valid_i[s]), .src_flit_i(src_flit_i[s*LinkW +: LinkW]),
      .src_ready_o(src_ready_o[s]),
      .inj_valid_o(inj_valid), .inj_flit_o(inj_flit), .late_o(late)
    );

    anl_diagonals #(.N(N), .D(D), .C(C), .FlitW(FlitW)) u_node (
      .clk_i, .rst_i, .command_i(command_o), .odd_i(odd_o),
      .here_i(here), .first_i(first), .slot_i(Slot[T-1:0]), .turn_i(Turn[T-1:0]), .top_i(Top[T-1:0]),
      .fits_i(Fits[T-1:0]), .bottom_i(Bottom[T-1:0]),
      .valid_i(in_valid), .flit_i(in_flit), .inj_valid_i(inj_valid), .inj_flit_i(inj_flit),
      .late_i(late),
      .stops_x_o(stops_x), .waits_x_o(waits_x), .stops_y_o(stops_y), .waits_y_o(waits_y),
      .stands_x_i(stands_x), .stands_y_i(stands_y), .ahead_y_i(ahead_y),
      .valid_o(out_valid), .flit_o(out_flit),
      .exit_valid_o(exit_valid_o[s*L +: L]), .exit_flit_o(exit_flit_o[s*L*LinkW +: L*LinkW]),
      .failed_o(failed[s]), .fault_o(fault_o[s])
    );
  end

  assign failed_d = failed_q || failed != '0;
  assign failed_o = failed_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) failed_q <= 1'b0;
    else       failed_q <= failed_d;
  end

endmodule
