// SPDX-License-Identifier: Apache-2.0
//
// Assertion macro for simulation and proofs; it expands to nothing in synthesis.
//
// An unlabelled immediate assertion in a clocked block is the one form that Verilator, Icarus and
// Yosys all accept. The name of the block makes the property easy to search for. While rst_i is 1
// the registers may hold anything, so nothing is asserted.

`ifndef ANL_ASSERT_SVH
`define ANL_ASSERT_SVH

`ifdef SYNTHESIS
  `define ANL_ASSERT(name, cond)
`else
  `define ANL_ASSERT(name, cond) \
    always @(posedge clk_i) begin : name \
      if (!rst_i) assert (cond); \
    end
`endif

`endif
