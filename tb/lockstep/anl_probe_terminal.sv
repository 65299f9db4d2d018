// SPDX-License-Identifier: Apache-2.0
//
// The world outside one terminal: gives it the flits of its source queue (kept in C), watches its
// injection link, the flits that it hands out and its registers. Read by Verilator alone.

module anl_probe_terminal #(
    parameter int NumVcs = 1,
    parameter int FlitW = 32,
    parameter int StateW = 1,
    localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
    input logic clk_i,
    input logic rst_i,
    input logic [63:0] harness_i,
    input logic [31:0] terminal_i,
    input logic [31:0] link_i,

    // source queue: the next flit, changed at the falling edge
    output logic src_valid_o,
    output logic [FlitW+1:0] src_flit_o,
    input logic src_ready_i,

    // injection link
    input logic inj_valid_i,
    input logic [VcW-1:0] inj_vc_i,
    input logic [FlitW+1:0] inj_flit_i,

    // flits handed out
    input logic snk_valid_i,
    input logic [VcW-1:0] snk_vc_i,
    input logic [FlitW+1:0] snk_flit_i,

    input logic [StateW-1:0] state_i
);
  /*verilator no_inline_module*/

  // 1 and the next flit of the source queue, or 0.
  import "DPI-C" function bit anl_lockstep_pull(
      input longint unsigned harness, input int unsigned terminal, output bit [FlitW+1:0] flit);
  import "DPI-C" function void anl_lockstep_flit(
      input longint unsigned harness, input int unsigned link, input int unsigned vc,
      input bit [FlitW+1:0] flit);
  import "DPI-C" function void anl_lockstep_sink(
      input longint unsigned harness, input int unsigned terminal, input int unsigned vc,
      input bit [FlitW+1:0] flit);
  import "DPI-C" function void anl_lockstep_terminal(
      input longint unsigned harness, input int unsigned terminal, input bit [StateW-1:0] state);

  logic taken;

  always_ff @(posedge clk_i) begin : links
    taken <= src_valid_o && src_ready_i;
    if (!rst_i && inj_valid_i) anl_lockstep_flit(harness_i, link_i, 32'(inj_vc_i), inj_flit_i);
    if (!rst_i && snk_valid_i) anl_lockstep_sink(harness_i, terminal_i, 32'(snk_vc_i), snk_flit_i);
  end

  always @(negedge clk_i) begin : source
    if (rst_i) src_valid_o = 0;
    else if (!src_valid_o || taken) src_valid_o = anl_lockstep_pull(harness_i, terminal_i, src_flit_o);
  end

  logic [StateW-1:0] known;

  always_ff @(negedge clk_i) begin : registers
    if (rst_i || state_i != known) anl_lockstep_terminal(harness_i, terminal_i, state_i);
    known <= state_i;
  end
endmodule
