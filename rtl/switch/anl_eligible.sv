// SPDX-License-Identifier: Apache-2.0
//
// One input lane: where its front flit wants to go, and whether it can (docs/switch.md, rules 1
// and 2).
//
// port_o is the output port, one-hot: the route's for a head, the bound one for another flit.
// can_o are the lanes of that port that it can be sent to. eligible_o: it may be offered; then
// request_o is port_o, else 0.
// Timing: combinational, no state; everything it reads is a function of registers.

module anl_eligible #(
  parameter  int NumPorts  = 5,
  parameter  int NumVcs    = 4,
  parameter  int Depth     = 4,
  parameter  int Admission = anl_pkg::Wormhole,
  parameter  int Turns     = (1 << NumPorts) - 1,      // output ports that routes name, as bits
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1)
) (
  // Front flit of the lane; the rest has meaning when held_i.
  input  logic                            held_i,
  input  logic                            head_i,
  input  logic                            whole_i,       // the tail of its worm is in the lane
  input  logic [anl_head_pkg::LengthW-1:0]     length_i,
  input  logic [NumPorts-1:0]             route_port_i,  // one-hot
  input  logic [NumVcs-1:0]               route_vcs_i,
  input  logic [NumPorts-1:0]             bound_to_i,    // port, one-hot; not read of a head
  input  logic [VcW-1:0]                  bound_vc_i,

  // All output lanes of the switch, lane (o, w) at o*NumVcs + w.
  input  logic [NumPorts*NumVcs-1:0]      free_i,
  input  logic [NumPorts*NumVcs-1:0]      has_credit_i,
  input  logic [NumPorts*NumVcs*CntW-1:0] credits_i,

  output logic [NumPorts-1:0]             port_o,
  output logic [NumVcs-1:0]               can_o,
  output logic                            eligible_o,
  output logic [NumPorts-1:0]             request_o
);

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

  if (Admission == anl_pkg::Wormhole) begin : g_no_credits
    assign credits = '0;
  end else begin : g_credits
    anl_mux #(.Size(NumPorts), .Width(NumVcs*CntW)) u_credits (
      .sel_i(port_o), .data_i(credits_i), .data_o(credits)
    );
  end

  anl_admit #(.NumVcs(NumVcs), .Depth(Depth), .Admission(Admission)) u_admit (
    .head_i, .length_i, .set_i(route_vcs_i), .bound_vc_i(bound_vc),
    .free_i(free), .has_credit_i(has_credit), .credits_i(credits), .can_o
  );

  // A body flit of store and forward needs no check of its own: its tail came before its head left.
  assign eligible_o = held_i && (whole_i || !head_i) && can_o != '0;

  // With one lane a port, whether it can be sent to a port need not wait for which port it wants:
  // the route is the last to come. A flit that is no head needs the credit alone.
  if (NumVcs == 1 && Admission == anl_pkg::Wormhole) begin : g_beside
    logic [NumPorts-1:0] head_may, rest_may;  // ports that a head, another flit could go to

    assign head_may  = free_i & has_credit_i & {NumPorts{held_i && head_i}};
    assign rest_may  = bound_to_i & has_credit_i & {NumPorts{held_i && !head_i}};
    assign request_o = ((route_port_i & head_may & {NumPorts{route_vcs_i[0]}}) | rest_may)
                       & NumPorts'(Turns);
  end else begin : g_behind
    assign request_o = port_o & {NumPorts{eligible_o}};
  end

endmodule
