// SPDX-License-Identifier: Apache-2.0
//
// Chooses one of the heads that want a lane of a wide link, by the arbitration policy (docs/switch.md,
// "Wide links"). A switch of many ports and lanes has more candidates than anl_arbiter has inputs.
//
// Bit i of from_i is 1 if i is the start of a cyclic scan or above it; the policies fixed and age
// do not read it. gnt_o is one-hot, or 0 if nothing is requested.
// Timing: gnt_o is combinational; the module has no state.

// A policy leaves some inputs unread. The ports stay, so that all instances look the same.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_wide_scan #(
  parameter  int Size  = 20,
  parameter  int Arbiter = anl_pkg::RoundRobin,
  localparam int RankW = anl_head_pkg::RankW
) (
  input  logic                  clk_i,     // for the assertions
  input  logic                  rst_i,
  input  logic [Size-1:0]       req_i,
  input  logic [Size*RankW-1:0] rank_i,    // stamps (age) or distances (farthest)
  input  logic [Size-1:0]       from_i,
  output logic [Size-1:0]       gnt_o
);

  // Those of the requests that no other one precedes, but for the order of the scan; those of them
  // that are at or above the start; and those among which the lowest wins.
  logic [Size-1:0] first, ahead, pool;

  if (Arbiter == anl_pkg::Age) begin : g_oldest
    anl_arb_age #(.Size(Size)) u_oldest (.req_i, .rank_i, .gnt_o(first));
  end else if (Arbiter == anl_pkg::Farthest) begin : g_farthest
    logic [RankW-1:0] largest;
    always_comb begin : farthest
      largest = '0;
      for (int i = 0; i < Size; i++)
        if (req_i[i] && rank_i[i*RankW +: RankW] > largest) largest = rank_i[i*RankW +: RankW];
    end
    for (genvar i = 0; i < Size; i++) begin : g_candidate
      assign first[i] = req_i[i] && rank_i[i*RankW +: RankW] == largest;
    end
  end else begin : g_cyclic
    assign first = req_i;
  end

  assign ahead = (Arbiter == anl_pkg::Fixed || Arbiter == anl_pkg::Age) ? '0 : first & from_i;
  assign pool  = (ahead != '0) ? ahead : first;
  assign gnt_o = pool & (~pool + 1'b1);

  `ANL_ASSERT(GrantsARequest, (gnt_o & ~req_i) == '0 && (gnt_o != '0) == (req_i != '0))

endmodule
