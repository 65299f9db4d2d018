// SPDX-License-Identifier: Apache-2.0
//
// The second port of heads that may go by either of the last two output ports of a switch
// (docs/switch.md, "Several ports", up_down_greedy). The route names the first of the two ports;
// this module finds the lanes of an input port that the second one, the last port of the switch,
// makes eligible, and the lane of that port which the offered head would take.
//
// Timing: the outputs are combinational; the module has no state. eligible_o never depends on
// sel_i.

module anl_second_port #(
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlowControl = anl_pkg::Wormhole,
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LengthW   = anl_head_pkg::LengthW
) (
  // Front flits of the lanes; bit v of the other signals has meaning only if bit v of held_i is 1.
  input  logic [NumVcs-1:0]         held_i,
  input  logic [NumVcs-1:0]         head_i,
  input  logic [NumVcs-1:0]         whole_i,     // the tail of its worm is in the lane
  input  logic [NumVcs-1:0]         either_i,    // of a head: it may go by either port
  input  logic [NumVcs*LengthW-1:0] length_i,
  input  logic [NumVcs*NumVcs-1:0]  set_i,       // of a head: lanes that the route allows

  // State of the lanes of the last output port.
  input  logic [NumVcs-1:0]         free_i,
  input  logic [NumVcs-1:0]         has_credit_i,
  input  logic [NumVcs-1:0]         all_credits_i,
  input  logic [NumVcs*CntW-1:0]    credits_i,

  output logic [NumVcs-1:0]         eligible_o,
  input  logic [NumVcs-1:0]         sel_i,       // lane that is offered, one-hot or 0
  output logic [NumVcs-1:0]         take_o       // one-hot; 0: not by the last port
);

  logic [NumVcs*NumVcs-1:0] can;
  logic [NumVcs-1:0]        can_sel;

  for (genvar v = 0; v < NumVcs; v++) begin : g_lane
    logic [NumVcs-1:0] allowed;

    assign allowed = set_i[v*NumVcs +: NumVcs] & {NumVcs{head_i[v] && either_i[v]}};
    anl_admit #(.NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl)) u_admit (
      .head_i(1'b1), .length_i(length_i[v*LengthW +: LengthW]), .set_i(allowed),
      .bound_vc_i({NumVcs{1'b0}}), .free_i, .has_credit_i, .credits_i,
      .can_o(can[v*NumVcs +: NumVcs])
    );
    assign eligible_o[v] = held_i[v] && whole_i[v] && can[v*NumVcs +: NumVcs] != '0;
  end

  anl_mux #(.Size(NumVcs), .Width(NumVcs)) u_can (.sel_i, .data_i(can), .data_o(can_sel));
  anl_vc_select #(.NumVcs(NumVcs)) u_vc_select (.can_i(can_sel), .all_credits_i, .lane_o(take_o));

endmodule
