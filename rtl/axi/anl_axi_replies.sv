// SPDX-License-Identifier: Apache-2.0
//
// The replies of a subordinate port: what comes from the network, and the responses of bursts that were refused.
//
// A reply is always taken: a burst starts only if there is room for all its replies (anl_axi_reads, anl_axi_order). So a
// user who takes no responses stops no network. Responses of a refused burst need no room, since they are made as the
// user takes them. The beats of a burst follow each other. With a reorder buffer, replies name the slot of their burst.
// Timing: all outputs are functions of registers and refuse_*, but for write_refuse_ready_o, which follows bready_i.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY
// A beat of requests may be wider than one of replies.
// verilator lint_off UNUSEDSIGNAL

module anl_axi_replies #(
  parameter  int Bursts   = 4,           // writes under way at most
  parameter  int Room     = 256,         // beats of data that can wait
  parameter  int Reorder  = 0,           // slots of a reorder buffer, which take the place of Bursts and Room; 0: none
  parameter  int MaxBeats = 256,         // of a burst, 1 .. 256
  parameter  int IdW      = 4,
  parameter  int AddrW    = 32,
  parameter  int DataW    = 64,
  parameter  int DstW     = 4,
  localparam int Slots    = Reorder > 0 ? Reorder : 1,
  localparam int LenW     = anl_axi_pkg::LenW,
  localparam int RespW    = anl_axi_pkg::RespW,
  localparam int BeatW    = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW)
) (
  input  logic             clk_i,
  input  logic             rst_i,

  // Reply packets, which are always taken.
  input  logic             reply_valid_i,
  input  logic [BeatW-1:0] reply_data_i,
  input  logic             reply_last_i,

  // Of each slot of writes and of reads (anl_axi_slots).
  input  logic [Slots-1:0]     w_first_i,
  input  logic [Slots*IdW-1:0] w_slot_id_i,
  input  logic [Slots-1:0]     r_first_i,
  input  logic [Slots*IdW-1:0] r_slot_id_i,

  // Bursts that are refused.
  input  logic             write_refuse_valid_i,
  output logic             write_refuse_ready_o,
  input  logic [IdW-1:0]   write_refuse_id_i,
  input  logic [RespW-1:0] write_refuse_resp_i,
  input  logic             read_refuse_valid_i,
  output logic             read_refuse_ready_o,
  input  logic [IdW-1:0]   read_refuse_id_i,
  input  logic [LenW-1:0]  read_refuse_len_i,
  input  logic [RespW-1:0] read_refuse_resp_i,

  // Channels B and R.
  output logic             bvalid_o,
  input  logic             bready_i,
  output logic [IdW-1:0]   bid_o,
  output logic [RespW-1:0] bresp_o,
  output logic             rvalid_o,
  input  logic             rready_i,
  output logic [IdW-1:0]   rid_o,
  output logic [DataW-1:0] rdata_o,
  output logic [RespW-1:0] rresp_o,
  output logic             rlast_o,
  output logic             r_stored_o    // the beat shown on R had room promised
);

  localparam int BackW = RespW + IdW;    // {ID, response}
  localparam int DatumW = BackW + DataW; // {data, ID, response}

  logic             b_held, b_ready, r_held, r_ready, b_pushed, r_pushed, from;
  logic [BackW-1:0] b_front;
  logic [DatumW:0]  r_front;             // with the last-mark above
  wire              is_write = reply_data_i[0];

  assign b_pushed = reply_valid_i && is_write;
  assign r_pushed = reply_valid_i && !is_write;

  if (Reorder == 0) begin : g_in_order
    anl_fifo #(.Depth(Bursts), .Width(BackW)) u_b (
      .clk_i, .rst_i, .push_i(b_pushed), .data_i(reply_data_i[1 +: BackW]),
      .pop_i(b_held && b_ready), .front_o(b_front), .held_o(b_held), .count_o(), .wr_ptr_o(), .rd_ptr_o()
    );
    anl_fifo #(.Depth(Room), .Width(DatumW + 1)) u_r (
      .clk_i, .rst_i, .push_i(r_pushed), .data_i({reply_last_i, reply_data_i[1 +: DatumW]}),
      .pop_i(r_held && r_ready), .front_o(r_front), .held_o(r_held), .count_o(), .wr_ptr_o(), .rd_ptr_o()
    );
  end else begin : g_reordered
    wire [RespW-1:0] resp = reply_data_i[1 +: RespW];
    wire [IdW-1:0]   tag  = reply_data_i[1+RespW +: IdW];
    wire [DataW-1:0] data = reply_data_i[1+BackW +: DataW];

    anl_axi_reorder #(.Slots(Slots), .Beats(1), .Width(RespW), .IdW(IdW)) u_b (
      .clk_i, .rst_i, .first_i(w_first_i), .id_i(w_slot_id_i),
      .push_i(b_pushed), .tag_i(tag), .data_i(resp), .last_i(1'b1),
      .held_o(b_held), .id_o(b_front[RespW +: IdW]), .data_o(b_front[RespW-1:0]), .last_o(), .pop_i(b_held && b_ready)
    );
    anl_axi_reorder #(.Slots(Slots), .Beats(MaxBeats), .Width(DataW + RespW), .IdW(IdW)) u_r (
      .clk_i, .rst_i, .first_i(r_first_i), .id_i(r_slot_id_i),
      .push_i(r_pushed), .tag_i(tag), .data_i({data, resp}), .last_i(reply_last_i),
      .held_o(r_held), .id_o(r_front[RespW +: IdW]), .data_o({r_front[BackW +: DataW], r_front[RespW-1:0]}),
      .last_o(r_front[DatumW]), .pop_i(r_held && r_ready)
    );
  end

  anl_axi_merge #(.Width(BackW)) u_b_out (
    .clk_i, .rst_i,
    .valid_i({write_refuse_valid_i, b_held}), .ready_o({write_refuse_ready_o, b_ready}),
    .data_i({write_refuse_id_i, write_refuse_resp_i, b_front}), .last_i(2'b11),
    .valid_o(bvalid_o), .ready_i(bready_i), .data_o({bid_o, bresp_o}), .last_o(), .from_o()
  );

  // The read that is refused: its responses are made one by one.
  logic             busy_d, busy_q, no_ready;
  logic [IdW-1:0]   id_q;
  logic [LenW-1:0]  left_d, left_q;
  logic [RespW-1:0] resp_q;
  wire              last   = left_q == '0;
  wire              starts = read_refuse_valid_i && !busy_q;

  assign read_refuse_ready_o = !busy_q;

  always_comb begin : next
    busy_d = starts || (busy_q && !(no_ready && last));
    left_d = starts ? read_refuse_len_i : no_ready && busy_q ? left_q - 1'b1 : left_q;
  end

  always_ff @(posedge clk_i) begin : regs
    busy_q <= !rst_i && busy_d;
    left_q <= left_d;
    if (starts) {id_q, resp_q} <= {read_refuse_id_i, read_refuse_resp_i};
  end

  anl_axi_merge #(.Width(DatumW)) u_r_out (
    .clk_i, .rst_i,
    .valid_i({busy_q, r_held}), .ready_o({no_ready, r_ready}),
    .data_i({{DataW{1'b0}}, id_q, resp_q, r_front[DatumW-1:0]}), .last_i({last, r_front[DatumW]}),
    .valid_o(rvalid_o), .ready_i(rready_i), .data_o({rdata_o, rid_o, rresp_o}), .last_o(rlast_o), .from_o(from)
  );
  assign r_stored_o = !from;

endmodule
