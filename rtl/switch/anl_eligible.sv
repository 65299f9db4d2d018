// SPDX-License-Identifier: Apache-2.0
//
// Finds out where the front flit of one input lane wants to go and whether it can go there
// (docs/switch.md, rules 1 and 2).
//
// port_o is the output port: the one of the route for a head, the bound one for another flit. can_o
// are the lanes of that port that can accept the flit. If eligible_o is 1 the flit may be offered,
// and request_o is port_o; otherwise request_o is 0. With AtOnce it has no meaning if held_i is 0.
// Timing: the outputs are combinational; the module has no state.

// A policy or field that is absent leaves some inputs unread. The ports stay, so that all instances
// look the same.
// verilator lint_off UNUSEDSIGNAL

module anl_eligible #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int AtOnce    = 0,                        // 1: request_o is read only of a lane that holds a flit
  parameter  int Turns     = (1 << NumPorts) - 1,      // bit o: some route leads to port o
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1)
) (
  // The front flit of the lane; the other signals have meaning only if held_i is 1.
  input  logic                            held_i,
  input  logic                            head_i,
  input  logic                            whole_i,       // the tail of its worm is in the lane
  input  logic [anl_head_pkg::LengthW-1:0]     length_i,
  input  logic [NumPorts-1:0]             route_port_i,  // one-hot
  input  logic [NumVcs-1:0]               route_vcs_i,
  input  logic [NumPorts-1:0]             bound_to_i,    // one-hot; not read if it is a head
  input  logic [VcW-1:0]                  bound_vc_i,

  // State of all output lanes of the switch; lane w of port o is at index o*NumVcs + w.
  input  logic [NumPorts*NumVcs-1:0]      free_i,
  input  logic [NumPorts*NumVcs-1:0]      has_credit_i,
  input  logic [NumPorts*NumVcs*CntW-1:0] credits_i,

  output logic [NumPorts-1:0]             port_o,
  output logic [NumVcs-1:0]               can_o,
  output logic                            eligible_o,
  output logic [NumPorts-1:0]             request_o
);

  localparam bit EachPort = FlowControl == anl_pkg::Wormhole && AtOnce != 0 && NumVcs > 1;

  logic [NumVcs-1:0]      bound_vc, free, has_credit;
  logic [NumVcs*CntW-1:0] credits;

  assign port_o = (head_i ? route_port_i : bound_to_i) & NumPorts'(Turns);
  anl_decode #(.Size(NumVcs)) u_vc (.index_i(bound_vc_i), .onehot_o(bound_vc));

  anl_mux #(.Size(NumPorts), .Width(NumVcs)) u_free (
    .sel_i(port_o), .data_i(free_i), .data_o(free)
  );
  anl_mux #(.Size(NumPorts), .Width(NumVcs)) u_has_credit (
    .sel_i(port_o), .data_i(has_credit_i), .data_o(has_credit)
  );

  if (FlowControl == anl_pkg::Wormhole) begin : g_no_credits
    assign credits = '0;
  end else begin : g_credits
    anl_mux #(.Size(NumPorts), .Width(NumVcs*CntW)) u_credits (
      .sel_i(port_o), .data_i(credits_i), .data_o(credits)
    );
  end

  anl_admit #(.NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl)) u_admit (
    .head_i, .length_i, .set_i(route_vcs_i), .bound_vc_i(bound_vc),
    .free_i(free), .has_credit_i(has_credit), .credits_i(credits), .can_o
  );

  // Under store_and_forward a body flit needs no check that its worm is complete: the tail was in
  // the lane before the head left.
  if (!EachPort) begin : g_eligible
    assign eligible_o = held_i && (whole_i || !head_i) && can_o != '0;
  end

  // The route arrives last. Under wormhole it is known before that which ports could accept the flit: a
  // head needs a lane of its set that is free and has a credit, another flit needs only the credit. This
  // takes more tables than to look at the lanes of one port alone, and is done where less waits for it:
  // with one lane in each port, or where the lane that can be offered is known at once.
  if (NumVcs == 1 && FlowControl == anl_pkg::Wormhole) begin : g_beside
    // Bit o: port o could accept a head; port o could accept another flit.
    logic [NumPorts-1:0] head_may, rest_may;

    assign head_may  = free_i & has_credit_i & {NumPorts{held_i && head_i}};
    assign rest_may  = bound_to_i & has_credit_i & {NumPorts{held_i && !head_i}};
    assign request_o = ((route_port_i & head_may & {NumPorts{route_vcs_i[0]}}) | rest_may)
                       & NumPorts'(Turns);
  end else if (EachPort) begin : g_each_port
    logic [NumPorts-1:0] head_may, rest_may;

    for (genvar o = 0; o < NumPorts; o++) begin : g_at
      assign head_may[o] = (route_vcs_i & free_i[o*NumVcs +: NumVcs] & has_credit_i[o*NumVcs +: NumVcs]) != '0;
      assign rest_may[o] = bound_to_i[o] && (bound_vc & has_credit_i[o*NumVcs +: NumVcs]) != '0;
    end
    assign request_o  = (head_i ? route_port_i & head_may : rest_may) & NumPorts'(Turns);
    assign eligible_o = held_i && request_o != '0;
  end else begin : g_behind
    assign request_o = port_o & {NumPorts{eligible_o}};
  end

endmodule
