// SPDX-License-Identifier: Apache-2.0
//
// Assertion macro for simulation and proof; expands to nothing in synthesis.
//
// An unlabelled immediate assertion in a clocked block is the one form that Verilator, Icarus and
// Yosys all accept. The block's name makes the property greppable. In the reset cycle nothing holds
// yet, so nothing is asserted.

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
