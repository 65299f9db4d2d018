// SPDX-License-Identifier: Apache-2.0
//
// The writes of a subordinate port: each burst becomes a packet, a head and a beat for each transfer.
//
// A packet starts when all data of its burst have come, so that a user who is late with its data holds up no one else.
// AWLEN says how many transfers a burst has; WLAST is not read. The data of a burst that is refused are taken and
// dropped, and refuse_* says so with the last of them.
// Timing: *ready_o and req_* are functions of registers; a packet of n beats takes n + 1 cycles.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

`include "anl_assert.svh"

module anl_axi_writes #(
  parameter  int Bursts   = 4,           // bursts under way at most
  parameter  int MaxBeats = 256,         // of a burst, 1 .. 256
  parameter  int Room     = 256,         // transfers whose data can wait, at least MaxBeats
  parameter  int Reorder  = 0,           // slots of a reorder buffer, which take the place of Bursts; 0: none
  parameter  int Rows     = 1,           // of the address map
  parameter  int IdW      = 4,
  parameter  int AddrW    = 32,
  parameter  int DataW    = 64,
  parameter  int DstW     = 4,
  localparam int RowW     = 2 * AddrW + DstW,
  localparam int Slots    = Reorder > 0 ? Reorder : 1,
  localparam int AttrW    = anl_axi_pkg::AttrW,
  localparam int RespW    = anl_axi_pkg::RespW,
  localparam int BeatW    = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW)
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [Rows*RowW-1:0] map_i,    // constant (anl_axi_map)
  input  logic [DstW-1:0]      here_i,   // label of this terminal, constant

  // Channels AW and W.
  input  logic                 awvalid_i,
  output logic                 awready_o,
  input  logic [IdW-1:0]       awid_i,
  input  logic [AddrW-1:0]     awaddr_i,
  input  logic [AttrW-1:0]     awattr_i,
  input  logic                 wvalid_i,
  output logic                 wready_o,
  input  logic [DataW-1:0]     wdata_i,
  input  logic [DataW/8-1:0]   wstrb_i,

  // Request packets.
  output logic                 req_valid_o,
  input  logic                 req_ready_i,
  output logic [BeatW-1:0]     req_data_o,
  output logic                 req_last_o,
  output logic [DstW-1:0]      req_dest_o,

  // A burst that is refused wants its response.
  output logic                 refuse_valid_o,
  input  logic                 refuse_ready_i,
  output logic [IdW-1:0]       refuse_id_o,
  output logic [RespW-1:0]     refuse_resp_o,

  input  logic                 done_i,   // the response of a burst of this ID goes to the user
  input  logic [IdW-1:0]       done_id_i,
  output logic                 stalled_o,  // the next burst waits for bursts of its ID to another destination

  // Of each slot: its burst is the oldest of its ID, and the ID. 0 if there are none.
  output logic [Slots-1:0]     first_o,
  output logic [Slots*IdW-1:0] slot_id_o
);

  localparam int LenW   = anl_axi_pkg::LenW;
  localparam int WriteW = anl_axi_pkg::write_width(DataW);
  localparam int CntW   = $clog2(Room + 1);

  logic              refused, may, start, ends, held, pop;
  logic [AddrW-1:0]  addr;
  logic [IdW-1:0]    tag;
  logic [AttrW-1:0]  attr;
  logic [WriteW-1:0] front;
  logic [CntW-1:0]   count;
  logic              busy_d, busy_q;     // the transfers of the burst at the front are leaving
  logic [LenW-1:0]   left_d, left_q;     // transfers behind the one that leaves next

  anl_axi_bursts #(
    .Bursts(Bursts), .MaxBeats(MaxBeats), .Reorder(Reorder), .Rows(Rows), .IdW(IdW), .AddrW(AddrW), .DstW(DstW)
  ) u_bursts (
    .clk_i, .rst_i, .map_i,
    .a_valid_i(awvalid_i), .a_ready_o(awready_o), .a_id_i(awid_i), .a_addr_i(awaddr_i), .a_attr_i(awattr_i),
    .id_o(refuse_id_o), .tag_o(tag), .addr_o(addr), .attr_o(attr), .dest_o(req_dest_o),
    .refused_o(refused), .resp_o(refuse_resp_o), .may_o(may), .stalled_o,
    .start_i(start), .pop_i(ends), .done_i, .done_id_i, .first_o, .slot_id_o
  );

  assign wready_o = 32'(count) != Room;
  anl_fifo #(.Depth(Room), .Width(WriteW)) u_data (
    .clk_i, .rst_i, .push_i(wvalid_i && wready_o), .data_i({wstrb_i, wdata_i}),
    .pop_i(pop), .front_o(front), .held_o(held), .count_o(count), .wr_ptr_o(), .rd_ptr_o()
  );

  wire [LenW-1:0] len = attr[LenW-1:0];
  wire whole = 32'(count) > 32'(len);    // all data of the burst have come
  wire last  = left_q == '0;

  assign req_valid_o    = !refused && (busy_q || (may && whole));
  assign req_data_o     = busy_q ? BeatW'(front) : BeatW'({addr, attr, tag, here_i, 1'b1});
  assign req_last_o     = busy_q && last;
  assign refuse_valid_o = refused && busy_q && held && last;

  assign start = may && !busy_q && (refused || (whole && req_ready_i));
  assign pop   = busy_q && held && (!refused ? req_ready_i : !last || refuse_ready_i);
  assign ends  = pop && last;

  always_comb begin : next
    busy_d = start || (busy_q && !ends);
    left_d = start ? len : pop ? left_q - 1'b1 : left_q;
  end

  always_ff @(posedge clk_i) begin : regs
    busy_q <= !rst_i && busy_d;
    left_q <= left_d;
  end

  `ANL_ASSERT(DataOfAPacketAreThere, !busy_q || refused || held)

endmodule
