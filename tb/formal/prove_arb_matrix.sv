// SPDX-License-Identifier: Apache-2.0
//
// anl_arb_matrix: the request that was served least recently is granted. The inputs a and b are any
// two, chosen in the reset cycle, and so is the waiter.

`include "prove.svh"

module prove_arb_matrix #(
  parameter  int Size = 4,
  localparam int IdxW = anl_pkg::index_width(Size)
) (
  input logic            clk_i,
  input logic [Size-1:0] req_i,
  input logic            taken_i,
  input logic [IdxW-1:0] a_i,
  input logic [IdxW-1:0] b_i,
  input logic [IdxW-1:0] waiter_i
);

  `PROVE_RESET

  logic [Size-1:0] gnt;
  logic [IdxW-1:0] ptr;

  anl_arb_matrix #(.Size(Size)) u_dut (
    .clk_i, .rst_i, .req_i, .gnt_o(gnt), .taken_i, .ptr_o(ptr)
  );

  logic [IdxW-1:0] a_q, b_q, waiter_q, last_q;
  logic            a_first_q;              // a stands before b
  logic [Size-1:0] passed_q;               // who was served while the waiter requests
  logic            again_q;                // one of them was served twice
  logic            ready_q;                // the reset is over

  always_ff @(posedge clk_i) begin : model
    ready_q <= !rst_i;
    if (rst_i) begin
      a_q       <= a_i;
      b_q       <= b_i;
      waiter_q  <= waiter_i;
      a_first_q <= a_i < b_i;
      last_q    <= IdxW'(Size - 1);
      passed_q  <= '0;
      again_q   <= 1'b0;
    end else begin
      if (taken_i && gnt[a_q]) a_first_q <= 1'b0;
      if (taken_i && gnt[b_q]) a_first_q <= 1'b1;
      for (int i = 0; i < Size; i++) if (taken_i && gnt[i]) last_q <= IdxW'(i);
      if (!req_i[waiter_q] || (taken_i && gnt[waiter_q])) begin
        passed_q <= '0;
        again_q  <= 1'b0;
      end else if (taken_i) begin
        passed_q <= passed_q | gnt;
        again_q  <= again_q || (passed_q & gnt) != '0;
      end
    end
  end

  // What is chosen in the reset cycle may be anything.
  wire two    = 32'(a_q) < Size && 32'(b_q) < Size && a_q != b_q;
  wire waited = 32'(waiter_q) < Size;

  `PROVE(GrantImpliesRequest, (gnt & ~req_i) == '0)
  `PROVE(OneGrant, (gnt & (gnt - 1'b1)) == '0)
  `PROVE(GrantIfAnyRequest, (gnt != '0) == (req_i != '0))
  `PROVE(ServedLeastRecently, !ready_q || !two || !gnt[a_q] || !req_i[b_q] || a_first_q)
  `PROVE(PassedOnceByEachOther, !ready_q || !waited || !again_q)
  `PROVE(PointerIsBehindTheLast, !ready_q || 32'(ptr) == (32'(last_q) + 1) % Size)

  `COVER(PassedByAllOthers, ready_q && waited && gnt[waiter_q] && $countones(passed_q) == Size - 1)
  `COVER(NotTaken, ready_q && gnt != '0 && !taken_i && !gnt[0])

endmodule
