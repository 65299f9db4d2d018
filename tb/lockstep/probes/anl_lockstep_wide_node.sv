// SPDX-License-Identifier: Apache-2.0
//
// A terminal whose links are wide, and its surroundings: a terminal of one lane for each lane of
// the link. C keeps the source queue and says, from the credits at the start of the cycle, which
// worms begin on which lanes (docs/switch.md, "Wide links"). What is watched is as in
// anl_lockstep_node. No tool but Verilator reads this file.

module anl_lockstep_wide_node #(
  parameter int NumVcs = 1,
  parameter int Depth = 4,
  parameter int FlitW = 32,
  parameter int DstW = 4,
  parameter int FlowControl = 0,
  parameter int LengthInHead = 0,
  parameter int CreditBypass = 0,
  localparam int VcW = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int CntW = $clog2(Depth + 1),
  localparam int LinkW = FlitW + 2,
  localparam int StateW = NumVcs * (2 * CntW + 1)
) (
  input logic clk_i,
  input logic rst_i,
  input logic [63:0] harness_i,
  input logic [31:0] terminal_i,  // number of the terminal
  input logic [31:0] link_i,      // number of its injection link

  // injection link
  output logic [NumVcs-1:0] inj_valid_o,
  output logic [NumVcs*VcW-1:0] inj_vc_o,
  output logic [NumVcs*LinkW-1:0] inj_flit_o,
  input logic [NumVcs-1:0] inj_credit_i,

  // ejection link
  input logic [NumVcs-1:0] ej_valid_i,
  input logic [NumVcs*LinkW-1:0] ej_flit_i,
  output logic [NumVcs-1:0] ej_credit_o
);

  import "DPI-C" function int unsigned anl_lockstep_begin(
    input longint unsigned harness, input int unsigned terminal, input bit [63:0] credits);
  import "DPI-C" function bit anl_lockstep_send(
    input longint unsigned harness, input int unsigned terminal, input int unsigned vc,
    output bit [FlitW+1:0] flit);
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

  logic [NumVcs-1:0] src_valid, src_ready, snk_valid, taken, bound;
  logic [NumVcs*LinkW-1:0] src_flit, snk_flit;
  logic [NumVcs*CntW-1:0] credit, count;

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    anl_terminal #(
      .NumVcs(1),
      .Depth(Depth),
      .FlitW(FlitW),
      .DstW(DstW),
      .FlowControl(FlowControl),
      .LengthInHead(LengthInHead),
      .CreditBypass(CreditBypass),
      .Wide(1)
    ) u_terminal (
      .clk_i,
      .rst_i,
      .src_valid_i(src_valid[v]),
      .src_flit_i(src_flit[v*LinkW+:LinkW]),
      .src_vcs_i(1'b1),
      .src_ready_o(src_ready[v]),
      .inj_valid_o(inj_valid_o[v]),
      .inj_vc_o(),
      .inj_flit_o(inj_flit_o[v*LinkW+:LinkW]),
      .inj_credit_i(inj_credit_i[v]),
      .ej_valid_i(ej_valid_i[v]),
      .ej_vc_i(1'b0),
      .ej_flit_i(ej_flit_i[v*LinkW+:LinkW]),
      .ej_credit_o(ej_credit_o[v]),
      .snk_valid_o(snk_valid[v]),
      .snk_flit_o(snk_flit[v*LinkW+:LinkW]),
      .snk_vc_o(),
      .snk_ready_i(1'b1)
    );
    assign inj_vc_o[v*VcW+:VcW] = VcW'(v);
    assign credit[v*CntW+:CntW] = u_terminal.credit;
    assign count[v*CntW+:CntW] = u_terminal.count;
    assign bound[v] = u_terminal.bound;
  end

  always @(posedge clk_i) begin : links
    taken <= src_valid & src_ready;
    for (int v = 0; v < NumVcs; v++) begin
      if (!rst_i && inj_valid_o[v])
        anl_lockstep_flit(harness_i, link_i, v, inj_flit_o[v*LinkW+:LinkW]);
      if (!rst_i && snk_valid[v])
        anl_lockstep_sink(harness_i, terminal_i, v, v, snk_flit[v*LinkW+:LinkW]);
    end
`ifdef ANL_CREDITS
    if (!rst_i && inj_credit_i != '0) anl_lockstep_credits(harness_i, link_i, 32'(inj_credit_i));
`endif
  end

  // Byte v has the credits of lane v; a lane whose flit was not taken is not idle and has none.
  bit [63:0] credits;
  bit [FlitW+1:0] flit;
  always @(negedge clk_i) begin : source
    if (rst_i) src_valid = '0;
    else begin
      credits = '0;
      src_valid = src_valid & ~taken;
      for (int v = 0; v < NumVcs; v++)
        if (!src_valid[v]) credits[v*8+:8] = 8'(credit[v*CntW+:CntW]);
      void'(anl_lockstep_begin(harness_i, terminal_i, credits));
      for (int v = 0; v < NumVcs; v++)
        if (!src_valid[v]) begin
          src_valid[v] = anl_lockstep_send(harness_i, terminal_i, v, flit);
          src_flit[v*LinkW+:LinkW] = flit;
        end
    end
  end

  logic [StateW-1:0] state, known;
  assign state = {bound, credit, count};

  always @(negedge clk_i) begin : registers
    if (rst_i || state != known) begin
      anl_lockstep_terminal(harness_i, terminal_i, state);
      known = state;
    end
  end
endmodule
