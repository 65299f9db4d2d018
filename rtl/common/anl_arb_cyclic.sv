// SPDX-License-Identifier: Apache-2.0
//
// Picks the first request in cyclic order from a start, start, start + 1, …, Size - 1, 0, …, among
// those of the set Members alone: requests of other places are not seen.
//
// from_i is the start and all behind it: 1 from some bit upwards, at least at the highest. It is a
// mask, so that nothing has to be decoded.
// A tournament of pairs: a request from the start on beats one before it, else the lower one wins.
// The winner's index falls out of it, a bit a step. With from_i tied to ones it is a fixed-priority
// pick, and what looks from the start folds away.
// Timing: combinational, no state.

module anl_arb_cyclic #(
  parameter  int Size    = 4,
  parameter  int Members = (1 << Size) - 1,           // as bits; at least one
  localparam int Ways    = anl_pkg::members(Members, Size),
  localparam int WayW    = anl_pkg::index_width(Ways)
) (
  input  logic [Size-1:0] req_i,
  input  logic [Size-1:0] from_i,
  output logic [Size-1:0] gnt_o,       // one-hot, or 0 if no member requests
  output logic [WayW-1:0] index_o      // of the winner among the members; none: no meaning
);

  localparam int Steps = (Ways > 1) ? $clog2(Ways) : 0;

  logic [Ways-1:0] req, ahead, won;    // of members: requests, those from the start on, the winner

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

  for (genvar s = 0; s < Steps; s++) begin : g_step     // halves what is left
    localparam int Nodes  = (Ways + (1 << s) - 1) >> s;
    localparam int Pairs  = (Nodes + 1) / 2;
    localparam int IndexW = s + 1;
    logic [Nodes-1:0]        any, first;             // a node has a request, one from the start on
    logic [Pairs-1:0]        any_left, first_left;   // the same of a pair
    logic [Pairs-1:0]        upper;                  // the upper node of the pair wins
    logic [Pairs*IndexW-1:0] index;                  // of the member that wins, within the pair

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

      assign index[j*IndexW + s] = upper[j];
      if (s > 0 && 2*j + 1 < Nodes) begin : g_of_two
        assign index[j*IndexW +: s] = upper[j] ? g_step[s-1].index[(2*j + 1)*s +: s]
                                               : g_step[s-1].index[2*j*s +: s];
      end else if (s > 0) begin : g_of_one
        assign index[j*IndexW +: s] = g_step[s-1].index[2*j*s +: s];
      end
    end
  end

  if (Ways == 1) begin : g_only
    assign won     = req;
    assign index_o = '0;
  end else begin : g_tree
    for (genvar w = 0; w < Ways; w++) begin : g_member
      logic [Steps-1:0] wins;                           // its side of the pair does, step by step
      for (genvar s = 0; s < Steps; s++) begin : g_against
        assign wins[s] = g_step[s].upper[w >> (s + 1)] == ((w >> s) % 2 != 0);
      end
      assign won[w] = req[w] && wins == '1;
    end
    assign index_o = g_step[Steps-1].index;
  end

endmodule
