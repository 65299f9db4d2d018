// SPDX-License-Identifier: Apache-2.0
//
// anl_eligible: rules 1 and 2 of docs/switch.md hold for one input lane, among all output lanes of
// a switch. Lane w_i of the port is any one.

`include "prove.svh"

module prove_eligible #(
  parameter  int NumPorts  = 3,
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 4,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int AtOnce    = 0,
  localparam int PortW     = anl_pkg::index_width(NumPorts),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int NumLanes  = NumPorts * NumVcs
) (
  input logic                        clk_i,
  input logic                        held_i,
  input logic                        head_i,
  input logic                        tail_here_i,
  input logic [anl_head_pkg::LengthW-1:0] length_i,
  input logic [PortW-1:0]            route_i,
  input logic [NumVcs-1:0]           route_vcs_i,
  input logic [PortW-1:0]            bound_i,
  input logic [VcW-1:0]              bound_vc_i,
  input logic [NumLanes-1:0]         free_i,
  input logic [NumLanes*CntW-1:0]    credits_i,
  input logic [VcW-1:0]              w_i
);

  `PROVE_RESET

  localparam bit Stores = FlowControl == anl_pkg::StoreAndForward;

  logic [NumLanes-1:0] has_credit;
  logic [NumPorts-1:0] port, request;
  logic [NumVcs-1:0]   can;
  logic                eligible;

  for (genvar l = 0; l < NumLanes; l++) begin : g_lane
    assign has_credit[l] = credits_i[l*CntW +: CntW] >= 1;
  end

  anl_eligible #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl), .AtOnce(AtOnce)
  ) u_dut (
    .held_i, .head_i, .whole_i(tail_here_i || !Stores), .length_i,
    .route_port_i(NumPorts'(1) << route_i), .route_vcs_i,
    .bound_to_i(NumPorts'(1) << bound_i), .bound_vc_i, .free_i, .has_credit_i(has_credit), .credits_i,
    .port_o(port), .can_o(can), .eligible_o(eligible), .request_o(request)
  );

  wire [PortW-1:0] o       = head_i ? route_i : bound_i;
  wire [31:0]      credits = 32'(CntW'(credits_i >> ((o * NumVcs + w_i) * CntW)));
  wire [31:0]      need    = (FlowControl == anl_pkg::Wormhole) ? 1 : 32'(length_i);
  wire             free    = 1'(free_i >> (o * NumVcs + w_i));
  wire             lane_ok = head_i ? route_vcs_i[w_i] && free && credits >= need
                                    : w_i == bound_vc_i && credits >= 1;
  wire             may_go  = held_i && (!head_i || !Stores || tail_here_i);

  `GIVEN(PortsAndLanesExist, 32'(route_i) < NumPorts && 32'(bound_i) < NumPorts
                             && 32'(bound_vc_i) < NumVcs && 32'(w_i) < NumVcs)
  `GIVEN(LengthIsLegal, !head_i || (length_i >= 1 && length_i <= 64))

  `PROVE(PortIsTheRoutesOrTheBoundOne, port == NumPorts'(1) << o)
  `PROVE(CanTakeTheLanesOfTheRule, can[w_i] == lane_ok)
  `PROVE(EligibleIfItCanGo, !may_go || !lane_ok || eligible)
  `PROVE(NotEligibleOtherwise, !eligible || (may_go && can != '0))
  `PROVE(RequestsThePortIfEligible, (AtOnce != 0 && !held_i) || request == (port & {NumPorts{eligible}}))

  `COVER(BodyGoes, eligible && !head_i && can[w_i] && length_i == '0 && !route_vcs_i[w_i])
  `COVER(BodyOfAnOwnedLane, eligible && !head_i && !free)
  `COVER(HeadGoes, eligible && head_i && 32'(o) == NumPorts - 1 && !tail_here_i || Stores && eligible)
  `COVER(HeadWaits, held_i && head_i && (can == '0 || Stores) && !eligible)

endmodule
