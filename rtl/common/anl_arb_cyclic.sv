// SPDX-License-Identifier: Apache-2.0
//
// Cyclic arbiter: grants the first request in the order start, start + 1, …, Size - 1, 0, …,
// start - 1 (docs/switch.md, "Arbitration policies").
//
// Only the inputs in the set Members can be granted; requests of other inputs are ignored.
//
// The start is given as a mask, so that no index has to be decoded: bit i of from_i is 1 if i is
// the start or above it. The highest bit must be 1. The members play a tournament of pairs. A
// request at or above the start beats one below it; otherwise the lower index wins. Each round adds
// one bit to the index of the winner. If from_i is tied to ones, the lowest request wins, and
// synthesis removes the logic that compares with the start.
// Timing: the outputs are combinational; the module has no state.

// Requests of ports without a turn to this one are not read; nor are the outputs of the last round
// of the tournament.
// verilator lint_off UNUSEDSIGNAL

module anl_arb_cyclic #(
  parameter  int Size       = 4,
  parameter  int Members    = (1 << Size) - 1,  // bit i: input i may request; at least one
  localparam int NumMembers = anl_pkg::members(Members, Size),
  localparam int IndexW     = anl_pkg::index_width(NumMembers)
) (
  input  logic [Size-1:0]   req_i,
  input  logic [Size-1:0]   from_i,
  output logic [Size-1:0]   gnt_o,   // one-hot; 0 if no member requests
  output logic [IndexW-1:0] index_o  // winner's index among the members; no meaning if none
);

  localparam int Steps = (NumMembers > 1) ? $clog2(NumMembers) : 0;

  // Each bit belongs to one member: it requests; it requests at or above the start; it wins.
  logic [NumMembers-1:0] req, ahead, won;

  for (genvar i = 0; i < Size; i++) begin : g_place
    if ((Members >> i) % 2 != 0) begin : g_member
      localparam int W = anl_pkg::members(Members, i);
      assign req[W]   = req_i[i];
      assign ahead[W] = req_i[i] && from_i[i];
      assign gnt_o[i] = won[W];
    end else begin : g_other
      assign gnt_o[i] = 1'b0;
    end
  end

  for (genvar s = 0; s < Steps; s++) begin : g_step     // one round of the tournament
    localparam int Nodes = (NumMembers + (1 << s) - 1) >> s;
    localparam int Pairs = (Nodes + 1) / 2;
    localparam int Bits  = s + 1;  // of an index within a pair
    // Bits of the nodes: the node has a request; it has one at or above the start.
    logic [Nodes-1:0]      any, first;
    logic [Pairs-1:0]      any_left, first_left;  // the same for the pairs
    logic [Pairs-1:0]      upper;                 // the upper node of the pair wins
    logic [Pairs*Bits-1:0] index;                 // winner's index within the pair

    if (s == 0) begin : g_members
      assign any   = req;
      assign first = ahead;
    end else begin : g_halved
      assign any   = g_step[s-1].any_left;
      assign first = g_step[s-1].first_left;
    end

    for (genvar j = 0; j < Pairs; j++) begin : g_pair
      if (2*j + 1 < Nodes) begin : g_two
        assign any_left[j]   = any[2*j] || any[2*j+1];
        assign first_left[j] = first[2*j] || first[2*j+1];
        assign upper[j]      = any[2*j+1] && !first[2*j] && (first[2*j+1] || !any[2*j]);
      end else begin : g_one
        assign any_left[j]   = any[2*j];
        assign first_left[j] = first[2*j];
        assign upper[j]      = 1'b0;
      end

      assign index[j*Bits + s] = upper[j];
      if (s > 0 && 2*j + 1 < Nodes) begin : g_of_two
        assign index[j*Bits +: s] = upper[j] ? g_step[s-1].index[(2*j + 1)*s +: s]
                                             : g_step[s-1].index[2*j*s +: s];
      end else if (s > 0) begin : g_of_one
        assign index[j*Bits +: s] = g_step[s-1].index[2*j*s +: s];
      end
    end
  end

  if (NumMembers == 1) begin : g_only
    assign won     = req;
    assign index_o = '0;
  end else begin : g_tree
    for (genvar w = 0; w < NumMembers; w++) begin : g_member
      logic [Steps-1:0] wins;  // bit s: the member's side wins round s
      for (genvar s = 0; s < Steps; s++) begin : g_against
        assign wins[s] = g_step[s].upper[w >> (s + 1)] == ((w >> s) % 2 != 0);
      end
      assign won[w] = req[w] && wins == '1;
    end
    assign index_o = g_step[Steps-1].index;
  end

endmodule
