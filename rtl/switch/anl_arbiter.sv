// SPDX-License-Identifier: Apache-2.0
//
// Arbiter with the arbitration policies of docs/switch.md. It serves both the offer (input arbitration,
// over the lanes of a port) and the grant (output arbitration, over the ports in the set Members).
//
// gnt_o is one-hot, or 0 if there is no request; index_o is the winner's index among the members.
// Some policies have state, which changes when taken_i says that the choice was carried out. Round
// robin has the start of its scan, which moves to the place behind the winner; it is stored as the mask
// that anl_arb_cyclic reads, and ptr_o is the same as an index. Others have a module with a state of
// their own. The grant under registered_priority is that of matrix; its offer is made by
// anl_registered_priority.
// Timing: gnt_o and index_o follow req_i (and rank_i); taken_i may depend on them; ptr_o is a
// function of registers.

// A policy or field that is absent leaves some inputs unread. The ports stay, so that all instances
// look the same.
// verilator lint_off UNUSEDSIGNAL

`include "anl_assert.svh"

module anl_arbiter #(
  parameter  int Size       = 4,
  parameter  int Arbiter    = anl_pkg::RoundRobin,
  parameter  int Members    = (1 << Size) - 1,  // bit i: input i may request; at least one
  localparam int NumMembers = anl_pkg::members(Members, Size),
  localparam int IndexW     = anl_pkg::index_width(NumMembers),
  localparam int IdxW       = anl_pkg::index_width(Size)
) (
  input  logic                                clk_i,
  input  logic                                rst_i,
  input  logic [Size-1:0]                     req_i,
  input  logic [Size*anl_head_pkg::RankW-1:0] rank_i,    // stamps (age) or distances (farthest)
  input  logic [7:0]                          random_i,  // read under the policies random and farthest
  output logic [Size-1:0]                     gnt_o,
  output logic [IndexW-1:0]                   index_o,   // no meaning if gnt_o is 0
  input  logic                                taken_i,
  output logic [IdxW-1:0]                     ptr_o      // 0 unless the policy has state
);

  logic [Size-1:0] from;  // bit i: i is the start of the scan or above it

  if (Arbiter == anl_pkg::Age) begin : g_oldest
    anl_arb_age #(.Size(Size)) u_arb (.req_i, .rank_i, .gnt_o);
  end else if (Arbiter == anl_pkg::Farthest) begin : g_farthest
    anl_arb_farthest #(.Size(Size)) u_arb (
      .req_i, .distance_i(rank_i), .from_i(from), .gnt_o
    );
  end else if (Arbiter == anl_pkg::Matrix || Arbiter == anl_pkg::RegisteredPriority) begin : g_matrix
    anl_arb_matrix #(.Size(Size)) u_arb (.clk_i, .rst_i, .req_i, .gnt_o, .taken_i, .ptr_o);
  end else begin : g_cyclic
    anl_arb_cyclic #(.Size(Size), .Members(Members)) u_arb (
      .req_i, .from_i(from), .gnt_o, .index_o
    );
  end

  if (anl_pkg::ranked(Arbiter) != 0 || anl_pkg::has_state(Arbiter) != 0) begin : g_index
    logic [NumMembers-1:0] won;  // bit w: member w is granted
    for (genvar i = 0; i < Size; i++) begin : g_place
      if ((Members >> i) % 2 != 0) begin : g_member
        localparam int W = anl_pkg::members(Members, i);
        assign won[W] = gnt_o[i];
      end
    end
    anl_encode #(.Size(NumMembers)) u_index (.onehot_i(won), .index_o);
  end

  if (Arbiter == anl_pkg::RoundRobin) begin : g_rotating
    logic [Size-1:0] first;  // one-hot: the start of the scan

    assign from[Size-1] = 1'b1;
    for (genvar i = 0; i < Size - 1; i++) begin : g_place
      // The next start is behind the winner. If the last place wins, that is place 0, so every bit
      // is 1.
      logic behind, from_d, from_q;
      if (i == 0) begin : g_first
        assign behind = gnt_o[Size-1];
      end else begin : g_next
        assign behind = gnt_o[Size-1] || gnt_o[i-1:0] != '0;
      end

      assign from_d = taken_i ? behind : from_q;
      always_ff @(posedge clk_i) begin : regs
        if (rst_i) from_q <= 1'b1;
        else       from_q <= from_d;
      end
      assign from[i] = from_q;
    end

    assign first = from & ~(from << 1);
    anl_encode #(.Size(Size)) u_ptr (.onehot_i(first), .index_o(ptr_o));

    `ANL_ASSERT(OnesFromTheStartOn, ((from << 1) & ~from) == '0)
  end else if (anl_pkg::reads_random(Arbiter) != 0) begin : g_random
    logic [IdxW+7:0] scaled;
    assign scaled = (IdxW+8)'(random_i) * (IdxW+8)'(Size);
    assign from   = {Size{1'b1}} << scaled[IdxW+7:8];
    assign ptr_o  = '0;
  end else if (anl_pkg::has_state(Arbiter) != 0) begin : g_ordered
    assign from = {Size{1'b1}};
  end else begin : g_fixed
    assign from  = '1;
    assign ptr_o = '0;
  end

  `ANL_ASSERT(GrantImpliesRequest, (gnt_o & ~req_i) == '0)
  `ANL_ASSERT(GrantIsOneHotOrZero, (gnt_o & (gnt_o - 1'b1)) == '0)
  `ANL_ASSERT(GrantIfAnyRequest, (gnt_o != '0) == (req_i != '0))
  `ANL_ASSERT(AssumeOnlyMembersRequest, (req_i & Size'(~Members)) == '0)
  `ANL_ASSERT(AssumeTakenImpliesGrant, !taken_i || gnt_o != '0)

endmodule
