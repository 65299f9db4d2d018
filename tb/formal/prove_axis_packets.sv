// SPDX-License-Identifier: Apache-2.0
//
// anl_axis_packets: the lane that a sink sees, by the rule of docs/integrate.md, "One packet at a time".
// The lanes a_i and b_i are any two. The waiter is any lane, chosen in the reset cycle; how many packets
// of other lanes end while it holds a flit is counted.

`include "prove.svh"

module prove_axis_packets #(
  parameter  int NumVcs = 2,
  localparam int IdxW   = anl_pkg::index_width(NumVcs),
  localparam int CountW = 4
) (
  input logic              clk_i,
  input logic [NumVcs-1:0] held_i,
  input logic [NumVcs-1:0] ends_i,      // the flit at the front of the lane ends its packet
  input logic              ready_i,
  input logic [IdxW-1:0]   a_i,
  input logic [IdxW-1:0]   b_i,
  input logic [IdxW-1:0]   waiter_i
);

  `PROVE_RESET

  logic [NumVcs-1:0] gnt;
  logic [IdxW-1:0]   index;
  logic              valid;

  anl_axis_packets #(.NumVcs(NumVcs)) u_dut (
    .clk_i, .rst_i, .held_i, .last_i((ends_i & gnt) != '0), .ready_i,
    .valid_o(valid), .gnt_o(gnt), .index_o(index)
  );

  // The rule, with numbers of lanes in place of masks.
  logic              open_q;            // a packet is open, that of lane last_q
  logic [31:0]       last_q;            // lane that was shown last
  logic [IdxW-1:0]   waiter_q;
  logic [CountW-1:0] passed_q;          // packets of others that have ended since the waiter holds a flit
  wire               taken = valid && ready_i;
  wire               ends  = taken && (ends_i & gnt) != '0;

  always_ff @(posedge clk_i) begin : model
    if (rst_i) begin
      open_q   <= 1'b0;
      last_q   <= NumVcs - 1;
      waiter_q <= waiter_i;
      passed_q <= '0;
    end else begin
      if (valid) begin
        open_q <= !ends;
        last_q <= 32'(index);
      end
      if (!held_i[waiter_q] || gnt[waiter_q]) passed_q <= '0;
      else if (ends) passed_q <= passed_q + 1'b1;
    end
  end

  // Returns the place of a lane in the order after the last one, from 1 on.
  wire [31:0] to_a = 32'(a_i) + (32'(a_i) <= last_q ? NumVcs : 0) - last_q;
  wire [31:0] to_b = 32'(b_i) + (32'(b_i) <= last_q ? NumVcs : 0) - last_q;
  wire [31:0] to_waiter = 32'(waiter_q) + (32'(waiter_q) <= last_q ? NumVcs : 0) - last_q;

  `GIVEN(LanesExist, 32'(a_i) < NumVcs && 32'(b_i) < NumVcs && 32'(waiter_i) < NumVcs)

  `PROVE(OnlyWhatIsHeld, !gnt[a_i] || held_i[a_i])
  `PROVE(OneLane, !gnt[a_i] || !gnt[b_i] || a_i == b_i)
  `PROVE(IndexIsTheLane, !gnt[a_i] || index == a_i)
  `PROVE(ShownIfALane, valid == (gnt != '0))
  `PROVE(OpenPacketAlone, !open_q || !gnt[a_i] || 32'(a_i) == last_q)
  `PROVE(OpenPacketIsShown, !open_q || !held_i[a_i] || 32'(a_i) != last_q || gnt[a_i])
  `PROVE(AnyIsShown, open_q || !held_i[a_i] || valid)
  `PROVE(FirstAfterTheLast, open_q || !gnt[a_i] || !held_i[b_i] || to_a <= to_b)
  `PROVE(PassedOnceByEach, 32'(waiter_q) >= NumVcs || 32'(passed_q) + to_waiter <= NumVcs + (open_q ? 0 : 1)
                           || gnt[waiter_q] || !held_i[waiter_q])

  `COVER(WaitsForAllOthers, held_i[waiter_q] && gnt[waiter_q] && 32'(passed_q) == NumVcs - 1 && NumVcs > 1)
  `COVER(OpenAndNothingHere, open_q && !valid && held_i[waiter_q])
  `COVER(BeatWaits, valid && !ready_i && open_q)

endmodule
