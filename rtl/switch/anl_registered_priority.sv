// SPDX-License-Identifier: Apache-2.0
//
// The favoured lane of an input port, or of a class of it, under the arbitration policy
// registered_priority (docs/switch.md, "The favoured lane"). It says which lane asks: no other one may
// be offered.
//
// The first lane that holds a flit asks, in cyclic order from the favoured one. The favoured lane is
// stored as the mask that anl_arb_cyclic reads.
// Timing: ask_o is a function of held_i and of registers, so it does not wait for eligible_i;
// taken_i may depend on everything, and is the last to arrive; ptr_o is a function of registers.

// The indices of the winners are not needed here.
// verilator lint_off PINCONNECTEMPTY

`include "anl_assert.svh"

module anl_registered_priority #(
  parameter  int NumVcs = 2,                        // at least 2
  localparam int VcW    = anl_pkg::index_width(NumVcs)
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic [NumVcs-1:0] held_i,        // the lane holds a flit
  input  logic [NumVcs-1:0] eligible_i,    // its front flit is eligible; 0 if it holds none
  output logic [NumVcs-1:0] ask_o,         // the lane that asks, one-hot; 0 if none holds a flit
  input  logic              taken_i,       // its flit is granted
  output logic [VcW-1:0]    ptr_o          // the favoured lane
);

  logic [NumVcs-1:0] from_q, first;        // the favoured lane as a mask, and one-hot
  logic [NumVcs-1:0] others, behind, next; // other eligible lanes; lanes behind; the next one
  logic [NumVcs-1:0] stays, moves;         // the favoured lane if it does not move on, and if it does
  logic              leaves;               // the lane that asks is not eligible

  // Bit v: v is the lane or above it. The highest bit is left out: it is always 1.
  function automatic logic [NumVcs-2:0] mask_from(input logic [NumVcs-1:0] lane);
    mask_from = '0;
    for (int v = 0; v < NumVcs - 1; v++)
      for (int w = 0; w <= v; w++) mask_from[v] = mask_from[v] || lane[w];
  endfunction

  anl_arb_cyclic #(.Size(NumVcs)) u_ask (
    .req_i(held_i), .from_i(from_q), .gnt_o(ask_o), .index_o()
  );

  // From the lane that asks on all bits are 1. If no lane asks, there are no others either.
  assign behind = {1'b1, mask_from(ask_o)};
  assign others = eligible_i & ~ask_o;
  anl_arb_cyclic #(.Size(NumVcs)) u_next (
    .req_i(others), .from_i(behind), .gnt_o(next), .index_o()
  );

  assign leaves = (ask_o & eligible_i) == '0;
  assign stays  = (held_i == '0) ? from_q : behind;
  assign moves  = (others == '0) ? stays : {1'b1, mask_from(next)};

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) from_q <= '1;
    else       from_q <= (taken_i || leaves) ? moves : stays;
  end

  assign first = from_q & ~(from_q << 1);
  anl_encode #(.Size(NumVcs)) u_ptr (.onehot_i(first), .index_o(ptr_o));

  `ANL_ASSERT(AssumeEligibleIsHeld, (eligible_i & ~held_i) == '0)
  `ANL_ASSERT(AssumeTakenIsEligible, !taken_i || (ask_o & eligible_i) != '0)
  `ANL_ASSERT(OnesFromTheFavouredOn, from_q[NumVcs-1] && ((from_q << 1) & ~from_q) == '0)

endmodule
