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
  logic            last, ones;       // last place; the step, while all lower bits are 1

  // Bit by bit, and without an enable: step_i comes late.
  assign last = 32'(ptr_q) == Size - 1;

  always_comb begin : next_ptr
    ones  = step_i;
    ptr_d = '0;                      // and stays so if there is one slot
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
