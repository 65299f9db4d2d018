// SPDX-License-Identifier: Apache-2.0
//
// A link between two clocks (anl_link_cdc) in a simulator with four states and time (Icarus): docs/clocks.md.
//
// PAIRS pairs of clocks are drawn, each with two periods and a phase. For each of them both sides come out of one
// asynchronous reset by an anl_reset_synchronizer, and the sender sends FLITS flits while lanes are free. Nothing may be
// lost, doubled, changed or overtaken, no lane may overflow, every credit must come home, and no valid, credit or flit
// may be unknown. The test ends with PASS and the numbers of pairs and flits, or with FAIL and the first thing that is
// wrong. SEED chooses what is drawn.

`ifndef NUM_VCS
`define NUM_VCS 2
`endif
`ifndef DEPTH
`define DEPTH 4
`endif
`ifndef SYNC_STAGES
`define SYNC_STAGES 2
`endif
`ifndef PAIRS
`define PAIRS 4
`endif
`ifndef FLITS
`define FLITS 500
`endif
`ifndef SEED
`define SEED 1
`endif

`timescale 1ps / 1ps

module two_clocks;

  localparam int NumVcs = `NUM_VCS;
  localparam int Depth  = `DEPTH;
  localparam int FlitW  = 30;
  localparam int VcW    = anl_pkg::index_width(NumVcs);
  localparam int LinkW  = FlitW + 2;
  localparam int Slots  = 1024;                // of what is expected
  localparam int Patience = 200;               // cycles without anything after which something is lost

  logic              a_clk = 1'b0, b_clk = 1'b0, rst = 1'b0, a_rst, b_rst;
  logic              valid = 1'b0, valid_o;
  logic [VcW-1:0]    vc = '0, vc_o;
  logic [LinkW-1:0]  flit = '0, flit_o;
  logic [NumVcs-1:0] credit = '0, credit_o;

  anl_reset_synchronizer #(.SyncStages(`SYNC_STAGES)) u_a_rst (.clk_i(a_clk), .rst_i(rst), .rst_o(a_rst));
  anl_reset_synchronizer #(.SyncStages(`SYNC_STAGES)) u_b_rst (.clk_i(b_clk), .rst_i(rst), .rst_o(b_rst));

  anl_link_cdc #(.NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .SyncStages(`SYNC_STAGES)) u_dut (
    .sender_clk_i(a_clk), .sender_rst_i(a_rst), .valid_i(valid), .vc_i(vc), .flit_i(flit), .credit_o,
    .receiver_clk_i(b_clk), .receiver_rst_i(b_rst), .valid_o, .vc_o, .flit_o, .credit_i(credit)
  );

  // Halves of the periods. How often sender and receiver do something, in sixteenths, changes with each pair.
  int a_half = 5000, b_half = 5000, a_busy = 16, b_busy = 16;
  int pair = 0, sent = 0, arrived = 0, total = 0, quiet = 0;
  int credits [8], held [8];
  logic [VcW+LinkW-1:0] expected [Slots];
  int lane = 0;

  function automatic int drawn(input int bound);
    drawn = int'($urandom % 32'(bound));
  endfunction

  task automatic fail(input [40*8-1:0] what);
    $display("FAIL %0s: pair %0d, halves of the periods %0d and %0d, flit %0d, at %0t", what, pair, a_half, b_half, arrived, $time);
    $finish;
  endtask

  always #(a_half) a_clk = !a_clk;
  always #(b_half) b_clk = !b_clk;

  always @(posedge a_clk) begin : sender
    quiet = quiet + 1;
    if (a_rst) begin
      valid <= 1'b0;
      for (int v = 0; v < NumVcs; v++) credits[v] = Depth;
    end else begin
      if ((^credit_o) === 1'bx) fail("unknown credit");
      if (valid) begin
        expected[sent%Slots] = {vc, flit};
        sent  = sent + 1;
        quiet = 0;
      end
      for (int v = 0; v < NumVcs; v++) begin
        if (credit_o[v]) begin
          credits[v] = credits[v] + 1;
          quiet      = 0;
        end
        if (credits[v] > Depth) fail("credit too many");
      end
      lane = drawn(NumVcs);
      vc    <= VcW'(lane);
      flit  <= LinkW'($urandom);
      valid <= 1'b0;
      if (sent < `FLITS && credits[lane] > 0 && drawn(16) < a_busy) begin
        valid <= 1'b1;
        credits[lane] = credits[lane] - 1;
      end
    end
  end

  always @(posedge b_clk) begin : receiver
    credit <= '0;
    if (b_rst) begin
      for (int v = 0; v < NumVcs; v++) held[v] = 0;
    end else begin
      if (valid_o === 1'bx) fail("unknown valid");
      if (valid_o) begin
        if (arrived == sent) fail("flit made up");
        if ({vc_o, flit_o} !== expected[arrived%Slots]) fail("another flit");
        if (held[vc_o] == Depth) fail("lane is full");
        held[vc_o] = held[vc_o] + 1;
        arrived = arrived + 1;
        quiet   = 0;
      end
      for (int v = 0; v < NumVcs; v++) begin
        if (held[v] > 0 && drawn(16) < b_busy) begin
          held[v] = held[v] - 1;
          credit[v] <= 1'b1;
        end
      end
    end
  end

  task automatic draw_pair;
    a_half = 1000 + drawn(1000);
    a_half = a_half << drawn(4);
    b_half = 1000 + drawn(1000);
    b_half = b_half << drawn(4);
    if (drawn(8) == 0) b_half = a_half + drawn(2);
    a_busy = (drawn(2) == 0) ? 16 : 1 + drawn(16);
    b_busy = (drawn(2) == 0) ? 16 : 1 + drawn(16);
  endtask

  // The reset lasts long enough for an edge of each clock, and for one that was under way.
  task automatic reset;
    rst = 1'b1;
    #(4 * (a_half + b_half) + drawn(1000));
    {sent, arrived, quiet} = '0;
    rst = 1'b0;
  endtask

  // Waits until all flits and all credits are home.
  task automatic wait_for_the_end;
    int all;
    all = 0;
    while (all != Depth * NumVcs || arrived != `FLITS) begin
      @(negedge a_clk);
      all = 0;
      for (int v = 0; v < NumVcs; v++) all = all + credits[v];
      if (quiet > Patience * (1 + b_half / a_half)) fail("flit or credit lost");
    end
  endtask

  initial begin : pairs
    for (int i = 0; i < 1000 * `SEED; i++) lane = drawn(2);
    for (pair = 0; pair < `PAIRS; pair = pair + 1) begin
      draw_pair;
      reset;
      #(drawn(40) * a_half);                    // the next reset comes in the middle of traffic
      reset;
      wait_for_the_end;
      total = total + arrived;
    end
    $display("PASS %0d pairs of clocks, %0d flits", pair, total);
    $finish;
  end

endmodule
