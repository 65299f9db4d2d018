// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_eligible (input logic clk_i, input logic rst_i);

  localparam int NumPortsOf [5] = '{2, 3, 5, 7, 5};
  localparam int NumVcsOf [5] = '{1, 2, 3, 4, 8};
  localparam int DepthOf [5] = '{2, 1, 3, 16, 4};
  localparam int AdmissionOf [5] = '{0, 1, 2, 0, 2};
  // Behind these, every number of ports, every depth of a lane (docs/switch.md), and each number of lanes.
  localparam int Listed = 5;

  for (genvar g = 0; g < Listed + 64; g++) if (`SWEPT(g - Listed, 64, 8)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumPorts = (g < Listed) ? NumPortsOf[g % Listed] : 1 + S / 2;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : (S < 16) ? 1 + S / 2 : (S < 32) ? 1 + S % 4 : 1 + S % 2;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int Admission = (g < Listed) ? AdmissionOf[g % Listed] : S % 3;
    localparam int PortW = anl_pkg::index_width(NumPorts);
    localparam int VcW = anl_pkg::index_width(NumVcs);
    localparam int CntW = $clog2(Depth + 1);
    localparam int NumLanes = NumPorts * NumVcs;
    logic held, head, whole, eligible;
    logic [6:0] length;
    logic [PortW-1:0] route_port, bound_port;
    logic [NumVcs-1:0] route_vcs, can;
    logic [VcW-1:0] bound_vc;
    logic [NumLanes-1:0] free, has_credit;
    logic [NumLanes*CntW-1:0] credits;
    logic [NumPorts-1:0] port, request;

    `BENCH("anl_eligible", g, {Admission, Depth, NumVcs, NumPorts})
    assign {credits, has_credit, free, bound_vc, bound_port, route_vcs, route_port, length, whole,
      head, held} = in;
    assign out = {request, eligible, can, port};

    anl_eligible #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .Admission(Admission)
    ) u_dut (
      .held_i(held), .head_i(head), .whole_i(whole), .length_i(length),
      .route_port_i(NumPorts'(1) << route_port), .route_vcs_i(route_vcs),
      .bound_to_i(NumPorts'(1) << bound_port), .bound_vc_i(bound_vc), .free_i(free),
      .has_credit_i(has_credit), .credits_i(credits), .port_o(port), .can_o(can),
      .eligible_o(eligible), .request_o(request)
    );
  end

endmodule
