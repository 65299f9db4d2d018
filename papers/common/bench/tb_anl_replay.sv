// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_replay #(
  parameter int Index,
  parameter int FlitW,
  parameter int StepW
) (
  input logic clk_i,
  input logic rst_i
);

  logic [StepW-1:0] step, start;
  logic start_valid, start_ready, src_valid, src_ready, inj_valid, late;
  logic [FlitW+1:0] src_flit, inj_flit;

  `BENCH("anl_replay", Index, {StepW, FlitW})
  `BENCH_IN_RESET({start_ready, src_ready, inj_valid})
  assign {src_flit, src_valid, start, start_valid, step} = in;
  assign out = {late, inj_flit, inj_valid, src_ready, start_ready};

  anl_replay #(.FlitW(FlitW), .StepW(StepW)) u_dut (
    .clk_i, .rst_i, .step_i(step), .start_valid_i(start_valid), .start_i(start),
    .start_ready_o(start_ready), .src_valid_i(src_valid), .src_flit_i(src_flit),
    .src_ready_o(src_ready), .inj_valid_o(inj_valid), .inj_flit_o(inj_flit), .late_o(late)
  );

endmodule
