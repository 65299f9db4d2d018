// SPDX-License-Identifier: Apache-2.0
//
// The assertion macro of rtl/include for the proofs that survivors are harmless: whatever a module
// assumes and promises is assumed, in the cycle itself. (Yosys would make registers of a clocked
// assertion.) Promises may be assumed because make prove proves them for the RTL without mutants.

`ifndef ANL_ASSERT_SVH
`define ANL_ASSERT_SVH

`define ANL_ASSERT(name, cond) \
  always @* begin : name \
    if (!rst_i) assume (cond); \
  end

`endif
