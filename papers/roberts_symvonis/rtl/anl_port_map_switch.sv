// SPDX-License-Identifier: Apache-2.0
//
// Cell of a supernode: a switch without buffers under the policy static port map
// (papers/roberts_symvonis/supernodes.md, "Cells").
//
// The way of a head is the terminal if worms are consumed and the cell is its destination; else what
// is chosen for its port; else that of the births at the terminal and while worms are born; else that
// of the map. here_i, links_i, map_i and births_i must be constant.
// Timing: as in anl_bufferless. head_o and front_o are functions of registers and inj_*, and chosen_i
// and choice_i may depend on them.

module anl_port_map_switch #(
  parameter  int FlitW  = 32,                          // data bits of a flit (docs/link.md)
  parameter  int DstW   = 10,                          // bits of a label
  localparam int P      = anl_bufferless_pkg::NumPorts,
  localparam int T      = anl_bufferless_pkg::Terminal,
  localparam int WayW   = anl_snakes_pkg::WayW,
  localparam int MapW   = anl_snakes_pkg::MapW,
  localparam int BirthW = anl_snakes_pkg::BirthW,
  localparam int LinkW  = FlitW + 2
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [DstW-1:0]    here_i,    // label of this cell
  input  logic [P-1:0]       links_i,   // output ports that lead anywhere
  input  logic [MapW-1:0]    map_i,     // a way for each link
  input  logic [BirthW-1:0]  births_i,  // a way for each port

  // What the clock says, and what a choosing cell chooses: ports, and a way for each, one-hot or 0.
  input  logic               birth_i,
  input  logic               consume_i,
  input  logic [P-1:0]       chosen_i,
  input  logic [P*P-1:0]     choice_i,

  // Links into the switch, and what the source of the terminal sends.
  input  logic [T-1:0]       valid_i,
  input  logic [T*LinkW-1:0] flit_i,
  input  logic               inj_valid_i,
  input  logic [LinkW-1:0]   inj_flit_i,
  input  logic               late_i,    // it has missed a start

  // The heads that stand at the input ports.
  output logic [P-1:0]       head_o,
  output logic [P*LinkW-1:0] front_o,

  // What leaves by each output port.
  output logic [P-1:0]       valid_o,
  output logic [P*LinkW-1:0] flit_o,
  output logic               fault_o
);

  logic [P*P-1:0] way;

  anl_bufferless #(.FlitW(FlitW)) u_core (
    .clk_i, .rst_i, .links_i, .valid_i, .flit_i, .inj_valid_i, .inj_flit_i, .late_i,
    .head_o, .front_o, .way_i(way), .valid_o, .flit_o, .fault_o
  );

  for (genvar p = 0; p < P; p++) begin : g_way
    logic [WayW-1:0] entry;
    logic            at_home;
    logic [P-1:0]    by_table;

    if (p == T) begin : g_terminal
      assign entry   = births_i[p*WayW +: WayW];
      assign at_home = 1'b0;
    end else begin : g_link
      assign entry   = birth_i ? births_i[p*WayW +: WayW] : map_i[p*WayW +: WayW];
      assign at_home = consume_i && front_o[p*LinkW +: DstW] == here_i;
    end

    assign by_table        = (32'(entry) < P) ? P'(1) << entry : '0;
    assign way[p*P +: P]   = at_home     ? P'(1 << T)
                           : chosen_i[p] ? choice_i[p*P +: P]
                           : by_table;
  end

endmodule
