// SPDX-License-Identifier: Apache-2.0
//
// Pointer into a ring of Size slots: 0 after reset, one further (modulo Size) after each step_i.
//
// Timing: ptr_o is a register.

`include "anl_assert.svh"

module anl_pointer #(
  parameter  int Size = 4,
  localparam int PtrW = anl_pkg::index_width(Size)
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic            step_i,
  output logic [PtrW-1:0] ptr_o
);

  logic [PtrW-1:0] ptr_d, ptr_q;

  always_comb begin : next_ptr
    ptr_d = ptr_q;
    if (step_i) ptr_d = (ptr_q == PtrW'(Size - 1)) ? '0 : ptr_q + 1'b1;
  end

  assign ptr_o = ptr_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) ptr_q <= '0;
    else       ptr_q <= ptr_d;
  end

  `ANL_ASSERT(InRange, 32'(ptr_q) < Size)

endmodule
