// SPDX-License-Identifier: Apache-2.0
//
// Whole packets: of the lanes at the end of a link, which one is shown to a stream that gives one packet
// at a time (docs/integrate.md, "One packet at a time").
//
// Once a flit of a lane is shown, the lane stays chosen until its last flit is taken. Then the lanes are
// asked in the order after this one, so that a lane which holds a packet waits for one packet of each
// other lane at most.
// Timing: gnt_o, index_o and valid_o are functions of registers and of held_i; the state follows last_i,
// which may follow gnt_o, and ready_i.

`include "anl_assert.svh"

module anl_axis_packets #(
  parameter  int NumVcs = 2,                        // lanes that share the stream, at least 2
  localparam int VcW    = anl_pkg::index_width(NumVcs)
) (
  input  logic              clk_i,
  input  logic              rst_i,

  input  logic [NumVcs-1:0] held_i,                 // lanes that hold a flit
  input  logic              last_i,                 // the flit at the front of the lane gnt_o ends its packet
  input  logic              ready_i,                // the sink takes what is shown

  output logic              valid_o,                // a flit is shown
  output logic [NumVcs-1:0] gnt_o,                  // its lane, one-hot; 0 if none is shown
  output logic [VcW-1:0]    index_o
);

  logic [NumVcs-1:0] packet_d, packet_q;            // lane of the packet that is shown, one-hot; 0: none is
  logic [NumVcs-1:0] from_d, from_q;                // who is asked first, as anl_arb_cyclic takes it
  logic [NumVcs-1:0] asks, behind;

  assign asks = (packet_q != '0) ? held_i & packet_q : held_i;

  anl_arb_cyclic #(.Size(NumVcs)) u_next (.req_i(asks), .from_i(from_q), .gnt_o, .index_o);

  assign valid_o  = asks != '0;
  assign behind   = ~(gnt_o | (gnt_o - 1'b1));      // lanes above the one that is shown
  assign packet_d = !valid_o ? packet_q : (ready_i && last_i) ? '0 : gnt_o;
  assign from_d   = !valid_o ? from_q : (behind != '0) ? behind : '1;

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) packet_q <= '0;
    else       packet_q <= packet_d;
    if (rst_i) from_q <= '1;
    else       from_q <= from_d;
  end

  `ANL_ASSERT(OnePacketAtMost, (packet_q & (packet_q - 1'b1)) == '0)
  `ANL_ASSERT(HighestIsAskedFirstOrLater, from_q[NumVcs-1])

endmodule
