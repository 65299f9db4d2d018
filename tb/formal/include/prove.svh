// SPDX-License-Identifier: Apache-2.0
//
// Macros of the proofs in tb/formal/: properties (PROVE), assumptions about the environment
// (GIVEN), and situations that can occur in spite of the assumptions (COVER). With PROVE_COVERS
// defined, every COVER becomes an assertion that it does not occur, and the PROVEs are left out.
//
// PROVE_IN_RESET is about the cycle of the reset, the others are about all cycles behind it.
//
// PROVE_RESET makes rst_i of a harness: it is 1 only in the first cycle. Registers without a reset
// start with any value, so this stands for a reset in the middle of a run as well. A GIVEN
// restrains the inputs of its own cycle and must leave at least one choice of them; otherwise it
// would hide what comes after. A symbolic constant is an input that the harness samples in the
// reset cycle.

`ifndef PROVE_SVH
`define PROVE_SVH

`define ANL_SAYS(name, cond) \
  always_comb begin : name \
    if (!rst_i) assert (cond); \
  end

`ifdef PROVE_COVERS
  `define PROVE(name, cond)
  `define PROVE_IN_RESET(name, cond)
  `define COVER(name, cond) `ANL_SAYS(name, !(cond))
`else
  `define PROVE(name, cond) `ANL_SAYS(name, cond)
  `define PROVE_IN_RESET(name, cond) \
    always_comb begin : name \
      if (rst_i) assert (cond); \
    end
  `define COVER(name, cond)
`endif

`define GIVEN(name, cond) \
  always_comb begin : name \
    if (!rst_i) assume (cond); \
  end

`define PROVE_RESET \
  logic begun_q; \
  initial begun_q = 1'b0; \
  always_ff @(posedge clk_i) begin : reset_ends \
    begun_q <= 1'b1; \
  end \
  wire rst_i = !begun_q;

`endif
