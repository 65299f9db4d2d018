// SPDX-License-Identifier: Apache-2.0
//
// A switch with free neighbours (neighbours.svh). The destination of a worm is the number of its
// output port.
//
// Besides what neighbours.svh needs, the including harness provides Arbiter, FlowControl and Stages;
// Greedy, which is 1 if two ports lead to the last but one destination; and vcs_i, for each destination
// any set of lanes but the empty one, sampled in the reset cycle. This file provides vcs_q, the sampled
// sets.

  `PROVE_RESET

  logic [NumLanes-1:0]           credit, path, either;
  logic [NumPorts-1:0]           valid;
  logic [NumPorts*VcW-1:0]       vc;
  logic [NumPorts*(FlitW+2)-1:0] flit;
  logic [NumLanes*DstW-1:0]      dst;
  logic [31:0]                   random;

  logic [NumLanes-1:0] vcs_q;
  logic [NumLanes*NumPorts-1:0] route_port;
  logic [NumLanes*NumVcs-1:0]   route_vcs;

  always_ff @(posedge clk_i) begin : sets
    if (rst_i) vcs_q <= vcs_i;
  end
  for (genvar p = 0; p < NumPorts; p++) begin : g_set
    `GIVEN(SomeLaneIsAllowed, vcs_q[p*NumVcs +: NumVcs] != '0)
  end

  for (genvar l = 0; l < NumLanes; l++) begin : g_route
    wire [DstW-1:0] to = dst[l*DstW +: DstW];
    assign either[l] = Greedy != 0 && 32'(to) == NumPorts - 2;
    assign route_port[l*NumPorts +: NumPorts] = NumPorts'(1) << to;
    assign route_vcs[l*NumVcs +: NumVcs] = NumVcs'(vcs_q >> (32'(to) * NumVcs));
  end

  anl_switch #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW),
    .Arbiter(Arbiter), .FlowControl(FlowControl), .Path((Greedy != 0) ? anl_pkg::PathGreedy : anl_pkg::PathNone),
    .Stages(Stages), .CreditBypass(CreditBypass != 0 ? 2 ** NumPorts - 1 : 0)
  ) u_dut (
    .clk_i, .rst_i, .seed_i, .valid_i, .vc_i, .flit_i, .credit_o(credit),
    .valid_o(valid), .vc_o(vc), .flit_o(flit), .credit_i, .chained_i(credit_i),
    .here_i({DstW{1'b0}}), .dst_o(dst), .differs_o(), .path_o(path), .random_o(random),
    .route_port_i(route_port), .route_vcs_i(route_vcs), .route_either_i(either),
    .free_o(), .has_credit_o(), .all_credits_o(), .credits_o(), .length_o()
  );

  `include "neighbours.svh"
