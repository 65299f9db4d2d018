// SPDX-License-Identifier: Apache-2.0
//
// anl_replay: whatever the step does, a worm begins in the step of the start that was taken for it,
// its flits follow in the next cycles up to the tail, and a start that has passed is told.

`include "prove.svh"

module prove_replay #(
  parameter  int FlitW = 1,
  parameter  int StepW = 3,
  localparam int LinkW = FlitW + 2
) (
  input logic             clk_i,
  input logic [StepW-1:0] step_i,
  input logic             start_valid_i,
  input logic [StepW-1:0] start_i,
  input logic             src_valid_i,
  input logic [LinkW-1:0] src_flit_i
);

  `PROVE_RESET

  logic             start_ready, src_ready, inj_valid, late;
  logic [LinkW-1:0] inj_flit;

  anl_replay #(.FlitW(FlitW), .StepW(StepW)) u_dut (
    .clk_i, .rst_i, .step_i, .start_valid_i, .start_i, .start_ready_o(start_ready),
    .src_valid_i, .src_flit_i, .src_ready_o(src_ready),
    .inj_valid_o(inj_valid), .inj_flit_o(inj_flit), .late_o(late)
  );

  // Starts that were taken and not used, at most one, and whether a worm has begun and not ended.
  logic             starts_q, inside_q;
  logic [StepW-1:0] start_q;
  wire              tail   = src_flit_i[FlitW];
  wire              begins = starts_q && !inside_q && src_valid_i && step_i == start_q;

  always_ff @(posedge clk_i) begin : model
    if (begins) starts_q <= 1'b0;
    if (start_valid_i && start_ready) {starts_q, start_q} <= {1'b1, start_i};
    if (begins || inside_q) inside_q <= !src_valid_i || !tail;
    if (rst_i) {starts_q, inside_q} <= '0;
  end

  `PROVE_IN_RESET(NothingIsTakenInReset, {start_ready, src_ready, inj_valid} == '0)
  `PROVE(SendsFromTheStartToTheTail, inj_valid == (begins || (inside_q && src_valid_i)))
  `PROVE(TakesWhatItSends, (src_ready && src_valid_i) == inj_valid)
  `PROVE(SendsTheFlitOfTheSource, inj_flit == src_flit_i)
  `PROVE(TakesAStartIfItHoldsNone, start_ready == (!starts_q || begins))
  `PROVE(LateIfTheStartHasPassed, late == (starts_q && !inside_q && step_i > start_q))

  logic began_q;
  always_ff @(posedge clk_i) begin : past
    began_q <= begins && !rst_i;
  end

  `COVER(WormBehindWorm, began_q && begins)
  `COVER(LongWorm, inside_q && inj_valid && tail)
  `COVER(LateBehindAWorm, late && began_q)

endmodule
