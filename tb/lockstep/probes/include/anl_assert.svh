// SPDX-License-Identifier: Apache-2.0
//
// The assertion macro of rtl/include as the lock-step builds it: a failure is reported to C, which
// reports it like any other difference. With ANL_UNASSERTED defined there are no assertions.
//
// %m would name the instance, but its text is another one in every switch, and equal switches share
// their code only if it is the same (tb/lockstep/probes/lockstep.vlt). So the name comes in two
// parts that Verilator's C++ has anyway: that of the module whose function this is, which is an
// object's own, and the name of a variable of this block, which has the rest. tb/shim/instance.h
// defines the two C++ macros. The module on top, ANL_TOP, has the address that C gets.

`ifndef ANL_ASSERT_SVH
`define ANL_ASSERT_SVH

`ifndef ANL_TOP
`define ANL_TOP anl_lockstep_top
`endif

`ifdef ANL_UNASSERTED
`define ANL_ASSERT(name, cond)
`else
`define ANL_ASSERT(name, cond) \
  always @(posedge clk_i) begin : name \
    logic _here; \
    if (!rst_i && !(cond)) \
      anl_lockstep_assertion::anl_lockstep_failed(`ANL_TOP.harness_i, `"name`", `"cond`", \
          $c64("ANL_OUTER"), $c64("ANL_INNER(", _here, ")")); \
  end
`endif

`endif
