// SPDX-License-Identifier: Apache-2.0
//
// Signs the flits that the sink of a terminal takes, each with the cycle of its arrival
// (docs/board.md).
//
// Timing: signature_o is a register; a flit taken in cycle t counts in it from t + 2 on. Only
// registers read the flit, so the signer does not lengthen the longest path of the network.

module anl_board_signer #(
  parameter  int NumVcs = 4,
  parameter  int FlitW  = 32,
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int LinkW  = FlitW + 2
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             valid_i,              // the sink takes flit_i from lane vc_i
  input  logic [LinkW-1:0] flit_i,
  input  logic [VcW-1:0]   vc_i,
  input  logic [31:0]      cycle_i,              // cycle in which it crossed the link

  output logic [31:0]      signature_o
);

  localparam int AllW = VcW + LinkW;

  logic [AllW-1:0] all;
  logic [31:0]     turned;        // the cycle with its halves exchanged
  logic [31:0]     word_d, word_q;
  logic            valid_q;

  assign all    = {vc_i, flit_i};
  assign turned = {cycle_i[15:0], cycle_i[31:16]};

  always_comb begin : fold
    word_d = turned;
    for (int i = 0; i < AllW; i++) word_d[i % 32] = word_d[i % 32] ^ all[i];
  end

  anl_board_signature u_signature (
    .clk_i, .rst_i, .valid_i(valid_q), .word_i(word_q), .signature_o
  );

  always_ff @(posedge clk_i) begin : regs
    word_q <= word_d;
    if (rst_i) valid_q <= 1'b0;
    else       valid_q <= valid_i;
  end

endmodule
