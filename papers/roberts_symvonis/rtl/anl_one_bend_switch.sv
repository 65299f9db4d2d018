// SPDX-License-Identifier: Apache-2.0
//
// Switch of a K x K mesh without buffers under the policy one bend (papers/roberts_symvonis/bufferless.md): row first,
// then column.
//
// here_i is the label of this node, the column below the row, and must be constant. The way of a
// head is that of dimension order.
// Timing: as in anl_bufferless.

// Dimension order in a mesh allows every lane, and there are none here. Of the flits only the label
// is read here.
// verilator lint_off UNUSEDSIGNAL

module anl_one_bend_switch #(
  parameter  int K     = 4,                           // side of the mesh, at least 1
  parameter  int FlitW = 32,                          // data bits of a flit (docs/link.md)
  localparam int DstW  = anl_cube_pkg::label_width(K, 2),
  localparam int P     = anl_bufferless_pkg::NumPorts,
  localparam int T     = anl_bufferless_pkg::Terminal,
  localparam int LinkW = FlitW + 2
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [DstW-1:0]    here_i,
  input  logic [P-1:0]       links_i,   // output ports that lead anywhere; constant

  // Links into the switch, and what the source of the terminal sends.
  input  logic [T-1:0]       valid_i,
  input  logic [T*LinkW-1:0] flit_i,
  input  logic               inj_valid_i,
  input  logic [LinkW-1:0]   inj_flit_i,
  input  logic               late_i,    // it has missed a start

  // What leaves by each output port.
  output logic [P-1:0]       valid_o,
  output logic [P*LinkW-1:0] flit_o,
  output logic               fault_o
);

  logic [P*LinkW-1:0] front;
  logic [P-1:0]       head;
  logic [P*P-1:0]     way;

  anl_bufferless #(.FlitW(FlitW), .Turns(anl_bufferless_pkg::one_bend_turns(P))) u_core (
    .clk_i, .rst_i, .links_i, .valid_i, .flit_i, .inj_valid_i, .inj_flit_i, .late_i,
    .head_o(head), .front_o(front), .way_i(way), .valid_o, .flit_o, .fault_o
  );

  for (genvar p = 0; p < P; p++) begin : g_way
    logic [DstW-1:0] dst;
    logic            vcs;

    assign dst = front[p*LinkW +: DstW];
    anl_route_mesh #(.K(K), .N(2), .NumVcs(1)) u_way (
      .differs_i(dst ^ here_i), .dst_i(dst), .port_o(way[p*P +: P]), .vcs_o(vcs)
    );
  end

endmodule
