// SPDX-License-Identifier: Apache-2.0
//
// Two streams of packets become one, packet by packet.
//
// A beat that is shown stays until it is taken, and the beats of a packet follow each other with no beat of the other
// stream between them. At the end of a packet the other stream has its turn, if it shows a beat.
// Timing: valid_o, data_o and last_o follow valid_i, data_i and last_i; ready_o follows valid_i and ready_i.

module anl_axi_merge #(
  parameter int Width = 8                // bits of a beat
) (
  input  logic               clk_i,
  input  logic               rst_i,

  input  logic [1:0]         valid_i,
  output logic [1:0]         ready_o,
  input  logic [2*Width-1:0] data_i,
  input  logic [1:0]         last_i,

  output logic               valid_o,
  input  logic               ready_i,
  output logic [Width-1:0]   data_o,
  output logic               last_o,
  output logic               from_o      // the stream whose beat is shown
);

  logic held_d, held_q;                  // a beat of the stream from_q was shown, and its packet has not ended
  logic from_d, from_q;                  // the stream that is shown, or was shown last

  assign from_o  = held_q ? from_q : from_q ? !valid_i[0] : valid_i[1];
  assign valid_o = valid_i[from_o];
  assign last_o  = last_i[from_o];
  assign data_o  = from_o ? data_i[Width +: Width] : data_i[0 +: Width];
  assign ready_o = {from_o && ready_i, !from_o && ready_i};

  assign held_d  = valid_o ? !(ready_i && last_o) : held_q;
  assign from_d  = valid_o ? from_o : from_q;

  always_ff @(posedge clk_i) begin : regs
    held_q <= !rst_i && held_d;
    from_q <= !rst_i && from_d;
  end

endmodule
