// SPDX-License-Identifier: Apache-2.0
//
// What the one lane of an input port that can be offered asks for, by rules 1, 2 and 5 of docs/switch.md:
// the output port, and the output lane that the flit would take there.
//
// Under registered_priority this lane, sel_i, is known at once. So its front flit is read first, and what
// each output port would do with it is found beside its route, which arrives last.
// Timing: the outputs are combinational; the module has no state.

// A policy that is absent leaves some inputs unread. The ports stay, so that all instances look the
// same.
// verilator lint_off UNUSEDSIGNAL

module anl_ask #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int Turns     = (1 << NumPorts) - 1,      // bit o: some route leads to port o
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LengthW   = anl_head_pkg::LengthW
) (
  input  logic [NumVcs-1:0]               sel_i,         // the lane, one-hot; 0: no lane holds a flit

  // The front flits of all lanes; those of empty lanes have no meaning.
  input  logic [NumVcs-1:0]               head_i,
  input  logic [NumVcs-1:0]               whole_i,       // the tail of its worm is in the lane
  input  logic [NumVcs*LengthW-1:0]       length_i,
  input  logic [NumVcs*NumPorts-1:0]      route_port_i,  // one-hot
  input  logic [NumVcs*NumVcs-1:0]        route_vcs_i,
  input  logic [NumVcs*NumPorts-1:0]      bound_to_i,    // one-hot; not read of heads
  input  logic [NumVcs*VcW-1:0]           bound_vc_i,

  // State of all output lanes of the switch; lane w of port o is at index o*NumVcs + w.
  input  logic [NumPorts*NumVcs-1:0]      free_i,
  input  logic [NumPorts*NumVcs-1:0]      has_credit_i,
  input  logic [NumPorts*NumVcs-1:0]      all_credits_i,
  input  logic [NumPorts*NumVcs*CntW-1:0] credits_i,

  output logic [NumPorts-1:0]             request_o,     // one-hot; 0: the flit is not eligible
  output logic [NumVcs-1:0]               take_o         // one-hot; no meaning if request_o is 0
);

  localparam int Width = 2 + 2*NumPorts + NumVcs + VcW + LengthW;
  logic [NumVcs*Width-1:0]    fronts;
  logic                       head, whole;
  logic [NumPorts-1:0]        route_port, bound_to;
  logic [NumVcs-1:0]          route_vcs, bound, head_takes;
  logic [VcW-1:0]             bound_vc;
  logic [LengthW-1:0]         length;
  logic [NumPorts*NumVcs-1:0] takes;

  for (genvar v = 0; v < NumVcs; v++) begin : g_front
    assign fronts[v*Width +: Width] = {
      head_i[v], whole_i[v], route_port_i[v*NumPorts +: NumPorts], bound_to_i[v*NumPorts +: NumPorts],
      route_vcs_i[v*NumVcs +: NumVcs], bound_vc_i[v*VcW +: VcW], length_i[v*LengthW +: LengthW]
    };
  end
  anl_mux #(.Size(NumVcs), .Width(Width)) u_front (
    .sel_i, .data_i(fronts), .data_o({head, whole, route_port, bound_to, route_vcs, bound_vc, length})
  );
  anl_decode #(.Size(NumVcs)) u_bound (.index_i(bound_vc), .onehot_o(bound));

  // What each output port would do with the flit.
  for (genvar o = 0; o < NumPorts; o++) begin : g_at
    logic [NumVcs-1:0] can;
    logic              head_asks, rest_asks;

    anl_admit #(.NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl)) u_admit (
      .head_i(1'b1), .length_i(length), .set_i(route_vcs), .bound_vc_i(bound),
      .free_i(free_i[o*NumVcs +: NumVcs]), .has_credit_i(has_credit_i[o*NumVcs +: NumVcs]),
      .credits_i(credits_i[o*NumVcs*CntW +: NumVcs*CntW]), .can_o(can)
    );
    anl_vc_select #(.NumVcs(NumVcs)) u_vc_select (
      .can_i(can), .all_credits_i(all_credits_i[o*NumVcs +: NumVcs]), .lane_o(takes[o*NumVcs +: NumVcs])
    );
    assign head_asks    = head && whole && route_port[o] && ((Turns >> o) % 2 != 0);
    assign rest_asks    = !head && bound_to[o] && ((Turns >> o) % 2 != 0);
    assign request_o[o] = (head_asks && can != '0)
                          || (rest_asks && (bound & has_credit_i[o*NumVcs +: NumVcs]) != '0);
  end

  anl_mux #(.Size(NumPorts), .Width(NumVcs)) u_take (
    .sel_i(route_port & NumPorts'(Turns)), .data_i(takes), .data_o(head_takes)
  );
  assign take_o = head ? head_takes : bound;

endmodule
