// SPDX-License-Identifier: Apache-2.0
//
// N x N supernodes beside the model: C gives rounds, worms and starts at the falling edge, and sees
// all registers at the rising edge, before they change. What belongs to a node is at its number in
// the mesh of all cells. Only Verilator reads this file.

module snakes_top #(
  parameter int N      = 2,
  parameter int FlitW  = 62,   // flits and starts are whole words: the program builds quickly
  parameter int NameW  = 8,
  parameter int CountW = 8,
  parameter int StepW  = 32
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int Cells = anl_layout_pkg::Cells;
  localparam int Side  = anl_layout_pkg::Side;
  localparam int Nodes = N * N * Cells;
  localparam int T     = anl_bufferless_pkg::Terminal;
  localparam int P     = anl_bufferless_pkg::NumPorts;
  localparam int LinkW = FlitW + 2;
  localparam int MapW  = anl_snakes_pkg::MapW;
  localparam int BirthW = anl_snakes_pkg::BirthW;

  // What the sources of all nodes show, and the next round.
  import "DPI-C" function void snakes_drive(
    input bit reset, output bit run, output bit round_valid, output int supersteps,
    output bit [Nodes-1:0] start_valid, output bit [Nodes*StepW-1:0] start,
    output bit [Nodes-1:0] src_valid, output bit [Nodes*LinkW-1:0] src_flit);
  // What stands in the mesh in this cycle, and what the sources take and the terminals consume.
  import "DPI-C" function void snakes_see(
    input int step, input bit round_ready, input bit [Nodes-1:0] start_ready,
    input bit [Nodes-1:0] src_ready, input bit [Nodes*T-1:0] valid,
    input bit [Nodes*T*LinkW-1:0] flit, input bit [Nodes*P*P-1:0] latch,
    input bit [Nodes-1:0] fault, input bit overflow, input bit [Nodes-1:0] ej_valid,
    input bit [Nodes*LinkW-1:0] ej_flit);
  import "DPI-C" function void snakes_parameters(
    input int n, input int f, input int k, input int flit_w, input int name_w, input int step_w,
    input bit [Cells*MapW-1:0] ways, input bit [Cells*BirthW-1:0] births);

  // A test puts several faults into one RTL, each behind the question which one is to be there; 0: none.
  import "DPI-C" function int snakes_fault();
  int fault_number;
  initial fault_number = snakes_fault();

  bit run, round_valid;
  int supersteps;
  bit [Nodes-1:0] start_valid, src_valid;
  bit [Nodes*StepW-1:0] start;
  bit [Nodes*LinkW-1:0] src_flit;
  logic [StepW-1:0] step;
  logic round_ready;
  logic [N*N-1:0] overflow;
  logic [Nodes-1:0] start_ready, src_ready, ej_valid, fault;
  logic [Nodes*LinkW-1:0] ej_flit;
  logic [Nodes*T-1:0] valid;
  logic [Nodes*T*LinkW-1:0] flit;
  logic [Nodes*P*P-1:0] latch;

  // The same by supernode and cell.
  logic [Nodes-1:0] cell_start_valid, cell_src_valid, cell_start_ready, cell_src_ready, cell_ej_valid, cell_fault;
  logic [Nodes*StepW-1:0] cell_start;
  logic [Nodes*LinkW-1:0] cell_src_flit, cell_ej_flit;

  anl_supernodes #(.N(N), .FlitW(FlitW), .NameW(NameW), .CountW(CountW), .StepW(StepW)) u_mesh (
    .clk_i, .rst_i, .run_i(run), .step_o(step), .round_valid_i(round_valid),
    .round_supersteps_i(CountW'(supersteps)), .round_ready_o(round_ready),
    .start_valid_i(cell_start_valid), .start_i(cell_start), .start_ready_o(cell_start_ready),
    .src_valid_i(cell_src_valid), .src_flit_i(cell_src_flit), .src_ready_o(cell_src_ready),
    .ej_valid_o(cell_ej_valid), .ej_flit_o(cell_ej_flit), .fault_o(cell_fault), .overflow_o(overflow)
  );

  for (genvar i = 0; i < N * N; i++) begin : g_supernode
    for (genvar c = 0; c < Cells; c++) begin : g_cell
      localparam int A = i * Cells + c;
      localparam int S = ((i / N) * Side + c / Side) * N * Side + (i % N) * Side + c % Side;
      assign cell_start_valid[A]              = start_valid[S];
      assign cell_start[A*StepW +: StepW]     = start[S*StepW +: StepW];
      assign cell_src_valid[A]                = src_valid[S];
      assign cell_src_flit[A*LinkW +: LinkW]  = src_flit[S*LinkW +: LinkW];
      assign start_ready[S]                   = cell_start_ready[A];
      assign src_ready[S]                     = cell_src_ready[A];
      assign ej_valid[S]                      = cell_ej_valid[A];
      assign ej_flit[S*LinkW +: LinkW]        = cell_ej_flit[A*LinkW +: LinkW];
      assign fault[S]                         = cell_fault[A];
      assign latch[S*P*P +: P*P] = u_mesh.g_supernode[i].u_supernode.g_cell[c].u_switch.u_core.latch;
      for (genvar p = 0; p < T; p++) begin : g_port
        assign valid[S*T + p] = u_mesh.g_supernode[i].u_supernode.g_cell[c].u_switch.u_core.g_input[p].valid;
        assign flit[(S*T + p)*LinkW +: LinkW] =
            u_mesh.g_supernode[i].u_supernode.g_cell[c].u_switch.u_core.g_input[p].flit;
      end
    end
  end

  initial snakes_parameters(N, anl_layout_pkg::F, anl_layout_pkg::K, FlitW, NameW, StepW,
                            anl_layout_pkg::Map, anl_layout_pkg::Births);
  always @(negedge clk_i)
    snakes_drive(rst_i, run, round_valid, supersteps, start_valid, start, src_valid, src_flit);
  always @(posedge clk_i)
    if (!rst_i)
      snakes_see(32'(step), round_ready, start_ready, src_ready, valid, flit, latch, fault, overflow != '0,
                 ej_valid, ej_flit);

endmodule
