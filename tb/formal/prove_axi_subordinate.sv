// SPDX-License-Identifier: Apache-2.0
//
// anl_axi_subordinate: between a user that keeps the rules of AXI4 (docs/axi.md, "Rules") and is free otherwise, and a
// network that answers what it was asked, in the order in which each terminal was asked.
//
// Addresses 0 and 1 belong to terminals of these labels, and 2 and 3 are holes. With Ahead, data of writes may come
// before their address; then WLAST, which the module does not read, means nothing, and responses are not held against it.
// With Reorder slots the ID in a head is a tag.

`include "prove.svh"

module prove_axi_subordinate #(
  parameter  int Bursts   = 2,
  parameter  int MaxBeats = 2,
  parameter  int Room     = 2,
  parameter  int Ahead    = 0,
  parameter  int Reorder  = 0,
  localparam int IdW      = 1,
  localparam int AddrW    = 2,
  localparam int DataW    = 8,
  localparam int DstW     = 1,
  localparam int LenW     = 2,             // bits of AxLEN that may be 1
  localparam int Listed   = Bursts + 2,    // bursts that the user sees under way
  localparam int BackW    = 2 + IdW,
  localparam int HeadW    = anl_axi_pkg::head_width(IdW, AddrW, DstW),
  localparam int BeatW    = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW)
) (
  input logic             clk_i,
  input logic             awvalid_i,
  input logic [IdW-1:0]   awid_i,
  input logic [AddrW-1:0] awaddr_i,
  input logic [LenW-1:0]  awlen_i,
  input logic             wvalid_i,
  input logic [DataW:0]   wdata_i,         // with the strobe
  input logic             bready_i,
  input logic             arvalid_i,
  input logic [IdW-1:0]   arid_i,
  input logic [AddrW-1:0] araddr_i,
  input logic [LenW-1:0]  arlen_i,
  input logic             rready_i,
  input logic             req_ready_i,
  input logic             rep_valid_i,
  input logic             rep_write_i,     // what a packet of replies answers, and who sends it
  input logic             rep_from_i,
  input logic [1:0]       rep_resp_i,
  input logic [DataW-1:0] rep_data_i
);

  `PROVE_RESET

  localparam int RowW = 2 * AddrW + DstW;

  logic             awready, wready, bvalid, arready, rvalid, rlast, req_valid, req_last, rep_ready, wlast;
  logic [IdW-1:0]   bid, rid;
  logic [1:0]       bresp, rresp;
  logic [DataW-1:0] rdata;
  logic [BeatW-1:0] req_data, rep_data;
  logic [DstW-1:0]  req_dest;
  logic             rep_last;

  anl_axi_subordinate #(
    .Bursts(Bursts), .MaxBeats(MaxBeats), .WriteRoom(Room), .ReadRoom(Room), .Reorder(Reorder), .Rows(2), .IdW(IdW), .AddrW(AddrW),
    .DataW(DataW), .DstW(DstW)
  ) u_dut (
    .clk_i, .rst_i, .map_i({1'b1, 2'b11, 2'b01, 1'b0, 2'b11, 2'b00}), .here_i(1'b1),
    .s_awvalid_i(awvalid_i), .s_awready_o(awready), .s_awid_i(awid_i), .s_awaddr_i(awaddr_i), .s_awlen_i(8'(awlen_i)),
    .s_awsize_i(3'b0), .s_awburst_i(2'b01), .s_awlock_i(1'b0), .s_awcache_i(4'b0), .s_awprot_i(3'b0), .s_awqos_i(4'b0),
    .s_wvalid_i(wvalid_i), .s_wready_o(wready), .s_wdata_i(wdata_i[DataW-1:0]), .s_wstrb_i(wdata_i[DataW]),
    .s_wlast_i(wlast),
    .s_bvalid_o(bvalid), .s_bready_i(bready_i), .s_bid_o(bid), .s_bresp_o(bresp),
    .s_arvalid_i(arvalid_i), .s_arready_o(arready), .s_arid_i(arid_i), .s_araddr_i(araddr_i), .s_arlen_i(8'(arlen_i)),
    .s_arsize_i(3'b0), .s_arburst_i(2'b01), .s_arlock_i(1'b0), .s_arcache_i(4'b0), .s_arprot_i(3'b0), .s_arqos_i(4'b0),
    .s_rvalid_o(rvalid), .s_rready_i(rready_i), .s_rid_o(rid), .s_rdata_o(rdata), .s_rresp_o(rresp), .s_rlast_o(rlast),
    .req_valid_o(req_valid), .req_ready_i(req_ready_i), .req_data_o(req_data), .req_last_o(req_last),
    .req_dest_o(req_dest),
    .rep_valid_i(rep_valid_i), .rep_ready_o(rep_ready), .rep_data_i(rep_data), .rep_last_i(rep_last),
    .write_stalls_o(), .read_stalls_o()
  );

  wire aw_taken  = awvalid_i && awready;
  wire w_taken   = wvalid_i && wready;
  wire ar_taken  = arvalid_i && arready;
  wire req_taken = req_valid && req_ready_i;

  // The user.
  logic [anl_axi_pkg::Rules-1:0] broken;

  anl_axi_checker #(.Bursts(Listed), .IdW(IdW), .AddrW(AddrW), .DataW(DataW), .Assert(0), .Say(0)) u_checker (
    .clk_i, .rst_i,
    .awvalid_i, .awready_i(awready), .awid_i, .awaddr_i, .awlen_i(8'(awlen_i)), .awsize_i(3'b0), .awburst_i(2'b01),
    .awlock_i(1'b0), .awattr_i(11'b0),
    .wvalid_i, .wready_i(wready), .wdata_i(wdata_i[DataW-1:0]), .wstrb_i(wdata_i[DataW]), .wlast_i(wlast),
    .bvalid_i(bvalid), .bready_i, .bid_i(bid), .bresp_i(bresp),
    .arvalid_i, .arready_i(arready), .arid_i, .araddr_i, .arlen_i(8'(arlen_i)), .arsize_i(3'b0), .arburst_i(2'b01),
    .arlock_i(1'b0), .arattr_i(11'b0),
    .rvalid_i(rvalid), .rready_i, .rid_i(rid), .rdata_i(rdata), .rresp_i(rresp), .rlast_i(rlast), .broken_o(broken)
  );

  logic            due_held;               // data of a write are due
  logic [LenW-1:0] due_len, sent_q;

  anl_fifo #(.Depth(4), .Width(LenW)) u_due (
    .clk_i, .rst_i, .push_i(aw_taken && Ahead == 0), .data_i(awlen_i), .pop_i(w_taken && wlast && Ahead == 0),
    .front_o(due_len), .held_o(due_held), .count_o(), .wr_ptr_o(), .rd_ptr_o()
  );
  assign wlast = Ahead == 0 && sent_q == due_len;
  always_ff @(posedge clk_i) begin : sent
    sent_q <= (rst_i || (w_taken && wlast)) ? '0 : sent_q + LenW'(w_taken);
  end

  `GIVEN(ShownUntilTaken, {broken[anl_axi_pkg::AwChanged], broken[anl_axi_pkg::ArChanged]} == '0)
  `GIVEN(DataUntilTaken, !w_waits_q || (wvalid_i && wdata_i == w_q))
  `GIVEN(DataBehindTheirAddress, !wvalid_i || due_held || Ahead != 0)
  `GIVEN(LengthsAreSmall, 32'(awlen_i) <= MaxBeats && 32'(arlen_i) <= MaxBeats)

  logic           w_waits_q;
  logic [DataW:0] w_q;
  always_ff @(posedge clk_i) begin : waits
    w_waits_q <= !rst_i && wvalid_i && !wready;
    w_q       <= wdata_i;
  end

  // What the port promises its user.
  `PROVE(ResponseStaysUntilTaken, !broken[anl_axi_pkg::BChanged])
  `PROVE(DataStayUntilTaken, !broken[anl_axi_pkg::RChanged])
  `PROVE(ResponseBehindItsData, Ahead != 0 || !broken[anl_axi_pkg::EarlyB])
  `PROVE(DataOfAReadUnderWay, !broken[anl_axi_pkg::StrayR])
  `PROVE(LastOfItsBurst, !broken[anl_axi_pkg::BadRLast])
  `PROVE(BurstsDoNotInterleave, !broken[anl_axi_pkg::Interleaved])

  // The packets of requests.
  logic              inside_q;             // the next beat is data of a write
  logic [LenW-1:0]   left_q;               // beats behind the next one
  wire               head     = req_valid && !inside_q;
  wire               is_write = req_data[0];
  wire [IdW-1:0]     head_tag = req_data[1+DstW +: IdW];
  wire [LenW-1:0]    head_len = req_data[1+DstW+IdW +: LenW];
  wire [AddrW-1:0]   head_addr = req_data[HeadW-1 -: AddrW];
  logic              stays_q;
  logic [BeatW+DstW:0] beat_q;

  always_ff @(posedge clk_i) begin : packets
    if (req_taken) begin
      inside_q <= !req_last;
      left_q   <= inside_q ? left_q - 1'b1 : head_len;
    end
    if (rst_i) inside_q <= 1'b0;
    stays_q <= !rst_i && req_valid && !req_ready_i;
    beat_q  <= {req_data, req_dest, req_last};
  end

  `PROVE(RequestStaysUntilTaken, !stays_q || (req_valid && {req_data, req_dest, req_last} == beat_q))
  `PROVE(AsManyBeatsAsTransfers, !req_valid || req_last == (inside_q ? left_q == '0 : !is_write))
  `PROVE(HeadSaysWhoAsks, !head || req_data[1 +: DstW] == 1'b1)
  `PROVE(RequestGoesWhereTheMapSays, !head || (head_addr < 2 && req_dest == head_addr[0]))

  // Bursts that were taken and are not refused come out in order, with what they say.
  logic [1:0]                  asked_held;
  logic [IdW+AddrW+LenW-1:0]   asked_aw, asked_ar;
  wire aw_good = awaddr_i < 2 && 32'(awlen_i) < MaxBeats;
  wire ar_good = araddr_i < 2 && 32'(arlen_i) < MaxBeats;

  anl_fifo #(.Depth(2), .Width(IdW + AddrW + LenW)) u_asked_aw (
    .clk_i, .rst_i, .push_i(aw_taken && aw_good), .data_i({awid_i, awaddr_i, awlen_i}),
    .pop_i(req_taken && head && is_write), .front_o(asked_aw), .held_o(asked_held[1]), .count_o(), .wr_ptr_o(), .rd_ptr_o()
  );
  anl_fifo #(.Depth(2), .Width(IdW + AddrW + LenW)) u_asked_ar (
    .clk_i, .rst_i, .push_i(ar_taken && ar_good), .data_i({arid_i, araddr_i, arlen_i}),
    .pop_i(req_taken && head && !is_write), .front_o(asked_ar), .held_o(asked_held[0]), .count_o(), .wr_ptr_o(), .rd_ptr_o()
  );
  wire [IdW+AddrW+LenW-1:0] oldest  = is_write ? asked_aw : asked_ar;
  wire [IdW-1:0]            head_id = oldest[AddrW+LenW +: IdW];
  `PROVE(HeadIsOfTheOldestBurst, !head || (asked_held[is_write] && {head_addr, head_len} == oldest[AddrW+LenW-1:0]
                                           && (Reorder != 0 || head_tag == head_id)))

  // The network: of each terminal and direction the requests that it has not answered. A write can be answered from its
  // last beat on.
  logic [1:0]         w_open_q;            // {terminal, tag} of the write that is being sent
  logic [3:0]         left_held;           // {write, terminal}
  logic [4*(IdW+LenW)-1:0] left_front;
  logic               mid_q, mid_write_q, mid_from_q;
  logic [LenW-1:0]    given_q;
  wire                rep_write = mid_q ? mid_write_q : rep_write_i;
  wire                rep_from  = mid_q ? mid_from_q : rep_from_i;
  wire [1:0]          rep_of    = {rep_write, rep_from};
  wire [IdW+LenW-1:0] answered  = left_front[rep_of*(IdW+LenW) +: IdW+LenW];

  for (genvar q = 0; q < 4; q++) begin : g_left
    localparam bit Write = q >= 2;
    wire comes = req_taken && (Write ? inside_q && req_last && w_open_q[1] == q % 2
                                     : head && !is_write && req_dest == q % 2);
    anl_fifo #(.Depth(Bursts), .Width(IdW + LenW)) u_left (
      .clk_i, .rst_i, .push_i(comes), .data_i(Write ? {w_open_q[0], {LenW{1'b0}}} : {head_tag, head_len}),
      .pop_i(rep_valid_i && rep_last && rep_of == q), .front_o(left_front[q*(IdW+LenW) +: IdW+LenW]),
      .held_o(left_held[q]), .count_o(), .wr_ptr_o(), .rd_ptr_o()
    );
  end

  assign rep_last = given_q == answered[LenW-1:0];
  assign rep_data = BeatW'({rep_data_i, answered[LenW +: IdW], rep_resp_i, rep_write});
  always_ff @(posedge clk_i) begin : replies
    if (head && req_taken) w_open_q <= {req_dest, head_tag};
    if (rep_valid_i) begin
      {mid_q, mid_write_q, mid_from_q} <= {!rep_last, rep_write, rep_from};
      given_q <= rep_last ? '0 : given_q + 1'b1;
    end
    if (rst_i) {mid_q, given_q} <= '0;
  end
  `GIVEN(AnswersWhatWasAsked, !rep_valid_i || left_held[rep_of])

  `PROVE(RepliesAreAlwaysTaken, rep_ready)

  // An ID goes to one destination at a time: those of its bursts whose last response has not been taken.
  localparam int CntW = $clog2(Bursts + 1);
  logic [4*CntW-1:0] out_q;                // {write, ID}
  logic [3:0]        to_q;
  wire  [1:0]        of = {is_write, head_id};

  for (genvar q = 0; q < 4; q++) begin : g_out
    wire goes  = req_taken && head && of == q;
    wire comes = q >= 2 ? bvalid && bready_i && bid == q % 2 && refused_q[q] == '0
                        : rvalid && rready_i && rlast && rid == q % 2 && refused_q[q] == '0;
    always_ff @(posedge clk_i) begin : count
      out_q[q*CntW +: CntW] <= rst_i ? '0 : out_q[q*CntW +: CntW] + CntW'(goes) - CntW'(comes);
      if (goes) to_q[q] <= req_dest;
    end
  end
  // A response with no request of its ID out is one of a burst that was refused.
  wire [3:0] refused_q = {out_q[3*CntW +: CntW] == '0, out_q[2*CntW +: CntW] == '0, out_q[CntW +: CntW] == '0,
                          out_q[0 +: CntW] == '0};

  `PROVE(OneDestinationOfAnId, Reorder != 0 || !head || out_q[of*CntW +: CntW] == '0 || to_q[of] == req_dest)
  `PROVE(NoMoreBurstsThanMay, !head || 32'(out_q[of*CntW +: CntW]) < Bursts)

  `COVER(BothIdsAreOut, out_q[0 +: CntW] != '0 && out_q[CntW +: CntW] != '0 && to_q[0] != to_q[1])
  `COVER(IdIsInTwoPlaces, Reorder == 0 || (head && out_q[of*CntW +: CntW] != '0 && to_q[of] != req_dest))
  `COVER(ReadIsRefused, rvalid && rready_i && rlast && refused_q[rid] && rresp == 2'd3)
  `COVER(WriteIsTooLong, bvalid && bready_i && bresp == 2'd2)
  `COVER(LastBeatOfAWrite, req_taken && inside_q && left_q == '0)
  `COVER(UserTakesNothing, bvalid && !bready_i && rvalid && !rready_i && !rlast)

endmodule
