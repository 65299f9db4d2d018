// SPDX-License-Identifier: Apache-2.0
//
// The slices of a link between two switches (docs/link.md, "Links of several cycles"): Cycles - 1
// registers, through which flits go from the sender to the receiver, and as many through which
// credits go back. With one cycle there are none, and outputs are inputs.
// Timing: with more than one cycle no combinational path leads from any input to any output.

`include "anl_assert.svh"

// With one cycle nothing is clocked.
// verilator lint_off UNUSEDSIGNAL

module anl_link_slices #(
  parameter  int Cycles  = 2,                       // of the link, 1 .. 16
  parameter  int NumVcs  = 4,                       // lanes of the link, 1 .. 8
  parameter  int FlitW   = 32,                      // data bits of a flit
  parameter  int Lines   = 1,                       // 1, or NumVcs if the link is wide
  localparam int VcW     = anl_pkg::index_width(NumVcs),
  localparam int LinkW   = FlitW + 2
) (
  input  logic                   clk_i,
  input  logic                   rst_i,

  // Sender: an output port of a switch (docs/link.md).
  input  logic [Lines-1:0]       valid_i,
  input  logic [Lines*VcW-1:0]   vc_i,
  input  logic [Lines*LinkW-1:0] flit_i,
  output logic [NumVcs-1:0]      credit_o,

  // Receiver: an input port of a switch.
  output logic [Lines-1:0]       valid_o,
  output logic [Lines*VcW-1:0]   vc_o,
  output logic [Lines*LinkW-1:0] flit_o,
  input  logic [NumVcs-1:0]      credit_i
);

  localparam int Slices = Cycles - 1;
  localparam int BodyW  = Lines * (VcW + LinkW);   // what means nothing without valid

  if (Slices == 0) begin : g_wires
    assign valid_o  = valid_i;
    assign vc_o     = vc_i;
    assign flit_o   = flit_i;
    assign credit_o = credit_i;
  end else begin : g_slices
    // Slice 0 is that of the sender for flits, and that of the receiver for credits.
    logic [Slices*Lines-1:0]  valid_q, valid_d;
    logic [Slices*BodyW-1:0]  body_q, body_d;
    logic [Slices*NumVcs-1:0] credit_q, credit_d;

    assign valid_d  = (Slices*Lines)'({valid_q, valid_i});
    assign body_d   = (Slices*BodyW)'({body_q, vc_i, flit_i});
    assign credit_d = (Slices*NumVcs)'({credit_q, credit_i});

    assign valid_o        = valid_q[(Slices-1)*Lines +: Lines];
    assign {vc_o, flit_o} = body_q[(Slices-1)*BodyW +: BodyW];
    assign credit_o       = credit_q[(Slices-1)*NumVcs +: NumVcs];

    always_ff @(posedge clk_i) begin : regs
      valid_q  <= rst_i ? '0 : valid_d;
      credit_q <= rst_i ? '0 : credit_d;
      body_q   <= body_d;
    end
  end

endmodule
