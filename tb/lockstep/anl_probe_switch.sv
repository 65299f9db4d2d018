// SPDX-License-Identifier: Apache-2.0
//
// Watches one switch and changes nothing: calls C when a flit leaves on one of its links (values of
// the cycle that ends at the rising edge) and when a register has changed (at the falling edge, that
// is, as the registers stand in the new cycle). Read by Verilator alone.

module anl_probe_switch #(
    parameter int NumPorts = 5,
    parameter int NumVcs = 1,
    parameter int FlitW = 32,
    parameter int StateW = 1,
    localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
    input logic clk_i,
    input logic rst_i,
    input logic [63:0] harness_i,
    input logic [31:0] switch_i,

    // links that leave the switch
    input logic [NumPorts-1:0] valid_i,
    input logic [NumPorts*VcW-1:0] vc_i,
    input logic [NumPorts*(FlitW+2)-1:0] flit_i,

    // all registers that are compared, packed as tb/lockstep/observed.c unpacks them
    input logic [StateW-1:0] state_i
);
  /*verilator no_inline_module*/

  // A flit {head, tail, data} crosses link number link.
  import "DPI-C" function void anl_lockstep_flit(
      input longint unsigned harness, input int unsigned link, input int unsigned vc,
      input bit [FlitW+1:0] flit);
  import "DPI-C" function void anl_lockstep_switch(
      input longint unsigned harness, input int unsigned switch_number,
      input bit [StateW-1:0] state);

  always_ff @(posedge clk_i) begin : links
    for (int p = 0; p < NumPorts; p++)
      if (!rst_i && valid_i[p])
        anl_lockstep_flit(harness_i, switch_i * NumPorts + p, 32'(vc_i[p*VcW+:VcW]),
                          flit_i[p*(FlitW+2)+:FlitW+2]);
  end

  logic [StateW-1:0] known;

  always_ff @(negedge clk_i) begin : registers
    if (rst_i || state_i != known) anl_lockstep_switch(harness_i, switch_i, state_i);
    known <= state_i;
  end
endmodule
