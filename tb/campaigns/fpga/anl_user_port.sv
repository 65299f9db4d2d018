// SPDX-License-Identifier: Apache-2.0
//
// A subordinate port of AXI4 or of AXI4-Lite as it stands in a network that `annelid rtl` writes, to count its cells
// (docs/cost.md): label and address map are constants, and nobody reads the counters of stalls of AXI4-Lite.

// Signals that AXI4-Lite has not are not read.
// verilator lint_off UNUSEDSIGNAL

module anl_user_port #(
  parameter  int Lite      = 0,          // 1: AXI4-Lite, for which MaxBeats and the rooms do not count
  parameter  int Bursts    = 4,
  parameter  int MaxBeats  = 16,
  parameter  int Room      = 16,         // beats in each direction
  parameter  int Reorder   = 0,
  parameter  int Rows      = 1,          // of the address map, 64 KiB each
  parameter  int IdW       = 4,
  parameter  int AddrW     = 32,
  parameter  int DataW     = 64,
  parameter  int DstW      = 4,
  localparam int RowW      = 2 * AddrW + DstW,
  localparam int BeatW     = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW)
) (
  input  logic                          clk_i,
  input  logic                          rst_i,
  input  logic [AddrW+IdW+25-1:0]       aw_i,        // {address, ID, qos, prot, cache, lock, burst, size, length}
  input  logic [AddrW+IdW+25-1:0]       ar_i,
  input  logic [DataW+DataW/8+1-1:0]    w_i,         // {data, strobes, last}
  input  logic [4:0]                    valid_i,     // AW, W, AR, requests, replies: those of replies are valid
  input  logic [2:0]                    ready_i,     // B, R, requests
  input  logic [BeatW:0]                rep_i,       // {data, last}
  output logic [6:0]                    shake_o,
  output logic [IdW+2-1:0]              b_o,
  output logic [DataW+IdW+3-1:0]        r_o,
  output logic [DstW+BeatW+1-1:0]       req_o,
  output logic [63:0]                   stalls_o
);

  logic [Rows*RowW-1:0] map;
  for (genvar r = 0; r < Rows; r++) begin : g_row
    assign map[r*RowW +: RowW] = {DstW'(r), {{AddrW-16{1'b1}}, 16'b0}, AddrW'(r << 16)};
  end

  if (Lite == 0) begin : g_whole
    anl_axi_subordinate #(
      .Bursts(Bursts), .MaxBeats(MaxBeats), .WriteRoom(Room), .ReadRoom(Room), .Reorder(Reorder), .Rows(Rows), .IdW(IdW),
      .AddrW(AddrW), .DataW(DataW), .DstW(DstW)
    ) u_port (
      .clk_i, .rst_i, .map_i(map), .here_i(DstW'(1)),
      .s_awvalid_i(valid_i[0]), .s_awready_o(shake_o[0]), .s_awaddr_i(aw_i[IdW+25 +: AddrW]), .s_awid_i(aw_i[25 +: IdW]),
      .s_awqos_i(aw_i[24:21]), .s_awprot_i(aw_i[20:18]), .s_awcache_i(aw_i[17:14]), .s_awlock_i(aw_i[13]),
      .s_awburst_i(aw_i[12:11]), .s_awsize_i(aw_i[10:8]), .s_awlen_i(aw_i[7:0]),
      .s_wvalid_i(valid_i[1]), .s_wready_o(shake_o[1]), .s_wdata_i(w_i[DataW/8+1 +: DataW]), .s_wstrb_i(w_i[1 +: DataW/8]),
      .s_wlast_i(w_i[0]), .s_bvalid_o(shake_o[2]), .s_bready_i(ready_i[0]), .s_bid_o(b_o[2 +: IdW]), .s_bresp_o(b_o[1:0]),
      .s_arvalid_i(valid_i[2]), .s_arready_o(shake_o[3]), .s_araddr_i(ar_i[IdW+25 +: AddrW]), .s_arid_i(ar_i[25 +: IdW]),
      .s_arqos_i(ar_i[24:21]), .s_arprot_i(ar_i[20:18]), .s_arcache_i(ar_i[17:14]), .s_arlock_i(ar_i[13]),
      .s_arburst_i(ar_i[12:11]), .s_arsize_i(ar_i[10:8]), .s_arlen_i(ar_i[7:0]),
      .s_rvalid_o(shake_o[4]), .s_rready_i(ready_i[1]), .s_rdata_o(r_o[IdW+3 +: DataW]), .s_rid_o(r_o[3 +: IdW]),
      .s_rresp_o(r_o[2:1]), .s_rlast_o(r_o[0]),
      .req_valid_o(shake_o[5]), .req_ready_i(ready_i[2]), .req_dest_o(req_o[BeatW+1 +: DstW]), .req_data_o(req_o[1 +: BeatW]),
      .req_last_o(req_o[0]), .rep_valid_i(valid_i[4]), .rep_ready_o(shake_o[6]), .rep_data_i(rep_i[1 +: BeatW]),
      .rep_last_i(rep_i[0]), .write_stalls_o(stalls_o[31:0]), .read_stalls_o(stalls_o[63:32])
    );
  end else begin : g_lite
    anl_axi_lite_subordinate #(
      .Bursts(Bursts), .Reorder(Reorder), .Rows(Rows), .IdW(IdW), .AddrW(AddrW), .DataW(DataW), .DstW(DstW)
    ) u_port (
      .clk_i, .rst_i, .map_i(map), .here_i(DstW'(1)),
      .s_awvalid_i(valid_i[0]), .s_awready_o(shake_o[0]), .s_awaddr_i(aw_i[IdW+25 +: AddrW]), .s_awprot_i(aw_i[20:18]),
      .s_wvalid_i(valid_i[1]), .s_wready_o(shake_o[1]), .s_wdata_i(w_i[DataW/8+1 +: DataW]), .s_wstrb_i(w_i[1 +: DataW/8]),
      .s_bvalid_o(shake_o[2]), .s_bready_i(ready_i[0]), .s_bresp_o(b_o[1:0]),
      .s_arvalid_i(valid_i[2]), .s_arready_o(shake_o[3]), .s_araddr_i(ar_i[IdW+25 +: AddrW]), .s_arprot_i(ar_i[20:18]),
      .s_rvalid_o(shake_o[4]), .s_rready_i(ready_i[1]), .s_rdata_o(r_o[IdW+3 +: DataW]), .s_rresp_o(r_o[2:1]),
      .req_valid_o(shake_o[5]), .req_ready_i(ready_i[2]), .req_dest_o(req_o[BeatW+1 +: DstW]), .req_data_o(req_o[1 +: BeatW]),
      .req_last_o(req_o[0]), .rep_valid_i(valid_i[4]), .rep_ready_o(shake_o[6]), .rep_data_i(rep_i[1 +: BeatW]),
      .rep_last_i(rep_i[0])
    );
    assign {b_o[2 +: IdW], r_o[3 +: IdW], r_o[0], stalls_o} = '0;
  end

endmodule
