// SPDX-License-Identifier: Apache-2.0
//
// What a network with AXI4-Streams carries at saturation (docs/integrate.md): a bench of a design that `annelid rtl` wrote for
// terminals 0 .. T - 1 with the name top, for Verilator.
//
// Each source always shows a beat of a packet for another terminal drawn at random, and each sink takes what is shown.
// Plusargs: length, the beats of a packet; from and cycles, the first cycle that counts and how many do. The bench prints
// the beats that sinks took in these.

module rates #(
  parameter int T = 16
);

  localparam int DstW = $clog2(T);

  logic clk = 1'b0, rst = 1'b1;
  int   length = 1, from = 0, cycles = 1, cycle = 0;
  longint taken = 0;

  logic [T-1:0]      s_tvalid = '0, s_tready, s_tlast, m_tvalid, m_tlast;
  logic [T*DstW-1:0] s_tdest = '0;
  logic [T*32-1:0]   m_tdata;
  int                left [T];                 // beats of a packet that were not taken, with the one that is shown

  top u_top (
    .clk_i(clk), .rst_i(rst), .s_tvalid_i(s_tvalid), .s_tready_o(s_tready), .s_tdata_i('0), .s_tlast_i(s_tlast),
    .s_tdest_i(s_tdest), .m_tvalid_o(m_tvalid), .m_tready_i('1), .m_tdata_o(m_tdata), .m_tlast_o(m_tlast)
  );

  always #1 clk = !clk;

  for (genvar t = 0; t < T; t++) begin : g_source
    assign s_tlast[t] = left[t] == 1;
    always @(posedge clk) begin : source
      if (rst || (s_tvalid[t] && s_tready[t])) begin
        s_tvalid[t] <= !rst;
        left[t]     <= (rst || left[t] == 1) ? length : left[t] - 1;
        if (rst || left[t] == 1) s_tdest[t*DstW +: DstW] <= DstW'(t + 1 + int'($urandom % (T - 1)));
      end else if (!s_tvalid[t]) begin
        s_tvalid[t] <= 1'b1;
      end
    end
  end

  always @(posedge clk) begin : count
    cycle = cycle + 1;
    if (cycle > from && cycle <= from + cycles) taken = taken + longint'($countones(m_tvalid));
    if (cycle == from + cycles) begin
      $display("taken %0d", taken);
      $finish;
    end
  end

  initial begin : begins
    if (!$value$plusargs("length=%d", length) || !$value$plusargs("from=%d", from) || !$value$plusargs("cycles=%d", cycles)) begin
      $display("plusargs length, from and cycles are missing");
      $finish;
    end
    repeat (4) @(negedge clk);
    rst = 1'b0;
  end

endmodule
