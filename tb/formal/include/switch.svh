// SPDX-License-Identifier: Apache-2.0
//
// A switch with free neighbours (neighbours.svh); the destination of a worm is the number of its port.
//
// Needs, beyond what neighbours.svh does: Scan, Admission, Greedy (the last but one destination has two
// ports).

  `PROVE_RESET

  logic [NumLanes-1:0]           credit, path, either;
  logic [NumPorts-1:0]           valid;
  logic [NumPorts*VcW-1:0]       vc;
  logic [NumPorts*(FlitW+2)-1:0] flit;
  logic [NumLanes*DstW-1:0]      dst;
  logic [7:0]                    random;

  for (genvar l = 0; l < NumLanes; l++) begin : g_either
    assign either[l] = Greedy != 0 && 32'(dst[l*DstW +: DstW]) == NumPorts - 2;
  end

  anl_switch #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .DstW(DstW), .Scan(Scan),
    .Admission(Admission), .Path((Greedy != 0) ? anl_pkg::PathGreedy : anl_pkg::PathNone),
    .Chained(Chained != 0 ? 2 ** NumPorts - 1 : 0)
  ) u_dut (
    .clk_i, .rst_i, .seed_i, .valid_i, .vc_i, .flit_i, .credit_o(credit),
    .valid_o(valid), .vc_o(vc), .flit_o(flit), .credit_i, .chained_i(credit_i),
    .dst_o(dst), .path_o(path), .random_o(random), .route_port_i(dst),
    .route_vcs_i({NumLanes*NumVcs{1'b1}}), .route_either_i(either)
  );

  `include "neighbours.svh"
