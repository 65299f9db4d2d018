// SPDX-License-Identifier: Apache-2.0

`include "bench.svh"

module tb_anl_options #(
  parameter int Index,
  parameter int NumPorts,
  parameter int NumVcs,
  parameter int Depth,
  parameter int FlowControl = anl_pkg::Wormhole,
  parameter int Select = 0,
  parameter int Atomic = 0,
  parameter int Escape
) (
  input logic clk_i,
  input logic rst_i
);

  localparam int L = NumPorts * NumVcs;
  localparam int CntW = $clog2(Depth + 1);
  logic [L*L-1:0] options;
  logic [L*7-1:0] length;
  logic [NumPorts*NumPorts-1:0] straight;
  logic [NumPorts-1:0] terminals;
  logic [7:0] random;
  logic [L-1:0] free, has_credit, all_credits;
  logic [L*CntW-1:0] credits;
  logic [L*NumPorts-1:0] port;
  logic [L*NumVcs-1:0] vcs;

  `BENCH("anl_options", Index, {Escape, Atomic, Select, FlowControl, Depth, NumVcs, NumPorts})
  assign {credits, random, terminals, straight, length, options, free} = in;
  assign out = {vcs, port};
  for (genvar l = 0; l < L; l++) begin : g_lane
    assign has_credit[l] = credits[l*CntW +: CntW] != 0;
    assign all_credits[l] = credits[l*CntW +: CntW] == CntW'(Depth);
  end

  anl_options #(
    .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth(Depth), .FlowControl(FlowControl), .Select(Select),
    .Atomic(Atomic), .Escapes(anl_pkg::last_of_each(Escape, NumVcs, NumVcs))
  ) u_dut (
    .options_i(options), .length_i(length), .straight_i(straight), .terminals_i(terminals),
    .random_i(random), .free_i(free), .has_credit_i(has_credit), .all_credits_i(all_credits),
    .credits_i(credits), .port_o(port), .vcs_o(vcs)
  );

endmodule
