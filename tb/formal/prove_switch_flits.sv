// SPDX-License-Identifier: Apache-2.0
//
// anl_switch, whole: no flit is lost, made up, doubled, changed or sent by a wrong port.
//
// Any one flit that arrives is marked by a data bit that is 0 in all others. The flits that were in
// its lane before it leave first, one for each credit. Then the marked flit must be on the link of
// its worm's port, whole, in the cycle of its own credit. No other flit may ever have the mark.
// Besides, in every cycle as many flits leave as credits are returned.

`include "prove.svh"

module prove_switch_flits #(
  parameter  int NumPorts  = 2,
  parameter  int NumVcs    = 2,
  parameter  int Depth     = 2,
  parameter  int Arbiter   = anl_pkg::RoundRobin,
  parameter  int CreditBypass = 0,
  parameter  int Greedy    = 0,             // 1: two ports lead to the last but one destination
  parameter  int Stages    = 1,
  localparam int FlowControl = anl_pkg::Wormhole,
  localparam int DstW      = anl_pkg::index_width(NumPorts),
  localparam int MarkBit   = anl_head_pkg::head_width(DstW, Arbiter, FlowControl, 0),
  localparam int FlitW     = MarkBit + 1,
  localparam int VcW       = anl_pkg::index_width(NumVcs),
  localparam int LaneW     = anl_pkg::index_width(NumPorts * NumVcs),
  localparam int NumLanes  = NumPorts * NumVcs
) (
  input logic                          clk_i,
  input logic [31:0]                   seed_i,
  input logic [NumPorts-1:0]           valid_i,
  input logic [NumPorts*VcW-1:0]       vc_i,
  input logic [NumPorts*(FlitW+2)-1:0] flit_i,
  input logic [NumLanes-1:0]           credit_i,
  input logic [NumLanes-1:0]           vcs_i
);

  `include "switch.svh"

  logic             marked_q, there_q;     // a flit has been marked; it is still in the switch
  logic [LaneW-1:0] lane_q;                // the lane by which it came
  logic [CntW-1:0]  ahead_q;               // flits before it in the lane
  logic [LinkW-1:0] flit_q;
  logic [DstW-1:0]  to_q;                  // output port of its worm

  logic [NumPorts-1:0] arrives_marked, leaves_marked, port_exists;
  logic [LaneW-1:0]    lane;               // lane of the flit that is being marked
  logic [LinkW-1:0]    in_flit, out_flit;

  for (genvar p = 0; p < NumPorts; p++) begin : g_mark
    wire [DstW-1:0] to = flit_i[p*LinkW +: DstW];
    assign arrives_marked[p] = valid_i[p] && flit_i[p*LinkW + MarkBit];
    assign leaves_marked[p]  = valid[p] && flit[p*LinkW + MarkBit];
    assign port_exists[p]    = !valid_i[p] || !flit_i[p*LinkW + FlitW + 1] || 32'(to) < NumPorts;
  end

  always_comb begin : marked
    {lane, in_flit, out_flit} = '0;
    for (int p = 0; p < NumPorts; p++) begin
      if (arrives_marked[p]) lane    = LaneW'(p * NumVcs) + LaneW'(vc_i[p*VcW +: VcW]);
      if (arrives_marked[p]) in_flit = flit_i[p*LinkW +: LinkW];
      if (leaves_marked[p])  out_flit = flit[p*LinkW +: LinkW];
    end
  end

  wire mark  = arrives_marked != '0;
  wire pop   = credit[lane_q];
  wire leave = there_q && pop && ahead_q == '0;

  always_ff @(posedge clk_i) begin : model
    if (mark) begin
      {marked_q, there_q} <= 2'b11;
      lane_q  <= lane;
      ahead_q <= held_q[lane*CntW +: CntW] - CntW'(credit[lane]);
      flit_q  <= in_flit;
      to_q    <= in_flit[FlitW+1] ? in_flit[DstW-1:0] : dst_q[lane*DstW +: DstW];
    end else if (there_q && pop) begin
      if (ahead_q == '0) there_q <= 1'b0;
      else               ahead_q <= ahead_q - 1'b1;
    end
    if (rst_i) {marked_q, there_q} <= 2'b00;
  end

  `GIVEN(OneFlitIsMarked, (!mark || !marked_q) && $onehot0(arrives_marked))
  `GIVEN(PortsExist, port_exists == {NumPorts{1'b1}})

  wire either_port = Greedy != 0 && 32'(to_q) == NumPorts - 2;

  `PROVE(NotLost, !leave || leaves_marked != '0)
  `PROVE(NotMadeUpNorDoubled, leaves_marked == '0 || (leave && $onehot(leaves_marked)))
  `PROVE(NotMisrouted, !leave || leaves_marked[to_q] || (either_port && leaves_marked[NumPorts-1]))
  `PROVE(NotChanged, !leave || out_flit == flit_q)
  `PROVE(AsManyLeaveAsCredits, $countones(valid) == $countones(credit))

  wire head = flit_q[FlitW+1];

  `COVER(MarkedIsBehindAll, there_q && 32'(ahead_q) == Depth - 1 && 32'(lane_q) == NumLanes - 1)
  `COVER(MarkedHeadLeaves, leave && head && 32'(lane_q) == 0 && leaves_marked[NumPorts-1])
  `COVER(MarkedBodyLeaves, leave && !head && !flit_q[FlitW] && 32'(lane_q) == NumLanes - 1)
  `COVER(AllPortsSend, valid == '1 && (valid_i == '1 || Depth == 1))
  if (Greedy != 0) begin : g_greedy
    `COVER(ByTheSecondPort, leave && either_port && leaves_marked[NumPorts-1] && !head)
  end
  if (CreditBypass != 0) begin : g_chained
    `COVER(MarkedComesToAFullLane, mark && 32'(held_q[lane*CntW +: CntW]) == Depth)
  end

endmodule
