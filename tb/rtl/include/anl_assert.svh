// SPDX-License-Identifier: Apache-2.0
//
// The assertion macro for benches, in place of the one of rtl/include. It reports a failure to C,
// which fails the test. (Verilator's own message contains the name of the instance. The code of
// every instance would differ by it, and each would be compiled separately.)

`ifndef ANL_ASSERT_SVH
`define ANL_ASSERT_SVH

`define ANL_ASSERT(name, cond) \
  always @(posedge clk_i) begin : name \
    if (!rst_i && !(cond)) bench_assertion::bench_failed(`"name`", `__FILE__, `__LINE__); \
  end

`endif
