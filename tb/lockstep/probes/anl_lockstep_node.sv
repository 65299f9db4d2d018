// SPDX-License-Identifier: Apache-2.0
//
// A terminal and its surroundings. This module gives the terminal the flits of its source queues,
// one for each class of messages, which C keeps, and lets its sinks take what C says. It watches the
// injection link, the flits that the sinks show, and the registers of the terminal; with
// ANL_CREDITS defined also the credits that come back on the injection link. No tool but Verilator
// reads this file.

module anl_lockstep_node #(
  parameter int NumVcs = 1,
  parameter int Depth = 4,
  parameter int FlitW = 32,
  parameter int DstW = 4,
  parameter int FlowControl = 0,
  parameter int LengthInHead = 0,
  parameter int CreditBypass = 0,
  parameter int Classes = 1,
  parameter logic [anl_pkg::WeightsW-1:0] Weights = '0,
  localparam int ClassVcs = NumVcs / Classes,
  localparam int ClassVcW = anl_pkg::index_width(ClassVcs),
  localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int LanesW = NumVcs * (2 * $clog2(Depth + 1) + 1),
  localparam int StateW =
      LanesW + (Classes > 1 ? anl_pkg::index_width(Classes) + anl_pkg::WeightW : 0)
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] harness_i,
  input logic [31:0] terminal_i,  // number of the terminal
  input logic [31:0] link_i,      // number of its injection link

  // injection link
  output logic inj_valid_o,
  output logic [VcW-1:0] inj_vc_o,
  output logic [FlitW+1:0] inj_flit_o,
  input logic [NumVcs-1:0] inj_credit_i,

  // ejection link
  input logic ej_valid_i,
  input logic [VcW-1:0] ej_vc_i,
  input logic [FlitW+1:0] ej_flit_i,
  output logic [NumVcs-1:0] ej_credit_o
);

  // Returns 1, the next flit of the source queue of a class and the lanes that its worm may take, or
  // 0 if there is none.
  import "DPI-C" function bit anl_lockstep_pull(
    input longint unsigned harness, input int unsigned terminal, input int unsigned class_number,
    output bit [FlitW+1:0] flit, output int unsigned vcs);
  // Return whether terminals can refuse, and which sinks of a terminal take a flit in this cycle.
  import "DPI-C" function bit anl_lockstep_refuse(input longint unsigned harness);
  import "DPI-C" function int unsigned anl_lockstep_ready(
    input longint unsigned harness, input int unsigned terminal);
  import "DPI-C" function void anl_lockstep_flit(
    input longint unsigned harness, input int unsigned link, input int unsigned vc,
    input bit [FlitW+1:0] flit);
  import "DPI-C" function void anl_lockstep_credits(
    input longint unsigned harness, input int unsigned link, input int unsigned lanes);
  import "DPI-C" function void anl_lockstep_sink(
    input longint unsigned harness, input int unsigned terminal, input int unsigned class_number,
    input int unsigned vc, input bit [FlitW+1:0] flit);
  import "DPI-C" function void anl_lockstep_terminal(
    input longint unsigned harness, input int unsigned terminal, input bit [StateW-1:0] state);

  logic [Classes-1:0] src_valid, src_ready, snk_valid, snk_ready, taken;
  logic [Classes*(FlitW+2)-1:0] src_flit, snk_flit;
  logic [NumVcs-1:0] src_vcs;
  logic [Classes*ClassVcW-1:0] snk_vc;
  logic refuses;  // sinks can refuse

  anl_terminal #(
    .NumVcs(NumVcs),
    .Depth(Depth),
    .FlitW(FlitW),
    .DstW(DstW),
    .FlowControl(FlowControl),
    .LengthInHead(LengthInHead),
    .CreditBypass(CreditBypass),
    .Classes(Classes),
    .Weights(Weights)
  ) u_terminal (
    .clk_i,
    .rst_i,
    .src_valid_i(src_valid),
    .src_flit_i(src_flit),
    .src_vcs_i(src_vcs),
    .src_ready_o(src_ready),
    .inj_valid_o,
    .inj_vc_o,
    .inj_flit_o,
    .inj_credit_i,
    .ej_valid_i,
    .ej_vc_i,
    .ej_flit_i,
    .ej_credit_o,
    .snk_valid_o(snk_valid),
    .snk_flit_o(snk_flit),
    .snk_vc_o(snk_vc),
    .snk_ready_i(snk_ready)
  );

  always @(posedge clk_i) begin : links
    taken <= src_valid & src_ready;
    if (!rst_i && inj_valid_o) anl_lockstep_flit(harness_i, link_i, 32'(inj_vc_o), inj_flit_o);
`ifdef ANL_CREDITS
    if (!rst_i && inj_credit_i != '0) anl_lockstep_credits(harness_i, link_i, 32'(inj_credit_i));
`endif
    for (int c = 0; c < Classes; c++)
      if (!rst_i && snk_valid[c])
        anl_lockstep_sink(harness_i, terminal_i, c, c * ClassVcs + 32'(snk_vc[c*ClassVcW+:ClassVcW]),
                          snk_flit[c*(FlitW+2)+:FlitW+2]);
  end

  for (genvar c = 0; c < Classes; c++) begin : g_source
    bit [FlitW+1:0] flit;
    int unsigned vcs;
    always @(negedge clk_i) begin : source
      if (rst_i) src_valid[c] = 0;
      else if (!src_valid[c] || taken[c]) begin
        src_valid[c] = anl_lockstep_pull(harness_i, terminal_i, c, flit, vcs);
        src_flit[c*(FlitW+2)+:FlitW+2] = flit;
        src_vcs[c*ClassVcs+:ClassVcs] = vcs[ClassVcs-1:0];
      end
    end
  end

  always @(negedge clk_i) begin : sinks
    if (rst_i) begin
      snk_ready = '1;
      refuses = anl_lockstep_refuse(harness_i);
    end else if (refuses) snk_ready = Classes'(anl_lockstep_ready(harness_i, terminal_i));
  end

  logic [StateW-1:0] state, known;
  assign state[LanesW-1:0] = {u_terminal.bound, u_terminal.credit, u_terminal.count};
  if (Classes > 1) begin : g_classes
    assign state[StateW-1:LanesW] = {u_terminal.quota, u_terminal.favoured};
  end

  always @(negedge clk_i) begin : registers
    if (rst_i || state != known) begin
      anl_lockstep_terminal(harness_i, terminal_i, state);
      known = state;
    end
  end
endmodule
