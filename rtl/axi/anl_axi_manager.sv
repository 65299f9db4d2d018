// SPDX-License-Identifier: Apache-2.0
//
// A manager port of AXI4, to which a memory is connected: packets of requests come as bursts to the memory, and its
// responses go back as packets of replies (docs/axi.md).
//
// All bursts have one ID, so the memory answers in order, and the port remembers for each burst to whom its response
// goes. Both streams are those of an anl_axis_terminal with two classes: requests are class 0, replies class 1.
// In reset nothing is shown to the memory.
// Two beats of data from the memory are stored, so that no signal of the interface follows another one in its cycle.
// Timing: m_aw*, m_ar*, m_rready_o and rep_* are functions of registers. m_wvalid_o follows req_valid_i; req_ready_o
// follows m_awready_i, m_wready_i, m_arready_i and req_data_i. m_bready_o is 1. A head that comes in cycle t is shown in
// t + 1, and so is a beat of data on the reply stream.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY
// A beat of replies may be wider than one of requests. RLAST is not read: the port counts.
// verilator lint_off UNUSEDSIGNAL

module anl_axi_manager #(
  parameter  int Bursts = 8,             // bursts under way at most, of each direction, 1 .. 64
  parameter  int IdW    = 4,             // bits of an ID of the users
  parameter  int AddrW  = 32,            // bits of an address, 1 .. 64
  parameter  int DataW  = 64,            // bits of data, 8 .. 1024, a power of two
  parameter  int DstW   = 4,             // bits of a terminal's label
  localparam int BeatW  = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW)
) (
  input  logic               clk_i,
  input  logic               rst_i,

  // Requests, from class 0 of the terminal.
  input  logic               req_valid_i,
  output logic               req_ready_o,
  input  logic [BeatW-1:0]   req_data_i,
  input  logic               req_last_i,

  // Replies, to class 1 of the terminal.
  output logic               rep_valid_o,
  input  logic               rep_ready_i,
  output logic [BeatW-1:0]   rep_data_o,
  output logic               rep_last_o,
  output logic [DstW-1:0]    rep_dest_o,

  // AXI4, to the memory. AxID is 0.
  output logic               m_awvalid_o,
  input  logic               m_awready_i,
  output logic [AddrW-1:0]   m_awaddr_o,
  output logic [7:0]         m_awlen_o,
  output logic [2:0]         m_awsize_o,
  output logic [1:0]         m_awburst_o,
  output logic               m_awlock_o,
  output logic [3:0]         m_awcache_o,
  output logic [2:0]         m_awprot_o,
  output logic [3:0]         m_awqos_o,

  output logic               m_wvalid_o,
  input  logic               m_wready_i,
  output logic [DataW-1:0]   m_wdata_o,
  output logic [DataW/8-1:0] m_wstrb_o,
  output logic               m_wlast_o,

  input  logic               m_bvalid_i,
  output logic               m_bready_o,
  input  logic [1:0]         m_bresp_i,

  output logic               m_arvalid_o,
  input  logic               m_arready_i,
  output logic [AddrW-1:0]   m_araddr_o,
  output logic [7:0]         m_arlen_o,
  output logic [2:0]         m_arsize_o,
  output logic [1:0]         m_arburst_o,
  output logic               m_arlock_o,
  output logic [3:0]         m_arcache_o,
  output logic [2:0]         m_arprot_o,
  output logic [3:0]         m_arqos_o,

  input  logic               m_rvalid_i,
  output logic               m_rready_o,
  input  logic [DataW-1:0]   m_rdata_i,
  input  logic [1:0]         m_rresp_i,
  input  logic               m_rlast_i
);

  localparam int AttrW = anl_axi_pkg::AttrW;
  localparam int LenW  = anl_axi_pkg::LenW;
  localparam int RespW = anl_axi_pkg::RespW;
  localparam int CntW  = $clog2(Bursts + 1);
  localparam int BackW = IdW + DstW;     // {ID, source}: to whom a response goes
  localparam int AskW  = AddrW + AttrW;  // {address, attributes}
  localparam int Room  = 2;              // beats of data that are stored: one may come while another goes
  localparam int RoomW = $clog2(Room + 1);

  // Limits of the parameters. The modules that are then wanted are nowhere, which ends the elaboration of every tool.
  if (Bursts < 1 || Bursts > 64) begin : g_bursts
    bursts_of_anl_axi_manager_are_1_to_64 u_refused ();
  end
  if (IdW < 1 || IdW > 16 || AddrW < 1 || AddrW > 64 || DataW < 8 || DataW > 1024 || (DataW & (DataW - 1)) != 0) begin : g_widths
    widths_of_anl_axi_manager_are_id_1_to_16_address_1_to_64_data_8_to_1024_a_power_of_two u_refused ();
  end

  // The fields of a head.
  wire             is_write = req_data_i[0];
  wire [BackW-1:0] back     = req_data_i[1 +: BackW];
  wire [AskW-1:0]  ask      = req_data_i[1+BackW +: AskW];

  logic             open_d, open_q;      // the next beat is data of a write
  logic             aw_valid_q, ar_valid_q, take_aw, take_ar;
  logic [AskW-1:0]  aw_q, ar_q;
  logic [CntW-1:0]  writes, reads;       // whose responses have not gone

  wire aw_free = !aw_valid_q || m_awready_i;
  wire ar_free = !ar_valid_q || m_arready_i;
  wire may     = is_write ? aw_free && 32'(writes) != Bursts : ar_free && 32'(reads) != Bursts;

  assign req_ready_o = open_q ? m_wready_i : may;
  assign take_aw     = req_valid_i && !open_q && may && is_write;
  assign take_ar     = req_valid_i && !open_q && may && !is_write;
  assign open_d      = open_q ? !(req_valid_i && m_wready_i && req_last_i) : take_aw;

  always_ff @(posedge clk_i) begin : regs
    open_q     <= !rst_i && open_d;
    aw_valid_q <= !rst_i && (take_aw || !aw_free);
    ar_valid_q <= !rst_i && (take_ar || !ar_free);
    if (take_aw) aw_q <= ask;
    if (take_ar) ar_q <= ask;
  end

  assign m_awvalid_o = aw_valid_q && !rst_i;
  assign m_arvalid_o = ar_valid_q && !rst_i;
  assign {m_awaddr_o, m_awqos_o, m_awprot_o, m_awcache_o, m_awburst_o, m_awsize_o, m_awlen_o} = aw_q;
  assign {m_araddr_o, m_arqos_o, m_arprot_o, m_arcache_o, m_arburst_o, m_arsize_o, m_arlen_o} = ar_q;
  assign {m_awlock_o, m_arlock_o} = 2'b00;
  assign m_wvalid_o             = req_valid_i && open_q && !rst_i;
  assign {m_wstrb_o, m_wdata_o} = req_data_i[anl_axi_pkg::write_width(DataW)-1:0];
  assign m_wlast_o              = req_last_i;

  // To whom the responses go. Those of writes wait beside them, with room for all.
  logic                  b_back_held, b_held, b_goes, r_back_held, r_held, r_goes, r_last;
  logic [BackW-1:0]      b_back, r_back;
  logic [LenW-1:0]       r_len, sent_q;  // sent_q: beats of the burst that have gone
  logic [RespW-1:0]      b_resp, r_resp;
  logic [DataW-1:0]      r_beat;
  logic [RoomW-1:0]      r_beats;        // that are stored
  logic [BeatW+DstW-1:0] b_data, r_data;

  anl_fifo #(.Depth(Bursts), .Width(BackW)) u_writes (
    .clk_i, .rst_i, .push_i(take_aw), .data_i(back), .pop_i(b_goes), .front_o(b_back), .held_o(b_back_held),
    .count_o(writes), .wr_ptr_o(), .rd_ptr_o()
  );
  anl_fifo #(.Depth(Bursts), .Width(RespW)) u_b (
    .clk_i, .rst_i, .push_i(m_bvalid_i), .data_i(m_bresp_i), .pop_i(b_goes), .front_o(b_resp), .held_o(b_held),
    .count_o(), .wr_ptr_o(), .rd_ptr_o()
  );
  anl_fifo #(.Depth(Bursts), .Width(LenW + BackW)) u_reads (
    .clk_i, .rst_i, .push_i(take_ar), .data_i({ask[LenW-1:0], back}), .pop_i(r_goes && r_last),
    .front_o({r_len, r_back}), .held_o(r_back_held), .count_o(reads), .wr_ptr_o(), .rd_ptr_o()
  );

  anl_fifo #(.Depth(Room), .Width(DataW + RespW)) u_r (
    .clk_i, .rst_i, .push_i(m_rvalid_i && m_rready_o), .data_i({m_rdata_i, m_rresp_i}), .pop_i(r_goes),
    .front_o({r_beat, r_resp}), .held_o(r_held), .count_o(r_beats), .wr_ptr_o(), .rd_ptr_o()
  );

  assign m_bready_o = 1'b1;
  assign m_rready_o = 32'(r_beats) != Room;
  assign r_last     = sent_q == r_len;
  assign b_data     = {b_back[DstW-1:0], BeatW'({b_back[DstW +: IdW], b_resp, 1'b1})};
  assign r_data     = {r_back[DstW-1:0], BeatW'({r_beat, r_back[DstW +: IdW], r_resp, 1'b0})};

  logic r_ready, b_ready;

  anl_axi_merge #(.Width(BeatW + DstW)) u_replies (
    .clk_i, .rst_i,
    .valid_i({r_held && r_back_held, b_held && b_back_held}), .ready_o({r_ready, b_ready}), .data_i({r_data, b_data}),
    .last_i({r_last, 1'b1}),
    .valid_o(rep_valid_o), .ready_i(rep_ready_i), .data_o({rep_dest_o, rep_data_o}), .last_o(rep_last_o), .from_o()
  );
  assign r_goes = r_held && r_back_held && r_ready;
  assign b_goes = b_held && b_back_held && b_ready;

  always_ff @(posedge clk_i) begin : sent
    if (rst_i)       sent_q <= '0;
    else if (r_goes) sent_q <= r_last ? '0 : sent_q + 1'b1;
  end

endmodule
