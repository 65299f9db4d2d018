// SPDX-License-Identifier: Apache-2.0
//
// A bench of lossy_fifo. With BESIDE a checker stands beside the design, for tools without bind.

`ifndef LOSSY
  `define LOSSY 1'b0
`endif

module bench;
  localparam int FlitW = 8;
  logic clk = 1'b0, rst = 1'b1, in_valid = 1'b0, in_credit, out_valid, out_credit = 1'b0;
  logic [FlitW-1:0] in_flit = '0, out_flit;
  int sent = 0, credits = 4;

  lossy_fifo #(.FlitW(FlitW), .Lossy(`LOSSY)) u_fifo (
    .clk_i(clk), .rst_i(rst), .in_valid_i(in_valid), .in_flit_i(in_flit), .in_credit_o(in_credit),
    .out_valid_o(out_valid), .out_flit_o(out_flit), .out_credit_i(out_credit)
  );

`ifdef BESIDE
  anl_switch_checker #(
    .Style(anl_checker_pkg::Credit), .NumPorts(1), .NumVcs(1), .Depth(4), .FlitW(FlitW),
    .Same(8'b00111111), .Rest(8)
  ) u_checker (
    .clk_i(clk), .rst_i(rst),
    .in_valid_i(in_valid), .in_vc_i(1'b0), .in_head_i(in_flit[FlitW-1]), .in_tail_i(in_flit[FlitW-2]), .in_flit_i(in_flit),
    .in_back_i(in_credit), .in_length_i(16'd0), .routes_i(1'b1),
    .out_valid_i(out_valid), .out_vc_i(1'b0), .out_head_i(out_flit[FlitW-1]), .out_tail_i(out_flit[FlitW-2]),
    .out_flit_i(out_flit), .out_back_i(out_credit),
    .at_rest_i(1'b0), .switch_broken_o(), .user_broken_o(), .over_o()
  );
`endif

  always #5 clk = !clk;

  // Worms of two flits, as long as there are credits; each flit is taken in the cycle after it came.
  always @(posedge clk) begin
    rst        <= $time < 20;
    out_credit <= out_valid && !rst;
    in_valid   <= 1'b0;
    if (!rst) begin
      if (credits > 0 && sent < 12) begin
        in_valid <= 1'b1;
        in_flit  <= {sent % 2 == 0, sent % 2 == 1, 6'(sent)};
        sent     <= sent + 1;
      end
      credits <= credits + 32'(in_credit) - 32'(credits > 0 && sent < 12);
    end
  end
  initial #600 $finish;
endmodule
