// SPDX-License-Identifier: Apache-2.0
//
// A harness for an arbiter of yours: copy it, and put your arbiter in the place of ours. What is proved: who is granted
// requests, one at most is granted, one is if any requests, and who waits is passed by fewer than Size grants.
// The requests a_i, b_i and the waiter are any ones, so what holds of them holds of all. docs/checker.md says how it is run.

module prove_my_arbiter #(
  parameter  int Size = 4,
  localparam int IdxW = $clog2(Size)
) (
  input logic            clk_i,
  input logic [Size-1:0] req_i,
  input logic [IdxW-1:0] a_i,
  input logic [IdxW-1:0] b_i,
  input logic [IdxW-1:0] waiter_i
);
  logic running = 1'b0;               // reset is 1 in the first cycle, and 0 from then on
  always @(posedge clk_i) running <= 1'b1;
  wire rst = !running;

  // --- your arbiter: ours has no state, so the start of its scan is here ---
  logic [Size-1:0] gnt, from;
  anl_arb_cyclic #(.Size(Size)) u_dut (.req_i, .from_i(from), .gnt_o(gnt), .index_o());
  always @(posedge clk_i) begin       // behind the last winner; the highest bit is always 1
    if (rst)           from <= '1;
    else if (gnt != 0) from <= (~(gnt | (gnt - 1'b1)) == 0) ? '1 : ~(gnt | (gnt - 1'b1));
  end

  // --- what must be so: nothing below reads more than the ports ---
  logic [IdxW-1:0] waiter;            // chosen in the reset cycle
  logic [IdxW:0]   passed;            // grants to others while it requests
  always @(posedge clk_i) begin
    if (rst) waiter <= waiter_i;
    if (rst || !req_i[waiter] || gnt[waiter]) passed <= '0;
    else if (gnt != 0) passed <= passed + 1'b1;
  end

  always_comb if (running) begin
    assume (32'(a_i) < Size && 32'(b_i) < Size && 32'(waiter) < Size);
    grant_has_a_request: assert (!gnt[a_i] || req_i[a_i]);
    one_grant:           assert (!gnt[a_i] || !gnt[b_i] || a_i == b_i);
    grant_if_any:        assert (req_i == 0 || gnt != 0);
    nobody_starves:      assert (32'(passed) < Size);   // of a fixed priority this is false
  end
endmodule
