// SPDX-License-Identifier: Apache-2.0
//
// The assertion macro of rtl/include as the lock-step builds it: a failure is reported to C, which
// reports it like any other difference. (Verilator's own message names the instance, which would
// make the code of every switch different: see tb/lockstep/probes/lockstep.vlt.) With
// ANL_UNASSERTED defined there are no assertions.

`ifndef ANL_ASSERT_SVH
`define ANL_ASSERT_SVH

`ifdef ANL_UNASSERTED
`define ANL_ASSERT(name, cond)
`else
`define ANL_ASSERT(name, cond) \
  always @(posedge clk_i) begin : name \
    if (!rst_i && !(cond)) \
      anl_lockstep_assertion::anl_lockstep_failed(anl_lockstep_top.harness_i, `"name`"); \
  end
`endif

`endif
