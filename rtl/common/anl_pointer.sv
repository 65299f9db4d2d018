// SPDX-License-Identifier: Apache-2.0
//
// Pointer into a ring of Size slots. It is 0 after reset and moves to the next slot, modulo Size,
// at the end of each cycle in which step_i is 1.
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
  logic            last, ones;       // the last slot; it steps and all lower bits are 1

  // The next value is computed bit by bit and the register has no enable, because step_i arrives
  // late in the cycle.
  assign last = 32'(ptr_q) == Size - 1;

  always_comb begin : next_ptr
    ones  = step_i;
    ptr_d = '0;                      // stays 0 if there is only one slot
    for (int i = 0; i < $clog2(Size); i++) begin
      ptr_d[i] = (ptr_q[i] ^ ones) && !(step_i && last);
      ones     = ones && ptr_q[i];
    end
  end

  assign ptr_o = ptr_q;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) ptr_q <= '0;
    else       ptr_q <= ptr_d;
  end

  `ANL_ASSERT(InRange, 32'(ptr_q) < Size)

endmodule
