// SPDX-License-Identifier: Apache-2.0
//
// A subordinate port of AXI4-Lite: an anl_axi_subordinate whose bursts have one beat of the whole width and ID 0.
//
// Its requests have the format of AXI4 ports, so it may stand in one network with them; IdW, AddrW, DataW and DstW are
// those of the network.
// Timing: as anl_axi_subordinate.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

module anl_axi_lite_subordinate #(
  parameter  int Bursts = 4,             // accesses under way at most, of each direction, 1 .. 64
  parameter  int Reorder = 0,            // slots of a reorder buffer, 0 .. 16, no more than 2**IdW (anl_axi_subordinate)
  parameter  int Rows   = 1,             // of the address map
  parameter  int IdW    = 4,             // bits of an ID of the network
  parameter  int AddrW  = 32,            // bits of an address, 1 .. 64
  parameter  int DataW  = 64,            // bits of data
  parameter  int DstW   = 4,             // bits of a terminal's label
  localparam int RowW   = 2 * AddrW + DstW,
  localparam int BeatW  = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW)
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [Rows*RowW-1:0] map_i,    // constant (anl_axi_map)
  input  logic [DstW-1:0]      here_i,   // label of this terminal, constant

  // AXI4-Lite, from the user's manager.
  input  logic                 s_awvalid_i,
  output logic                 s_awready_o,
  input  logic [AddrW-1:0]     s_awaddr_i,
  input  logic [2:0]           s_awprot_i,
  input  logic                 s_wvalid_i,
  output logic                 s_wready_o,
  input  logic [DataW-1:0]     s_wdata_i,
  input  logic [DataW/8-1:0]   s_wstrb_i,
  output logic                 s_bvalid_o,
  input  logic                 s_bready_i,
  output logic [1:0]           s_bresp_o,
  input  logic                 s_arvalid_i,
  output logic                 s_arready_o,
  input  logic [AddrW-1:0]     s_araddr_i,
  input  logic [2:0]           s_arprot_i,
  output logic                 s_rvalid_o,
  input  logic                 s_rready_i,
  output logic [DataW-1:0]     s_rdata_o,
  output logic [1:0]           s_rresp_o,

  // Requests, to class 0 of the terminal; replies, from class 1.
  output logic                 req_valid_o,
  input  logic                 req_ready_i,
  output logic [BeatW-1:0]     req_data_o,
  output logic                 req_last_o,
  output logic [DstW-1:0]      req_dest_o,
  input  logic                 rep_valid_i,
  output logic                 rep_ready_o,
  input  logic [BeatW-1:0]     rep_data_i,
  input  logic                 rep_last_i
);

  localparam logic [2:0] Size = 3'($clog2(DataW / 8));

  anl_axi_subordinate #(
    .Bursts(Bursts), .MaxBeats(1), .WriteRoom(Bursts), .ReadRoom(Bursts), .Reorder(Reorder), .Rows(Rows), .IdW(IdW),
    .AddrW(AddrW), .DataW(DataW), .DstW(DstW)
  ) u_axi (
    .clk_i, .rst_i, .map_i, .here_i,
    .s_awvalid_i, .s_awready_o, .s_awid_i({IdW{1'b0}}), .s_awaddr_i, .s_awlen_i(8'b0), .s_awsize_i(Size),
    .s_awburst_i(2'(anl_axi_pkg::Incr)), .s_awlock_i(1'b0), .s_awcache_i(4'b0), .s_awprot_i, .s_awqos_i(4'b0),
    .s_wvalid_i, .s_wready_o, .s_wdata_i, .s_wstrb_i, .s_wlast_i(1'b1),
    .s_bvalid_o, .s_bready_i, .s_bid_o(), .s_bresp_o,
    .s_arvalid_i, .s_arready_o, .s_arid_i({IdW{1'b0}}), .s_araddr_i, .s_arlen_i(8'b0), .s_arsize_i(Size),
    .s_arburst_i(2'(anl_axi_pkg::Incr)), .s_arlock_i(1'b0), .s_arcache_i(4'b0), .s_arprot_i, .s_arqos_i(4'b0),
    .s_rvalid_o, .s_rready_i, .s_rid_o(), .s_rdata_o, .s_rresp_o, .s_rlast_o(),
    .req_valid_o, .req_ready_i, .req_data_o, .req_last_o, .req_dest_o,
    .rep_valid_i, .rep_ready_o, .rep_data_i, .rep_last_i,
    .write_stalls_o(), .read_stalls_o()
  );

endmodule
