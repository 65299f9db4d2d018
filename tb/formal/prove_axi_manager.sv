// SPDX-License-Identifier: Apache-2.0
//
// anl_axi_manager: between a network that brings whole packets of requests, and a memory that keeps the rules of AXI4
// (docs/axi.md, "Rules") and is free otherwise. The memory gives all bursts one ID, so it answers in order.

`include "prove.svh"

module prove_axi_manager #(
  parameter  int Bursts = 2,
  localparam int IdW    = 1,
  localparam int AddrW  = 1,
  localparam int DataW  = 8,
  localparam int DstW   = 1,
  localparam int LenW   = 1,               // bits of AxLEN that may be 1
  localparam int BackW  = IdW + DstW,
  localparam int HeadW  = anl_axi_pkg::head_width(IdW, AddrW, DstW),
  localparam int BeatW  = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW)
) (
  input logic             clk_i,
  input logic             req_valid_i,
  input logic             req_write_i,
  input logic [BackW-1:0] req_back_i,      // {ID, source}
  input logic [LenW-1:0]  req_len_i,
  input logic [AddrW-1:0] req_addr_i,
  input logic [DataW:0]   req_data_i,      // with the strobe
  input logic             rep_ready_i,
  input logic             awready_i,
  input logic             wready_i,
  input logic             bvalid_i,
  input logic [1:0]       bresp_i,
  input logic             arready_i,
  input logic             rvalid_i,
  input logic [DataW-1:0] rdata_i,
  input logic [1:0]       rresp_i
);

  `PROVE_RESET

  // The beats of the network: a head, then as many data as it says.
  logic             inside_q, req_waits_q;
  logic [LenW-1:0]  left_q;
  logic [BeatW-1:0] req_q;
  wire              req_last = inside_q ? left_q == '0 : !req_write_i;
  wire  [7:0]       len      = 8'(req_len_i);
  wire  [BeatW-1:0] req_data = inside_q ? BeatW'(req_data_i)
                                        : BeatW'({req_addr_i, 16'h0001, len, req_back_i, req_write_i});
  logic             req_ready, rep_valid, rep_last;
  logic [BeatW-1:0] rep_data;
  logic [DstW-1:0]  rep_dest;
  wire              req_taken = req_valid_i && req_ready;
  wire              rep_taken = rep_valid && rep_ready_i;
  wire              head      = req_valid_i && !inside_q;

  always_ff @(posedge clk_i) begin : packets
    if (req_taken) begin
      inside_q <= !req_last;
      left_q   <= inside_q ? left_q - 1'b1 : req_len_i;
    end
    if (rst_i) inside_q <= 1'b0;
    req_waits_q <= !rst_i && req_valid_i && !req_ready;
    req_q       <= req_data;
  end
  `GIVEN(BeatStaysUntilTaken, !req_waits_q || (req_valid_i && req_data == req_q))

  logic             awvalid, awlock, wvalid, wlast, bready, arvalid, arlock, rready, rlast, wstrb;
  logic [AddrW-1:0] awaddr, araddr;
  logic [7:0]       awlen, arlen;
  logic [2:0]       awsize, arsize, awprot, arprot;
  logic [1:0]       awburst, arburst;
  logic [3:0]       awcache, arcache, awqos, arqos;
  logic [DataW-1:0] wdata;

  anl_axi_manager #(.Bursts(Bursts), .IdW(IdW), .AddrW(AddrW), .DataW(DataW), .DstW(DstW)) u_dut (
    .clk_i, .rst_i,
    .req_valid_i, .req_ready_o(req_ready), .req_data_i(req_data), .req_last_i(req_last),
    .rep_valid_o(rep_valid), .rep_ready_i, .rep_data_o(rep_data), .rep_last_o(rep_last), .rep_dest_o(rep_dest),
    .m_awvalid_o(awvalid), .m_awready_i(awready_i), .m_awaddr_o(awaddr), .m_awlen_o(awlen), .m_awsize_o(awsize),
    .m_awburst_o(awburst), .m_awlock_o(awlock), .m_awcache_o(awcache), .m_awprot_o(awprot), .m_awqos_o(awqos),
    .m_wvalid_o(wvalid), .m_wready_i(wready_i), .m_wdata_o(wdata), .m_wstrb_o(wstrb), .m_wlast_o(wlast),
    .m_bvalid_i(bvalid_i), .m_bready_o(bready), .m_bresp_i(bresp_i),
    .m_arvalid_o(arvalid), .m_arready_i(arready_i), .m_araddr_o(araddr), .m_arlen_o(arlen), .m_arsize_o(arsize),
    .m_arburst_o(arburst), .m_arlock_o(arlock), .m_arcache_o(arcache), .m_arprot_o(arprot), .m_arqos_o(arqos),
    .m_rvalid_i(rvalid_i), .m_rready_o(rready), .m_rdata_i(rdata_i), .m_rresp_i(rresp_i), .m_rlast_i(rlast)
  );

  // The memory. The checker follows one burst more than the port may have under way.
  logic [anl_axi_pkg::Rules-1:0] broken;

  anl_axi_checker #(.Bursts(Bursts + 1), .IdW(1), .AddrW(AddrW), .DataW(DataW), .Assert(0), .Say(0)) u_checker (
    .clk_i, .rst_i,
    .awvalid_i(awvalid), .awready_i, .awid_i(1'b0), .awaddr_i(awaddr), .awlen_i(awlen), .awsize_i(awsize),
    .awburst_i(awburst), .awlock_i(awlock), .awattr_i({awqos, awprot, awcache}),
    .wvalid_i(wvalid), .wready_i, .wdata_i(wdata), .wstrb_i(wstrb), .wlast_i(wlast),
    .bvalid_i, .bready_i(bready), .bid_i(1'b0), .bresp_i,
    .arvalid_i(arvalid), .arready_i, .arid_i(1'b0), .araddr_i(araddr), .arlen_i(arlen), .arsize_i(arsize),
    .arburst_i(arburst), .arlock_i(arlock), .arattr_i({arqos, arprot, arcache}),
    .rvalid_i, .rready_i(rready), .rid_i(1'b0), .rdata_i, .rresp_i, .rlast_i(rlast), .broken_o(broken)
  );

  `GIVEN(ResponseOfAWriteUnderWay, !broken[anl_axi_pkg::EarlyB])
  `GIVEN(DataOfAReadUnderWay, !broken[anl_axi_pkg::StrayR])
  `GIVEN(ShownUntilTaken, {broken[anl_axi_pkg::BChanged], broken[anl_axi_pkg::RChanged]} == '0)

  `PROVE_IN_RESET(NothingShownInReset, {awvalid, wvalid, arvalid} == '0)
  `PROVE(WriteAddressStays, !broken[anl_axi_pkg::AwChanged])
  `PROVE(WriteDataStay, !broken[anl_axi_pkg::WChanged])
  `PROVE(ReadAddressStays, !broken[anl_axi_pkg::ArChanged])
  `PROVE(LastOfItsWrite, !broken[anl_axi_pkg::BadWLast])
  `PROVE(NoMoreBurstsThanMay, !broken[anl_axi_pkg::TooMany])
  `PROVE(ResponseIsAlwaysTaken, bready)
  `PROVE(NothingIsExclusive, {awlock, arlock} == '0)
  `PROVE(DataGoThrough, !wvalid || (inside_q && {wstrb, wdata} == req_data_i))

  // What was asked and has not been shown to the memory and taken.
  logic [1:0]              asked_held;
  logic [AddrW+LenW-1:0]   asked_aw, asked_ar;

  anl_fifo #(.Depth(Bursts), .Width(AddrW + LenW)) u_asked_aw (
    .clk_i, .rst_i, .push_i(req_taken && head && req_write_i), .data_i({req_addr_i, req_len_i}),
    .pop_i(awvalid && awready_i), .front_o(asked_aw), .held_o(asked_held[1]), .count_o(), .wr_ptr_o(), .rd_ptr_o()
  );
  anl_fifo #(.Depth(Bursts), .Width(AddrW + LenW)) u_asked_ar (
    .clk_i, .rst_i, .push_i(req_taken && head && !req_write_i), .data_i({req_addr_i, req_len_i}),
    .pop_i(arvalid && arready_i), .front_o(asked_ar), .held_o(asked_held[0]), .count_o(), .wr_ptr_o(), .rd_ptr_o()
  );
  `PROVE(WriteIsWhatWasAsked, !awvalid || (asked_held[1] && {awaddr, awlen[LenW-1:0]} == asked_aw && awlen < 2
                                           && {awqos, awprot, awcache, awburst, awsize} == 16'h0001))
  `PROVE(ReadIsWhatWasAsked, !arvalid || (asked_held[0] && {araddr, arlen[LenW-1:0]} == asked_ar && arlen < 2
                                          && {arqos, arprot, arcache, arburst, arsize} == 16'h0001))

  // Who is to be answered: in the order of the requests of each direction.
  logic [1:0]       due_held;
  logic [BackW-1:0] due_b, due_r;
  logic [LenW-1:0]  due_len, given_q;
  wire              is_write = rep_data[0];

  anl_fifo #(.Depth(Bursts), .Width(BackW)) u_due_b (
    .clk_i, .rst_i, .push_i(req_taken && head && req_write_i), .data_i(req_back_i), .pop_i(rep_taken && is_write),
    .front_o(due_b), .held_o(due_held[1]), .count_o(), .wr_ptr_o(), .rd_ptr_o()
  );
  anl_fifo #(.Depth(Bursts), .Width(BackW + LenW)) u_due_r (
    .clk_i, .rst_i, .push_i(req_taken && head && !req_write_i), .data_i({req_len_i, req_back_i}),
    .pop_i(rep_taken && !is_write && given_q == due_len), .front_o({due_len, due_r}), .held_o(due_held[0]), .count_o(),
    .wr_ptr_o(), .rd_ptr_o()
  );
  always_ff @(posedge clk_i) begin : given
    if (rep_taken && !is_write) given_q <= given_q == due_len ? '0 : given_q + 1'b1;
    if (rst_i) given_q <= '0;
  end

  // Data of reads: beats that the memory has given of the burst whose turn it is, and those that have not gone.
  logic [LenW-1:0]  read_len, read_q;
  logic [DataW+1:0] read;
  logic             read_held;
  logic [1:0]       read_count;
  wire              r_taken = rvalid_i && rready;

  anl_fifo #(.Depth(Bursts), .Width(LenW)) u_read_len (
    .clk_i, .rst_i, .push_i(arvalid && arready_i), .data_i(arlen[LenW-1:0]), .pop_i(r_taken && rlast), .front_o(read_len),
    .held_o(), .count_o(), .wr_ptr_o(), .rd_ptr_o()
  );
  anl_fifo #(.Depth(2), .Width(DataW + 2)) u_read (
    .clk_i, .rst_i, .push_i(r_taken), .data_i({rdata_i, rresp_i}), .pop_i(rep_taken && !is_write), .front_o(read),
    .held_o(read_held), .count_o(read_count), .wr_ptr_o(), .rd_ptr_o()
  );
  always_ff @(posedge clk_i) begin : read_beats
    if (r_taken) read_q <= rlast ? '0 : read_q + 1'b1;
    if (rst_i) read_q <= '0;
  end
  assign rlast = read_q == read_len;

  `PROVE(ReplyGoesToWhoAsked, !rep_valid || (due_held[is_write] && {rep_data[3 +: IdW], rep_dest}
                                             == (is_write ? due_b : due_r)))
  `PROVE(ReplyHasAsManyBeats, !rep_valid || rep_last == (is_write || given_q == due_len))
  `PROVE(ReplySaysWhatWasRead, !rep_valid || is_write || (read_held && {rep_data[3+IdW +: DataW], rep_data[2:1]} == read))
  `PROVE(TwoBeatsOfDataHaveRoom, rready == (read_count != 2))

  // Responses to writes that the memory has given and that have not gone.
  logic [1:0] resp;
  logic       resp_held;
  anl_fifo #(.Depth(Bursts), .Width(2)) u_resp (
    .clk_i, .rst_i, .push_i(bvalid_i), .data_i(bresp_i), .pop_i(rep_taken && is_write), .front_o(resp), .held_o(resp_held),
    .count_o(), .wr_ptr_o(), .rd_ptr_o()
  );
  `PROVE(ReplySaysWhatTheMemorySaid, !rep_valid || !is_write || (resp_held && rep_data[2:1] == resp))

  logic                  rep_waits_q;
  logic [BeatW+DstW:0]   rep_q;
  always_ff @(posedge clk_i) begin : waits
    rep_waits_q <= !rst_i && rep_valid && !rep_ready_i;
    rep_q       <= {rep_data, rep_dest, rep_last};
  end
  `PROVE(ReplyStaysUntilTaken, !rep_waits_q || (rep_valid && {rep_data, rep_dest, rep_last} == rep_q))

  logic mid_q;                             // a packet of replies has begun and not ended
  always_ff @(posedge clk_i) begin : mid
    mid_q <= !rst_i && (rep_taken ? !rep_last : mid_q);
  end
  `PROVE(PacketsDoNotInterleave, !mid_q || !rep_valid || !is_write)

  `COVER(DataBeforeTheirAddress, wvalid && wready_i && awvalid && !awready_i)
  `COVER(ResponseWaitsForAPacketOfData, resp_held && mid_q && rep_valid && !rep_ready_i)
  `COVER(TwoReadsUnderWay, arvalid && due_held[0] && given_q == 1'b1 && due_len == 1'b1)
  `COVER(BeatComesWhileAnotherGoes, r_taken && rep_taken && !is_write && read_count == 1)
  `COVER(DataWaitForRoom, rvalid_i && !rready)
  `COVER(LastOfTwoReplies, rep_taken && rep_last && !is_write && given_q == 1'b1)

endmodule
