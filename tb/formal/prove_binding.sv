// SPDX-License-Identifier: Apache-2.0
//
// anl_binding: a lane is bound from the cycle after its head moves until its tail moves, and the
// binding keeps what the head gave it. Later flits change nothing. The port is the one that is
// given in the cycle in which the head moves, whatever was given for waiting heads before. The lane
// of the model is any one.

`include "prove.svh"

module prove_binding #(
  parameter  int NumPorts = 3,
  parameter  int NumVcs   = 2,
  parameter  int Arbiter  = anl_pkg::RoundRobin,
  localparam int RankW   = anl_head_pkg::RankW,
  localparam int PortW    = anl_pkg::index_width(NumPorts),
  localparam int VcW      = anl_pkg::index_width(NumVcs)
) (
  input logic                    clk_i,
  input logic                    move_i,
  input logic [VcW-1:0]          lane_i,
  input logic                    head_i,
  input logic                    tail_i,
  // Bit v: the port of a head that waits on lane v is stored, whether the head moves or not.
  input logic [NumVcs-1:0]       waits_i,
  input logic [NumVcs-1:0]       offers_i, // offered without being granted
  input logic [NumVcs*PortW-1:0] port_i,
  input logic [VcW-1:0]          vc_i,
  input logic [RankW-1:0]       rank_i
);

  `PROVE_RESET

  logic [NumVcs-1:0]          moves, learn, bound;
  logic [NumVcs*NumPorts-1:0] wanted, to;
  logic [NumVcs*PortW-1:0]    port;
  logic [NumVcs*VcW-1:0]      vc;
  logic [NumVcs*RankW-1:0]   rank;

  anl_binding #(.NumPorts(NumPorts), .NumVcs(NumVcs), .Arbiter(Arbiter)) u_dut (
    .clk_i, .rst_i, .learn_i(learn), .port_i(wanted), .offer_i(moves | offers_i),
    .move_i(moves), .head_i, .tail_i, .vc_i, .rank_i,
    .bound_o(bound), .to_o(to), .port_o(port), .vc_o(vc), .rank_o(rank)
  );

  localparam bit Stamped = Arbiter == anl_pkg::Age || Arbiter == anl_pkg::Farthest;

  logic [VcW-1:0]    lane_q, vc_q;
  logic [NumVcs-1:0] inside_q;             // the lane is between the head and the tail of a worm
  logic [PortW-1:0]  port_q;
  logic [RankW-1:0] rank_q;
  wire               move   = move_i && lane_i == lane_q;
  wire [PortW-1:0]   port_l = port_i[lane_q*PortW +: PortW];

  assign moves = move_i ? NumVcs'(1) << lane_i : '0;
  assign learn = waits_i | (moves & {NumVcs{head_i}});
  for (genvar v = 0; v < NumVcs; v++) begin : g_wanted
    assign wanted[v*NumPorts +: NumPorts] = NumPorts'(1) << port_i[v*PortW +: PortW];
    `GIVEN(PortsExist, 32'(port_i[v*PortW +: PortW]) < NumPorts)
    `GIVEN(HeadsWaitUnbound, !waits_i[v] || !inside_q[v])
  end

  always_ff @(posedge clk_i) begin : model
    if (rst_i) lane_q <= lane_i;
    if (move && head_i) {port_q, vc_q, rank_q} <= {port_l, vc_i, rank_i};
    if (move_i) inside_q[lane_i] <= !tail_i;
    if (rst_i)  inside_q <= '0;
  end

  `GIVEN(LanesExist, 32'(lane_i) < NumVcs && 32'(lane_q) < NumVcs && 32'(vc_i) < NumVcs)
  `GIVEN(WormsBeginWithHeads, !move_i || head_i == !inside_q[lane_i])

  wire [RankW-1:0] stamp_l = rank[lane_q*RankW +: RankW];

  `PROVE(BoundFromHeadToTail, bound[lane_q] == inside_q[lane_q])
  `PROVE(KeepsThePort, !inside_q[lane_q] || to[lane_q*NumPorts +: NumPorts] == NumPorts'(1) << port_q)
  `PROVE(IndexIsOfThePort, !inside_q[lane_q] || port[lane_q*PortW +: PortW] == port_q)
  `PROVE(KeepsTheLane, !inside_q[lane_q] || vc[lane_q*VcW +: VcW] == vc_q)
  `PROVE(KeepsTheStamp, !inside_q[lane_q] || !Stamped || stamp_l == rank_q)

  logic [NumVcs-1:0] before_q;             // lanes bound in the previous cycle
  // The tail of the lane's worm moved in the previous cycle.
  logic              unbinds_q;
  logic              waited_q;             // a head waited on the lane in the previous cycle
  logic [PortW-1:0]  wanted_q;             // port that it waited for
  always_ff @(posedge clk_i) begin : past
    before_q  <= bound;
    unbinds_q <= move && tail_i && !head_i;
    waited_q  <= waits_i[lane_q] && !move;
    wanted_q  <= port_l;
  end

  `COVER(AllLanesAreBound, bound == '1)
  `COVER(WormBehindWorm, unbinds_q && move && head_i && !tail_i)
  `COVER(WantsAnotherPort, waited_q && move && head_i && (port_l != wanted_q || NumPorts == 1))
  `COVER(OneFlitWorm, move && head_i && tail_i && (NumVcs == 1 || before_q != '0))
  `COVER(BodySaysOtherwise, move && !head_i && !tail_i && (port_l != port_q || NumPorts == 1)
                            && (vc_i != vc_q || NumVcs == 1) && rank_i != rank_q)

endmodule
