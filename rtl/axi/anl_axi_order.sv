// SPDX-License-Identifier: Apache-2.0
//
// The bursts that a port has under way in one direction, so that responses of an ID come in order (docs/axi.md,
// "Ordering"): all bursts of an ID that are under way go to the same destination.
//
// may_o says that a burst of ask_id_i to ask_dest_i may start: there is an entry for it, and no burst of its ID is under
// way to another destination. Once it is 1 it stays so until a burst starts. Entries of one ID are alike, so a burst
// that is done frees any of them.
// Timing: may_o and elsewhere_o follow registers and ask_*; start_i and done_i count from the next cycle on.

`include "anl_assert.svh"

module anl_axi_order #(
  parameter  int Bursts = 4,             // bursts under way at most, 1 .. 64
  parameter  int IdW    = 4,             // bits of an ID
  parameter  int DestW  = 4              // bits of a destination
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic [IdW-1:0]   ask_id_i,
  input  logic [DestW-1:0] ask_dest_i,
  output logic             may_o,
  output logic             elsewhere_o,  // a burst of the ID is under way to another destination
  input  logic             start_i,      // the burst starts; only if may_o is 1

  input  logic             done_i,       // a burst of this ID is done
  input  logic [IdW-1:0]   done_id_i
);

  localparam int EntryW = IdW + DestW;

  logic [Bursts-1:0]        used_d, used_q;
  logic [Bursts*EntryW-1:0] entry_q;     // {destination, ID}
  logic [Bursts-1:0]        write, free, other;
  logic                     found;       // an entry was chosen for what is done

  for (genvar e = 0; e < Bursts; e++) begin : g_entry
    wire [IdW-1:0]   id   = entry_q[e*EntryW +: IdW];
    wire [DestW-1:0] dest = entry_q[e*EntryW+IdW +: DestW];
    assign other[e] = used_q[e] && id == ask_id_i && dest != ask_dest_i;
    assign free[e]  = used_q[e] && id == done_id_i;
  end

  assign elsewhere_o = other != '0;
  assign may_o       = !elsewhere_o && used_q != '1;
  assign write       = ~used_q & (used_q + 1'b1);      // the lowest entry that is not used

  always_comb begin : next_used
    used_d = start_i ? used_q | write : used_q;
    found  = 1'b0;
    for (int e = 0; e < Bursts; e++) begin
      if (done_i && free[e] && !found) begin
        used_d[e] = 1'b0;
        found     = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) used_q <= '0;
    else       used_q <= used_d;
    for (int e = 0; e < Bursts; e++)
      if (write[e] && start_i) entry_q[e*EntryW +: EntryW] <= {ask_dest_i, ask_id_i};
  end

  `ANL_ASSERT(AssumeStartsIfItMay, !start_i || may_o)
  `ANL_ASSERT(AssumeDoneWasStarted, !done_i || free != '0)

endmodule
