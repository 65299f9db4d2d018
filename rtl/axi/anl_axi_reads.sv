// SPDX-License-Identifier: Apache-2.0
//
// The reads of a subordinate port: each burst becomes a packet of one beat.
//
// A burst starts when there is room for all its data behind the network, so that the replies of a user who takes no data
// hold up no one else. A slot of a reorder buffer has that room. A burst that is refused goes to refuse_* instead, which
// asks for as many beats of response and needs no room.
// Timing: arready_o, req_* and refuse_* are functions of registers.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

`include "anl_assert.svh"

module anl_axi_reads #(
  parameter  int Bursts   = 4,           // bursts under way at most
  parameter  int MaxBeats = 256,         // of a burst, 1 .. 256
  parameter  int Room     = 256,         // beats of data that can wait for the user, at least MaxBeats
  parameter  int Reorder  = 0,           // slots of a reorder buffer, which take the place of Bursts and Room; 0: none
  parameter  int Rows     = 1,           // of the address map
  parameter  int IdW      = 4,
  parameter  int AddrW    = 32,
  parameter  int DataW    = 64,
  parameter  int DstW     = 4,
  localparam int RowW     = 2 * AddrW + DstW,
  localparam int Slots    = Reorder > 0 ? Reorder : 1,
  localparam int AttrW    = anl_axi_pkg::AttrW,
  localparam int LenW     = anl_axi_pkg::LenW,
  localparam int RespW    = anl_axi_pkg::RespW,
  localparam int BeatW    = anl_axi_pkg::beat_width(IdW, AddrW, DataW, DstW)
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [Rows*RowW-1:0] map_i,    // constant (anl_axi_map)
  input  logic [DstW-1:0]      here_i,   // label of this terminal, constant

  // Channel AR.
  input  logic                 arvalid_i,
  output logic                 arready_o,
  input  logic [IdW-1:0]       arid_i,
  input  logic [AddrW-1:0]     araddr_i,
  input  logic [AttrW-1:0]     arattr_i,

  // Request packets, of one beat each.
  output logic                 req_valid_o,
  input  logic                 req_ready_i,
  output logic [BeatW-1:0]     req_data_o,
  output logic [DstW-1:0]      req_dest_o,

  // A burst that is refused wants its response.
  output logic                 refuse_valid_o,
  input  logic                 refuse_ready_i,
  output logic [IdW-1:0]       refuse_id_o,
  output logic [LenW-1:0]      refuse_len_o,
  output logic [RespW-1:0]     refuse_resp_o,

  input  logic                 taken_i,  // a beat that had room promised goes to the user
  input  logic                 done_i,   // the last beat of a burst of this ID goes to the user
  input  logic [IdW-1:0]       done_id_i,
  output logic                 stalled_o,  // the next burst waits for bursts of its ID to another destination

  // Of each slot: its burst is the oldest of its ID, and the ID. 0 if there are none.
  output logic [Slots-1:0]     first_o,
  output logic [Slots*IdW-1:0] slot_id_o
);

  localparam int CntW = $clog2(Room + 1);

  logic             refused, may, start;
  logic [AddrW-1:0] addr;
  logic [IdW-1:0]   tag;
  logic [AttrW-1:0] attr;
  logic [CntW-1:0]  room_d, room_q;      // beats that have not been promised to a burst

  anl_axi_bursts #(
    .Bursts(Bursts), .MaxBeats(MaxBeats), .Reorder(Reorder), .Rows(Rows), .IdW(IdW), .AddrW(AddrW), .DstW(DstW)
  ) u_bursts (
    .clk_i, .rst_i, .map_i,
    .a_valid_i(arvalid_i), .a_ready_o(arready_o), .a_id_i(arid_i), .a_addr_i(araddr_i), .a_attr_i(arattr_i),
    .id_o(refuse_id_o), .tag_o(tag), .addr_o(addr), .attr_o(attr), .dest_o(req_dest_o),
    .refused_o(refused), .resp_o(refuse_resp_o), .may_o(may), .stalled_o,
    .start_i(start), .pop_i(start), .done_i, .done_id_i, .first_o, .slot_id_o
  );

  wire go = may && (refused || Reorder != 0 || 32'(room_q) > 32'(refuse_len_o));

  assign refuse_len_o   = attr[LenW-1:0];
  assign req_valid_o    = go && !refused;
  assign refuse_valid_o = go && refused;
  assign req_data_o     = BeatW'({addr, attr, tag, here_i, 1'b0});
  assign start          = go && (refused ? refuse_ready_i : req_ready_i);
  assign room_d         = Reorder != 0 ? room_q
                          : room_q + CntW'(taken_i) - (start && !refused ? CntW'(32'(refuse_len_o) + 1) : '0);

  always_ff @(posedge clk_i) begin : regs
    if (rst_i) room_q <= CntW'(Room);
    else       room_q <= room_d;
  end

endmodule
