// SPDX-License-Identifier: Apache-2.0
//
// The assertion macro of rtl/include as the benches build it: a failure is told to C, which fails
// the test. (Verilator's own message names the instance, which would make the code of every
// instance a different one, to be compiled by itself.)

`ifndef ANL_ASSERT_SVH
`define ANL_ASSERT_SVH

`define ANL_ASSERT(name, cond) \
  always @(posedge clk_i) begin : name \
    if (!rst_i && !(cond)) bench_assertion::bench_failed(`"name`", `__FILE__, `__LINE__); \
  end

`endif
