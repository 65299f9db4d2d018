// SPDX-License-Identifier: Apache-2.0
//
// What a mesh with AXI4 carries at saturation (docs/axi.md), in Verilator: anl_axi_cube with both ports at each terminal.
//
// Each user always asks for a burst at the memory of another terminal drawn at random, with data always there, and takes
// all responses. Its ID is the number of that terminal, so no burst waits for the order of its ID. Memories take all at
// once, and give a response in the cycle behind the last data of a write, and a beat in each cycle as long as a read is due.
// Plusargs: length, the transfers of a burst; reads and writes, 1 if there are such bursts; from and cycles, the first cycle that
// counts and how many do. The bench prints the transfers of reads that users took, and those of writes that memories took.

module rates #(
  parameter int K = 4
);

  localparam int S     = K * K;
  localparam int DataW = 32;
  localparam int AddrW = 32;
  localparam int IdW   = $clog2(S);
  localparam int DstW  = anl_cube_pkg::label_width(K, 2);
  localparam int RowW  = 2 * AddrW + DstW;
  localparam int Low   = AddrW - IdW;               // bits of an address in a memory

  // Row t is the memory of terminal t: the highest bits of an address say it.
  function automatic logic [S*RowW-1:0] rows();
    for (int t = 0; t < S; t++)
      rows[t*RowW +: RowW] = {DstW'(anl_cube_pkg::label(K, 2, t)), {IdW{1'b1}}, {Low{1'b0}}, IdW'(t), {Low{1'b0}}};
  endfunction

  logic clk = 1'b0, rst = 1'b1;
  int   length = 1, reads = 0, writes = 0, from = 0, cycles = 1, cycle = 0;
  longint read = 0, written = 0;

  logic [S-1:0]       awvalid = '0, awready, wvalid, wready, arvalid = '0, arready, rvalid;
  logic [S*IdW-1:0]   awid = '0, arid = '0;
  logic [S*AddrW-1:0] awaddr, araddr;
  logic [S-1:0]       m_awvalid, m_wvalid, m_wlast, m_bvalid, m_arvalid, m_rvalid, m_rready, m_rlast;
  int                 w_beat [S], r_beat [S], responses [S], due [S];  // due: reads of a memory that have not ended
  wire [7:0]          len = 8'(length - 1);

  anl_axi_cube #(
    .K(K), .N(2), .Users((1 << S) - 1), .Memories((1 << S) - 1), .Bursts(16), .MaxBeats(32), .Room(512), .Rows(S),
    .IdW(IdW), .AddrW(AddrW), .DataW(DataW)
  ) u_dut (
    .clk_i(clk), .rst_i(rst), .seed_i({S{32'd1}}), .map_i(rows()),
    .s_awvalid_i(awvalid), .s_awready_o(awready), .s_awid_i(awid), .s_awaddr_i(awaddr), .s_awlen_i({S{len}}),
    .s_awsize_i({S{3'd2}}), .s_awburst_i({S{2'd1}}), .s_awlock_i('0), .s_awcache_i('0), .s_awprot_i('0), .s_awqos_i('0),
    .s_wvalid_i(wvalid), .s_wready_o(wready), .s_wdata_i('0), .s_wstrb_i('1), .s_wlast_i(wlast()),
    .s_bvalid_o(), .s_bready_i('1), .s_bid_o(), .s_bresp_o(),
    .s_arvalid_i(arvalid), .s_arready_o(arready), .s_arid_i(arid), .s_araddr_i(araddr), .s_arlen_i({S{len}}),
    .s_arsize_i({S{3'd2}}), .s_arburst_i({S{2'd1}}), .s_arlock_i('0), .s_arcache_i('0), .s_arprot_i('0), .s_arqos_i('0),
    .s_rvalid_o(rvalid), .s_rready_i('1), .s_rid_o(), .s_rdata_o(), .s_rresp_o(), .s_rlast_o(),
    .s_write_stalls_o(), .s_read_stalls_o(),
    .m_awvalid_o(m_awvalid), .m_awready_i('1), .m_awaddr_o(), .m_awlen_o(), .m_awsize_o(), .m_awburst_o(), .m_awlock_o(),
    .m_awcache_o(), .m_awprot_o(), .m_awqos_o(),
    .m_wvalid_o(m_wvalid), .m_wready_i('1), .m_wdata_o(), .m_wstrb_o(), .m_wlast_o(m_wlast),
    .m_bvalid_i(m_bvalid), .m_bready_o(), .m_bresp_i('0),
    .m_arvalid_o(m_arvalid), .m_arready_i('1), .m_araddr_o(), .m_arlen_o(), .m_arsize_o(), .m_arburst_o(), .m_arlock_o(),
    .m_arcache_o(), .m_arprot_o(), .m_arqos_o(),
    .m_rvalid_i(m_rvalid), .m_rready_o(m_rready), .m_rdata_i('0), .m_rresp_i('0), .m_rlast_i(m_rlast)
  );

  always #1 clk = !clk;

  function automatic logic [S-1:0] wlast();
    for (int t = 0; t < S; t++) wlast[t] = w_beat[t] == length - 1;
  endfunction

  function automatic logic [IdW-1:0] other(input int t);
    return IdW'((t + 1 + int'($urandom % (S - 1))) % S);
  endfunction

  for (genvar t = 0; t < S; t++) begin : g_terminal
    assign awaddr[t*AddrW +: AddrW] = {awid[t*IdW +: IdW], {Low{1'b0}}};
    assign araddr[t*AddrW +: AddrW] = {arid[t*IdW +: IdW], {Low{1'b0}}};
    assign wvalid[t]   = !rst && writes != 0;
    assign m_bvalid[t] = responses[t] != 0;
    assign m_rvalid[t] = due[t] != 0;
    assign m_rlast[t]  = r_beat[t] == length - 1;

    always @(posedge clk) begin : user
      awvalid[t] <= !rst && writes != 0;
      arvalid[t] <= !rst && reads != 0;
      if (rst || (awvalid[t] && awready[t])) awid[t*IdW +: IdW] <= other(t);
      if (rst || (arvalid[t] && arready[t])) arid[t*IdW +: IdW] <= other(t);
      if (rst) w_beat[t] <= 0;
      else if (wvalid[t] && wready[t]) w_beat[t] <= w_beat[t] == length - 1 ? 0 : w_beat[t] + 1;
    end

    always @(posedge clk) begin : memory
      if (rst) begin
        {responses[t], due[t], r_beat[t]} <= '0;
      end else begin
        responses[t] <= responses[t] + 32'(m_wvalid[t] && m_wlast[t]) - 32'(m_bvalid[t]);
        due[t]       <= due[t] + 32'(m_arvalid[t]) - 32'(m_rvalid[t] && m_rready[t] && m_rlast[t]);
        if (m_rvalid[t] && m_rready[t]) r_beat[t] <= m_rlast[t] ? 0 : r_beat[t] + 1;
      end
    end
  end

  always @(posedge clk) begin : count
    cycle = cycle + 1;
    if (cycle > from && cycle <= from + cycles) begin
      read    = read + longint'($countones(rvalid));
      written = written + longint'($countones(m_wvalid));
    end
    if (cycle == from + cycles) begin
      $display("read %0d written %0d", read, written);
      $finish;
    end
  end

  initial begin : begins
    if (!$value$plusargs("length=%d", length) || !$value$plusargs("reads=%d", reads) || !$value$plusargs("writes=%d", writes)
        || !$value$plusargs("from=%d", from) || !$value$plusargs("cycles=%d", cycles)) begin
      $display("plusargs length, reads, writes, from and cycles are missing");
      $finish;
    end
    repeat (4) @(negedge clk);
    rst = 1'b0;
  end

endmodule
