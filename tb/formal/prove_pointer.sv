// SPDX-License-Identifier: Apache-2.0
//
// anl_pointer: the pointer starts at slot 0 and goes round the ring, one slot with each step.

`include "prove.svh"

module prove_pointer #(
  parameter  int Size = 4,
  localparam int PtrW = anl_pkg::index_width(Size)
) (
  input logic clk_i,
  input logic step_i
);

  `PROVE_RESET

  logic [PtrW-1:0]   ptr;
  logic [Size-1:0]   slot_q;       // one-hot; the 1 goes round
  wire  [2*Size-1:0] twice = {slot_q, slot_q};

  anl_pointer #(.Size(Size)) u_dut (.clk_i, .rst_i, .step_i, .ptr_o(ptr));

  always_ff @(posedge clk_i) begin : model
    if (rst_i)       slot_q <= Size'(1);
    else if (step_i) slot_q <= twice[2*Size-2 -: Size];
  end

  `PROVE(PointsAtTheSlot, slot_q == Size'(1) << ptr)

  logic round_q;
  always_ff @(posedge clk_i) round_q <= !rst_i && (round_q || 32'(ptr) == Size - 1);

  `COVER(Wraps, round_q && ptr == '0)

endmodule
