// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_binding (input logic clk_i, input logic rst_i);

  localparam int NumPortsOf [6] = '{2, 3, 5, 7, 5, 6};
  localparam int NumVcsOf [6] = '{1, 2, 3, 4, 8, 2};
  localparam int ScanOf [6] = '{1, 3, 0, 3, 2, 4};
  // Behind these, every number of ports (docs/switch.md), with each number of lanes.
  localparam int Listed = 6;

  for (genvar g = 0; g < Listed + 32; g++) if (`SWEPT(g - Listed, 32, 4)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumPorts = (g < Listed) ? NumPortsOf[g % Listed] : S + 1;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1 + S / 4;
    localparam int Scan = (g < Listed) ? ScanOf[g % Listed] : 1;
    localparam int PortW = anl_pkg::index_width(NumPorts);
    localparam int VcW = anl_pkg::index_width(NumVcs);
    logic [NumVcs-1:0] learn, move, bound;
    logic head, tail;
    logic [NumVcs*PortW-1:0] wanted;
    logic [NumVcs*NumPorts-1:0] port, to;
    logic [VcW-1:0] vc;
    logic [15:0] rank;
    logic [NumVcs*PortW-1:0] ports;
    logic [NumVcs*VcW-1:0] vcs;
    logic [NumVcs*16-1:0] ranks;

    `BENCH("anl_binding", g, {Scan, NumVcs, NumPorts})
    assign {rank, vc, wanted, learn, tail, head, move} = in;
    assign out = {ranks, vcs, ports, to, bound};

    for (genvar v = 0; v < NumVcs; v++) begin : g_lane
      assign port[v*NumPorts +: NumPorts] = NumPorts'(1) << wanted[v*PortW +: PortW];
    end

    anl_binding #(.NumPorts(NumPorts), .NumVcs(NumVcs), .Scan(Scan)) u_dut (
      .clk_i, .rst_i, .learn_i(learn), .port_i(port), .offer_i(move), .move_i(move), .head_i(head), .tail_i(tail),
      .vc_i(vc), .rank_i(rank), .bound_o(bound), .to_o(to), .port_o(ports), .vc_o(vcs),
      .rank_o(ranks)
    );
  end

endmodule
