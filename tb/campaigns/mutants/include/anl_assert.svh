// SPDX-License-Identifier: Apache-2.0
//
// The assertion macro of rtl/include as the proofs of survivors read it: what a module assumes and
// promises is taken for granted, in the cycle itself (of a clocked assertion Yosys makes registers).
// Promises may be: make prove proves them, of the RTL without mutants.

`ifndef ANL_ASSERT_SVH
`define ANL_ASSERT_SVH

`define ANL_ASSERT(name, cond) \
  always @* begin : name \
    if (!rst_i) assume (cond); \
  end

`endif
