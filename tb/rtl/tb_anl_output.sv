// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_output (input logic clk_i, input logic rst_i);

  localparam int NumPortsOf [17] = '{2, 3, 5, 5, 7, 4, 1, 6, 6, 6, 5, 6, 5, 5, 4, 5, 3};
  localparam int NumVcsOf [17] = '{1, 2, 4, 3, 8, 2, 2, 2, 1, 3, 1, 3, 2, 2, 1, 2, 1};
  localparam int DepthOf [17] = '{1, 2, 4, 3, 2, 16, 64, 2, 1, 1, 2, 3, 2, 2, 2, 4, 2};
  localparam int FlitWOf [17] = '{6, 22, 32, 40, 29, 62, 32, 40, 20, 30, 20, 24, 20, 20, 12, 24, 12};
  localparam int ScanOf [17] = '{0, 3, 1, 2, 0, 3, 1, 4, 2, 1, 1, 3, 1, 5, 6, 6, 1};
  localparam int ChainedOf [17] = '{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0};
  // Set of the ports that may offer, as bits; 0 means all ports.
  localparam int TurnsOf [17] = '{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 26, 22, 8, 29, 0, 29, 0};
  localparam int StagesOf [17] = '{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2};
  localparam bit SampleOf [17] = '{1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1};
  // Behind these, every number of ports, every depth of a lane (docs/switch.md), and each number of lanes.
  localparam int Listed = 17;

  for (genvar g = 0; g < Listed + 64; g++)
    if ((g >= Listed || `BUILT(SampleOf[g % Listed])) && `SWEPT(g - Listed, 64, 128)) begin : g_corner
    localparam int S = g - Listed;
    localparam int NumPorts = (g < Listed) ? NumPortsOf[g % Listed] : 1 + S / 2;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : (S < 16) ? 1 + S / 2 : (S < 32) ? 1 + S % 4 : 1 + S % 2;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int FlitW = (g < Listed) ? FlitWOf[g % Listed] : 6;
    localparam int Scan = (g < Listed) ? ScanOf[g % Listed] : S % 7;
    localparam int Chained = (g < Listed) ? ChainedOf[g % Listed] : 0;
    localparam int Turns = (g >= Listed || TurnsOf[g % Listed] == 0) ? 2 ** NumPorts - 1 : TurnsOf[g % Listed];
    localparam int Stages = (g < Listed) ? StagesOf[g % Listed] : 1 + S / 2 % 2;
    localparam int PortW = anl_pkg::index_width(NumPorts);
    localparam int VcW = anl_pkg::index_width(NumVcs);
    localparam int CntW = $clog2(Depth + 1);
    localparam int L = NumPorts * NumVcs;
    logic [7:0] random;
    logic [NumPorts-1:0] request, grant;
    logic [L-1:0] take;
    logic [NumPorts*VcW-1:0] lane;
    logic [NumPorts*16-1:0] rank;
    logic [NumPorts*2-1:0] ends;
    logic [NumPorts*(FlitW+2)-1:0] flit, flit_q;
    logic valid;
    logic [VcW-1:0] vc;
    logic [FlitW+1:0] flit_out;
    logic [NumVcs-1:0] credit, has_credit, all_credits, owned;
    logic [NumVcs*CntW-1:0] credits, usable;
    logic [NumVcs*PortW-1:0] owner_port;
    logic [NumVcs*VcW-1:0] owner_vc;
    logic [PortW-1:0] out_ptr;

    `BENCH("anl_output", g, {Stages, Turns, Chained, Scan, FlitW, Depth, NumVcs, NumPorts})
    assign {credit, flit, rank, lane, take, request, random} = in;
    assign out = {out_ptr, owner_vc, owner_port, owned, credits, usable, all_credits, has_credit, flit_out, vc,
      valid, grant};

    always_ff @(posedge clk_i) begin : keep
      flit_q <= flit;
    end
    for (genvar p = 0; p < NumPorts; p++) begin : g_ends
      assign ends[p*2+:2] = flit[p*(FlitW+2)+FlitW+:2];
    end

    anl_output #(
      .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlitW(FlitW), .Scan(Scan),
      .Chained(Chained), .Turns(Turns), .Stages(Stages)
    ) u_dut (
      .clk_i, .rst_i, .random_i(random), .request_i(request), .take_i(take), .lane_i(lane),
      .rank_i(rank), .ends_i(ends), .flit_i(Stages == 2 ? flit_q : flit), .grant_o(grant),
      .valid_o(valid), .vc_o(vc),
      .flit_o(flit_out), .credit_i(credit), .chained_i(Chained != 0 ? credit : ~credit),
      .usable_o(usable), .has_credit_o(has_credit), .all_credits_o(all_credits),
      .credits_o(credits), .owned_o(owned), .owner_port_o(owner_port), .owner_vc_o(owner_vc),
      .out_ptr_o(out_ptr)
    );
  end

endmodule
