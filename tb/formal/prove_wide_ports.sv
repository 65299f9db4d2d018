// SPDX-License-Identifier: Apache-2.0
//
// anl_wide_ports, the ports of a switch whose links are wide: the assertions of its parts hold, and
// worms leave whole in their lanes, whatever arrives and however credits come back. With two stages
// it is the whole switch, anl_switch, which has the registers behind these ports.
//
// Each lane of a link has wires of its own, so the neighbours of neighbours.svh are those of links
// with one lane: NumPorts there is the number of lanes, and NumVcs is 1. The destination of a worm
// is the number of its output port, and a head may take all lanes there.

`include "prove.svh"

module prove_wide_ports #(
  parameter  int Ports    = 2,
  parameter  int Vcs      = 2,
  parameter  int Depth    = 1,
  parameter  int Arbiter  = anl_pkg::RoundRobin,
  parameter  int CreditBypass = 0,
  parameter  int Stages   = 1,
  localparam int NumLanes = Ports * Vcs,
  localparam int NumPorts = NumLanes,
  localparam int NumVcs   = 1,
  localparam int VcW      = 1,
  localparam int DstW     = anl_pkg::index_width(Ports),
  localparam int FlitW    = anl_head_pkg::head_width(DstW, Arbiter, anl_pkg::Wormhole, 0)
) (
  input logic                          clk_i,
  input logic [31:0]                   seed_i,
  input logic [NumLanes-1:0]           valid_i,
  input logic [NumLanes*(FlitW+2)-1:0] flit_i,
  input logic [NumLanes-1:0]           credit_i
);

  `PROVE_RESET

  logic [NumLanes-1:0]           valid, credit;
  logic [NumLanes*(FlitW+2)-1:0] flit;
  logic [NumLanes*DstW-1:0]      dst;
  logic [NumLanes*Ports-1:0]     route_port;
  wire  [NumLanes-1:0]           vc_i = '0;
  wire  [NumLanes-1:0]           vc   = '0;

  for (genvar l = 0; l < NumLanes; l++) begin : g_route
    assign route_port[l*Ports +: Ports] = Ports'(1) << dst[l*DstW +: DstW];
    `GIVEN(PortsExist, !valid_i[l] || 32'(flit_i[l*(FlitW+2) +: DstW]) < Ports)
  end

  if (Stages == 1) begin : g_one_stage
    anl_wide_ports #(
      .NumPorts(Ports), .NumVcs(Vcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .Arbiter(Arbiter),
      .CreditBypass(CreditBypass)
    ) u_dut (
      .clk_i, .rst_i, .random_i(seed_i[7:0]),
      .valid_i, .flit_i, .credit_o(credit), .valid_o(valid), .flit_o(flit), .credit_i,
      .here_i('0), .dst_o(dst), .differs_o(), .path_o(), .length_o(),
      .route_port_i(route_port), .route_vcs_i({NumLanes*Vcs{1'b1}}), .route_either_i('0),
      .held_o(), .count_o(), .bound_o(), .bound_port_o(), .bound_vc_o(),
      .credits_o(), .owned_o(), .owner_port_o(), .owner_vc_o(), .out_ptr_o()
    );
  end else begin : g_two_stages
    anl_switch #(
      .NumPorts(Ports), .NumVcs(Vcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .Arbiter(Arbiter),
      .CreditBypass((CreditBypass != 0) ? -1 : 0), .Wide(1), .Stages(Stages)
    ) u_dut (
      .clk_i, .rst_i, .seed_i, .valid_i, .vc_i('0), .flit_i, .credit_o(credit),
      .valid_o(valid), .vc_o(), .flit_o(flit), .credit_i, .chained_i('0),
      .here_i('0), .dst_o(dst), .differs_o(), .path_o(), .random_o(),
      .route_port_i(route_port), .route_vcs_i({NumLanes*Vcs{1'b1}}), .route_either_i('0),
      .free_o(), .has_credit_o(), .all_credits_o(), .credits_o(), .length_o()
    );
  end

  `include "neighbours.svh"

  for (genvar l = 0; l < NumLanes; l++) begin : g_worms
    `PROVE(WormsAreWhole, !departs[l] || flit[l*LinkW + FlitW+1] == !sent_q[l])
  end
  `COVER(AllLanesSend, valid == '1)

endmodule
