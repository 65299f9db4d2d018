// SPDX-License-Identifier: Apache-2.0
//
// Gives the lanes of a wide link to the heads that want one (docs/switch.md, "Wide links"): as long
// as some head could still take a lane, the scan chooses one, and it takes a lane by rule 5.
//
// There are NumVcs rounds one behind the other, since no more heads can have a lane. Each round has
// a scan over all input lanes of the switch and a selection of the lane. The start of a round-robin
// scan moves behind the head that was granted first.
// Timing: take_o follows the inputs; out_ptr_o is a function of a register.

// A policy or field that is absent leaves some inputs unread. The ports stay, so that all instances
// look the same.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_wide_grant #(
  parameter  int NumPorts = 5,
  parameter  int NumVcs   = 4,
  parameter  int Arbiter  = anl_pkg::RoundRobin,
  localparam int Size     = NumPorts * NumVcs,           // input lanes of the switch
  localparam int IdxW     = anl_pkg::index_width(Size),
  localparam int RankW    = anl_head_pkg::RankW
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic [7:0]             random_i,       // read under the policies random and farthest

  // The heads: bit c is the head of lane c % NumVcs of port c / NumVcs. Bit w*Size + c of can_i says
  // that it can take lane w by rule 2; this has a meaning only if ask_i[c] is 1.
  input  logic [Size-1:0]        ask_i,
  input  logic [NumVcs*Size-1:0] can_i,
  input  logic [Size*RankW-1:0]  rank_i,
  input  logic [NumVcs-1:0]      all_credits_i,

  output logic [NumVcs*Size-1:0] take_o,         // w*Size + c: head c takes lane w
  output logic [IdxW-1:0]        out_ptr_o       // 0 unless the policy is round_robin
);

  logic [Size-1:0] from;

  for (genvar r = 0; r < NumVcs; r++) begin : g_round
    // Heads that are not granted, and lanes that are not taken, before this round; then the choice.
    logic [Size-1:0]   left, chosen;
    logic [NumVcs-1:0] lanes, can, lane;

    if (r == 0) begin : g_first
      assign left  = ask_i;
      assign lanes = {NumVcs{1'b1}};
    end else begin : g_next
      assign left  = g_round[r-1].left & ~g_round[r-1].chosen;
      assign lanes = g_round[r-1].lanes & ~g_round[r-1].lane;
    end

    for (genvar w = 0; w < NumVcs; w++) begin : g_pick
      // Those that can take one of the lanes up to this one.
      logic [Size-1:0] can_take, request;
      assign can_take = can_i[w*Size +: Size] & {Size{lanes[w]}};
      if (w == 0) begin : g_first
        assign request = can_take;
      end else begin : g_next
        assign request = g_pick[w-1].request | can_take;
      end
      assign can[w] = (can_take & chosen) != '0;
    end
    anl_wide_scan #(.Size(Size), .Arbiter(Arbiter)) u_scan (
      .clk_i, .rst_i, .req_i(left & g_pick[NumVcs-1].request), .rank_i, .from_i(from), .gnt_o(chosen)
    );
    anl_vc_select #(.NumVcs(NumVcs)) u_vc_select (.can_i(can), .all_credits_i, .lane_o(lane));
  end

  for (genvar w = 0; w < NumVcs; w++) begin : g_take
    for (genvar r = 0; r < NumVcs; r++) begin : g_upto
      logic [Size-1:0] take, now;
      assign now = g_round[r].chosen & {Size{g_round[r].lane[w]}};
      if (r == 0) begin : g_first
        assign take = now;
      end else begin : g_next
        assign take = g_take[w].g_upto[r-1].take | now;
      end
    end
    assign take_o[w*Size +: Size] = g_take[w].g_upto[NumVcs-1].take;

    `ANL_ASSERT(LaneHasOneTaker, (take_o[w*Size +: Size] & (take_o[w*Size +: Size] - 1'b1)) == '0)
    `ANL_ASSERT(TakesWhatItCan, (take_o[w*Size +: Size] & ~(ask_i & can_i[w*Size +: Size])) == '0)
    // A head is left out only if others have taken all lanes that it can take.
    `ANL_ASSERT(LeavesNoLaneUnused, take_o[w*Size +: Size] != '0
                || (g_round[NumVcs-1].left & ~g_round[NumVcs-1].chosen & can_i[w*Size +: Size]) == '0)
  end

  if (Arbiter == anl_pkg::RoundRobin) begin : g_rotating
    logic [IdxW-1:0] ptr_d, ptr_q, first;

    anl_encode #(.Size(Size)) u_first (.onehot_i(g_round[0].chosen), .index_o(first));
    assign ptr_d = (g_round[0].chosen == '0) ? ptr_q
                   : (32'(first) == Size - 1) ? '0 : first + 1'b1;
    always_ff @(posedge clk_i) begin : regs
      if (rst_i) ptr_q <= '0;
      else       ptr_q <= ptr_d;
    end
    assign from      = {Size{1'b1}} << ptr_q;
    assign out_ptr_o = ptr_q;

    `ANL_ASSERT(PointerNamesALane, 32'(ptr_q) < Size)
  end else if (anl_pkg::reads_random(Arbiter) != 0) begin : g_random
    logic [IdxW+7:0] scaled;
    assign scaled    = (IdxW+8)'(random_i) * (IdxW+8)'(Size);
    assign from      = {Size{1'b1}} << scaled[IdxW+7:8];
    assign out_ptr_o = '0;
  end else begin : g_fixed
    assign from      = '1;
    assign out_ptr_o = '0;
  end

endmodule
