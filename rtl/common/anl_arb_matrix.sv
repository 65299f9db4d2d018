// SPDX-License-Identifier: Apache-2.0
//
// Grants the request that was served least recently (docs/switch.md, arbitration policy matrix).
//
// The order in which the inputs were served is a matrix: bit (i, j) is 1 if input i stands before
// input j. Only the half with i < j is stored. After reset it is 0, 1, …, Size - 1. When the choice
// is carried out, the winner goes to the end of the order. ptr_o is the place behind the input that
// was served last, modulo Size; it serves only the probes.
//
// Timing: gnt_o follows req_i; taken_i may depend on it; ptr_o is a function of registers. The
// registers have no enable, because taken_i arrives late.

`include "anl_assert.svh"

module anl_arb_matrix #(
  parameter  int Size = 4,
  localparam int IdxW = anl_pkg::index_width(Size)
) (
  input  logic            clk_i,
  input  logic            rst_i,
  input  logic [Size-1:0] req_i,
  output logic [Size-1:0] gnt_o,       // one-hot; 0 if there is no request
  input  logic            taken_i,     // the choice is carried out
  output logic [IdxW-1:0] ptr_o
);

  // verilator lint_off UNUSEDSIGNAL
  logic [Size-1:0] served;             // the input that goes to the end, one-hot or 0; unread if Size is 1
  // verilator lint_on UNUSEDSIGNAL
  logic [Size-1:0] last, behind;       // one-hot: the end of the order, and the place behind it
  logic [Size*Size-1:0] earlier;        // [i*Size + j]: i stands before j; 1 if i is j

  assign served = gnt_o & {Size{taken_i}};

  for (genvar i = 0; i < Size; i++) begin : g_input
    logic [Size-1:0] beaten, after;    // by whom; who stands before i, and i itself

    for (genvar j = 0; j < Size; j++) begin : g_other
      if (i < j) begin : g_stored
        logic earlier_d, earlier_q;
        assign earlier_d = (earlier_q && !served[i]) || served[j];
        always_ff @(posedge clk_i) begin : regs
          if (rst_i) earlier_q <= 1'b1;
          else       earlier_q <= earlier_d;
        end
        assign earlier[i*Size + j] = earlier_q;
        assign earlier[j*Size + i] = !earlier_q;
      end else if (i == j) begin : g_itself
        assign earlier[i*Size + i] = 1'b1;
      end
      assign beaten[j] = i != j && req_i[j] && earlier[j*Size + i];
      assign after[j]  = earlier[j*Size + i];
    end
    assign gnt_o[i] = req_i[i] && beaten == '0;
    assign last[i]  = after == '1;
  end

  assign behind = Size'({last, last} >> (Size - 1));
  anl_encode #(.Size(Size)) u_ptr (.onehot_i(behind), .index_o(ptr_o));

  `ANL_ASSERT(OneIsLast, last != '0 && (last & (last - 1'b1)) == '0)

endmodule
