// SPDX-License-Identifier: Apache-2.0
//
// The address channel of a subordinate port, AW or AR: bursts wait in order, and each knows where it goes.
//
// A burst is looked up in the address map when it comes. It is refused if its address is in a hole (DECERR) or if it has
// more than MaxBeats beats (SLVERR); a refused burst counts as one to a destination of its own, so that its response
// keeps the order of its ID. may_o says that the burst at the front may start (anl_axi_order, or anl_axi_slots with a reorder
// buffer).
// Timing: a_ready_o is a function of registers. A burst that comes in cycle t is at the front in t + 1 or later.

// Outputs of parts that are not needed here are left open.
// verilator lint_off PINCONNECTEMPTY

module anl_axi_bursts #(
  parameter  int Bursts   = 4,           // bursts under way at most
  parameter  int MaxBeats = 256,         // of a burst, 1 .. 256
  parameter  int Reorder  = 0,           // slots of a reorder buffer, which take the place of Bursts; 0: none
  parameter  int Rows     = 1,           // of the address map
  parameter  int IdW      = 4,
  parameter  int AddrW    = 32,
  parameter  int DstW     = 4,
  localparam int RowW     = 2 * AddrW + DstW,
  localparam int Slots    = Reorder > 0 ? Reorder : 1,
  localparam int AttrW    = anl_axi_pkg::AttrW,
  localparam int RespW    = anl_axi_pkg::RespW
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [Rows*RowW-1:0] map_i,    // constant (anl_axi_map)

  // The channel.
  input  logic                 a_valid_i,
  output logic                 a_ready_o,
  input  logic [IdW-1:0]       a_id_i,
  input  logic [AddrW-1:0]     a_addr_i,
  input  logic [AttrW-1:0]     a_attr_i,

  // The burst at the front.
  output logic [IdW-1:0]       id_o,
  output logic [IdW-1:0]       tag_o,    // what stands for its ID in the network: its slot, or the ID
  output logic [AddrW-1:0]     addr_o,
  output logic [AttrW-1:0]     attr_o,
  output logic [DstW-1:0]      dest_o,
  output logic                 refused_o,
  output logic [RespW-1:0]     resp_o,   // of a refused burst
  output logic                 may_o,    // it is held and may start
  output logic                 stalled_o,  // it waits for bursts of its ID to another destination
  input  logic                 start_i,  // it starts
  input  logic                 pop_i,    // it leaves; in the cycle of its start or later

  input  logic                 done_i,   // the last response of a burst of this ID goes to the user
  input  logic [IdW-1:0]       done_id_i,

  // Of each slot: its burst is the oldest of its ID, and the ID. 0 if there are none.
  output logic [Slots-1:0]     first_o,
  output logic [Slots*IdW-1:0] slot_id_o
);

  localparam int Depth  = 2;
  localparam int Width  = 2 + DstW + AttrW + AddrW + IdW;

  logic             hit, long, held, hole, too_long, may, elsewhere, started_q;
  logic [DstW-1:0]  dest;
  logic [1:0]       count;

  anl_axi_map #(.Rows(Rows), .AddrW(AddrW), .DstW(DstW)) u_map (.map_i, .addr_i(a_addr_i), .hit_o(hit), .dest_o(dest));
  assign long = 32'(a_attr_i[anl_axi_pkg::LenW-1:0]) >= MaxBeats;

  assign a_ready_o = count != 2'(Depth);
  anl_fifo #(.Depth(Depth), .Width(Width)) u_waiting (
    .clk_i, .rst_i,
    .push_i(a_valid_i && a_ready_o), .data_i({long, !hit, dest, a_attr_i, a_addr_i, a_id_i}),
    .pop_i, .front_o({too_long, hole, dest_o, attr_o, addr_o, id_o}), .held_o(held), .count_o(count),
    .wr_ptr_o(), .rd_ptr_o()
  );

  assign refused_o = hole || too_long;
  assign resp_o    = hole ? RespW'(anl_axi_pkg::DecErr) : RespW'(anl_axi_pkg::SlvErr);

  if (Reorder == 0) begin : g_order
    anl_axi_order #(.Bursts(Bursts), .IdW(IdW), .DestW(DstW + 1)) u_order (
      .clk_i, .rst_i,
      .ask_id_i(id_o), .ask_dest_i({refused_o, refused_o ? {DstW{1'b0}} : dest_o}), .may_o(may), .elsewhere_o(elsewhere),
      .start_i, .done_i, .done_id_i
    );
    assign tag_o = id_o;
    assign {first_o, slot_id_o} = '0;
  end else begin : g_slots
    anl_axi_slots #(.Slots(Slots), .IdW(IdW)) u_slots (
      .clk_i, .rst_i, .ask_id_i(id_o), .ask_refused_i(refused_o), .may_o(may), .elsewhere_o(elsewhere), .tag_o, .start_i,
      .done_i, .done_id_i, .first_o, .id_o(slot_id_o)
    );
  end
  assign may_o     = held && !started_q && may;
  assign stalled_o = held && !started_q && elsewhere;

  always_ff @(posedge clk_i) begin : regs
    started_q <= !rst_i && !pop_i && (started_q || start_i);
  end

endmodule
