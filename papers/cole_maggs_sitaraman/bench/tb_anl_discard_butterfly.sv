// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_discard_butterfly #(
  parameter int Index,
  parameter int Levels,
  parameter int Passes,
  parameter int NumVcs,
  parameter int Multiplexed
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int FlitW = 8;
  localparam int StepW = 12;
  localparam int Columns = 1 << Levels;
  localparam int Wires = Multiplexed != 0 ? 1 : NumVcs;
  localparam int E = Columns * 2 * Wires;
  localparam int LinkW = FlitW + 2;
  localparam int VcW = anl_pkg::index_width(NumVcs);
  logic run;
  logic [StepW-1:0] step;
  logic [VcW-1:0] lane;
  logic [Columns-1:0] start_valid, start_ready, src_valid, src_ready, late;
  logic [Columns*StepW-1:0] start;
  logic [Columns*LinkW-1:0] src_flit;
  logic [E-1:0] ej_valid;
  logic [E*LinkW-1:0] ej_flit;
  logic [Passes*Levels*Columns-1:0] discard;

  `BENCH("anl_discard_butterfly", Index, {StepW, FlitW, Multiplexed, NumVcs, Passes, Levels})
  assign {src_flit, src_valid, start, start_valid, run} = in;
  assign out = {discard, late, ej_flit, ej_valid, src_ready, start_ready, lane, step};

  anl_discard_butterfly #(
    .Levels(Levels), .Passes(Passes), .NumVcs(NumVcs), .Injections(1), .FlitW(FlitW), .StepW(StepW),
    .Multiplexed(Multiplexed)
  ) u_dut (
    .clk_i, .rst_i, .run_i(run), .step_o(step), .lane_o(lane), .start_valid_i(start_valid),
    .start_i(start), .start_ready_o(start_ready), .src_valid_i(src_valid), .src_flit_i(src_flit),
    .src_ready_o(src_ready), .late_o(late), .ej_valid_o(ej_valid), .ej_flit_o(ej_flit),
    .discard_o(discard)
  );

endmodule
