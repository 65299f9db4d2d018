// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_options (input logic clk_i, input logic rst_i);

  localparam int NumPortsOf [8] = '{2, 3, 5, 5, 4, 5, 7, 3};
  localparam int NumVcsOf [8] = '{1, 2, 2, 3, 4, 2, 1, 4};
  localparam int DepthOf [8] = '{1, 2, 4, 3, 2, 4, 2, 5};
  localparam int AdmissionOf [8] = '{0, 0, 0, 1, 2, 0, 0, 1};
  localparam int SelectOf [8] = '{0, 1, 0, 0, 1, 2, 1, 2};
  localparam int AtomicOf [8] = '{0, 0, 1, 1, 0, 1, 0, 0};
  localparam int EscapeOf [8] = '{0, 1, 1, 2, 1, 1, 0, 3};
  localparam bit SampleOf [8] = '{1, 1, 1, 0, 1, 1, 1, 1};
  // Behind these, every depth of a lane (docs/switch.md).
  localparam int Listed = 8;

  for (genvar g = 0; g < Listed + 64; g++)
    if ((g >= Listed || `BUILT(SampleOf[g % Listed])) && `SWEPT(g - Listed, 64, 8)) begin : g_corner
    localparam int S = g - Listed;
    localparam int P = (g < Listed) ? NumPortsOf[g % Listed] : 2;
    localparam int NumVcs = (g < Listed) ? NumVcsOf[g % Listed] : 1;
    localparam int Depth = (g < Listed) ? DepthOf[g % Listed] : S + 1;
    localparam int Admission = (g < Listed) ? AdmissionOf[g % Listed] : 0;
    localparam int Select = (g < Listed) ? SelectOf[g % Listed] : 0;
    localparam int Atomic = (g < Listed) ? AtomicOf[g % Listed] : 0;
    localparam int Escape = (g < Listed) ? EscapeOf[g % Listed] : 0;
    localparam int L = P * NumVcs;
    localparam int CntW = $clog2(Depth + 1);
    logic [L*L-1:0] options;
    logic [L*7-1:0] length;
    logic [P*P-1:0] straight;
    logic [P-1:0] terminals;
    logic [7:0] random;
    logic [L-1:0] free, has_credit, all_credits;
    logic [L*CntW-1:0] credits;
    logic [L*P-1:0] port;
    logic [L*NumVcs-1:0] vcs;

    `BENCH("anl_options", g, {Escape, Atomic, Select, Admission, Depth, NumVcs, P})
    assign {credits, random, terminals, straight, length, options, free} = in;
    assign out = {vcs, port};
    for (genvar l = 0; l < L; l++) begin : g_lane
      assign has_credit[l] = credits[l*CntW +: CntW] != 0;
      assign all_credits[l] = credits[l*CntW +: CntW] == CntW'(Depth);
    end

    anl_options #(
      .NumPorts(P), .NumVcs(NumVcs), .Depth(Depth), .Admission(Admission), .Select(Select),
      .Atomic(Atomic), .Escapes(anl_pkg::last_of_each(Escape, NumVcs, NumVcs))
    ) u_dut (
      .options_i(options), .length_i(length), .straight_i(straight), .terminals_i(terminals),
      .random_i(random), .free_i(free), .has_credit_i(has_credit), .all_credits_i(all_credits),
      .credits_i(credits), .port_o(port), .vcs_o(vcs)
    );
  end

endmodule
