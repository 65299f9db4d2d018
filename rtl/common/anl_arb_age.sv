// SPDX-License-Identifier: Apache-2.0
//
// Grants the request with the oldest stamp. The scan goes from index 0 upwards; a later candidate
// replaces the best one so far only if it is strictly older (docs/switch.md, "Arbitration policies").
//
// A stamp is a cycle number modulo 2^16. "Older" modulo 2^16 is not transitive, so the order of the
// scan is part of the rule: a tree of comparators would be faster, but it would be wrong. gnt_o is
// one-hot, or 0 if there is no request.
// Timing: gnt_o is combinational; the module has no state.

// Nothing follows the last step of the scan, so the best stamp of the whole scan is not read.
// verilator lint_off UNUSEDSIGNAL

module anl_arb_age #(
  parameter int Size = 4
) (
  input  logic [Size-1:0]                 req_i,
  input  logic [Size*anl_head_pkg::RankW-1:0] rank_i,
  output logic [Size-1:0]                 gnt_o
);

  localparam int RankW = anl_head_pkg::RankW;

  // Step i of the scan: wins says that request i replaces the best one so far, and oldest is the
  // stamp of the best one among requests 0 .. i.
  for (genvar i = 0; i < Size; i++) begin : g_scan
    logic [RankW-1:0] rank, oldest;
    logic              found, wins;
    assign rank = rank_i[i*RankW +: RankW];
    if (i == 0) begin : g_first
      assign wins   = req_i[0];
      assign oldest = rank;
      assign found  = req_i[0];
    end else begin : g_next
      logic [RankW-1:0] age;
      assign age    = rank - g_scan[i-1].oldest;
      assign wins   = req_i[i] && (!g_scan[i-1].found || age[RankW-1]);
      assign oldest = wins ? rank : g_scan[i-1].oldest;
      assign found  = req_i[i] || g_scan[i-1].found;
    end
  end

  // The winner is the last request that replaced the best one so far.
  for (genvar i = 0; i < Size; i++) begin : g_grant
    logic beaten;
    if (i == Size - 1) begin : g_last
      assign beaten = 1'b0;
    end else begin : g_other
      assign beaten = g_scan[i+1].wins || g_grant[i+1].beaten;
    end
    assign gnt_o[i] = g_scan[i].wins && !beaten;
  end

endmodule
