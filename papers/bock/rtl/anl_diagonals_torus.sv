// SPDX-License-Identifier: Apache-2.0
//
// An N x N torus on which worms ride diagonals, and which replays a table of starts
// (papers/bock/diagonals.md, "RTL"): S = N*N nodes, the links between them, a source at each terminal, and
// the number of the step for all of them.
//
// Node s is in column s % N and row s / N; what belongs to it is at index s, what belongs to its
// register of port p at index s*4 + p (anl_diagonals_pkg). The first batch begins in step 1.
// Timing: exit_* and command_o are functions of registers. src_ready_o and start_ready_o follow
// src_valid_i.

module anl_diagonals_torus #(
  parameter  int N      = 8,      // side of the torus
  parameter  int Length = 1,      // flits of a worm
  parameter  int A      = 2,      // rows between two worms of a diagonal; A*B*Length divides N
  parameter  int B      = 2,      // diagonals are B*Length columns apart
  parameter  int C      = 2,      // columns of a column block; divides N
  parameter  int Brief  = 1,      // 1: the rounds are the short ones, 0: those of the paper
  parameter  int FlitW  = 32,     // data bits of a flit (docs/link.md)
  parameter  int StepW  = 16,     // bits of a step; starts are below 2**StepW - 1
  localparam int S      = N * N,
  localparam int L      = anl_diagonals_pkg::NumLinks,
  localparam int LinkW  = FlitW + 2
) (
  input  logic                                   clk_i,
  input  logic                                   rst_i,

  input  logic                                   run_i,         // the step counts
  output logic [StepW-1:0]                       step_o,
  output logic [anl_diagonals_pkg::CommandW-1:0] command_o,

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
  localparam int XPlus  = anl_diagonals_pkg::XPlus;
  localparam int XMinus = anl_diagonals_pkg::XMinus;
  localparam int YPlus  = anl_diagonals_pkg::YPlus;
  localparam int YMinus = anl_diagonals_pkg::YMinus;

  logic [S-1:0] failed;
  logic         failed_d, failed_q;

  anl_steps #(.StepW(StepW)) u_steps (.clk_i, .rst_i, .run_i, .step_o);

  anl_diagonals_clock #(.N(N), .Length(Length), .C(C), .Brief(Brief)) u_clock (
    .clk_i, .rst_i, .run_i(run_i && step_o != '0), .command_o
  );

  for (genvar s = 0; s < S; s++) begin : g_node
    localparam int X      = s % N;
    localparam int Y      = s / N;
    localparam int Row    = s - X;
    localparam int East   = Row + (X + 1) % N;
    localparam int West   = Row + (X + N - 1) % N;
    localparam int Above  = ((Y + 1) % N) * N + X;
    localparam int Below  = ((Y + N - 1) % N) * N + X;
    localparam int Here   = (Y << W) | X;
    localparam int First  = X - X % C;
    localparam int Slot   = anl_diagonals_pkg::is_slot(N, Length, A, B, X, Y);
    localparam int Turn   = anl_diagonals_pkg::is_slot(N, Length, A, B, (X + Length) % N, Y);
    localparam int Top    = anl_diagonals_pkg::is_top(N, Length, C, Y);
    localparam int Bottom = anl_diagonals_pkg::is_bottom(N, Length, C, Y);
    localparam int Fits   = (anl_diagonals_pkg::block_rows(N, Length, C, Y) > Length) ? 1 : 0;

    logic [L-1:0]       in_valid, out_valid;
    logic [L*LinkW-1:0] in_flit, out_flit;
    logic               inj_valid, late, stands_x, stands_y;
    logic [LinkW-1:0]   inj_flit;

    assign in_valid = {g_node[Above].out_valid[YMinus], g_node[Below].out_valid[YPlus],
                       g_node[East].out_valid[XMinus], g_node[West].out_valid[XPlus]};
    assign in_flit  = {g_node[Above].out_flit[YMinus*LinkW +: LinkW],
                       g_node[Below].out_flit[YPlus*LinkW +: LinkW],
                       g_node[East].out_flit[XMinus*LinkW +: LinkW],
                       g_node[West].out_flit[XPlus*LinkW +: LinkW]};

    anl_replay #(.FlitW(FlitW), .StepW(StepW)) u_source (
      .clk_i, .rst_i, .step_i(step_o),
      .start_valid_i(start_valid_i[s]), .start_i(start_i[s*StepW +: StepW]),
      .start_ready_o(start_ready_o[s]),
      .src_valid_i(src_valid_i[s]), .src_flit_i(src_flit_i[s*LinkW +: LinkW]),
      .src_ready_o(src_ready_o[s]),
      .inj_valid_o(inj_valid), .inj_flit_o(inj_flit), .late_o(late)
    );

    anl_diagonals #(.N(N), .C(C), .FlitW(FlitW), .Slot(Slot), .Bottom(Bottom)) u_node (
      .clk_i, .rst_i, .command_i(command_o),
      .here_i(Here[2*W-1:0]), .first_i(First[W-1:0]), .turn_i(Turn[0]), .top_i(Top[0]), .fits_i(Fits[0]),
      .valid_i(in_valid), .flit_i(in_flit), .inj_valid_i(inj_valid), .inj_flit_i(inj_flit),
      .late_i(late),
      .stands_x_o(stands_x), .stands_y_o(stands_y),
      .ahead_x_i(g_node[East].stands_x), .ahead_y_i(g_node[Below].stands_y),
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
