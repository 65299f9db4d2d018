// SPDX-License-Identifier: Apache-2.0
//
// Watches one switch, into which it is bound, and changes nothing. It calls C when a flit leaves on
// one of the switch's links (at the rising edge, with the values of the cycle that ends) and when a
// register has changed (at the falling edge, with the values of the new cycle). With ANL_CREDITS
// defined it also calls C when credits come back on such a link. With ANL_CLASSES defined there are
// several classes of messages, with ANL_WIDE links are wide. Only Verilator reads this file.

`include "anl_lockstep_state.svh"

module anl_lockstep_probe #(
  // The number of the switch is First plus N digits of base K, each in DigitW bits of here_i.
  parameter int K = 2,
  parameter int N = 2,
  parameter int DigitW = 1,
  parameter int First = 0,
  parameter int NumPorts = 5,
  parameter int NumVcs = 1,
  parameter int FlitW = 32,
  parameter int Lines = 1,  // of a link
  parameter int StateW = 1,
  localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] harness_i,
  input logic [N*DigitW-1:0] here_i,

  // links that leave the switch
  input logic [NumPorts*Lines-1:0] valid_i,
  input logic [NumPorts*Lines*VcW-1:0] vc_i,
  input logic [NumPorts*Lines*(FlitW+2)-1:0] flit_i,
  input logic [NumPorts*NumVcs-1:0] credit_i,

  // all registers that are compared, packed as tb/lockstep/compare/observed.c unpacks them, or
  // the slice of a kind of switch
  input logic [StateW-1:0] state_i
);

  // Reports that a flit {head, tail, data} crosses the link with number `link`.
  import "DPI-C" function void anl_lockstep_flit(
    input longint unsigned harness, input int unsigned link, input int unsigned vc,
    input bit [FlitW+1:0] flit);
  // Reports that credits come back on the link, bit v for lane v.
  import "DPI-C" function void anl_lockstep_credits(
    input longint unsigned harness, input int unsigned link, input int unsigned lanes);
  import "DPI-C" function void anl_lockstep_switch(
    input longint unsigned harness, input int unsigned switch_number,
    input bit [StateW-1:0] state);

  // Computes the number of the switch from its label. It is no function because Verilator would
  // give each instance variables of its own and could not fold their code into one.
  logic [31:0] number;
  always_comb begin : number_of
    number = 0;
    for (int d = N - 1; d >= 0; d--) number = number * K + 32'(here_i[d*DigitW+:DigitW]);
    number = number + First;
  end

  always @(posedge clk_i) begin : links
    if (!rst_i && valid_i != '0)
      for (int l = 0; l < NumPorts * Lines; l++)
        if (valid_i[l])
          anl_lockstep_flit(harness_i, number * NumPorts + l / Lines, 32'(vc_i[l*VcW+:VcW]),
                            flit_i[l*(FlitW+2)+:FlitW+2]);
  end

`ifdef ANL_CREDITS
  always @(posedge clk_i) begin : credits
    if (!rst_i && credit_i != '0)
      for (int p = 0; p < NumPorts; p++)
        if (credit_i[p*NumVcs+:NumVcs] != '0)
          anl_lockstep_credits(harness_i, number * NumPorts + p, 32'(credit_i[p*NumVcs+:NumVcs]));
  end
`endif

  logic [StateW-1:0] known;

  always @(negedge clk_i) begin : registers
    if (StateW > 1 && (rst_i || state_i != known)) begin  // 1: no register is watched
      anl_lockstep_switch(harness_i, number, state_i);
      known = state_i;
    end
  end
endmodule

`ifdef ANL_KIND  // a kind of switch of a slice has its own probes
`elsif ANL_CLOSED
`else
`ifdef ANL_GRAPH
`ifdef ANL_OPTIONS
bind anl_options_switch anl_lockstep_probe #(
`elsif ANL_SOURCE
bind anl_source_switch anl_lockstep_probe #(
`else
bind anl_graph_switch anl_lockstep_probe #(
`endif
  .N(1),
  .DigitW(16),
`elsif ANL_BUTTERFLY
bind anl_butterfly_switch anl_lockstep_probe #(
  .N(1),
  .DigitW(16),
`elsif ANL_FAT_TREE
bind anl_fat_tree_switch anl_lockstep_probe #(
  .N(1),
  .DigitW(DstW),
  .First(anl_fat_tree_pkg::first(N, Level)),
`else
bind anl_cube_switch anl_lockstep_probe #(
  .K(K),
  .N(N),
  .DigitW(DstW / N),
`endif
  .NumPorts(NumPorts),
  .NumVcs(NumVcs),
  .FlitW(FlitW),
`ifdef ANL_WIDE
  .Lines(NumVcs),
`endif
`ifdef ANL_UNWATCHED
  .StateW(1)
`else
  .StateW(`ANL_STATE_BITS)
`endif
) u_probe (
  .clk_i,
  .rst_i,
  .harness_i(anl_lockstep_top.harness_i),
  .here_i,
  .valid_i(valid_o),
  .vc_i(vc_o),
  .flit_i(flit_o),
`ifdef ANL_FAT_TREE
  .credit_i({up_credit_i, down_credit_i}),
`else
  .credit_i,
`endif
`ifdef ANL_UNWATCHED
  .state_i(1'b0)
`else
  .state_i(`ANL_STATE_OF(u_core))
`endif
);
`endif
