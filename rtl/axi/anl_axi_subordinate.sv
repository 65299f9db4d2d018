// SPDX-License-Identifier: Apache-2.0
//
// A subordinate port of AXI4, to which a manager of the user's is connected: bursts go out as packets of requests, and
// packets of replies come back (docs/axi.md).
//
// Both streams are those of an anl_axis_terminal with two classes: requests are class 0, replies class 1. Replies are
// always taken. All ends of a network have the same IdW, AddrW, DataW and DstW. AxLOCK is not read: an exclusive burst
// is carried as any other one, and its response is OKAY.
// In reset no response is shown.
// Timing: all outputs are functions of registers and rst_i, but for rep_ready_o, which is 1. The request of a burst is shown 1
// cycle after its address came, and that of a write not before the cycle after its last data.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY
// An exclusive burst is not told from others, and WLAST is not read.
// verilator lint_off UNUSEDSIGNAL

module anl_axi_subordinate #(
  parameter  int Bursts    = 4,          // bursts under way at most, of each direction, 1 .. 64
  parameter  int MaxBeats  = 256,        // of a burst, 1 .. 256
  parameter  int WriteRoom = 256,        // beats of data to be written, at least MaxBeats
  parameter  int ReadRoom  = 256,        // beats of data that were read, at least MaxBeats
  parameter  int Reorder   = 0,          // slots of a reorder buffer, 0 .. 16, no more than 2**IdW; 0: none. They take the
                                         // place of Bursts and ReadRoom, and each has room for MaxBeats
  parameter  int Rows      = 1,          // of the address map
  parameter  int IdW       = 4,          // bits of an ID, 1 .. 16
  parameter  int AddrW     = 32,         // bits of an address, 1 .. 64
  parameter  int DataW     = 64,         // bits of data, 8 .. 1024, a power of two
  parameter  int DstW      = 4,          // bits of a terminal's label
  localparam int RowW      = 2 * AddrW + DstW,
  localparam int Slots     = Reorder > 0 ? Reorder : 1,
  localparam int RespW     = anl_axi_pkg::RespW,
  localparam int LenW      = anl_axi_pkg::LenW,
  localparam int BeatW     = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW)
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [Rows*RowW-1:0] map_i,    // constant (anl_axi_map)
  input  logic [DstW-1:0]      here_i,   // label of this terminal, constant

  // AXI4, from the user's manager.
  input  logic                 s_awvalid_i,
  output logic                 s_awready_o,
  input  logic [IdW-1:0]       s_awid_i,
  input  logic [AddrW-1:0]     s_awaddr_i,
  input  logic [7:0]           s_awlen_i,
  input  logic [2:0]           s_awsize_i,
  input  logic [1:0]           s_awburst_i,
  input  logic                 s_awlock_i,
  input  logic [3:0]           s_awcache_i,
  input  logic [2:0]           s_awprot_i,
  input  logic [3:0]           s_awqos_i,

  input  logic                 s_wvalid_i,
  output logic                 s_wready_o,
  input  logic [DataW-1:0]     s_wdata_i,
  input  logic [DataW/8-1:0]   s_wstrb_i,
  input  logic                 s_wlast_i,

  output logic                 s_bvalid_o,
  input  logic                 s_bready_i,
  output logic [IdW-1:0]       s_bid_o,
  output logic [1:0]           s_bresp_o,

  input  logic                 s_arvalid_i,
  output logic                 s_arready_o,
  input  logic [IdW-1:0]       s_arid_i,
  input  logic [AddrW-1:0]     s_araddr_i,
  input  logic [7:0]           s_arlen_i,
  input  logic [2:0]           s_arsize_i,
  input  logic [1:0]           s_arburst_i,
  input  logic                 s_arlock_i,
  input  logic [3:0]           s_arcache_i,
  input  logic [2:0]           s_arprot_i,
  input  logic [3:0]           s_arqos_i,

  output logic                 s_rvalid_o,
  input  logic                 s_rready_i,
  output logic [IdW-1:0]       s_rid_o,
  output logic [DataW-1:0]     s_rdata_o,
  output logic [1:0]           s_rresp_o,
  output logic                 s_rlast_o,

  // Requests, to class 0 of the terminal.
  output logic                 req_valid_o,
  input  logic                 req_ready_i,
  output logic [BeatW-1:0]     req_data_o,
  output logic                 req_last_o,
  output logic [DstW-1:0]      req_dest_o,

  // Replies, from class 1 of the terminal.
  input  logic                 rep_valid_i,
  output logic                 rep_ready_o,
  input  logic [BeatW-1:0]     rep_data_i,
  input  logic                 rep_last_i,

  // Cycles since reset in which the next write, or read, waited for bursts of its ID to another destination, modulo 2**32.
  output logic [31:0]          write_stalls_o,
  output logic [31:0]          read_stalls_o
);

  // Limits of the parameters. The modules that are then wanted are nowhere, which ends the elaboration of every tool.
  if (MaxBeats < 1 || MaxBeats > 256) begin : g_beats
    max_beats_of_anl_axi_subordinate_is_1_to_256 u_refused ();
  end
  if (WriteRoom < MaxBeats || (Reorder == 0 && ReadRoom < MaxBeats)) begin : g_rooms
    rooms_of_anl_axi_subordinate_are_at_least_max_beats u_refused ();
  end
  if (Reorder < 0 || Reorder > 16 || Reorder > (1 << IdW)) begin : g_reorder
    slots_of_anl_axi_subordinate_are_0_to_16_and_no_more_than_ids u_refused ();
  end
  if (Bursts < 1 || Bursts > 64 || Rows < 1) begin : g_bursts
    bursts_of_anl_axi_subordinate_are_1_to_64_and_rows_at_least_1 u_refused ();
  end
  if (IdW < 1 || IdW > 16 || AddrW < 1 || AddrW > 64 || DataW < 8 || DataW > 1024 || (DataW & (DataW - 1)) != 0) begin : g_widths
    widths_of_anl_axi_subordinate_are_id_1_to_16_address_1_to_64_data_8_to_1024_a_power_of_two u_refused ();
  end

  logic             aw_req, aw_ready, aw_last, ar_req, ar_ready, refuse_w, refuse_w_ready, refuse_r, refuse_r_ready;
  logic [BeatW-1:0] aw_data, ar_data;
  logic [DstW-1:0]  aw_dest, ar_dest;
  logic [IdW-1:0]   refuse_w_id, refuse_r_id;
  logic [RespW-1:0] refuse_w_resp, refuse_r_resp;
  logic [LenW-1:0]  refuse_r_len;
  logic [Slots-1:0] w_first, r_first;
  logic [Slots*IdW-1:0] w_slot_id, r_slot_id;
  logic             b_valid, r_valid, r_stored, write_stalled, read_stalled;
  logic [31:0]      write_stalls_q, read_stalls_q;
  wire              b_taken = s_bvalid_o && s_bready_i;
  wire              r_taken = s_rvalid_o && s_rready_i;

  anl_axi_writes #(
    .Bursts(Bursts), .MaxBeats(MaxBeats), .Room(WriteRoom), .Reorder(Reorder), .Rows(Rows), .IdW(IdW), .AddrW(AddrW),
    .DataW(DataW), .DstW(DstW)
  ) u_writes (
    .clk_i, .rst_i, .map_i, .here_i,
    .awvalid_i(s_awvalid_i), .awready_o(s_awready_o), .awid_i(s_awid_i), .awaddr_i(s_awaddr_i),
    .awattr_i({s_awqos_i, s_awprot_i, s_awcache_i, s_awburst_i, s_awsize_i, s_awlen_i}),
    .wvalid_i(s_wvalid_i), .wready_o(s_wready_o), .wdata_i(s_wdata_i), .wstrb_i(s_wstrb_i),
    .req_valid_o(aw_req), .req_ready_i(aw_ready), .req_data_o(aw_data), .req_last_o(aw_last), .req_dest_o(aw_dest),
    .refuse_valid_o(refuse_w), .refuse_ready_i(refuse_w_ready), .refuse_id_o(refuse_w_id), .refuse_resp_o(refuse_w_resp),
    .done_i(b_taken), .done_id_i(s_bid_o), .stalled_o(write_stalled), .first_o(w_first), .slot_id_o(w_slot_id)
  );

  anl_axi_reads #(
    .Bursts(Bursts), .MaxBeats(MaxBeats), .Room(ReadRoom), .Reorder(Reorder), .Rows(Rows), .IdW(IdW), .AddrW(AddrW),
    .DataW(DataW), .DstW(DstW)
  ) u_reads (
    .clk_i, .rst_i, .map_i, .here_i,
    .arvalid_i(s_arvalid_i), .arready_o(s_arready_o), .arid_i(s_arid_i), .araddr_i(s_araddr_i),
    .arattr_i({s_arqos_i, s_arprot_i, s_arcache_i, s_arburst_i, s_arsize_i, s_arlen_i}),
    .req_valid_o(ar_req), .req_ready_i(ar_ready), .req_data_o(ar_data), .req_dest_o(ar_dest),
    .refuse_valid_o(refuse_r), .refuse_ready_i(refuse_r_ready), .refuse_id_o(refuse_r_id), .refuse_len_o(refuse_r_len),
    .refuse_resp_o(refuse_r_resp),
    .taken_i(r_taken && r_stored), .done_i(r_taken && s_rlast_o), .done_id_i(s_rid_o), .stalled_o(read_stalled),
    .first_o(r_first), .slot_id_o(r_slot_id)
  );

  anl_axi_merge #(.Width(DstW + BeatW)) u_requests (
    .clk_i, .rst_i,
    .valid_i({ar_req, aw_req}), .ready_o({ar_ready, aw_ready}), .data_i({ar_dest, ar_data, aw_dest, aw_data}),
    .last_i({1'b1, aw_last}),
    .valid_o(req_valid_o), .ready_i(req_ready_i), .data_o({req_dest_o, req_data_o}), .last_o(req_last_o), .from_o()
  );

  assign rep_ready_o = 1'b1;
  anl_axi_replies #(
    .Bursts(Bursts), .Room(ReadRoom), .Reorder(Reorder), .MaxBeats(MaxBeats), .IdW(IdW), .AddrW(AddrW), .DataW(DataW),
    .DstW(DstW)
  ) u_replies (
    .clk_i, .rst_i, .reply_valid_i(rep_valid_i), .reply_data_i(rep_data_i), .reply_last_i(rep_last_i),
    .w_first_i(w_first), .w_slot_id_i(w_slot_id), .r_first_i(r_first), .r_slot_id_i(r_slot_id),
    .write_refuse_valid_i(refuse_w), .write_refuse_ready_o(refuse_w_ready), .write_refuse_id_i(refuse_w_id),
    .write_refuse_resp_i(refuse_w_resp),
    .read_refuse_valid_i(refuse_r), .read_refuse_ready_o(refuse_r_ready), .read_refuse_id_i(refuse_r_id),
    .read_refuse_len_i(refuse_r_len), .read_refuse_resp_i(refuse_r_resp),
    .bvalid_o(b_valid), .bready_i(s_bready_i), .bid_o(s_bid_o), .bresp_o(s_bresp_o),
    .rvalid_o(r_valid), .rready_i(s_rready_i), .rid_o(s_rid_o), .rdata_o(s_rdata_o), .rresp_o(s_rresp_o),
    .rlast_o(s_rlast_o), .r_stored_o(r_stored)
  );

  assign s_bvalid_o     = b_valid && !rst_i;
  assign s_rvalid_o     = r_valid && !rst_i;
  assign write_stalls_o = write_stalls_q;
  assign read_stalls_o  = read_stalls_q;

  always_ff @(posedge clk_i) begin : regs
    write_stalls_q <= rst_i ? '0 : write_stalls_q + 32'(write_stalled);
    read_stalls_q  <= rst_i ? '0 : read_stalls_q + 32'(read_stalled);
  end

endmodule
