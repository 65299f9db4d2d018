// SPDX-License-Identifier: Apache-2.0
//
// A harness for a FIFO of yours: copy it, and put your FIFO in the place of ours. What is proved: entries leave in the
// order in which they came, none is lost, made up or doubled, and the FIFO says rightly whether it has one.
// Any one entry is marked when it comes (mark_i), so what holds of it holds of all. docs/checker.md says how it is run.

module prove_my_fifo #(
  parameter int Depth = 4,
  parameter int Width = 2
) (
  input logic             clk_i,
  input logic             push_i,
  input logic             pop_i,
  input logic             mark_i,
  input logic [Width-1:0] data_i
);
  logic running = 1'b0;               // reset is 1 in the first cycle, and 0 from then on
  always @(posedge clk_i) running <= 1'b1;
  wire rst = !running;

  // --- your FIFO ---
  logic [Width-1:0] front;
  logic             held;             // there is an entry
  anl_fifo #(.Depth(Depth), .Width(Width)) u_dut (
    .clk_i, .rst_i(rst), .push_i, .data_i, .pop_i, .front_o(front), .held_o(held), .count_o(), .wr_ptr_o(), .rd_ptr_o()
  );

  // --- what must be so: nothing below reads more than the ports ---
  localparam int CntW = $clog2(Depth + 1);
  logic [CntW-1:0]  count, ahead;     // entries in the FIFO; those in front of the marked one
  logic             marked, there;    // an entry has been marked; it is in the FIFO
  logic [Width-1:0] data;
  wire              mark = push_i && mark_i && !marked;

  always @(posedge clk_i) begin
    count <= count + CntW'(push_i) - CntW'(pop_i);
    if (mark) begin
      {marked, there} <= 2'b11;
      ahead <= count - CntW'(pop_i);
      data  <= data_i;
    end else if (there && pop_i) begin
      if (ahead == 0) there <= 1'b0;
      else            ahead <= ahead - 1'b1;
    end
    if (rst) {count, marked, there} <= '0;
  end

  always_comb if (running) begin
    assume (!push_i || 32'(count) < Depth || pop_i);   // if your FIFO refuses this: 32'(count) < Depth alone
    assume (!pop_i || count != 0);
    says_whether_it_has_one: assert (held == (count != 0));
    leaves_in_order:         assert (!there || ahead != 0 || front == data);
  end
endmodule
