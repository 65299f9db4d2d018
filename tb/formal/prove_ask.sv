// SPDX-License-Identifier: Apache-2.0
//
// anl_ask: the flit of the lane that asks requests the port that rules 1 and 2 of docs/switch.md say, and
// would take the lane of rule 5 there. Input lane v_i and the output lanes w_i and x_i of the port are any.

`include "prove.svh"

module prove_ask #(
  parameter  int NumPorts  = 3,
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 3,
  parameter  int FlowControl = anl_pkg::Wormhole,
  parameter  int Turns     = (1 << NumPorts) - 1,
  localparam int PortW     = anl_pkg::index_width(NumPorts),
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int CntW      = $clog2(Depth + 1),
  localparam int LengthW   = anl_head_pkg::LengthW,
  localparam int NumLanes  = NumPorts * NumVcs
) (
  input logic                      clk_i,
  input logic                      none_i,
  input logic [VcW-1:0]            v_i,
  input logic [NumVcs-1:0]         head_i,
  input logic [NumVcs-1:0]         tail_here_i,
  input logic [NumVcs*LengthW-1:0] length_i,
  input logic [NumVcs*PortW-1:0]   route_i,
  input logic [NumVcs*NumVcs-1:0]  route_vcs_i,
  input logic [NumVcs*PortW-1:0]   bound_i,
  input logic [NumVcs*VcW-1:0]     bound_vc_i,
  input logic [NumLanes-1:0]       free_i,
  input logic [NumLanes*CntW-1:0]  credits_i,
  input logic [VcW-1:0]            w_i,
  input logic [VcW-1:0]            x_i
);

  `PROVE_RESET

  localparam bit Stores = FlowControl == anl_pkg::StoreAndForward;

  logic [NumLanes-1:0]        has_credit, all_credits;
  logic [NumVcs*NumPorts-1:0] route_port, bound_to;
  logic [NumPorts-1:0]        request;
  logic [NumVcs-1:0]          take;

  for (genvar l = 0; l < NumLanes; l++) begin : g_out
    assign has_credit[l]  = credits_i[l*CntW +: CntW] >= 1;
    assign all_credits[l] = 32'(credits_i[l*CntW +: CntW]) == Depth;
  end
  for (genvar v = 0; v < NumVcs; v++) begin : g_in
    assign route_port[v*NumPorts +: NumPorts] = NumPorts'(1) << route_i[v*PortW +: PortW];
    assign bound_to[v*NumPorts +: NumPorts]   = NumPorts'(1) << bound_i[v*PortW +: PortW];
  end

  anl_ask #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl), .Turns(Turns)
  ) u_dut (
    .sel_i(none_i ? '0 : NumVcs'(1) << v_i), .head_i, .whole_i(tail_here_i | {NumVcs{!Stores}}), .length_i,
    .route_port_i(route_port), .route_vcs_i, .bound_to_i(bound_to), .bound_vc_i,
    .free_i, .has_credit_i(has_credit), .all_credits_i(all_credits), .credits_i, .request_o(request), .take_o(take)
  );

  wire               head   = head_i[v_i];
  wire [LengthW-1:0] length = length_i[v_i*LengthW +: LengthW];
  wire [NumVcs-1:0]  set    = route_vcs_i[v_i*NumVcs +: NumVcs];
  wire [VcW-1:0]     bound_vc = bound_vc_i[v_i*VcW +: VcW];
  wire [PortW-1:0]   o      = head ? route_i[v_i*PortW +: PortW] : bound_i[v_i*PortW +: PortW];
  wire [31:0]        need   = (FlowControl == anl_pkg::Wormhole) ? 1 : 32'(length);
  wire               may_go = !none_i && (!head || !Stores || tail_here_i[v_i]);

  // Output lanes w_i and x_i of port o.
  wire [31:0] w = o * NumVcs + w_i;
  wire [31:0] x = o * NumVcs + x_i;
  wire [31:0] credits_w = 32'(CntW'(credits_i >> (w * CntW)));
  wire [31:0] credits_x = 32'(CntW'(credits_i >> (x * CntW)));
  wire        can_w = head ? set[w_i] && 1'(free_i >> w) && credits_w >= need : w_i == bound_vc && credits_w >= 1;
  wire        can_x = head ? set[x_i] && 1'(free_i >> x) && credits_x >= need : x_i == bound_vc && credits_x >= 1;
  wire        empty_w = credits_w == Depth;
  wire        empty_x = credits_x == Depth;

  `GIVEN(LanesExist, 32'(v_i) < NumVcs && 32'(w_i) < NumVcs && 32'(x_i) < NumVcs && 32'(bound_vc) < NumVcs)
  `GIVEN(PortIsATurn, 32'(o) < NumPorts && 1'(Turns >> o))
  `GIVEN(LengthIsLegal, !head || (length >= 1 && length <= 64))
  `GIVEN(CreditsAreAtMostDepth, credits_w <= Depth && credits_x <= Depth)

  `PROVE(RequestsIfItCanGo, !may_go || !can_w || request == NumPorts'(1) << o)
  `PROVE(RequestsNothingElse, request == '0 || (may_go && request == NumPorts'(1) << o))
  `PROVE(TakesALaneOfRuleTwo, request == '0 || !take[w_i] || can_w)
  `PROVE(TakesOneIfItRequests, request == '0 || take != '0)
  `PROVE(TakesByRuleFive, request == '0 || !take[w_i] || !can_x || (empty_w && !empty_x)
                          || (empty_w == empty_x && w_i <= x_i))

  `COVER(BodyGoes, request != '0 && !head && length == '0 && set == '0)
  `COVER(HeadGoesByTheLastPort, request[NumPorts-1] && head)
  `COVER(HeadWaits, !none_i && head && request == '0)
  `COVER(NoLaneAsks, none_i && request == '0 && can_w)
  `COVER(LaterLaneIsEmpty, NumVcs == 1 || (request != '0 && take[w_i] && can_x && w_i > x_i))

endmodule
