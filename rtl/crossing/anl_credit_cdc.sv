// SPDX-License-Identifier: Apache-2.0
//
// Credits of a link between two clocks (docs/clocks.md): of each lane, the receiver counts the credits that it gave,
// in gray code, and the sender gets one in each of its cycles until it has had as many.
//
// No more than Depth credits of a lane are under way, since a lane holds no more flits (docs/link.md).
// Timing: credit_o is a function of registers of the sender's clock. A credit comes behind SyncStages edges of it, or one
// more, or later if others of its lane come before it.

// Numbers of the pointers are not needed.
// verilator lint_off PINCONNECTEMPTY

module anl_credit_cdc #(
  parameter int NumVcs = 4,                    // lanes of a link, 1 .. 8
  parameter int Depth  = 4,                    // flits of a lane, 1 .. 64
  parameter int SyncStages = 2                 // of the synchronizers, 2 .. 4
) (
  input  logic              sender_clk_i,
  input  logic              sender_rst_i,
  output logic [NumVcs-1:0] credit_o,

  input  logic              receiver_clk_i,
  input  logic              receiver_rst_i,
  input  logic [NumVcs-1:0] credit_i
);

  localparam int PtrW = $clog2(Depth + 1);

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [PtrW-1:0] given;
    anl_gray_pointer #(.Width(PtrW)) u_given (
      .clk_i(receiver_clk_i), .rst_i(receiver_rst_i), .step_i(credit_i[v]), .ptr_o(), .gray_o(given)
    );
    anl_gray_reader #(.PtrW(PtrW), .SyncStages(SyncStages)) u_taken (
      .clk_i(sender_clk_i), .rst_i(sender_rst_i), .pop_i(credit_o[v]), .held_o(credit_o[v]), .ptr_o(), .gray_o(),
      .gray_i(given)
    );
  end

endmodule
