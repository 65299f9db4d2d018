// SPDX-License-Identifier: Apache-2.0
//
// A link (docs/link.md) whose ends have two clocks, of any ratio and phase (docs/clocks.md): flits cross one way,
// credits the other way.
//
// The sender has a credit for each flit that it sends, so all flits under way have a slot in the lanes of the
// receiver, and the FIFO between the clocks has as many slots: it is never full, and the receiver takes a flit in the
// cycle in which it comes. A sender that spends a credit in its cycle may be a cycle ahead of what the FIFO knows of its
// reader, so a chained link has a slot more. A wide link needs one of these for each lane, with NumVcs 1.
// Timing: valid_o, vc_o and flit_o are functions of registers, none of which changes with credit_i; credit_o is a
// function of registers of the sender's clock. No combinational path leads from an input to an output.

// The credits see to it that there is room.
// verilator lint_off PINCONNECTEMPTY

module anl_link_cdc #(
  parameter  int NumVcs = 4,                   // lanes of a link, 1 .. 8
  parameter  int Depth  = 4,                   // flits of a lane at the receiver, 1 .. 64
  parameter  int FlitW  = 32,                  // data bits of a flit
  parameter  int SyncStages = 2,                   // of the synchronizers, 2 .. 4
  parameter  int CreditBypass = 0,             // 1: the link is chained: a credit may be spent in its cycle
  localparam int VcW    = anl_pkg::index_width(NumVcs),
  localparam int LinkW  = FlitW + 2
) (
  // Sender.
  input  logic              sender_clk_i,
  input  logic              sender_rst_i,
  input  logic              valid_i,
  input  logic [VcW-1:0]    vc_i,
  input  logic [LinkW-1:0]  flit_i,
  output logic [NumVcs-1:0] credit_o,

  // Receiver.
  input  logic              receiver_clk_i,
  input  logic              receiver_rst_i,
  output logic              valid_o,
  output logic [VcW-1:0]    vc_o,
  output logic [LinkW-1:0]  flit_o,
  input  logic [NumVcs-1:0] credit_i
);

  localparam int Slots = 2**$clog2(NumVcs * Depth + CreditBypass);

  anl_gray_fifo #(.Depth(Slots), .Width(VcW + LinkW), .SyncStages(SyncStages)) u_flits (
    .wr_clk_i(sender_clk_i), .wr_rst_i(sender_rst_i), .push_i(valid_i), .data_i({vc_i, flit_i}), .full_o(),
    .rd_clk_i(receiver_clk_i), .rd_rst_i(receiver_rst_i), .pop_i(valid_o), .front_o({vc_o, flit_o}), .held_o(valid_o)
  );

  anl_credit_cdc #(.NumVcs(NumVcs), .Depth(Depth), .SyncStages(SyncStages)) u_credits (
    .sender_clk_i, .sender_rst_i, .credit_o, .receiver_clk_i, .receiver_rst_i, .credit_i
  );

endmodule
